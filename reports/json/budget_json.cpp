// What a bound counts and what moves it -> JSON.
#include "reports/json/budget_json.hpp"

#include <utility>

namespace detent::reports {
namespace {

Json budget_times_json(const BudgetRow& row, const std::vector<std::string>& channels) {
  Json interference = Json::object();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (row.interference_ps[i] != 0) interference[channels[i]] = row.interference_ps[i];
  }
  return {{"own_ps", row.own_ps},     {"overhead_ps", row.overhead_ps}, {"interference_ps", std::move(interference)},
          {"delay_ps", row.delay_ps}, {"others_ps", row.others_ps},     {"loads_ps", row.loads_ps},
          {"sum_ps", row.sum_ps()}};
}

}  // namespace

Json budget_json(const std::optional<BoundBudget>& budget) {
  if (!budget) return nullptr;
  Json rows = Json::array();
  for (const BudgetRow& row : budget->rows) {
    Json entry = {{"kind", row.kind}, {"name", row.name}};
    if (row.op) entry["op"] = *row.op;
    entry.update(budget_times_json(row, budget->channels));
    if (row.op) entry["class"] = row.time.name;
    if (row.op) entry["source"] = row.time.reason;
    rows.push_back(std::move(entry));
  }
  Json made = {{"method", budget->method}, {"bound_ps", budget->bound_ps}};
  if (!budget->outcomes.empty()) made["outcomes"] = budget->outcomes;
  made["channels"] = budget->channels;
  made["rows"] = std::move(rows);
  made["totals"] = budget_times_json(sum_of(*budget), budget->channels);
  return made;
}

void add_sensitivity(const Sensitivity& sensitivity, Json& answer) {
  answer["sensitivity"] = {{"longer_percent", kLongerPercent},
                           {"groups", sensitivity.groups.size()},
                           {"of_groups", sensitivity.all},
                           {"limit", sensitivity.limit}};
  Json list = Json::array();
  for (const TimeGroup& group : sensitivity.groups) {
    list.push_back({{"name", group.name},
                    {"core", group.core},
                    {"ops", group.ops},
                    {"worst_ps", group.worst_ps},
                    {"class", group.time.name},
                    {"source", group.time.reason},
                    {"is_guess", group.is_guess},
                    {"moves_ps", group.moves_ps ? Json(*group.moves_ps) : Json(nullptr)}});
  }
  answer["measure_first"] = std::move(list);
}

}  // namespace detent::reports
