// Deadlines against bounds: proven, missed by a run, or neither.
#include "app/bound/deadline.hpp"

#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

ModelBounds bounds_of(std::uint64_t lower, std::uint64_t upper, std::uint64_t exact = verify::kUnknownPs) {
  ModelBounds made;
  made.bounds = {{"critical_path", lower, false, false, ""}, {"typed", upper, true, false, ""}};
  if (exact != verify::kUnknownPs) made.bounds.push_back({"exact", exact, true, true, ""});
  return made;
}

TEST(Deadline, AnUpperBoundProvesIt) {
  const DeadlineVerdict verdict = judge_deadline(100, bounds_of(60, 100));
  EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(verdict.margin_ps, 0);
  EXPECT_EQ(verdict.summary, "no run is longer than 100 ps (typed), 0 ps before the deadline");
  EXPECT_EQ(judge_deadline(100, bounds_of(60, 120, 90)).margin_ps, 10) << "the lowest of them";
}

TEST(Deadline, ARunThatIsLongerViolatesIt) {
  const DeadlineVerdict exact = judge_deadline(100, bounds_of(60, 120, 101));
  EXPECT_EQ(exact.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(exact.margin_ps, -1);
  EXPECT_EQ(exact.summary, "the longest run takes 101 ps, 1 ps more than the deadline: the witness");
  const DeadlineVerdict lower = judge_deadline(50, bounds_of(60, 120));
  EXPECT_EQ(lower.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(lower.margin_ps, -10);
}

TEST(Deadline, BetweenTheBoundsItIsUnknown) {
  const DeadlineVerdict verdict = judge_deadline(100, bounds_of(60, 120));
  EXPECT_EQ(verdict.outcome, verify::Outcome::kUnknown);
  EXPECT_FALSE(verdict.margin_ps.has_value());
  EXPECT_EQ(judge_deadline(100, {}).summary, "no upper bound is known");
  EXPECT_EQ(judge_deadline(100, bounds_of(60, verify::kUnknownPs)).outcome, verify::Outcome::kUnknown);
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
  EXPECT_EQ(refusal_of([&] { return outcome("exact", "soon"); }).rfind("--deadline soon: ", 0), 0U);
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
