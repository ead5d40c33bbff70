// Desc and edges, or moves -> the tables that change.
#include "verify/graph/extended_desc.hpp"

#include <algorithm>

namespace detent::verify {

ExtendedDesc::ExtendedDesc(const detent_desc& desc, const std::vector<OpEdge>& edges)
    : desc_(desc), ops_(desc.ops, desc.ops + desc.op_count) {
  std::vector<OpEdge> sorted = edges;
  std::ranges::sort(sorted);
  std::size_t next = 0;
  successors_.reserve(desc.successor_count + edges.size());
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice old = desc.ops[op].successors;
    const auto first = static_cast<std::uint32_t>(successors_.size());
    successors_.insert(successors_.end(), desc.successors + old.first, desc.successors + old.first + old.count);
    for (; next < sorted.size() && sorted[next].from == op; ++next) {
      const auto begin = successors_.begin() + first;
      if (std::find(begin, successors_.end(), sorted[next].to) != successors_.end()) continue;
      successors_.push_back(sorted[next].to);
      ++ops_[sorted[next].to].entry_count;
    }
    std::sort(successors_.begin() + first, successors_.end());
    ops_[op].successors = {first, static_cast<std::uint32_t>(successors_.size()) - first};
  }
  desc_.ops = ops_.data();
  desc_.successors = successors_.data();
  desc_.successor_count = static_cast<std::uint32_t>(successors_.size());
  desc_.schedules = nullptr;  // lists of static schedules may go against the new edges
  desc_.schedule_count = 0;
}

ExtendedDesc::ExtendedDesc(const detent_desc& desc, const std::vector<Move>& moves)
    : desc_(desc),
      tensors_(desc.tensors, desc.tensors + desc.tensor_count),
      regions_(desc.regions, desc.regions + desc.region_count) {
  std::vector<std::int64_t> by_bytes(desc.tensor_count, 0);
  for (const Move& move : moves) by_bytes[move.tensor] = move.by_bytes;
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    std::uint32_t base = tensor;
    std::uint32_t steps = 0;
    while (desc.tensors[base].alias_of < desc.tensor_count && steps++ < desc.tensor_count) {
      base = desc.tensors[base].alias_of;
    }
    detent_tensor& moved = tensors_[tensor];
    moved.offset_bytes += static_cast<std::uint64_t>(by_bytes[base]);
    if (by_bytes[base] == 0 || moved.region >= desc.region_count) continue;
    std::uint64_t& size = regions_[moved.region].size_bytes;
    size = std::max(size, moved.offset_bytes + moved.size_bytes);
  }
  desc_.tensors = tensors_.data();
  desc_.regions = regions_.data();
}

}  // namespace detent::verify
