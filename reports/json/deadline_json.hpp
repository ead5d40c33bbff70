// A judged deadline as every JSON answer has it.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/data/deadline.hpp"

namespace detent::reports {

/// {deadline_ps, source, bound_ps, method, longest_seen_ps, margin_ps, condition, assumed_times}; null where not known.
nlohmann::ordered_json deadline_json(const Deadline& deadline);

}  // namespace detent::reports
