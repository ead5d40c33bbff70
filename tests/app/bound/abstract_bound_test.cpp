// bound --method sag, and as one of all: what it says, beside exact, and where it does not apply.
#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app {
namespace {

BoundRequest sag_request(const std::string& model, const std::string& method = "sag") {
  BoundRequest request = exact_request(model, "2");
  request.method = method;
  return request;
}

Json sag_entry(const Answer& answer) {
  for (const Json& method : answer.json["methods"]) {
    if (method["name"] == "sag") return method;
  }
  return nullptr;
}

TEST(AbstractBound, IsExactWhereNoOpWaits) {
  for (const char* const policy : {"id", "priority", "critical-path", "fifo"}) {
    BoundRequest request = sag_request("diamond");
    request.exact.policy = policy;
    const Answer answer = bound_model(request);
    EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
    EXPECT_EQ(sag_entry(answer)["bound_ps"], 31'000'000);
    EXPECT_EQ(sag_entry(answer)["best_ps"], 27'900'000);
    EXPECT_EQ(sag_entry(answer)["complete"], true);
    EXPECT_EQ(sag_entry(answer)["exact"], false) << "nothing says that some run is as long";
    EXPECT_EQ(sag_entry(answer)["assumptions"],
              std::string("policy ") + policy +
                  ", completions one at a time in any order, each op takes any time in its range");
    EXPECT_TRUE(answer.json["budget"].is_null());
  }
}

TEST(AbstractBound, HoldsWhatExactSaysOfEveryOp) {
  const Answer sag = bound_model(sag_request("yolov8n")), exact = bound_model(exact_request("yolov8n", "2"));
  ASSERT_EQ(sag.json["response_ps"].size(), exact.json["response_ps"].size());
  for (std::size_t op = 0; op < sag.json["response_ps"].size(); ++op) {
    EXPECT_LE(sag.json["response_ps"][op]["min"], exact.json["response_ps"][op]["min"]);
    EXPECT_GE(sag.json["response_ps"][op]["max"], exact.json["response_ps"][op]["max"]);
  }
  EXPECT_GE(sag_entry(sag)["bound_ps"], exact.json["methods"].back()["bound_ps"]);
}

TEST(AbstractBound, IsOneOfAll) {
  const Answer answer = bound_model(sag_request("diamond", "all"));
  EXPECT_EQ(sag_entry(answer)["bound_ps"], 31'000'000);
  EXPECT_NE(answer.json["budget"]["method"], "sag") << "that of the lowest other bound";
}

TEST(AbstractBound, TheDeadlineNamesItsPolicy) {
  BoundRequest request = sag_request("diamond");
  request.deadline = "40us";
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["deadline"]["method"], "sag");
  EXPECT_NE(answer.json["verdicts"][0]["summary"].get<std::string>().find("(sag, policy id)"), std::string::npos);
}

TEST(AbstractBound, PastTheLimitItIsSaidAndStillABound) {
  BoundRequest request = sag_request("yolov8n");
  request.exact.max_states = 3;
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(sag_entry(answer)["complete"], false);
  EXPECT_EQ(sag_entry(answer)["best_ps"], 0);
  EXPECT_NE(sag_entry(answer)["assumptions"].get<std::string>().find(
                "; more than 3 states: from there on by the analytic bounds"),
            std::string::npos);
  EXPECT_GE(sag_entry(answer)["bound_ps"],
            bound_model(exact_request("yolov8n", "2")).json["methods"].back()["bound_ps"]);
}

/// The limit at which an analysis ended; "" where it did not.
std::string limit_of(const BoundRequest& request) {
  const std::string assumptions = sag_entry(bound_model(request))["assumptions"];
  const std::size_t begin = assumptions.find("more than "), end = assumptions.find(" states");
  return begin == std::string::npos ? "" : assumptions.substr(begin, end - begin);
}

TEST(AbstractBound, AmongAllItLooksAtFewStates) {
  BoundRequest request = sag_request("yolov8n", "all");
  request.cores = "3";
  EXPECT_EQ(limit_of(request), "more than 20000");
  request.exact.max_states = 3;
  EXPECT_EQ(limit_of(request), "more than 3") << "what is asked for holds where it is less";
  request = sag_request("erdos:1:120", "all");
  request.cores = "3";
  EXPECT_EQ(limit_of(request), "more than 16528") << "two million, divided by 121";
  request.method = "sag";
  request.exact.max_states = 30'000;
  EXPECT_EQ(limit_of(request), "more than 30000") << "alone it takes what it is given";
}

TEST(AbstractBound, WhatTheDefinitionDoesNotCoverIsUnknown) {
  BoundRequest request = sag_request("diamond");
  request.cores.clear();
  request.platform = "quad_npu";
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_TRUE(sag_entry(answer)["bound_ps"].is_null());
  EXPECT_FALSE(sag_entry(answer).contains("states"));
  EXPECT_EQ(sag_entry(answer)["assumptions"],
            "does not apply: the scheduler takes time, which delays ops beside their own; give --no-overheads or "
            "--cores");
}

TEST(AbstractBound, OfExclusiveBranchesTheLongestCounts) {
  const std::string branches = std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/branches.json";
  const Answer answer = bound_model(sag_request(branches));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(sag_entry(answer)["bound_ps"],
            bound_model(exact_request(branches, "2")).json["methods"].back()["bound_ps"]);
}

TEST(AbstractBound, AWidthWithoutSuchStatesIsRefused) {
  BoundRequest request = exact_request("diamond", "2");
  request.sag_width = 2;
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
            "--sag-width: only --method sag and all have such states; add one or leave it out");
  request.method = "sag";
  request.sag_width = 0;
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }), "--sag-width 0: must be at least 1");
}

}  // namespace
}  // namespace detent::app
