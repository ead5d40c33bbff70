// Bounds of a loaded model on a platform: op times and overheads of the simulator, theorems of verify.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/interference.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/simulate.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/timing/response.hpp"

namespace detent::app {

/// What a bound is asked for.
struct BoundSpec {
  sim::Jitter jitter{};
  std::uint32_t workers = 0;              ///< CPU workers; 0: one per CPU core
  const sim::CostTable* costs = nullptr;  ///< measured op times, may be null
  sim::EngineKind engine{};               ///< whose steps are counted
  bool is_work_conserving = true;         ///< false: given order, layered, static lists
  std::vector<OpId> longer{};  ///< ops whose worst time is reports::kLongerPercent longer; ids past the model: none
};

/// The timing problems of a model on a platform: one without overheads, and two with all of them, of which each gives
/// upper bounds, so the lower one counts. Loads are not in them.
struct PlatformProblems {
  verify::TimingProblem bare;      ///< for lower bounds on the worst case: the engine may add nothing
  verify::TimingProblem by_op;     ///< the engine, and what other DRAM clients can add to every op
  verify::TimingProblem by_total;  ///< the engine, and once for the run the time that the DRAM needs for all bytes
  bool has_affinity = false;       ///< some op is for some workers only: a ready op may wait while a core is idle
  sim::EngineOverhead engine{};    ///< that by_op and by_total count
  sim::Interference others_by_op{}, others_by_total{};  ///< likewise
};
/// @throws std::invalid_argument  more workers than the platform has CPU cores
PlatformProblems timing_problems(const detent_desc& desc, const sim::Platform& platform, const BoundSpec& spec);

/// An upper bound on a time that ignores the platform's loads, and what they take within it; verify::kUnknownPs when
/// they may take everything.
std::uint64_t with_loads_ps(const sim::Platform& platform, std::uint64_t bound_ps);

/// A bound with its reason where there is none: bound_ps is verify::kUnknownPs then and `assumptions` says why.
using BoundFunction = verify::Bound (*)(const verify::TimingProblem&);
/// An upper bound on the platform, loads included.
verify::Bound upper_bound(BoundFunction bound, const PlatformProblems& problems, const sim::Platform& platform,
                          const BoundSpec& spec);

/// upper_bound by its name; none: no upper bound of verify has it.
BoundFunction find_upper_bound(std::string_view name);

/// Bounds that hold for the schedule: lower ones without overheads, upper ones with them. Unknown ones too.
std::vector<verify::Bound> platform_bounds(const PlatformProblems& problems, const sim::Platform& platform,
                                           const BoundSpec& spec);

/// When each op can have ended on the platform, loads included.
std::vector<verify::Response> platform_responses(const PlatformProblems& problems, const sim::Platform& platform,
                                                 const BoundSpec& spec);

}  // namespace detent::app
