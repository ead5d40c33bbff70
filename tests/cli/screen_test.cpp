#include "cli/screen.hpp"

#include <gtest/gtest.h>

#include "verify/memory_plan.hpp"

namespace detent::cli {
namespace {

Json answer_with(const std::string& race_outcome) {
  return Json::parse(
      R"({"model": "m", "platform": "p", "ops": 3, "arena_bytes": 1024, "replay": "detent-replay/1 model=m",
    "verdicts": [
      {"property": "determinism", "outcome": "holds", "summary": "one digest", "witnesses": []},
      {"property": "buffer_races", "outcome": ")" +
      race_outcome + R"(", "summary": "3 pairs",
       "witnesses": [{"text": "op 1 and op 2 write x"}]}],
    "simulated": {"runs": 5, "executed_runs": 3,
                  "makespan_ps": {"min": 1000, "median": 2000, "p99": 3000, "max": 4000, "worst_seed": 7}},
    "methods": [{"name": "critical_path", "bound_ps": 900, "is_upper": false},
                {"name": "graham", "bound_ps": 6000, "is_upper": true},
                {"name": "typed", "bound_ps": 5000, "is_upper": true}]})");
}

TEST(Screen, AnswersInPlainWords) {
  const std::string text = format_screen(answer_with("holds"), "out");
  EXPECT_NE(text.find("Is the output the same on any schedule?     YES"), std::string::npos) << text;
  EXPECT_NE(text.find("Can a buffer be corrupted?                  NO"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 5.00 ns"), std::string::npos) << "the smallest upper bound\n" << text;
  EXPECT_NE(text.find("max 4.00 ns (seed 7)"), std::string::npos) << text;
  EXPECT_NE(text.find("out/report.html"), std::string::npos) << text;
  EXPECT_EQ(text.find("write x"), std::string::npos) << "witnesses of what holds are not shown";
}

TEST(Screen, ShowsTheWitnessOfAViolation) {
  const std::string text = format_screen(answer_with("violated"), "out");
  EXPECT_NE(text.find("Can a buffer be corrupted?                  YES"), std::string::npos) << text;
  EXPECT_NE(text.find("op 1 and op 2 write x"), std::string::npos) << text;
}

Json with_plan(const std::string& race_outcome, const std::string& plan_outcome, const std::string& summary) {
  Json answer = answer_with(race_outcome);
  answer["verdicts"].push_back(
      {{"property", "memory_plan"}, {"outcome", plan_outcome}, {"summary", summary}, {"witnesses", Json::array()}});
  return answer;
}

TEST(Screen, BuffersAreSafeOnlyWhereThePlanHoldsToo) {
  const auto text = [](const std::string& races, const std::string& plan, const std::string& summary) {
    return format_screen(with_plan(races, plan, summary), "out");
  };
  EXPECT_NE(text("holds", "holds", "fine").find("be corrupted?                  NO\n"), std::string::npos);
  EXPECT_NE(text("holds", "violated", "1 fault").find("be corrupted?                  YES\n      1 fault"),
            std::string::npos);
  EXPECT_NE(text("unknown", "violated", "1 fault").find("be corrupted?                  YES\n      1 fault"),
            std::string::npos);
  EXPECT_NE(text("holds", "unknown", "a cycle").find("be corrupted?                  UNKNOWN\n      a cycle"),
            std::string::npos);
  const std::string ranges = std::string("they are ") + verify::kRangesNameNoValue;
  EXPECT_NE(text("holds", "holds", ranges).find("be corrupted?                  NOT BY A RACE\n"), std::string::npos);
}

TEST(Screen, ExitCodeTakesTheWorstVerdict) {
  EXPECT_EQ(screen_exit_code(answer_with("holds")), kHolds);
  EXPECT_EQ(screen_exit_code(answer_with("unknown")), kUnknown);
  EXPECT_EQ(screen_exit_code(answer_with("violated")), kViolated);
}

}  // namespace
}  // namespace detent::cli
