// Orders of calls that leave less parallelism than the true dependencies, and what of an order a plan needs.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/model.hpp"
#include "models/import/tvm/hazards/hazards.hpp"

namespace detent::models::tvm {

/// Pairs of calls, in main's order, of which the first ends no later than the second starts when the calls are executed
/// on `workers` (0: as many as it takes), the lowest call first. One worker: all pairs.
/// @param edges  from lower to higher calls; @param costs  by call
std::vector<CallEdge> order_of_schedule(const std::vector<CallEdge>& edges, const std::vector<std::uint64_t>& costs,
                                        std::uint32_t workers);

/// Pairs of calls that use two tensors which share bytes of the workspace, one each.
std::vector<CallEdge> order_of_sharing(const Model& planned);

}  // namespace detent::models::tvm
