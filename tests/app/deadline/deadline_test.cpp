// Deadlines against bounds: proven, missed by a run, or neither.
#include "app/deadline/deadline.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "app/bound/bound_model.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

std::vector<verify::Bound> bounds_of(std::uint64_t lower, std::uint64_t upper,
                                     std::uint64_t exact = verify::kUnknownPs) {
  std::vector<verify::Bound> made = {{"critical_path", lower, false, false, ""}, {"typed", upper, true, false, ""}};
  if (exact != verify::kUnknownPs) made.push_back({"exact", exact, true, true, ""});
  return made;
}

JudgedDeadline judged(std::uint64_t deadline_ps, std::vector<verify::Bound> bounds,
                      std::optional<LongestSeen> seen = {}) {
  return judge_deadline({deadline_ps, "--deadline"}, {.bounds = std::move(bounds), .seen = std::move(seen)});
}

TEST(Deadline, AnUpperBoundProvesIt) {
  const JudgedDeadline proven = judged(100, bounds_of(60, 100), LongestSeen{90, "line"});
  EXPECT_EQ(proven.verdict.property, verify::Property::kDeadline);
  EXPECT_EQ(proven.verdict.outcome, Outcome::kHolds);
  EXPECT_EQ(proven.figures.margin_ps, 0);
  EXPECT_EQ(proven.figures.bound_ps, 100U);
  EXPECT_EQ(proven.figures.method, "typed");
  EXPECT_EQ(proven.figures.longest_seen_ps, 90U);
  EXPECT_EQ(
      proven.verdict.summary,
      "no run is longer than 100 ps (typed), 0 ps before the deadline of 100 ps, if no op exceeds its worst time");
  EXPECT_TRUE(proven.verdict.witnesses.empty());
  EXPECT_EQ(judged(100, bounds_of(60, 120, 90)).figures.margin_ps, 10) << "the lowest of them";
}

