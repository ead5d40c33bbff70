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
  kInflated,  ///< for upper bounds: the most that the engine can add to every op and to the run
};

/// Worst op times on the platform's cores; `workers` CPU workers, 0 = one per CPU core.
verify::TimingProblem timing_problem(const detent_desc& desc, const sim::Platform& platform, const sim::Jitter& jitter,
                                     std::uint32_t workers, Overhead overhead);

/// Bounds that hold for the schedule: lower ones without overheads, upper ones with them. `is_work_conserving` false
/// leaves only the serial bound, which needs no assumption on who waits for whom. Unknown bounds are left out.
std::vector<verify::Bound> platform_bounds(const detent_desc& desc, const sim::Platform& platform,
                                           const sim::Jitter& jitter, std::uint32_t workers, bool is_work_conserving);

}  // namespace detent::cli
