// What the lowest bound of a check counts: as detent bound has it where both bound the same runs, and on the screen.
#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/check/check_summary.hpp"
#include "app/check/judged_bound.hpp"
#include "app/check/reported_check.hpp"
#include "base/units.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

CheckRequest check_of(const std::string& model, const std::string& directory) {
  CheckRequest made;
  made.check.request = {.model = model, .seeds = {.schedule = 1}, .reproducible = true};
  made.check.simulation.runs = 4;
  made.check.schedules = 0;
  made.directory = directory;
  return made;
}

Json checked(const CheckRequest& request) { return report_check(request, start_check(request), 80, {}).json; }

std::uint64_t lowest_bound_of(const Json& answer) {
  std::uint64_t lowest = UINT64_MAX;
  for (const Json& method : answer["methods"]) {
    if (method["is_upper"] == true) lowest = std::min(lowest, method["bound_ps"].get<std::uint64_t>());
  }
  return lowest;
}

void expect_counted(const Json& answer, const std::string& what) {
  ASSERT_TRUE(answer["budget"].is_object()) << what;
  std::uint64_t sum = 0;
  for (const Json& row : answer["budget"]["rows"]) sum += row["sum_ps"].get<std::uint64_t>();
  EXPECT_EQ(sum, lowest_bound_of(answer)) << what;
  EXPECT_EQ(answer["budget"]["bound_ps"], lowest_bound_of(answer)) << what;
}

TEST(CheckBudget, IsThatOfBoundWhereBothBoundTheSameRuns) {
  const TemporaryDirectory place;
  CheckRequest request = check_of("diamond:5", place.file("out"));
  request.check.simulation.cores = "2";
  const Json found = checked(request);
  BoundRequest bound;
  bound.request = request.check.request;
  bound.cores = "2";
  const Json told = bound_model(bound).json;
  for (const char* key : {"budget", "sensitivity", "measure_first"}) EXPECT_EQ(found[key].dump(), told[key].dump());
  expect_counted(found, "diamond");
}

TEST(CheckBudget, AddsUpWithChipLoadsAndGuards) {
  const TemporaryDirectory place;
  for (const char* model : {"branchnet", "cascade", "fallback"}) {
    CheckRequest request = check_of(model, place.file("out"));
    expect_counted(checked(request), model);
  }
}

/// An op takes as long in the run that decides whether it runs as where that is decided, to the picosecond.
TEST(CheckBounds, NoRunOfBranchesIsLongerThanTheBoundOfItsOutcomes) {
  const TemporaryDirectory place;
  for (const char* model : {"cascade", "fallback", "refine"}) {
    CheckRequest request = check_of(model, place.file("out"));
    request.check.simulation.cores = "cpu=2,npu=1";
    request.check.simulation.jitter = "worst";
    for (const bool timing_only : {false, true}) {
      request.check.simulation.timing_only = timing_only;
      const Json answer = checked(request);
      for (const Json& verdict : answer["verdicts"]) {
        EXPECT_NE(verdict["outcome"], "violated") << model << ": " << verdict["summary"];
      }
    }
  }
}

TEST(CheckBudget, OfOutcomesNamesThem) {
  const TemporaryDirectory place;
  const Json found = checked(check_of("cascade", place.file("out")));
  EXPECT_NE(found["budget"].value("outcomes", ""), "");
}

TEST(CheckBudget, IsOnTheScreenWithTheGuessToMeasureFirst) {
  const TemporaryDirectory place;
  const Json found = checked(check_of("branchnet", place.file("out")));
  const std::string screen = format_summary(found, "out", 200);
  EXPECT_NE(screen.find("of these " + format_time_up(lowest_bound_of(found)) + ": own time "), std::string::npos)
      << screen;
  EXPECT_NE(screen.find("measure first: " + found["measure_first"][0]["name"].get<std::string>()), std::string::npos)
      << screen;
  Json earlier = found;
  earlier.erase("budget");
  EXPECT_EQ(format_summary(earlier, "out", 200).find("of these"), std::string::npos);
}

TEST(CheckBudget, ThatDoesNotAddUpIsAFault) {
  CheckResult result;
  result.bounds = {{"typed", 100, true, false, "a"}};
  result.budget = reports::BoundBudget{.method = "typed", .outcomes = "", .bound_ps = 100};
  EXPECT_EQ(judge_bound(90, result).outcome, verify::Outcome::kHolds);
  result.budget->fault = "the budget of typed adds up to 99 ps";
  const verify::Verdict verdict = judge_bound(90, result);
  EXPECT_EQ(verdict.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text, "FAULT: the budget of typed adds up to 99 ps");
}

}  // namespace
}  // namespace detent::app