TEST(Deadline, ARunThatIsLongerViolatesIt) {
  const JudgedDeadline exact = judged(100, bounds_of(60, 120, 101));
  EXPECT_EQ(exact.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(exact.figures.margin_ps, -1);
  EXPECT_EQ(exact.verdict.summary, "the longest run takes 101 ps (exact), 1 ps more than the deadline of 100 ps");
  const JudgedDeadline lower = judged(50, bounds_of(60, 120));
  EXPECT_EQ(lower.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(lower.figures.margin_ps, -10);
  const JudgedDeadline guarded =
      judge_deadline({50, "--deadline"}, {.bounds = bounds_of(60, 120), .has_outcomes = true});
  EXPECT_EQ(guarded.verdict.summary,
            "with some outcomes of the decisions, where every op takes its worst time, the run takes at least 60 ps "
            "(critical_path), 10 ps more than the deadline of 50 ps");
}

TEST(Deadline, ASimulatedRunThatIsLongerIsItsWitness) {
  const JudgedDeadline seen = judged(80, bounds_of(60, 120), LongestSeen{81, "detent-replay/1 model=m"});
  EXPECT_EQ(seen.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(seen.figures.margin_ps, -1);
  EXPECT_EQ(seen.verdict.summary, "the longest run seen takes 81 ps, 1 ps more than the deadline of 80 ps");
  ASSERT_EQ(seen.verdict.witnesses.size(), 1U);
  EXPECT_EQ(seen.verdict.witnesses[0].text, "the run that is longer: detent replay 'detent-replay/1 model=m'");
  EXPECT_EQ(deadline_lines(seen).back(), "  " + seen.verdict.witnesses[0].text);
  EXPECT_EQ(judged(80, bounds_of(60, 70), LongestSeen{81, ""}).verdict.outcome, Outcome::kViolated)
      << "whatever a bound says that the run exceeds";
  const JudgedDeadline no_line = judged(80, bounds_of(60, 120), LongestSeen{81, ""});
  EXPECT_EQ(no_line.verdict.witnesses[0].text, no_line.verdict.summary);
  EXPECT_EQ(deadline_lines(no_line).size(), 1U);
}

TEST(Deadline, BetweenTheBoundsItIsUnknown) {
  const JudgedDeadline open = judged(100, bounds_of(60, 120));
  EXPECT_EQ(open.verdict.outcome, Outcome::kUnknown);
  EXPECT_FALSE(open.figures.margin_ps.has_value());
  EXPECT_EQ(
      judged(100, bounds_of(60, 120), LongestSeen{100, ""}).verdict.summary,
      "the lowest upper bound, 120 ps (typed), is 20 ps more than the deadline of 100 ps, and the longest run seen "
      "takes 100 ps; more --search, or of the closed loop detent bound --method exact, may tell more");
  EXPECT_EQ(
      judged(100, {}).verdict.summary,
      "no upper bound is known, and no run is known to be longer; --method exact, or a larger --max-states, tells "
      "more");
  EXPECT_EQ(judged(100, bounds_of(60, verify::kUnknownPs)).verdict.outcome, Outcome::kUnknown);
}

TEST(Deadline, WhereARunDoesNotEndABoundProvesNothing) {
  const JudgedDeadline failed =
      judge_deadline({100, "net.json"}, {.bounds = bounds_of(60, 90), .failure = "op 3 hangs"});
  EXPECT_EQ(failed.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(failed.verdict.summary, "not every run ends: op 3 hangs");
  EXPECT_EQ(failed.figures.source, "net.json");
}

TEST(Deadline, TheOptionCountsBeforeTheFile) {
  const models::TimeDemands of_file{.deadline_ps = 7};
  EXPECT_FALSE(wanted_deadline("", {}, "net.json").has_value());
  EXPECT_EQ(wanted_deadline("", of_file, "net.json")->deadline_ps, 7U);
  EXPECT_EQ(wanted_deadline("", of_file, "net.json")->source, "net.json");
  EXPECT_EQ(wanted_deadline("5ns", of_file, "net.json")->deadline_ps, 5'000U);
  EXPECT_EQ(wanted_deadline("5ns", of_file, "net.json")->source, "--deadline");
  EXPECT_EQ(refusal_of([&] { return wanted_deadline("soon", of_file, "").has_value(); }).rfind("--deadline soon: ", 0),
            0U);
  EXPECT_EQ(refusal_of([&] { return wanted_deadline("0ms", of_file, "").has_value(); }),
            "--deadline 0ms: no run has ended by then; give a time above 0");
}

TEST(Deadline, WhereOnlyAPeriodIsDemandedARunEndsBeforeTheNext) {
  const auto wanted = wanted_deadline("", {.period_ps = 9}, "net.json");
  ASSERT_TRUE(wanted.has_value());
  EXPECT_EQ(wanted->deadline_ps, 9U);
  EXPECT_EQ(wanted->period_ps, 9U);
  EXPECT_EQ(wanted->source, "net.json, period");
  const models::TimeDemands both{.deadline_ps = 7, .period_ps = 9};
  EXPECT_EQ(wanted_deadline("", both, "net.json")->deadline_ps, 7U);
  EXPECT_EQ(wanted_deadline("", both, "net.json")->period_ps, 9U);
  EXPECT_EQ(wanted_deadline("5ps", both, "net.json")->period_ps, 9U);
}

TEST(Deadline, ABoundAboveThePeriodProvesNothing) {
  const auto judge = [](std::uint64_t deadline_ps, std::uint64_t period_ps, std::uint64_t upper_ps) {
    return judge_deadline({deadline_ps, "net.json", period_ps}, {.bounds = bounds_of(60, upper_ps)}).verdict;
  };
  EXPECT_EQ(judge(200, 100, 100).outcome, Outcome::kHolds);
  EXPECT_EQ(judge(200, 100, 101).outcome, Outcome::kUnknown);
  EXPECT_EQ(judge(200, 100, 101).summary,
            "a run alone is not longer than 101 ps (typed), which is more than the period of 100 ps, and runs that "
            "overlap wait for each other; detent tasks judges those");
  EXPECT_EQ(judge(50, 100, 101).outcome, Outcome::kViolated) << "a run alone is longer already";
  EXPECT_EQ(judge(100, 150, 101).summary.rfind("the lowest upper bound", 0), 0U);
}

TEST(Deadline, MoreWorkThanTimeViolatesItWhateverTheDeadline) {
  const DeadlineEvidence evidence{.bounds = bounds_of(60, 90), .uses = {{"cpu", 2, 0.5, false}, {"npu", 1, 1.5, true}}};
  const JudgedDeadline late = judge_deadline({200, "net.json", 40}, evidence);
  EXPECT_EQ(late.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(late.verdict.summary,
            "where every op takes its worst time, the work of npu takes more than the period of 40 ps, so runs fall "
            "behind without end");
  EXPECT_EQ(deadline_lines(late).size(), 3U) << "one of each class besides";
  EXPECT_EQ(judge_deadline({200, "net.json"}, evidence).verdict.outcome, Outcome::kHolds) << "of one run alone";
}

TEST(Deadline, DecidesTheOutcomeOfTheAnswer) {
  BoundRequest request;
  request.request.model = "diamond";
  request.cores = "2";
  const auto outcome = [&](const std::string& method, const std::string& deadline) {
    request.method = method;
    request.deadline = deadline;
    return bound_model(request);
  };
  EXPECT_EQ(outcome("exact", "31us").outcome, verify::Outcome::kHolds);
  const Answer missed = outcome("exact", "30us");
  EXPECT_EQ(missed.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(missed.json["margin_ps"], -1'000'000);
  EXPECT_EQ(missed.json["verdicts"][0]["property"], "deadline");
  EXPECT_EQ(missed.json["verdicts"][0]["outcome"], "violated");
  EXPECT_EQ(missed.json["verdicts"][0]["condition"], "if no op exceeds its worst time");
  EXPECT_EQ(missed.json["deadline"]["bound_ps"], 31'000'000);
  EXPECT_EQ(missed.json["deadline"]["longest_seen_ps"], nullptr);
  EXPECT_EQ(refusal_of([&] { return outcome("exact", "soon"); }).rfind("--deadline soon: ", 0), 0U);
}

TEST(Deadline, AGraphFileStatesIt) {
  const TemporaryDirectory place;
  BoundRequest request;
  request.request.model = place.write(
      "net.json", R"({"schema": "detent.graph/1", "deadline": "3ns", "ops": [{"id": 0, "time_ps": [1000, 3001]}]})");
  request.cores = "1";
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["deadline"]["source"], request.request.model);
  request.deadline = "4ns";
  EXPECT_EQ(bound_model(request).outcome, Outcome::kHolds) << "the option counts";
}

TEST(Deadline, AssumedTimesTakeTheGreenAway) {
  BoundRequest request;
  request.request.model = "mobilenetv2:64";
  request.deadline = "1s";
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.json["verdicts"][0]["assumed_times"], true);
  EXPECT_NE(answer.lines[0].find("holds (ASSUMED times)"), std::string::npos) << answer.lines[0];
}

}  // namespace
}  // namespace detent::app
