// A bare SystemC closed loop, written as one would without Detent: what the simulator's speed is compared with.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::sim::bare {

/// A DAG with durations. successors are CSR: targets[first[i] .. first[i+1]).
struct Dag {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint64_t> durations_ps;
};

/// Simulate one run with one scheduler thread and `cores` worker threads (SC_THREADs), one event per thread, a ready
/// heap (lowest id first) and a completion queue; no overheads, no logs, no kernels. Returns the makespan.
/// @note  in a process of its own SystemC simulation; may be called again and again
std::uint64_t run_closed_loop(const Dag& dag, std::uint32_t cores);

}  // namespace detent::sim::bare
