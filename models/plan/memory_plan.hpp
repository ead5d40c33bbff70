// Memory plan: every base tensor of a Model gets a region and an offset, with bytes shared where no schedule can tell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "models/core/model.hpp"
#include "models/plan/options.hpp"

namespace detent::models {

struct Placement {
  TensorId tensor = kNone;
  RegionId region = kNone;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

struct MemoryPlan {
  PlanOrder order = PlanOrder::kParallel;
  std::uint64_t arena_bytes = 0;        ///< size of the workspace
  std::uint64_t lower_bound_bytes = 0;  ///< no plan under the same sharing rule is smaller
  std::uint64_t unshared_bytes = 0;     ///< the workspace if nothing were shared
  std::vector<std::uint32_t> peak;      ///< tensors that pairwise may not share, with lower_bound_bytes together
  std::vector<Placement> placements;    ///< every base tensor, in tensor order
};

/// Give every base tensor (no view, no byte range of an op graph) a region and an offset: each model input and output a
/// region of its own; weights side by side in one; activations and scratch in one workspace. Two tensors share
/// workspace bytes only if every user of one precedes every user of the other: along model.edges for kParallel, where a
/// user is an op that touches the tensor or any view of it; in the serial order for kSerial. Handovers given in the
/// options are the exception: all users of `from` but the op precede it, all users of `to` but the op follow it; ops of
/// which one is used become ops in place.
///
/// Byte ranges of an op graph keep their places, and their regions count in full. Tensors that an earlier plan has in a
/// separate region (Region::is_separate) stay there: each such memory is planned by itself, and arena_bytes and the
/// other figures are of all together.
///
/// Up to options.pairwise_tensors: greedy by size and by other orders with best fit, then local search on the order
/// until the lower bound is met or the rounds are used up. The lower bound is the heaviest antichain of the sharing
/// order, handovers included (max flow), or a greedy one where the flow takes too long.
///
/// More tensors are placed in windows of a topological order, the largest of a window first, each where bytes were used
/// last by tensors that are done before it; handovers are unused. The lower bound is what lives at one time, at most:
/// tensors in use, and those of which some user may still run while they are (max flow along the edges). It is the
/// heaviest antichain where the first ops that follow all users of a tensor are found within a number of ops, and at
/// most that elsewhere. Time and memory grow with edges and tensors, not with pairs. With options.quick so many tensors
/// are handed the bytes of one that died nearby instead, in linear time, and lower_bound_bytes is 0.
///
/// @param model  edges derived or given; regions and earlier places of these tensors are replaced
/// @throws InputError  a cycle (B20); the smallest plan found exceeds the capacity (names the tensors live at the peak)
/// @note   deterministic; ties go to the lower id; checked independently by models/memory_plan_check
/// @see    greedy by size: Pisarchyk and Lee 2020; heaviest antichain: Dilworth by max flow
MemoryPlan plan_memory(Model& model, const PlanOptions& options = {});

/// Every base tensor has a place.
[[nodiscard]] bool has_plan(const Model& model);

}  // namespace detent::models
