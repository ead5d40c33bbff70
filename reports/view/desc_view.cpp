// Safe reads of a Desc that may be broken: a report on a model that does not bind must still come out.
#include "reports/view/desc_view.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "base/byte_ranges.hpp"

namespace detent::reports {
namespace {

/// The part of table[0, size) that `slice` names, empty when it names anything beyond.
std::span<const std::uint32_t> read_slice(const std::uint32_t* table, std::uint32_t size, detent_slice slice) {
  if (table == nullptr || slice.first > size || slice.count > size - slice.first) return {};
  return {table + slice.first, slice.count};
}

const detent_op* find_op(const detent_desc* desc, OpId op) { return op < op_count(desc) ? &desc->ops[op] : nullptr; }

const detent_tensor* find_tensor(const detent_desc* desc, TensorId tensor) {
  if (desc == nullptr || desc->tensors == nullptr || tensor >= desc->tensor_count) return nullptr;
  return &desc->tensors[tensor];
}

std::string name_or(const char* name, const char* noun, std::uint32_t id) {
  return name != nullptr && *name != '\0' ? std::string(name) : noun + std::string(" ") + std::to_string(id);
}

void append_refs(const detent_desc* desc, detent_slice slice, std::vector<std::uint32_t>& out) {
  for (const TensorId tensor : read_slice(desc->tensor_refs, desc->tensor_ref_count, slice)) {
    if (find_tensor(desc, tensor) != nullptr) out.push_back(tensor);
  }
}

bool overlaps(const ByteRange& a, const ByteRange& b) { return a.begin < b.end && b.begin < a.end; }

/// A tensor's blocks, or its extent where the block fields contradict each other or there are too many to walk.
struct Blocks {
  std::uint64_t offset = 0, stride = 0, bytes = 0, count = 1;

  explicit Blocks(const detent_tensor& t) : offset(t.offset_bytes), bytes(t.size_bytes) {
    constexpr std::uint64_t kMostBlocks = 1U << 20U;
    const bool fits = t.block_count > 1 && t.block_count <= kMostBlocks && t.stride_bytes <= DETENT_MAX_BYTES &&
                      t.stride_bytes >= t.block_bytes;
    if (!fits || (t.block_count - 1) * t.stride_bytes + t.block_bytes != t.size_bytes) return;
    stride = t.stride_bytes;
    bytes = t.block_bytes;
    count = t.block_count;
  }
  [[nodiscard]] ByteRange at(std::uint64_t i) const { return {offset + i * stride, offset + i * stride + bytes}; }
};

/// From the first to one past the last byte that both tensors hold; empty when they share none.
/// Both block lists ascend, so one merge finds every overlap.
std::optional<ByteRange> shared_bytes(const detent_tensor& a, const detent_tensor& b) {
  std::optional<ByteRange> shared;
  const Blocks blocks_a(a);
  const Blocks blocks_b(b);
  for (std::uint64_t i = 0, j = 0; i < blocks_a.count && j < blocks_b.count;) {
    const ByteRange x = blocks_a.at(i);
    const ByteRange y = blocks_b.at(j);
    if (overlaps(x, y)) {
      const ByteRange both = {std::max(x.begin, y.begin), std::min(x.end, y.end)};
      shared = ByteRange{shared ? shared->begin : both.begin, both.end};
    }
    x.end <= y.end ? ++i : ++j;
  }
  return shared;
}

struct PairSearch {
  const detent_desc* desc;
  std::size_t limit;
  std::vector<Conflict> found;

