// What is noted of a situation, and the verdict.
#include "verify/explore/coverage/situations.hpp"

namespace detent::verify::explore {

void Situation::rule_out(std::string why) {
  applicable = false;
  evidence = std::move(why);
}

void Situation::note(std::uint64_t times, const std::string& where) {
  if (count == 0 && times != 0) evidence = where;
  count += times;
}

Verdict judge_situations(const std::vector<Situation>& situations) {
  std::uint64_t applicable = 0;
  Verdict verdict{.property = "exercised", .outcome = Outcome::kHolds, .summary = "", .witnesses = {}};
  for (const Situation& situation : situations) {
    if (situation.applicable) ++applicable;
    if (!situation.never()) continue;
    verdict.witnesses.push_back(
        {.text = "never exercised: " + situation.text + " (" + situation.name + "); " + situation.evidence,
         .ops = {},
         .schedule = {}});
  }
  const std::uint64_t never = verdict.witnesses.size();
  if (never != 0) verdict.outcome = Outcome::kUnknown;
  verdict.summary = std::to_string(applicable - never) + " of " + std::to_string(applicable) +
                    " situations that can happen did, " + std::to_string(situations.size() - applicable) +
                    " do not apply";
  return verdict;
}

}  // namespace detent::verify::explore
