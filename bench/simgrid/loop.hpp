// The closed loop of sim/bare in SimGrid's actor style (S4U): what a runtime simulated by StarPU's recipe would cost.
#pragma once

#include <cstdint>

#include "sim/bare/closed_loop.hpp"

namespace detent::bench {

struct SimgridTime {
  double seconds = 0;             ///< processor time from the first actor's start to the last one's end
  std::uint64_t makespan_ps = 0;  ///< rounded
};

struct SimgridTimes {
  SimgridTime semaphores;  ///< actors wait on semaphores: the leanest way that SimGrid has
  SimgridTime locks;       ///< on a mutex and a condition variable each, as StarPU's SimGrid port does
};

/// One run each with a scheduler actor and `cores` worker actors on hosts of their own, a ready heap (lowest id first)
/// and a completion queue. Once per process: SimGrid has one engine.
SimgridTimes run_simgrid_loops(const sim::bare::Dag& dag, std::uint32_t cores);

}  // namespace detent::bench
