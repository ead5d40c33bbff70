// A judged deadline as every JSON answer has it.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/data/deadline.hpp"

namespace detent::reports {

/// {deadline_ps, source, bound_ps, method, longest_seen_ps, margin_ps, condition, assumed_times}; null where not known.
/// With a period {period_ps, utilisation[]} besides.
nlohmann::ordered_json deadline_json(const Deadline& deadline);

/// [{class, cores, utilisation, overloaded}]
nlohmann::ordered_json class_uses_json(const std::vector<ClassUse>& uses);

}  // namespace detent::reports
