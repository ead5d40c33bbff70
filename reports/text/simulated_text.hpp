// Percentiles and the search for long runs in words.
#pragma once

#include <string>

#include "reports/data/simulated_figures.hpp"

namespace detent::reports {

/// "p99 24.3 ms (95 % CI 24.2 to 24.4)", or "p99 needs 368 runs".
std::string percentile_text(const Percentile& percentile);
/// "search of 200 runs: every op at its worst time 24.9 ms, longest 25.0 ms (2 ops take less)"
std::string search_text(const LongRunSearch& search);

}  // namespace detent::reports
