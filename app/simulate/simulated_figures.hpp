// What simulate and check tell of a campaign beside its makespans.
#pragma once

#include <optional>
#include <vector>

#include "reports/data/simulated_figures.hpp"
#include "sim/types/result.hpp"

namespace detent::app {

/// Median and p99 of the drawn runs; none where there were none.
std::vector<reports::Percentile> percentiles_of(const sim::SimResult& result);
/// What the search for long runs found; none: there was none, or it failed.
std::optional<reports::LongRunSearch> search_of(const sim::SimResult& result);

}  // namespace detent::app
