// Violations of value_flow, told to people: on the memory map, and as an order of ops beside a right one.
#pragma once

#include <detent/desc.h>

#include "app/check/result.hpp"
#include "verify/flow/value_flow.hpp"

namespace detent::app {

/// Most that a report shows of either.
inline constexpr std::size_t kMostLostValues = 16;
inline constexpr std::size_t kMostValueStories = 3;

/// Adds the first violations to result.lost_values, and to result.failures those that have a schedule: ops one after
/// another in its order, each for its worst time, beside an order on which the read finds its value, where the edges
/// allow one.
void add_lost_values(const detent_desc& desc, const verify::ValueFlowReport& flow, CheckResult& result);

}  // namespace detent::app
