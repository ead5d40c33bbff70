// Simulated runs: Desc + platform + options -> Runs and statistics. The runtime object is the native one.
#pragma once

#include <vector>

#include <detent/desc.h>

#include "sim/platform/platform.hpp"
#include "sim/types/op_times.hpp"
#include "sim/types/options.hpp"
#include "sim/types/result.hpp"

namespace detent::sim {

/// Simulate. Throws std::invalid_argument on options that cannot be (more workers than cores, faults of ops that the
/// Desc does not have).
SimResult simulate(const detent_desc& desc, const Platform& platform, const SimOptions& options);

/// What each op may take, alone on the chip, in runs with these options: a chosen run's times lie within.
std::vector<OpTime> ranges_of_ops(const detent_desc& desc, const Platform& platform, const SimOptions& options);

}  // namespace detent::sim
