#include "reports/json/deadline_json.hpp"

#include "reports/text/text.hpp"

namespace detent::reports {

Json deadline_json(const Deadline& deadline) {
  const auto known = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"deadline_ps", deadline.deadline_ps},
          {"source", deadline.source},
          {"bound_ps", known(deadline.bound_ps)},
          {"method", deadline.bound_ps ? Json(deadline.method) : Json(nullptr)},
          {"longest_seen_ps", known(deadline.longest_seen_ps)},
          {"margin_ps", known(deadline.margin_ps)},
          {"condition", deadline.condition},
          {"assumed_times", deadline.are_times_assumed}};
}

}  // namespace detent::reports
