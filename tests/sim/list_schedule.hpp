// List scheduling from its definition, for comparison with the simulated engine. Shares no code with sim/ or runtime/.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/sim/graph.hpp"

namespace detent::sim::test {

struct ListSchedule {
  std::uint64_t makespan_ps = 0;
  std::vector<std::uint64_t> begin_ps;
  std::vector<std::uint64_t> end_ps;
};

/// Non-preemptive and work-conserving. Completions are handled one at a time, by (time, priority, id); after each, and
/// at the start, every free core takes the best ready op of its class, none of whose mutexes is held, at once. Delays
/// need no core. Mutexes must not be shared between classes: the definition does not say which class would go first.
/// @param cores  per class (cpu, npu, 0 for delays, dsp); missing ones have none
/// @param durations_ps  per op
/// @param rank   the policy: lower starts first; unique per op
ListSchedule list_schedule(const Graph& graph, const std::vector<std::uint64_t>& durations_ps,
                           const std::vector<std::uint32_t>& cores, const std::vector<std::uint64_t>& rank);

}  // namespace detent::sim::test
