// What is noted of a goal, and the verdict.
#include "verify/explore/coverage/cover_goals.hpp"

namespace detent::verify::explore {

void CoverGoal::rule_out(std::string why) {
  applicable = false;
  evidence = std::move(why);
}

void CoverGoal::note(std::uint64_t times, const std::string& where) {
  if (count == 0 && times != 0) evidence = where;
  count += times;
}

Verdict judge_cover_goals(const std::vector<CoverGoal>& cover_goals) {
  std::uint64_t applicable = 0;
  Verdict verdict{.property = Property::kCoverGoals, .outcome = Outcome::kHolds, .summary = "", .witnesses = {}};
  for (const CoverGoal& goal : cover_goals) {
    if (goal.applicable) ++applicable;
    if (!goal.never()) continue;
    verdict.witnesses.push_back(
        {.text = "not covered: " + goal.text + " (" + goal.name + "); " + goal.evidence, .ops = {}, .schedule = {}});
  }
  const std::uint64_t never = verdict.witnesses.size();
  if (never != 0) verdict.outcome = Outcome::kUnknown;
  verdict.summary = std::to_string(applicable - never) + " of " + std::to_string(applicable) +
                    " cover goals that can happen did, " + std::to_string(cover_goals.size() - applicable) +
                    " do not apply";
  return verdict;
}

}  // namespace detent::verify::explore
