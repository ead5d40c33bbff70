#include "app/static/verify_model.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/answer/verdicts.hpp"
#include "app/static/static_checks.hpp"
#include "tests/app/answers.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

VerifyRequest verification_of(const std::string& model) {
  VerifyRequest made;
  made.request.model = model;
  return made;
}

TEST(VerifyModel, SoundModelsHoldAndRacesAreListed) {
  EXPECT_EQ(verify_model(verification_of("diamond"), {}).outcome, Outcome::kHolds);
  const Answer answer = verify_model(verification_of("bad_reuse_war"), {});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  ASSERT_EQ(answer.json["races"].size(), 1U);
  EXPECT_EQ(answer.json["races"][0]["kind"], "war");
  EXPECT_EQ(answer.json["race_count"], 1);
}

TEST(VerifyModel, Z3AgreesWithTheClosure) {
  for (const char* model : {"diamond", "bad_reuse_war", "bad_reuse_waw", "bad_overlap"}) {
    VerifyRequest request = verification_of(model);
    request.smt.smt = true;
    request.request.reproducible = true;
    const Answer answer = verify_model(request, {});
    EXPECT_EQ(answer.json["smt"]["agrees"], true) << model;
    EXPECT_FALSE(answer.json.contains("host"));
  }
}

TEST(VerifyModel, ALimitOfStepsIsUnknownAndNeverAViolation) {
  VerifyRequest request = verification_of("resnet18");
  request.smt.smt = true;
  request.smt.limit_steps = 1;
  EXPECT_EQ(verify_model(request, {}).outcome, Outcome::kUnknown);
}

