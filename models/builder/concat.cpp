#include "models/builder/concat.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/builder/builder_internal.hpp"
#include "models/builder/reorder.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

std::uint64_t plane_bytes(const Tensor& c16) {
  return product({c16.dims[2], c16.dims[3]}) * 16 * dtype_of(c16.dtype).bytes;
}

// May the root of parts[part] become a piece of the base? All parts that are views of it must stand as they do in it,
// and nothing else may claim its bytes.
bool can_embed(const Builder& b, const std::vector<TensorId>& parts, const std::vector<std::uint64_t>& offsets,
               std::size_t part) {
  const ByteSet own = bytes_of(b.model(), parts[part]);
  const Tensor& root = b.tensor(own.root);
  const bool movable = root.role == TensorRole::kActivation && root.block_count == 1;
  if (!movable || own.count != 1 || offsets[part] < own.first) return false;
  const std::uint64_t begin = offsets[part] - own.first;
  for (std::size_t other = 0; other < parts.size(); ++other) {
    const ByteSet set = bytes_of(b.model(), parts[other]);
    const std::uint64_t size = b.tensor(parts[other]).size_bytes;
    const bool inside = offsets[other] < begin + root.size_bytes && begin < offsets[other] + size;
    const bool in_place = set.root == own.root && offsets[other] == begin + set.first;
    if ((inside || set.root == own.root) && !in_place) return false;
  }
  const std::uint64_t total = offsets.back() + b.tensor(parts.back()).size_bytes;
  return begin + root.size_bytes <= total;
}

// Put every part at its offset in the base: as a view where possible, by a copy where not.
TensorId place_parts(Builder& b, TensorId base, const std::vector<TensorId>& parts) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t offset = 0;
  for (const TensorId part : parts) {
    offsets.push_back(offset);
    offset += stored_elements(b.tensor(part)) * dtype_of(b.tensor(part).dtype).bytes;
  }
  std::vector<bool> embedded;
  for (std::size_t i = 0; i < parts.size(); ++i) embedded.push_back(can_embed(b, parts, offsets, i));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ByteSet set = bytes_of(b.model(), parts[i]);
    if (set.root == base) continue;  // its root was embedded with an earlier part
    if (embedded[i]) {
      b.embed(set.root, base, offsets[i] - set.first);
      continue;
    }
    const std::string name = b.tensor(base).name + ".copy" + std::to_string(i);
    const Tensor part = b.tensor(parts[i]);
    if (part.dtype != DETENT_F32) b.fail(name, "a part cannot become a view, and only F32 is copied");
    const TensorId slot = b.view(name, base,
                                 {.dims = part.dims,
                                  .offset_bytes = offsets[i],
                                  .block_bytes = stored_elements(part) * dtype_of(part.dtype).bytes});
    b.copy(name, parts[i], slot);
  }
  return base;
}

// Channel offsets that are no multiples of 16 cannot be views of C16: gather densely as PLAIN, then block again.
TensorId concat_through_plain(Builder& b, const std::string& name, const std::vector<TensorId>& parts) {
  std::vector<TensorId> plain;
  if (b.tensor(parts.front()).dtype != DETENT_F32) b.fail(name, "channel offsets of I8 must be multiples of 16");
  for (const TensorId part : parts) plain.push_back(to_plain(b, name + ".plain" + std::to_string(plain.size()), part));
  std::vector<std::int32_t> dims = b.tensor(parts.front()).dims;
  dims[1] = 0;
  for (const TensorId part : parts) dims[1] += b.tensor(part).dims[1];
  const TensorId base = b.activation(name + ".plain", DETENT_LAYOUT_PLAIN, dims);
  return to_c16(b, name, place_parts(b, base, plain));
}

TensorId concat_c16(Builder& b, const std::string& name, const std::vector<TensorId>& parts) {
  std::vector<std::int32_t> dims = b.tensor(parts.front()).dims;
  dims[1] = 0;
  const detent_dtype dtype = b.tensor(parts.front()).dtype;
  bool aligned = true;
  for (const TensorId part : parts) {
    const Tensor& tensor = b.tensor(part);
    if (tensor.layout != DETENT_LAYOUT_C16 || tensor.dims[2] != dims[2] || tensor.dims[3] != dims[3]) {
      b.fail(name, "the parts of a concat must have one layout and one height and width");
    }
    if (tensor.dtype != dtype) b.fail(name, "the parts of a concat must have one dtype");
    aligned = aligned && dims[1] % 16 == 0;
    dims[1] += tensor.dims[1];
  }
  if (!aligned) return concat_through_plain(b, name, parts);
  return place_parts(b, b.activation(name, DETENT_LAYOUT_C16, dims, dtype), parts);
}

TensorId concat_rows(Builder& b, const std::string& name, const std::vector<TensorId>& parts) {
  std::vector<std::int32_t> dims = b.tensor(parts.front()).dims;
  dims[0] = 0;
  for (const TensorId part : parts) {
    const Tensor& tensor = b.tensor(part);
    const bool fits = tensor.layout == DETENT_LAYOUT_PLAIN && tensor.dtype == DETENT_F32 &&
                      tensor.dims.size() == dims.size() &&
                      std::equal(dims.begin() + 1, dims.end(), tensor.dims.begin() + 1);
    if (!fits) b.fail(name, "PLAIN parts must be F32 and differ in dimension 0 only");
    dims[0] += tensor.dims[0];
  }
  return place_parts(b, b.activation(name, DETENT_LAYOUT_PLAIN, dims), parts);
}

}  // namespace

TensorId channels(Builder& b, const std::string& name, TensorId x, std::int32_t begin, std::int32_t count) {
  const Tensor in = b.tensor(x);
  if (in.layout != DETENT_LAYOUT_C16) b.fail(name, "channels must be taken from a C16 tensor");
  if (begin < 0 || count <= 0 || begin + count > in.dims[1]) b.fail(name, "the channels lie outside the tensor");
  const std::vector<std::int32_t> dims{1, count, in.dims[2], in.dims[3]};
  if (begin % 16 == 0 && (count % 16 == 0 || begin + count == in.dims[1])) {
    const auto block = static_cast<std::uint64_t>(begin / 16);
    const std::uint64_t bytes = dense_bytes(in.dtype, DETENT_LAYOUT_C16, dims);
    return b.view(name, x, {.dims = dims, .offset_bytes = block * plane_bytes(in), .block_bytes = bytes});
  }
  if (in.dtype != DETENT_F32) b.fail(name, "channels of I8 must be taken in blocks of 16");
  const TensorId plain = to_plain(b, name + ".plain", x);
  const std::uint64_t channel = product({in.dims[2], in.dims[3]}) * sizeof(float);
  const TensorId part = b.view(name + ".part", plain,
                               {.dims = dims,
                                .offset_bytes = static_cast<std::uint64_t>(begin) * channel,
                                .block_bytes = static_cast<std::uint64_t>(count) * channel});
  return to_c16(b, name, part);
}

TensorId concat(Builder& b, const std::string& name, const std::vector<TensorId>& parts) {
  if (parts.empty()) b.fail(name, "a concat must have at least one part");
  const bool images = b.tensor(parts.front()).layout == DETENT_LAYOUT_C16;
  return images ? concat_c16(b, name, parts) : concat_rows(b, name, parts);
}

}  // namespace detent::models
