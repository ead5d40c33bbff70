// TimingDesc: Desc -> the same ops, edges and costs without any memory, for runs in which no kernel executes.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

namespace detent::sim {

/// A Desc whose ops name no tensors and which has no regions: binding it needs no memory for tensors, so that op
/// graphs with regions far larger than this machine's memory can be simulated. Points into the original for all else.
class TimingDesc {
 public:
  /// @param desc  checked (detent_check); outlives this
  explicit TimingDesc(const detent_desc& desc);
  TimingDesc(const TimingDesc&) = delete;
  TimingDesc& operator=(const TimingDesc&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  std::vector<detent_op> ops_;
  detent_desc desc_;
};

/// In how many runs kernels execute, from the first on. The engine looks at what kernels have computed where ops are
/// guarded or sized: UINT64_MAX then, as long as any kernel executes at all.
/// @param wanted  where there are no such ops
[[nodiscard]] std::uint64_t executing_runs(const detent_desc& desc, bool timing_only, std::uint64_t wanted);

}  // namespace detent::sim
