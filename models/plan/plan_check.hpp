// Independent check of a memory plan on the Model; shares no code with the planner, the builder or their helpers.
#pragma once

#include <string>
#include <vector>

#include "models/core/model.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::models {

/// Check the places that tensors have:
/// - every base tensor stands inside a region of the kind of its role, at its alignment; every view inside its base;
/// - base tensors of input, output and weight regions share no byte;
/// - base tensors that share workspace bytes are wholly ordered: every op that touches one (or a view of it) has a path
///   to every op that touches the other; for kSerial: comes earlier in the lowest-id-first topological order. Excused
///   is the op in place at which they meet: it only reads the one, whose other users all precede it, and only writes
///   the other, whose other users all follow it.
/// Byte ranges of op graphs are not judged.
/// @param limit  stop after so many findings
/// @return  one line per finding, tensors and ops by name; empty: the plan is valid
/// @note    O(n log n + sharing pairs + tensors that share * edges)
[[nodiscard]] std::vector<std::string> find_plan_faults(const Model& model, PlanOrder order = PlanOrder::kParallel,
                                                        std::size_t limit = 16);

}  // namespace detent::models
