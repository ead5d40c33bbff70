#include <gtest/gtest.h>

#include "app/static/static_checks.hpp"
#include "app/static/verify_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

VerifyRequest reproducible_verification_of(const std::string& model) {
  VerifyRequest made;
  made.request.model = model;
  made.request.reproducible = true;
  return made;
}

TEST(VerifyAnswer, LinesSayWhatTheJsonSays) {
  for (const char* model : {"diamond", "bad_reuse_war", "bad_overlap", "bad_cycle"}) {
    expect_golden(text_of(verify_model(reproducible_verification_of(model), {})),
                  std::string("app/static/golden/verify_") + model + ".txt");
  }
}

TEST(VerifyAnswer, RacesOfABrokenStructureAreUnknown) {
  const Answer answer = verify_model(reproducible_verification_of("bad_cycle"), {});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["verdicts"][0]["outcome"], "violated");
  EXPECT_EQ(answer.json["verdicts"][2]["outcome"], "unknown");
  EXPECT_EQ(answer.json["races"], Json::array());
  EXPECT_FALSE(answer.json.contains("race_count"));
}

TEST(VerifyAnswer, UnknownModelsAreRefused) {
  EXPECT_NE(refusal_of([] { return verify_model(reproducible_verification_of("nothing"), {}); }), "");
  EXPECT_NE(refusal_of([] { return verify_model(reproducible_verification_of("chain:-1"), {}); }), "");
}

TEST(VerifyAnswer, TwoCallsGiveTheSameBytesWithZ3Too) {
  VerifyRequest request = reproducible_verification_of("bad_reuse_war");
  request.smt.smt = true;
  const Answer answer = verify_model(request, {});
  EXPECT_EQ(answer.json["smt"]["racing_pairs"], 1);
  EXPECT_EQ(answer.json["verdicts"].size(), 9U);
  expect_same_answer(answer, verify_model(request, {}));
}

TEST(VerifyAnswer, ZeroSecondsForZ3AreNeverAViolation) {
  VerifyRequest request = reproducible_verification_of("branchnet");
  request.smt.smt = true;
  request.smt.limit_seconds = 0;
  EXPECT_NE(verify_model(request, {}).outcome, Outcome::kViolated);
}

TEST(VerifyAnswer, MeasuredSecondsAreLeftOutWhereAsked) {
  VerifyRequest request = reproducible_verification_of("diamond");
  request.smt.smt = true;
  EXPECT_FALSE(verify_model(request, {}).json.contains("host"));
  request.request.reproducible = false;
  EXPECT_TRUE(verify_model(request, {}).json["host"].contains("smt_seconds"));
}

TEST(SmtFiles, PlanAndRacesAreWrittenInOneOrder) {
  const TemporaryDirectory place;
  VerifyRequest request = reproducible_verification_of("bad_reuse_war");
  request.smt.races_file = place.file("races.smt2");
  request.smt.plan_file = place.file("plan.smt2");
  const Answer answer = verify_model(request, {});
  EXPECT_EQ(answer.lines[0], "memory plan as SMT-LIB: " + request.smt.plan_file);
  EXPECT_EQ(answer.lines[1], "buffer races as SMT-LIB: " + request.smt.races_file);
  EXPECT_NE(bytes_of(request.smt.races_file).find("(set-info :status sat)"), std::string::npos);
  EXPECT_EQ(place.file_count(), 2U);
  request.request.model = "diamond";
  static_cast<void>(verify_model(request, {}));
  EXPECT_NE(bytes_of(request.smt.plan_file).find("(set-info :status unsat)"), std::string::npos);
  EXPECT_NE(bytes_of(request.smt.races_file).find("(set-info :status unsat)"), std::string::npos);
}

TEST(SmtFiles, AFileThatCannotBeWrittenIsRefused) {
  const TemporaryDirectory place;
  VerifyRequest request = reproducible_verification_of("diamond");
  request.smt.plan_file = place.file("missing/plan.smt2");
  EXPECT_EQ(refusal_of([&] { return verify_model(request, {}); }).rfind(request.smt.plan_file, 0), 0U);
  EXPECT_EQ(place.file_count(), 0U);
}

TEST(StaticLaws, OnlyASoundPlanIsExecutable) {
  EXPECT_TRUE(check_static_laws(load("diamond", {}).desc()).is_executable);
  EXPECT_TRUE(check_static_laws(load("bad_reuse_war", {}).desc()).is_executable) << "races are to be shown";
  const StaticAnswer broken = check_static_laws(load("bad_cycle", {.weights = false}).desc());
  EXPECT_FALSE(broken.is_executable);
  EXPECT_FALSE(broken.races);
  ASSERT_EQ(broken.verdicts.size(), 4U);
  for (const std::size_t unchecked : {2U, 3U}) {
    EXPECT_EQ(broken.verdicts[unchecked].summary, "not checked: the structure or the memory plan is violated");
  }
}

TEST(StaticLaws, EmptyGroundLeavesTheSummary) {
  std::vector<verify::Verdict> verdicts{{verify::Property::kBufferRaces, Outcome::kHolds, "none", {}}};
  add_ground(verdicts, "", nullptr);
  EXPECT_EQ(verdicts[0].summary, "none");
}

}  // namespace
}  // namespace detent::app
