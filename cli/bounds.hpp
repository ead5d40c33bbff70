// Bounds of a loaded model on a platform: op times and overheads of the simulator, theorems of verify.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/desc.h"
#include "sim/simulate.hpp"
#include "verify/timing/bounds.hpp"

namespace detent::cli {

/// Worst op times with overheads on the platform's cores; `workers` CPU workers, 0 = one per CPU core.
verify::TimingProblem timing_problem(const detent_desc& desc, const sim::Platform& platform, const sim::Jitter& jitter,
                                     std::uint32_t workers);

}  // namespace detent::cli
