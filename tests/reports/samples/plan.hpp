// A memory plan for a sample: tensors may share bytes only where the graph orders all their users.
#pragma once

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {

/// Place every tensor of `region`, largest first, at the lowest offset that no conflicting tensor occupies.
/// @param by_id_order  true: only op ids order users, as a serial planner believes; the plan then races in parallel
/// @return             bytes used; also the region's new size
std::uint64_t plan_region(Tables& tables, std::uint32_t region, bool by_id_order);

}  // namespace detent::reports::samples
