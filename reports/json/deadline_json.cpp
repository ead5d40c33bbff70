#include "reports/json/deadline_json.hpp"

#include <cmath>

#include "reports/text/text.hpp"

namespace detent::reports {

Json deadline_json(const Deadline& deadline) {
  const auto known = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json made = {{"deadline_ps", deadline.deadline_ps},
               {"source", deadline.source},
               {"bound_ps", known(deadline.bound_ps)},
               {"method", deadline.bound_ps ? Json(deadline.method) : Json(nullptr)},
               {"longest_seen_ps", known(deadline.longest_seen_ps)},
               {"margin_ps", known(deadline.margin_ps)},
               {"condition", deadline.condition},
               {"assumed_times", deadline.are_times_assumed}};
  if (deadline.period_ps) {
    made["period_ps"] = *deadline.period_ps;
    made["utilisation"] = class_uses_json(deadline.uses);
  }
  return made;
}

Json class_uses_json(const std::vector<ClassUse>& uses) {
  Json list = Json::array();
  for (const ClassUse& use : uses) {
    list.push_back({{"class", use.core_class},
                    {"cores", use.cores},
                    {"utilisation", std::round(use.utilisation * 1e6) / 1e6},
                    {"overloaded", use.is_overloaded}});
  }
  return list;
}

}  // namespace detent::reports