  void add(const char* kind, const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
    for (const std::uint32_t a : first) {
      for (const std::uint32_t b : second) {
        if (found.size() >= limit) return;
        const detent_tensor& x = desc->tensors[a];
        const detent_tensor& y = desc->tensors[b];
        if (x.region != y.region) continue;
        const auto bytes = shared_bytes(x, y);
        if (bytes) found.push_back({kind, a, b, x.region, bytes->begin, bytes->end - bytes->begin});
      }
    }
  }
};

}  // namespace

std::uint32_t op_count(const detent_desc* desc) { return desc != nullptr && desc->ops != nullptr ? desc->op_count : 0; }

std::uint32_t real_op_count(const detent_desc* desc) {
  const std::uint32_t count = op_count(desc);
  const std::span<const detent_op> ops = count == 0 ? std::span<const detent_op>() : std::span(desc->ops, count);
  const auto delays = std::ranges::count_if(ops, [](const detent_op& op) { return (op.flags & DETENT_OP_DELAY) != 0; });
  return count - static_cast<std::uint32_t>(delays);
}

std::string model_name(const detent_desc* desc) { return desc != nullptr && desc->name != nullptr ? desc->name : ""; }

std::string op_name(const detent_desc* desc, OpId op) {
  const detent_op* found = find_op(desc, op);
  return name_or(found != nullptr ? found->name : nullptr, "op", op);
}

std::string kernel_name(const detent_desc* desc, OpId op) {
  const detent_op* found = find_op(desc, op);
  if (found == nullptr || desc->kernels == nullptr || found->kernel >= desc->kernel_count) return "";
  const char* name = desc->kernels[found->kernel];
  return name != nullptr ? name : "";
}

std::string class_name(const detent_desc* desc, OpId op) {
  const detent_op* found = find_op(desc, op);
  if (found == nullptr || desc->classes == nullptr || found->core_class >= desc->class_count) return "";
  const char* name = desc->classes[found->core_class].name;
  return name != nullptr ? name : "";
}

std::string tensor_name(const detent_desc* desc, TensorId tensor) {
  const detent_tensor* found = find_tensor(desc, tensor);
  return name_or(found != nullptr ? found->name : nullptr, "tensor", tensor);
}

std::string region_name(const detent_desc* desc, RegionId region) {
  const bool exists = desc != nullptr && desc->regions != nullptr && region < desc->region_count;
  return name_or(exists ? desc->regions[region].name : nullptr, "region", region);
}

std::vector<std::uint32_t> successors_of(const detent_desc* desc, OpId op) {
  std::vector<std::uint32_t> out;
  const detent_op* found = find_op(desc, op);
  if (found == nullptr) return out;
  for (const std::uint32_t to : read_slice(desc->successors, desc->successor_count, found->successors)) {
    if (to < desc->op_count) out.push_back(to);
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> all_predecessors(const detent_desc* desc) {
  std::vector<std::vector<std::uint32_t>> out(op_count(desc));
  for (OpId op = 0; op < out.size(); ++op) {
    for (const std::uint32_t to : successors_of(desc, op)) out[to].push_back(op);
  }
  return out;
}

std::vector<std::uint32_t> reads_of(const detent_desc* desc, OpId op) {
  std::vector<std::uint32_t> out;
  const detent_op* found = find_op(desc, op);
  if (found == nullptr) return out;
  for (const detent_slice& slice : {found->inputs, found->weights}) append_refs(desc, slice, out);
  return out;
}

std::vector<std::uint32_t> writes_of(const detent_desc* desc, OpId op) {
  std::vector<std::uint32_t> out;
  const detent_op* found = find_op(desc, op);
  if (found == nullptr) return out;
  for (const detent_slice& slice : {found->outputs, found->scratch}) append_refs(desc, slice, out);
  return out;
}

std::uint32_t root_tensor(const detent_desc* desc, TensorId tensor) {
  std::uint32_t root = tensor;
  for (std::uint32_t step = 0; desc != nullptr && step < desc->tensor_count; ++step) {
    const detent_tensor* found = find_tensor(desc, root);
    if (found == nullptr) return tensor;
    if (found->alias_of == DETENT_NONE) return root;
    root = found->alias_of;
  }
  return tensor;
}

std::vector<bool> ancestors_of(const std::vector<std::vector<std::uint32_t>>& predecessors, OpId op) {
  std::vector<bool> seen(predecessors.size(), false);
  if (op >= predecessors.size()) return seen;
  std::vector<std::uint32_t> open = {op};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (const std::uint32_t from : predecessors[at]) {
      if (seen[from]) continue;
      seen[from] = true;
      open.push_back(from);
    }
  }
  seen[op] = false;
  return seen;
}

std::vector<Conflict> conflicts_of(const detent_desc* desc, OpId op_a, OpId op_b, std::size_t limit) {
  if (find_op(desc, op_a) == nullptr || find_op(desc, op_b) == nullptr) return {};
  PairSearch search{desc, limit, {}};
  search.add("raw", writes_of(desc, op_a), reads_of(desc, op_b));
  search.add("war", reads_of(desc, op_a), writes_of(desc, op_b));
  search.add("waw", writes_of(desc, op_a), writes_of(desc, op_b));
  return search.found;
}

}  // namespace detent::reports
