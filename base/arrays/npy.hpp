// The .npy file of one array: bytes -> element type, shape and data, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent {

/// Most dimensions and bytes of header that are read.
inline constexpr std::size_t kMaxNpyRank = 32;
inline constexpr std::size_t kMaxNpyHeaderBytes = 65536;

/// An array in C order, little-endian.
struct NpyArray {
  std::string type{};                  ///< NumPy's word for the elements: "<f4", "|u1"
  std::vector<std::uint64_t> shape{};  ///< empty: a single element
  std::string_view data{};             ///< of the bytes that were read, all elements of `shape`
};

/// Does the file say that it is one?
bool is_npy(std::string_view bytes);

/// Read a file of version 1.0 or 2.0. @param name  how messages name it
/// @throws InputError  a broken header, another version, big-endian or Fortran order, a type that is no number or
///                     truth value of 1 to 8 bytes, more or fewer bytes of data than the shape needs
NpyArray read_npy(std::string_view bytes, const std::string& name);

/// A file of version 1.0, as NumPy writes it: the data begin at a multiple of 64 bytes.
std::string format_npy(const NpyArray& array);

}  // namespace detent
