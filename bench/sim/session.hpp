// One bound simulated context, run again and again in one session: what a campaign does, with a stopwatch.
#pragma once

#include <cstdint>

#include <detent/desc.h>

#include "sim/platform/platform.hpp"

namespace detent::bench {

/// Processor time of this process: everything measured here runs on one thread, and other load must not count.
double cpu_seconds();

struct SessionTime {
  double seconds_per_run = 0;          ///< processor time of one run
  std::uint64_t switches_per_run = 0;  ///< SystemC thread switches
  std::uint64_t makespan_ps = 0;
};

/// `runs` timed runs after one untimed, uniform jitter, no kernels, on the whole chip model. Aborts the program if a
/// run fails.
SessionTime time_session(const detent_desc& desc, const sim::Platform& platform, std::uint64_t runs);

}  // namespace detent::bench
