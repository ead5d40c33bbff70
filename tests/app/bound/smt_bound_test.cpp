// bound --method smt: beside the zones, and what is said where the two differ or Z3 does not end.
#include "app/bound/smt_bound.hpp"

#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app {
namespace {

BoundRequest proof_of(const std::string& model) {
  BoundRequest request = exact_request(model, "2");
  request.method = "smt";
  return request;
}

Json entry_of(const Answer& answer, const std::string& name) {
  for (const Json& method : answer.json["methods"]) {
    if (method["name"] == name) return method;
  }
  return nullptr;
}

TEST(SmtBound, SaysWhatTheZonesSay) {
  for (const char* const policy : {"id", "priority", "critical-path", "fifo"}) {
    BoundRequest request = proof_of("diamond");
    request.exact.policy = policy;
    const Answer answer = bound_model(request);
    EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
    EXPECT_EQ(entry_of(answer, "smt")["bound_ps"], 31'000'000);
    EXPECT_EQ(entry_of(answer, "smt")["exact"], true);
    EXPECT_EQ(entry_of(answer, "exact")["bound_ps"], 31'000'000);
    EXPECT_GE(entry_of(answer, "smt")["questions"], 3) << "a run, none longer, none shorter";
    EXPECT_GT(entry_of(answer, "smt")["steps"], 0);
    EXPECT_EQ(answer.json["best_ps"], 27'900'000);
    EXPECT_FALSE(answer.json.contains("fault"));
  }
}

TEST(SmtBound, AProofThatDoesNotEndIsUnknownAndTheZonesStand) {
  BoundRequest request = proof_of("diamond");
  request.smt_steps = 20;
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_TRUE(entry_of(answer, "smt")["bound_ps"].is_null());
  EXPECT_EQ(entry_of(answer, "smt")["assumptions"].get<std::string>().rfind("not proven: limit of 20 solver steps", 0),
            0U);
  EXPECT_EQ(entry_of(answer, "exact")["bound_ps"], 31'000'000);
}

TEST(SmtBound, LimitsOfZ3WithoutZ3AreRefused) {
  BoundRequest seconds = exact_request("diamond", "2"), steps = seconds;
  seconds.smt_seconds = 5;
  steps.smt_steps = 20;
  for (const BoundRequest& request : {seconds, steps}) {
    EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
              "--smt-limit and --smt-steps: only --method smt asks Z3; add it or leave them out");
  }
}

TEST(SmtBound, WhereTheZonesReachTheirLimitTheProofStands) {
  BoundRequest request = proof_of("diamond");
  request.exact.max_states = 1;
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(entry_of(answer, "exact")["exact"], false);
  EXPECT_EQ(entry_of(answer, "smt")["bound_ps"], 31'000'000);
  EXPECT_EQ(answer.json["best_ps"], 27'900'000);
}

TEST(SmtBound, WhatTheDefinitionDoesNotCoverIsNotProven) {
  BoundRequest request = proof_of("diamond");
  request.cores.clear();
  request.platform = "quad_npu";
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_TRUE(entry_of(answer, "smt")["bound_ps"].is_null());
  EXPECT_EQ(entry_of(answer, "smt")["assumptions"], entry_of(answer, "exact")["assumptions"]);
  EXPECT_EQ(entry_of(answer, "smt")["questions"], 0);
}

TEST(SmtBound, OfExclusiveBranchesTheLongestCounts) {
  const Answer answer =
      bound_model(proof_of(std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/branches.json"));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(entry_of(answer, "smt")["bound_ps"], entry_of(answer, "exact")["bound_ps"]);
}

TEST(SmtBound, MethodsThatDifferAreAFault) {
  PlatformProblems problems;
  problems.by_op.ops = {{3, 5, 0, 0}};
  problems.by_op.first = {0, 0};
  problems.by_op.cores = {1};
  problems.bare = problems.by_op;
  ExactBound exact;
  exact.bound.bound_ps = 5;
  exact.summary = {true, 3, 1};
  EXPECT_EQ(smt_bound(problems, {}, {}, {}, "id", exact).fault, "");
  exact.bound.bound_ps = 6;
  EXPECT_EQ(smt_bound(problems, {}, {}, {}, "id", exact).fault,
            "by zones the longest run takes 6 ps, by Z3 5 ps: a fault of Detent, please report it; ");
  exact.bound.bound_ps = 5;
  exact.summary.best_ps = 2;
  EXPECT_EQ(smt_bound(problems, {}, {}, {}, "id", exact).fault,
            "by zones the shortest run takes 2 ps, by Z3 3 ps: a fault of Detent, please report it; ");
}

}  // namespace
}  // namespace detent::app
