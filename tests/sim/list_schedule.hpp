// List scheduling from its definition (tests/support), of the graphs that the simulated engine executes.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/sim/graph.hpp"
#include "tests/support/list_schedule.hpp"

namespace detent::sim::test {

/// Completions by (time, priority, id). Delays need no core. Mutexes must not be shared between classes: the definition
/// does not say which class would go first.
/// @param cores  per class (cpu, npu, 0 for delays, dsp); missing ones have none
/// @param durations_ps  per op
/// @param rank   the policy: lower starts first; unique per op
support::ListSchedule list_schedule(const Graph& graph, const std::vector<std::uint64_t>& durations_ps,
                                    const std::vector<std::uint32_t>& cores, const std::vector<std::uint64_t>& rank,
                                    bool by_arrival = false);

}  // namespace detent::sim::test