TEST(VerifyModel, FilesForOtherSolversAreWrittenWhereThereIsAClaim) {
  const std::string path = (std::filesystem::temp_directory_path() / "detent_verify_model.smt2").string();
  VerifyRequest request = verification_of("diamond");
  request.smt.races_file = path;
  EXPECT_EQ(verify_model(request, {}).lines.front(), "buffer races as SMT-LIB: " + path);
  EXPECT_GT(std::filesystem::file_size(path), 100U);
  std::filesystem::remove(path);
  request.request.model = "bad_cycle";
  EXPECT_EQ(verify_model(request, {}).lines.front(),
            path + ": not written, the structure or the memory plan is violated");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(StaticChecks, BrokenStructuresAreRefusedWithTheirReason) {
  const LoadedModel loaded = load("bad_cycle", {.weights = false});
  try {
    require_structure("bad_cycle", loaded.desc());
    ADD_FAILURE() << "a cycle passed";
  } catch (const std::invalid_argument& refused) {
    EXPECT_EQ(std::string(refused.what()).rfind("bad_cycle: ", 0), 0U) << refused.what();
  }
  EXPECT_NO_THROW(require_structure("diamond", load("diamond", {}).desc()));
}

TEST(StaticChecks, ViolatedAuditMakesVerdictsThatRestOnItUnknown) {
  const auto judged = [](Outcome audited) {
    std::vector<verify::Verdict> verdicts{{verify::Property::kBufferRaces, Outcome::kHolds, "no race", {}},
                                          {verify::Property::kDeterminism, Outcome::kHolds, "one digest", {}},
                                          {verify::Property::kStructure, Outcome::kHolds, "sound", {}},
                                          {verify::Property::kValueFlow, Outcome::kHolds, "all found", {}}};
    const verify::Verdict audit{verify::Property::kAccessAudit, audited, "", {}};
    add_ground(verdicts, "footprints by text analysis", &audit);
    return verdicts;
  };
  const auto violated = judged(Outcome::kViolated);
  EXPECT_EQ(violated[0].outcome, Outcome::kUnknown);
  EXPECT_EQ(violated[1].outcome, Outcome::kUnknown);
  EXPECT_EQ(violated[2].outcome, Outcome::kHolds);
  EXPECT_EQ(violated[3].outcome, Outcome::kUnknown) << "a read may find what an undeclared write has left";
  EXPECT_EQ(violated[3].summary, "all found; footprints by text analysis");
  const auto holds = judged(Outcome::kHolds);
  EXPECT_EQ(holds[0].outcome, Outcome::kHolds);
  EXPECT_EQ(holds[0].summary, "no race; footprints by text analysis");
  EXPECT_EQ(holds[1].summary, "one digest");
  EXPECT_EQ(holds[3].summary, "all found");
}

TEST(StaticChecks, WhatHoldsOfTheBytesOfAllOpsSaysWhatItAssumes) {
  using verify::Property;
  std::vector<verify::Verdict> verdicts;
  for (const verify::PropertyText& text : verify::all_properties()) {
    verdicts.push_back({text.property, Outcome::kHolds, "so", {}});
  }
  verdicts.push_back({Property::kBufferRaces, Outcome::kUnknown, "perhaps", {}});
  add_assumed_bytes(verdicts, "it is so");
  std::set<Property> assumed;
  for (const verify::Verdict& verdict : verdicts) {
    if (verify::is_assumed(verdict)) assumed.insert(verdict.property);
  }
  EXPECT_EQ(assumed, (std::set{Property::kBufferRaces, Property::kBufferRacesSmt, Property::kValueFlow,
                               Property::kValueFlowSmt, Property::kDeterminism, Property::kOpSchedules}));
  EXPECT_EQ(verdicts.back().assumes, "");
  const Json row = verdicts_json({verdicts[static_cast<std::size_t>(Property::kDeterminism)]}).front();
  EXPECT_EQ(row["outcome"], "holds");
  EXPECT_EQ(row["assumes"], "it is so");
  EXPECT_FALSE(verdicts_json({verdicts.front()}).front().contains("assumes"));
  EXPECT_EQ(verdict_lines({verdicts[static_cast<std::size_t>(Property::kDeterminism)]}),
            (Lines{"determinism   assumed   so", "    if it is so"}));
}

TEST(VerifyModel, DeterminismOfFunctionsTakesTheGreenFromSchedulesThatRanToo) {
  std::vector<verify::Verdict> verdicts(3);
  verdicts[0] = {
      .property = verify::Property::kOpSchedules, .outcome = Outcome::kHolds, .summary = "a", .witnesses = {}};
  verdicts[1] = {
      .property = verify::Property::kDeterminism, .outcome = Outcome::kViolated, .summary = "b", .witnesses = {}};
  verdicts[2] = {
      .property = verify::Property::kBufferRaces, .outcome = Outcome::kHolds, .summary = "c", .witnesses = {}};
  add_unaudited_functions(verdicts, "why");
  EXPECT_EQ(verdicts[0].outcome, Outcome::kUnknown);
  EXPECT_EQ(verdicts[0].summary,
            "a; not known: whether C functions keep nothing between calls and read what the graph lists alone (why)");
  EXPECT_EQ(verdicts[1].summary, "b");
  EXPECT_EQ(verdicts[2].summary, "c");
}

TEST(VerifyModel, DeterminismOfFunctionsThatNobodyAuditedIsNotKnown) {
  const TemporaryDirectory place;
  static_cast<void>(place.write("mine.c",
                                "#include <detent/kernel.h>\nstatic int calls;\n"
                                "int32_t f(const detent_kernel_args *args) { return 0 * (int)args->op * calls++; }\n"));
  Outcome outcome = Outcome::kViolated;
  const auto summary = [&](const std::string& kernel) {
    const std::string graph =
        place.write("g.json", R"({"schema": "detent.graph/1", "ops": [{"id": 0, "time_ps": 1000)" + kernel + "}]}");
    const Answer answer = verify_model(verification_of(graph), {});
    outcome = answer.outcome;
    for (const Json& verdict : answer.json["verdicts"]) {
      if (verdict["property"] == "determinism") return verdict["summary"].get<std::string>();
    }
    return std::string("none");
  };
  EXPECT_TRUE(summary(R"(, "kernel": "mine.c:f")")
                  .ends_with("; not known: whether C functions keep nothing between calls and read what the graph "
                             "lists alone (detent check audits them)"));
  EXPECT_EQ(outcome, Outcome::kUnknown);
  EXPECT_EQ(summary("").find("not known"), std::string::npos);
  EXPECT_EQ(outcome, Outcome::kHolds);
}

}  // namespace
}  // namespace detent::app
