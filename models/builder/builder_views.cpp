// Views: reshape, channel ranges, concatenation without copies. A view always names its root, never another view.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

bool is_dense(const Tensor& tensor) { return tensor.block_count == 1; }

std::uint64_t plane_bytes(const Tensor& c16) { return product({c16.dims[2], c16.dims[3]}) * 16 * sizeof(float); }

}  // namespace

Builder::Id Builder::view(const std::string& name, Id base, const ViewOptions& o) {
  const ByteSet set = bytes_of(model_, base);
  const std::uint64_t extent = (o.block_count - 1) * o.stride_bytes + o.block_bytes;
  if (o.block_count == 0 || o.block_bytes == 0 || o.offset_bytes + extent > model_.tensors.at(base).size_bytes) {
    fail(name, "the view leaves its base");
  }
  if (!is_dense(model_.tensors[base])) fail(name, "a view of a strided view; take it of the base instead");
  Tensor tensor;
  tensor.name = name;
  tensor.dtype = model_.tensors[base].dtype;
  tensor.layout = model_.tensors[base].layout;
  tensor.dims = o.dims;
  tensor.size_bytes = extent;
  tensor.block_bytes = o.block_bytes;
  tensor.stride_bytes = o.block_count > 1 ? o.stride_bytes : 0;
  tensor.block_count = o.block_count;
  tensor.alias_of = set.root;
  tensor.alias_offset_bytes = set.first + o.offset_bytes;
  tensor.align_bytes = view_alignment(tensor.alias_offset_bytes, tensor.stride_bytes);
  model_.tensors.push_back(std::move(tensor));
  return static_cast<Id>(model_.tensors.size() - 1);
}

Builder::Id Builder::reshape(const std::string& name, Id x, std::vector<std::int32_t> dims) {
  const Tensor in = model_.tensors.at(x);
  if (!is_dense(in) || dense_bytes(in.dtype, DETENT_LAYOUT_PLAIN, dims) != in.size_bytes) {
    fail(name, "reshape keeps the number of elements of a dense tensor");
  }
  if (in.layout == DETENT_LAYOUT_C16 && in.dims[1] % 16 != 0) fail(name, "padding channels would become elements");
  const Id id = view(name, x, {.dims = std::move(dims), .block_bytes = in.size_bytes});
  model_.tensors[id].layout = DETENT_LAYOUT_PLAIN;
  return id;
}

Builder::Id Builder::channels(const std::string& name, Id x, std::int32_t begin, std::int32_t count) {
  const Tensor in = model_.tensors.at(x);
  if (in.layout != DETENT_LAYOUT_C16) fail(name, "channels are taken of a C16 tensor");
  if (begin < 0 || count <= 0 || begin + count > in.dims[1]) fail(name, "the channels leave the tensor");
  const std::vector<std::int32_t> dims{1, count, in.dims[2], in.dims[3]};
  if (begin % 16 == 0 && (count % 16 == 0 || begin + count == in.dims[1])) {
    const auto block = static_cast<std::uint64_t>(begin / 16);
    const std::uint64_t bytes = dense_bytes(DETENT_F32, DETENT_LAYOUT_C16, dims);
    return view(name, x, {.dims = dims, .offset_bytes = block * plane_bytes(in), .block_bytes = bytes});
  }
  const Id plain = to_plain(name + ".plain", x);
  const std::uint64_t channel = product({in.dims[2], in.dims[3]}) * sizeof(float);
  const Id part = view(name + ".part", plain,
                       {.dims = dims,
                        .offset_bytes = static_cast<std::uint64_t>(begin) * channel,
                        .block_bytes = static_cast<std::uint64_t>(count) * channel});
  return to_c16(name, part);
}

// May the root of parts[part] become a piece of the base? All parts that are views of it must stand as they do in it,
// and nothing else may claim its bytes.
bool Builder::can_embed(const std::vector<Id>& parts, const std::vector<std::uint64_t>& offsets,
                        std::size_t part) const {
  const ByteSet own = bytes_of(model_, parts[part]);
  const Tensor& root = model_.tensors[own.root];
  const bool movable = root.role == TensorRole::kActivation && is_dense(root);
  if (!movable || own.count != 1 || offsets[part] < own.first) return false;
  const std::uint64_t begin = offsets[part] - own.first;
  for (std::size_t other = 0; other < parts.size(); ++other) {
    const ByteSet set = bytes_of(model_, parts[other]);
    const std::uint64_t size = model_.tensors[parts[other]].size_bytes;
    const bool inside = offsets[other] < begin + root.size_bytes && begin < offsets[other] + size;
    const bool in_place = set.root == own.root && offsets[other] == begin + set.first;
    if ((inside || set.root == own.root) && !in_place) return false;
  }
  const std::uint64_t total = offsets.back() + model_.tensors[parts.back()].size_bytes;
  return begin + root.size_bytes <= total;
}

