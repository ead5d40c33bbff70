// Times of one check held against each other: the longest simulated run, the exact worst case, bounds, and what the
// lowest of them counts.
#pragma once

#include <cstdint>
#include <string>

#include "app/check/result.hpp"

namespace detent::app {

/// "", or how figures contradict each other, which is a fault of Detent: a budget that does not add up, a witness that
/// does not attain what it should, longest simulated <= exact <= every upper bound where it does not hold.
/// @param longest_ps  of the simulated runs
std::string contradictions_of(std::uint64_t longest_ps, const CheckResult& result);

/// The verdict `bound`. Violated by a run that is longer than a bound, and by contradictions, which are its first
/// witness then.
verify::Verdict judge_bound(std::uint64_t longest_ps, const CheckResult& result);

}  // namespace detent::app
