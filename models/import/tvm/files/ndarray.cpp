// Formats: include/tvm/runtime/ndarray.h and src/runtime/file_utils.cc of TVM 0.8 to 0.18; all words little-endian.
#include "models/import/tvm/files/ndarray.hpp"

#include <utility>

#include "base/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kListMagic = 0xF7E58D4F05049CB7U, kArrayMagic = 0xDD5E40F096B4A13FU;
constexpr std::uint32_t kMaxRank = 32;

/// Take `count` bytes as a number; false when fewer are left.
bool take(std::string_view& bytes, std::uint32_t count, std::uint64_t& value) {
  if (bytes.size() < count) return false;
  value = 0;
  for (std::uint32_t i = 0; i < count; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  bytes.remove_prefix(count);
  return true;
}

}  // namespace

std::string dtype_name(std::int64_t code, std::int64_t bits, std::int64_t lanes) {
  if (lanes != 1) return "";
  if (code == 1 && bits == 1) return "bool";
  const char* const kinds[] = {"int", "uint", "float", "", "bfloat"};
  if (code < 0 || code > 4 || code == 3 || bits <= 0 || bits > 64) return "";
  return kinds[code] + std::to_string(bits);
}

bool read_ndarray(std::string_view& bytes, NamedArray& out) {
  std::uint64_t magic = 0, reserved = 0, device = 0, rank = 0, code = 0, bits = 0, lanes = 0, size = 0;
  if (!take(bytes, 8, magic) || magic != kArrayMagic || !take(bytes, 8, reserved) || !take(bytes, 8, device))
    return false;
  if (!take(bytes, 4, rank) || rank > kMaxRank || !take(bytes, 1, code) || !take(bytes, 1, bits) ||
      !take(bytes, 2, lanes))
    return false;
  std::uint64_t elements = 1;
  for (std::uint64_t i = 0; i < rank; ++i) {
    std::uint64_t extent = 0;
    if (!take(bytes, 8, extent) || extent > (std::uint64_t{1} << 40)) return false;
    if (extent != 0 && elements > (std::uint64_t{1} << 40) / extent) return false;
    elements *= extent;
    out.shape.push_back(static_cast<std::int64_t>(extent));
  }
  if (!take(bytes, 8, size) || size > bytes.size()) return false;
  const std::uint64_t element_bytes = (bits + 7) / 8 * lanes;
  if (element_bytes == 0 || size != elements * element_bytes) return false;
  out.dtype =
      dtype_name(static_cast<std::int64_t>(code), static_cast<std::int64_t>(bits), static_cast<std::int64_t>(lanes));
  if (out.dtype.empty()) out.dtype = "custom";
  out.bytes = std::string(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return true;
}

std::vector<NamedArray> read_params(std::string_view bytes, const std::string& file) {
  const std::size_t total = bytes.size();
  const auto fail = [&](const std::string& what) {
    throw InputError(file, "byte " + std::to_string(total - bytes.size()), what);
  };
  std::uint64_t magic = 0, reserved = 0, count = 0, length = 0;
  if (!take(bytes, 8, magic) || magic != kListMagic) fail("not a dictionary of TVM parameters");
  if (!take(bytes, 8, reserved) || !take(bytes, 8, count)) fail("cut off");
  if (count > bytes.size() / 8) fail("more names than the file has room for");
  std::vector<NamedArray> arrays;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!take(bytes, 8, length) || length > bytes.size()) fail("a name that is cut off");
    arrays.push_back({.name = std::string(bytes.substr(0, length)), .dtype = {}, .shape = {}, .bytes = {}});
    bytes.remove_prefix(length);
  }
  if (!take(bytes, 8, length) || length != count) fail("as many arrays as names are expected");
  for (NamedArray& array : arrays) {
    if (!read_ndarray(bytes, array)) fail("array " + std::to_string(&array - arrays.data()) + " is damaged or cut off");
  }
  if (!bytes.empty()) fail("bytes after the last array");
  return arrays;
}

}  // namespace detent::models::tvm
