// One simulated run in which a schedule's decisions hold, whatever the number of workers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/simulate.hpp"
#include "verify/explore/ops/oriented.hpp"

namespace detent::app {

/// Simulate one run of `desc` with `decisions` as edges, and check that its trace obeys both.
/// @return  nothing when the run failed or its trace disobeys; `why` then says so
std::optional<sim::SimResult> simulate_oriented(const detent_desc& desc, const sim::Platform& platform,
                                                sim::SimOptions options,
                                                const std::vector<verify::explore::Constraint>& decisions,
                                                std::string& why);

}  // namespace detent::app
