// Percentiles and the search for long runs -> JSON and text, for report.json and for simulate.
#pragma once

#include <string>
#include <vector>

#include "reports/data/simulated_figures.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// [{name, ps, low_ps, high_ps (null where the runs are too few), confidence, needs_runs, text}]
Json percentiles_json(const std::vector<Percentile>& percentiles);
/// {runs, all_worst_ps, longest_ps, is_longest, shorter_ops, times, ties, text}
Json search_json(const LongRunSearch& search);

}  // namespace detent::reports