// Make `root` and everything that views it a view of `base`.
void Builder::embed(Id root, Id base, std::uint64_t offset_bytes) {
  for (Id id = 0; id < model_.tensors.size(); ++id) {
    Tensor& tensor = model_.tensors[id];
    if (id != root && tensor.alias_of != root) continue;
    tensor.alias_of = base;
    tensor.alias_offset_bytes += offset_bytes;
    tensor.align_bytes = view_alignment(tensor.alias_offset_bytes, tensor.stride_bytes);
  }
}

// Put every part at its offset in the base: as a view where possible, by a copy where not.
Builder::Id Builder::place_parts(Id base, const std::vector<Id>& parts) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t offset = 0;
  for (const Id part : parts) {
    offsets.push_back(offset);
    offset += stored_elements(model_.tensors[part]) * dtype_bytes(model_.tensors[part].dtype);
  }
  std::vector<bool> embedded;
  for (std::size_t i = 0; i < parts.size(); ++i) embedded.push_back(can_embed(parts, offsets, i));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ByteSet set = bytes_of(model_, parts[i]);
    if (set.root == base) continue;  // its root was embedded with an earlier part
    if (embedded[i]) {
      embed(set.root, base, offsets[i] - set.first);
      continue;
    }
    const std::string name = model_.tensors[base].name + ".copy" + std::to_string(i);
    const Tensor part = model_.tensors[parts[i]];
    const Id slot = view(name, base,
                         {.dims = part.dims,
                          .offset_bytes = offsets[i],
                          .block_bytes = stored_elements(part) * dtype_bytes(part.dtype)});
    copy(name, parts[i], slot);
  }
  return base;
}

Builder::Id Builder::concat_c16(const std::string& name, const std::vector<Id>& parts) {
  std::vector<std::int32_t> dims = model_.tensors.at(parts.front()).dims;
  dims[1] = 0;
  bool aligned = true;
  for (const Id part : parts) {
    const Tensor& tensor = model_.tensors.at(part);
    if (tensor.layout != DETENT_LAYOUT_C16 || tensor.dims[2] != dims[2] || tensor.dims[3] != dims[3]) {
      fail(name, "the parts of a concat have one layout and one height and width");
    }
    aligned = aligned && dims[1] % 16 == 0;
    dims[1] += tensor.dims[1];
  }
  if (!aligned) return concat_through_plain(name, parts);
  return place_parts(add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_C16, dims), parts);
}

// Channel offsets that are no multiples of 16 cannot be views of C16: gather densely as PLAIN, then block again.
Builder::Id Builder::concat_through_plain(const std::string& name, const std::vector<Id>& parts) {
  std::vector<Id> plain;
  for (const Id part : parts) plain.push_back(to_plain(name + ".plain" + std::to_string(plain.size()), part));
  std::vector<std::int32_t> dims = model_.tensors[parts.front()].dims;
  dims[1] = 0;
  for (const Id part : parts) dims[1] += model_.tensors[part].dims[1];
  const Id base = add_tensor(name + ".plain", TensorRole::kActivation, DETENT_LAYOUT_PLAIN, dims);
  return to_c16(name, place_parts(base, plain));
}

Builder::Id Builder::concat_rows(const std::string& name, const std::vector<Id>& parts) {
  std::vector<std::int32_t> dims = model_.tensors.at(parts.front()).dims;
  dims[0] = 0;
  for (const Id part : parts) {
    const Tensor& tensor = model_.tensors.at(part);
    const bool fits = tensor.layout == DETENT_LAYOUT_PLAIN && tensor.dtype == DETENT_F32 &&
                      tensor.dims.size() == dims.size() &&
                      std::equal(dims.begin() + 1, dims.end(), tensor.dims.begin() + 1);
    if (!fits) fail(name, "PLAIN parts are F32 and differ in dimension 0 only");
    dims[0] += tensor.dims[0];
  }
  return place_parts(add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, dims), parts);
}

Builder::Id Builder::concat(const std::string& name, const std::vector<Id>& parts) {
  if (parts.empty()) fail(name, "a concat has at least one part");
  const bool images = model_.tensors.at(parts.front()).layout == DETENT_LAYOUT_C16;
  return images ? concat_c16(name, parts) : concat_rows(name, parts);
}

void Builder::output(Id x) {
  Id root = bytes_of(model_, x).root;
  if (model_.tensors[root].role == TensorRole::kInput) {
    x = copy(model_.tensors[x].name + ".copy", x);
    root = x;
  }
  model_.tensors[root].role = TensorRole::kOutput;
  model_.outputs.push_back(x);
}

}  // namespace detent::models
