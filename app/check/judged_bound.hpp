// Times of one check held against each other: the longest simulated run, bounds, and what the lowest of them counts.
#pragma once

#include <cstdint>

#include "app/check/result.hpp"

namespace detent::app {

/// The verdict `bound`. Violated by a run that is longer than a bound, and where the figures contradict each other,
/// which is a fault of Detent and then its first witness.
/// @param longest_ps  of the simulated runs
verify::Verdict judge_bound(std::uint64_t longest_ps, const CheckResult& result);

}  // namespace detent::app
