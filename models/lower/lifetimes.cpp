// Op and tensor tables of a Desc -> lifetimes.
#include "models/lower/lifetimes.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>

#include "base/ids.hpp"

namespace detent::models {
namespace {

std::span<const std::uint32_t> slice_of(const std::uint32_t* table, const detent_slice& slice) {
  return {table + slice.first, slice.count};
}

bool do_edges_ascend(const detent_desc& desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const auto targets = slice_of(desc.successors, desc.ops[op].successors);
    if (std::ranges::any_of(targets, [op](std::uint32_t target) { return target <= op; })) return false;
  }
  return true;
}

/// Topological, lowest id first; fewer than all ops where edges close a cycle.
std::vector<std::uint32_t> serial_order(const detent_desc& desc) {
  if (do_edges_ascend(desc)) {
    std::vector<std::uint32_t> ids(desc.op_count);
    std::iota(ids.begin(), ids.end(), 0U);
    return ids;
  }
  std::vector<std::uint32_t> waiting(desc.op_count);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (OpId op = 0; op < desc.op_count; ++op) {
    waiting[op] = desc.ops[op].entry_count;
    if (waiting[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> order;
  order.reserve(desc.op_count);
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::uint32_t next : slice_of(desc.successors, desc.ops[order.back()].successors)) {
      if (--waiting[next] == 0) ready.push(next);
    }
  }
  return order;
}

class Lifetimes {
 public:
  Lifetimes(const detent_desc& desc, std::vector<detent_tensor>& tensors) : desc_(desc), tensors_(tensors) {}

  void claim(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t input : slice_of(desc_.inputs, {0, desc_.input_count})) include(input, order.front());
    for (const std::uint32_t id : order) {
      const detent_op& op = desc_.ops[id];
      for (const detent_slice* slice : {&op.inputs, &op.outputs, &op.scratch}) {
        for (const TensorId tensor : slice_of(desc_.tensor_refs, *slice)) include(tensor, id);
      }
    }
    for (const std::uint32_t output : slice_of(desc_.outputs, {0, desc_.output_count})) include(output, order.back());
    for (const std::uint32_t id : order) {
      const detent_slice& outputs = desc_.ops[id].outputs;
      if (decides(desc_.ops[id])) last(desc_.tensor_refs[outputs.first + outputs.count - 1], order);
    }
  }

 private:
  /// A guarded op that decides about others, which it does whether it is executed or not.
  [[nodiscard]] bool decides(const detent_op& op) const {
    const bool has_conditions = op.outputs.count == 1 || (op.flags & DETENT_OP_FALLIBLE) != 0;
    if ((op.flags & DETENT_OP_GUARDED) == 0 || op.outputs.count == 0 || !has_conditions) return false;
    const detent_tensor& tensor = tensors_[desc_.tensor_refs[op.outputs.first + op.outputs.count - 1]];
    return tensor.dtype == DETENT_BOOL && tensor.size_bytes == 1 && tensor.alias_of == DETENT_NONE &&
           (tensor.flags & DETENT_TENSOR_RANGE) == 0;
  }

  void last(TensorId tensor, const std::vector<std::uint32_t>& order) {
    tensors_[tensor].live_begin = order.front();
    tensors_[tensor].live_end = order.back();
  }

  /// Ops come in serial order.
  void include(TensorId tensor, OpId op) {
    std::size_t steps = 0;  // views in a circle (B43) have no base
    for (; tensors_[tensor].alias_of != DETENT_NONE; tensor = tensors_[tensor].alias_of) {
      if (++steps > tensors_.size()) return;
    }
    detent_tensor& base = tensors_[tensor];
    if ((base.flags & DETENT_TENSOR_RANGE) != 0 || desc_.regions[base.region].kind == DETENT_REGION_WEIGHTS) return;
    if (base.live_begin == DETENT_NONE) base.live_begin = op;
    base.live_end = op;
  }

  const detent_desc& desc_;
  std::vector<detent_tensor>& tensors_;
};

}  // namespace

void claim_lifetimes(const detent_desc& desc, std::vector<detent_tensor>& tensors) {
  const std::vector<std::uint32_t> order = serial_order(desc);
  if (order.empty() || order.size() < desc.op_count) return;
  Lifetimes(desc, tensors).claim(order);
}

}  // namespace detent::models
