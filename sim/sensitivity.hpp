// Sensitivity: which cost the longest runs of a campaign depend on. The worst seeds are simulated again with one cost a
// little higher, for every cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/options.hpp"
#include "sim/types/result.hpp"

namespace detent::sim {

struct SensitivityOptions {
  double step = 0.01;                          ///< each cost rises by this share, at least by 1 ps; (0, 1]
  std::uint64_t budget_op_runs = 100'000'000;  ///< op executions to spend on single ops; about half a minute
};

/// What happens to the maximum when one cost rises.
struct CostEffect {
  std::string cost;            ///< "overheads.queue_ps", "cpu.clock_hz" (which falls), "load.tick", or the op's name
  bool is_op = false;          ///< else a parameter of the platform
  OpId op = 0;                 ///< is_op only
  double cost_change = 0;      ///< by which share the cost really rose, rounding included
  std::int64_t change_ps = 0;  ///< of the maximum over the seeds
  double elasticity = 0;       ///< (change_ps / maximum) / cost_change
  std::uint32_t longer = 0;    ///< seeds whose makespan rose
  std::uint32_t shorter = 0;   ///< seeds whose makespan fell: scheduling anomalies (Graham 1969)
  [[nodiscard]] bool anomalous() const { return change_ps < 0; }
};

struct Sensitivity {
  std::vector<CostEffect> effects;   ///< largest elasticity first, ties by name and op
  std::vector<std::uint64_t> seeds;  ///< simulated again for each cost
  std::uint64_t max_ps = 0;          ///< their maximum, nothing changed
  std::uint32_t ops = 0;             ///< that take time
  std::uint32_t ops_tried = 0;       ///< fewer: the budget was spent on the blocking chain of the worst run, then on
                                     ///< the longest ops; any other op may matter, too, by an anomaly
  std::optional<std::string> failure{};  ///< a changed run failed: which cost, what
};

/// @param options  of the campaign; its runs, parts and callbacks do not matter
/// @param result   of the campaign: worst_runs gives the seeds, worst the trace. worst_runs not empty
/// @throws std::invalid_argument  as simulate; a step out of range
Sensitivity measure_sensitivity(const detent_desc& desc, const Platform& platform, const SimOptions& options,
                                const SimResult& result, const SensitivityOptions& how = {});

/// Ops on the blocking chain of a run, last first: from the op that ended last, each time to what ended last of its
/// predecessors and of the ops before it on its slot.
std::vector<std::uint32_t> blocking_chain(const detent_desc& desc, const harness::Trace& trace);

}  // namespace detent::sim
