#include "harness/tensor_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/arrays/npy.hpp"
#include "base/counted.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/wanted_file.hpp"

namespace detent::harness {
namespace {

static_assert(std::endian::native == std::endian::little, "files and memory have one byte order");

constexpr std::uint64_t kMostHeaderBytes = kMaxNpyHeaderBytes + 12;
constexpr std::size_t kChannelsPerBlock = 16;

/// By detent_dtype.
struct ElementType {
  const char* npy;
  std::size_t bytes;
};
ElementType element_type(const detent_tensor& tensor) {
  constexpr std::array<ElementType, 9> kTypes = {
      {{"|u1", 1}, {"|i1", 1}, {"<i4", 4}, {"<f4", 4}, {"|b1", 1}, {"<f2", 2}, {"<i8", 8}, {"<f8", 8}, {"|V2", 2}}};
  return kTypes.at(tensor.dtype);
}

std::uint64_t block_bytes_of(const detent_tensor& tensor) { return tensor.block_bytes * tensor.block_count; }

std::vector<std::uint64_t> shape_of(const detent_tensor& tensor) {
  const bool is_range = (tensor.flags & DETENT_TENSOR_RANGE) != 0;
  if (is_range && tensor.rank == 0) return {block_bytes_of(tensor) / element_type(tensor).bytes};
  return {tensor.dims, tensor.dims + tensor.rank};
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return shape.empty() ? "a single element" : fmt::format("{}", fmt::join(shape, "x"));
}

/// Calls copy(place in the blocks, place in C order) for every element of a tensor in blocks of 16 channels.
template <typename Copy>
void for_each_element(const detent_tensor& tensor, const Copy& copy) {
  const auto channels = static_cast<std::size_t>(tensor.dims[1]);
  const std::size_t pixels = static_cast<std::size_t>(tensor.dims[2]) * static_cast<std::size_t>(tensor.dims[3]);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const std::size_t block = channel / kChannelsPerBlock * pixels;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      copy((block + pixel) * kChannelsPerBlock + channel % kChannelsPerBlock, channel * pixels + pixel);
    }
  }
}

std::string to_c16(const detent_tensor& tensor, std::string_view plain) {
  const std::size_t size = element_type(tensor).bytes;
  std::string blocks(block_bytes_of(tensor), '\0');
  for_each_element(tensor, [&](std::size_t to, std::size_t from) {
    std::copy_n(plain.data() + from * size, size, blocks.data() + to * size);
  });
  return blocks;
}

std::string from_c16(const detent_tensor& tensor, std::string_view blocks) {
  const std::size_t size = element_type(tensor).bytes;
  std::size_t count = 1;
  for (const std::uint64_t extent : shape_of(tensor)) count *= extent;
  std::string plain(count * size, '\0');
  for_each_element(tensor, [&](std::size_t from, std::size_t to) {
    std::copy_n(blocks.data() + from * size, size, plain.data() + to * size);
  });
  return plain;
}

std::string blocks_of_npy(const std::string& file, const std::string& path, const detent_tensor& tensor) {
  const NpyArray array = read_npy(file, path);
  std::string type = array.type;
  if (type[2] == '1') type[0] = '|';  // the order of one byte does not matter
  const std::string wanted = element_type(tensor).npy;
  if (type != wanted) {
    throw InputError(path, "",
                     fmt::format("elements are {}, the tensor's {}; use array.astype('{}')", type, wanted, wanted));
  }
  const std::vector<std::uint64_t> shape = shape_of(tensor);
  if (array.shape != shape) {
    throw InputError(path, "",
                     fmt::format("shape is {}, the tensor's {}; use array.reshape or another file",
                                 shape_text(array.shape), shape_text(shape)));
  }
  return tensor.layout == DETENT_LAYOUT_C16 ? to_c16(tensor, array.data) : std::string(array.data);
}

}  // namespace

std::string read_tensor_file(const std::string& path, const detent_tensor& tensor) {
  const std::uint64_t expected = block_bytes_of(tensor);
  std::string bytes = read_regular_file(path, expected + kMostHeaderBytes);
  if (is_npy(bytes)) {
    bytes = blocks_of_npy(bytes, path, tensor);
  } else if (bytes.size() != expected) {
    require_kind(path, bytes, {"a tensor", {FileKind::kBinary, FileKind::kText, FileKind::kArray}, "give a .npy file"});
    throw InputError(path, "",
                     fmt::format("has {}, the tensor takes {}; give a .npy file or that many bytes",
                                 counted(bytes.size(), "byte"), expected));
  }
  const auto is_truth_value = [](char byte) { return byte == 0 || byte == 1; };
  const auto bad =
      tensor.dtype == DETENT_BOOL ? std::find_if_not(bytes.begin(), bytes.end(), is_truth_value) : bytes.end();
  if (bad != bytes.end()) {
    throw InputError(path, "",
                     fmt::format("element {} is {}; truth values are 0 or 1", bad - bytes.begin(),
                                 static_cast<unsigned char>(*bad)));
  }
  return bytes;
}

std::string format_tensor_file(const std::string& path, const detent_tensor& tensor, std::string blocks) {
  if (!path.ends_with(".npy")) return blocks;
  if (tensor.layout == DETENT_LAYOUT_C16) blocks = from_c16(tensor, blocks);
  return format_npy({.type = element_type(tensor).npy, .shape = shape_of(tensor), .data = blocks});
}

}  // namespace detent::harness
