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

std::vector<explore::CoverGoal> op_cover_goals(const explore::OpSpace& space, const explore::OpExploreReport& report) {
  explore::ModelEvidence evidence{.workers = 1, .pairs = report.pairs};
  for (const explore::ExecutedSchedule& executed : report.schedules) evidence.schedules.push_back(executed.order);
  std::vector<explore::CoverGoal> list = explore::model_cover_goals(space, evidence);
  std::erase_if(
      list, [](const explore::CoverGoal& goal) { return goal.name == "ops_at_once" || goal.name == "conflict_met"; });
  return list;
}

void add_cover_goals(const std::vector<explore::CoverGoal>& cover_goals, Json& answer) {
  answer["cover_goals"] = reports::cover_goals_json(cover_goals);
  answer["findings"] = Json::array();
  for (const verify::Witness& witness : explore::judge_cover_goals(cover_goals).witnesses) {
    answer["findings"].push_back(witness.text);
  }
}

Lines finding_lines(const std::vector<explore::CoverGoal>& cover_goals) {
  Lines lines;
  for (const verify::Witness& witness : explore::judge_cover_goals(cover_goals).witnesses) {
    lines.push_back("  " + witness.text);
  }
  return lines;
}

}  // namespace detent::app
