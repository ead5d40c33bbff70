// TimelineRun: a run to draw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/run.hpp"

namespace detent::reports {

/// A run to draw: one lane per slot, and what the hardware did if it was simulated.
struct TimelineRun {
  std::string title;               ///< "longest simulated run seen (seed 17)", "... (by the search)"
  std::vector<std::string> lanes;  ///< per slot: the core it runs on, in simulated runs
  harness::Trace trace;
  std::uint64_t makespan_ps = 0;
  harness::MachineTrace machine{};  ///< empty: native, or no chip was modelled
  std::vector<std::string> tags{};  ///< "seed 17", "digest 8f1c...": what repeats this run
  bool is_native = false;           ///< on this host: another clock than that of simulated runs
};

}  // namespace detent::reports
