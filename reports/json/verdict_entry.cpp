#include "reports/json/verdict_entry.hpp"

#include <utility>

#include "verify/verdict/vacuous.hpp"

namespace detent::reports {

nlohmann::ordered_json verdict_entry(const verify::Verdict& verdict, nlohmann::ordered_json witnesses) {
  const bool is_checked = !verify::is_vacuous(verdict);
  nlohmann::ordered_json entry = {{"property", verify::property_name(verdict.property)},
                                  {"outcome", is_checked ? verify::outcome_name(verdict.outcome) : "unknown"},
                                  {"summary", verdict.summary},
                                  {"witness", witnesses.empty() ? nlohmann::ordered_json(nullptr) : witnesses.front()},
                                  {"witnesses", witnesses},
                                  {"findings", verify::finding_count(verdict)}};
  if (!is_checked) entry["checked"] = false;
  if (verify::is_assumed(verdict)) entry["assumes"] = verdict.assumes;
  return entry;
}

}  // namespace detent::reports
