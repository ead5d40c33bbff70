// TimeGrounds -> JSON, for report.json and for commands that simulate or bound.
#pragma once

#include "reports/data/time_grounds.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// {sources[] {source, ops, worst_ps, why}, firmest first, weakest, condition, jitter, remedy?, unused_rows? {ops, why,
/// text}}; null where nothing is known of them.
Json op_times_json(const TimeGrounds& times);

}  // namespace detent::reports
