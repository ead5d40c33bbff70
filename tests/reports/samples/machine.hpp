// Machine traces made up from a seed for runs of a sample, in the shape that the simulator's have.
#pragma once

#include <cstdint>

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {

/// Give a simulated run a machine trace that agrees with its spans: ops split by bursts of two loads on cpu0 and cpu1,
/// runtime steps in the gaps between ops, transfers of NPU ops on npu0.dma, bandwidth of "dram", "dram cpu0", ...,
/// the queue lengths, and accounts that add up to the makespan.
void add_machine(TimelineRun& run, std::uint64_t seed);

/// The detector with machine traces in its simulated runs and tags as the cli sets them.
Sample chip();

/// A run of any shape that may come about: ops of several parts, slots that move between cores, zero-length uses,
/// delays, mutexes; `uses` uses over `cores` cores. Legal by construction, without looking at any writer.
Sample random_machine(std::uint64_t seed, std::uint32_t cores, std::uint32_t uses);

}  // namespace detent::reports::samples
