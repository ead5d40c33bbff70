#include "sim/engine/timing_desc.hpp"

#include <algorithm>
#include <span>

namespace detent::sim {
namespace {

constexpr detent_region kNoRegion{};  // an empty table still has an address

}  // namespace

TimingDesc::TimingDesc(const detent_desc& desc) : ops_(desc.ops, desc.ops + desc.op_count), desc_(desc) {
  for (detent_op& op : ops_) {
    op.inputs = op.outputs = op.weights = op.scratch = detent_slice{0, 0};
    op.flags &= DETENT_OP_DELAY;
  }
  desc_.ops = ops_.data();
  desc_.regions = &kNoRegion;
  desc_.region_count = 0;
  desc_.tensor_count = 0;
  desc_.tensor_ref_count = 0;
  desc_.input_count = 0;
  desc_.output_count = 0;
}

std::uint64_t executing_runs(const detent_desc& desc, bool timing_only, std::uint64_t wanted) {
  if (timing_only) return 0;
  const std::span ops(desc.ops, desc.op_count);
  constexpr std::uint32_t kReadByEngine = DETENT_OP_GUARDED | DETENT_OP_SIZED;
  const bool is_read = std::ranges::any_of(ops, [](const detent_op& op) { return (op.flags & kReadByEngine) != 0; });
  return is_read ? UINT64_MAX : wanted;
}

}  // namespace detent::sim
