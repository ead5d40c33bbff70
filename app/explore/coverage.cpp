// Coverage of one exploration as values, JSON and text.
#include "app/explore/coverage.hpp"

#include <algorithm>

#include "reports/json/schedule_json.hpp"

namespace detent::app {

namespace explore = verify::explore;

reports::OpScheduleCoverage coverage_of(const explore::OpExploreReport& report, const std::string& strategy) {
  return {.strategy = strategy,
          .executions = report.executions,
          .seen = report.seen,
          .count = report.count,
          .estimate = report.estimate,
          .pairs = report.pairs,
          .unseen_mass = report.unseen_mass};
}

std::vector<explore::Situation> op_situations(const explore::OpSpace& space, const explore::OpExploreReport& report) {
  explore::ModelEvidence evidence{.workers = 1, .pairs = report.pairs};
  for (const explore::ExecutedSchedule& executed : report.schedules) evidence.schedules.push_back(executed.order);
  std::vector<explore::Situation> list = explore::model_situations(space, evidence);
  std::erase_if(list, [](const explore::Situation& situation) {
    return situation.name == "ops_at_once" || situation.name == "conflict_met";
  });
  return list;
}

void add_situations(const std::vector<explore::Situation>& situations, Json& answer) {
  answer["situations"] = reports::situations_json(situations);
  answer["findings"] = Json::array();
  for (const verify::Witness& witness : explore::judge_situations(situations).witnesses) {
    answer["findings"].push_back(witness.text);
  }
}

Lines finding_lines(const std::vector<explore::Situation>& situations) {
  Lines lines;
  for (const verify::Witness& witness : explore::judge_situations(situations).witnesses) {
    lines.push_back("  " + witness.text);
  }
  return lines;
}

}  // namespace detent::app
