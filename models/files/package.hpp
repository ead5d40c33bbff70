// Package: a Model as one binary file. Bit by bit in docs/FORMATS_PACKAGE.md.
//
// Little-endian, versioned, every byte under a checksum or known to be zero; the same model gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "models/core/model.hpp"

namespace detent::models {

inline constexpr std::string_view kPackageMagic = "DETENTPK";
inline constexpr std::uint32_t kPackageVersion = 2;
inline constexpr std::uint64_t kMaxPackageBytes = std::uint64_t{1} << 32U;

/// Does this begin like a package, maybe a byte-swapped one? Then decode_package is the one to judge it.
bool is_package(std::string_view bytes);

/// @throws InputError  a name that no package may hold (base/io.hpp), an index out of its table, rank above the limit
std::string encode_package(const Model& model);

/// The model that encode_package was given. Nothing in the file is trusted: sizes, counts, indices, enumerations,
/// names and checksums are checked before use, and memory stays within a small multiple of the file's size. What is
/// well formed but wrong as a network (cycles, overlaps) is left to detent_init and verify.
/// @param file  named in errors
/// @throws InputError  B01 to B17; the place is a header field or "tensors[7]"
Model decode_package(std::string_view bytes, const std::string& file);

/// Write atomically: the file holds the whole package or what it held before.
void write_package(const Model& model, const std::string& path);
Model read_package(const std::string& path);

}  // namespace detent::models
