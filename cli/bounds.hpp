// Bounds of a loaded model on a platform: op times and overheads of the simulator, theorems of verify.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/desc.h"
#include "sim/simulate.hpp"
#include "verify/timing/bounds.hpp"

namespace detent::cli {

/// Whether a timing problem carries what the engine adds to op times.
enum class Overhead : std::uint8_t {
  kNone,      ///< for lower bounds on the worst case: the engine may add nothing
  kInflated,  ///< for upper bounds: the most that the engine and other DRAM clients can add to every op
  kTotal,     ///< likewise, but with DRAM as the time that it needs for all bytes, once for the run
};

/// Worst op times on the platform's cores; `workers` CPU workers, 0 = one per CPU core. With Overhead::kInflated or
/// kTotal they hold what others on the chip can add, but not loads.
/// @param costs  measured op times, may be null
verify::TimingProblem timing_problem(const detent_desc& desc, const sim::Platform& platform, const sim::Jitter& jitter,
                                     std::uint32_t workers, Overhead overhead, const sim::CostTable* costs = nullptr);

/// An upper bound on a time that ignores the platform's loads, and what they take within it; verify::kUnknownPs when
/// they may take everything.
std::uint64_t with_loads_ps(const sim::Platform& platform, std::uint64_t bound_ps);

/// The lower of two values that are upper bounds, either of which may be verify::kUnknownPs.
verify::Bound lower_of(const verify::Bound& a, const verify::Bound& b);

/// Bounds that hold for the schedule: lower ones without overheads, upper ones with them. `is_work_conserving` false
/// leaves only the serial bound, which needs no assumption on who waits for whom. Unknown bounds are left out.
std::vector<verify::Bound> platform_bounds(const detent_desc& desc, const sim::Platform& platform,
                                           const sim::Jitter& jitter, std::uint32_t workers, bool is_work_conserving,
                                           const sim::CostTable* costs = nullptr);

}  // namespace detent::cli
