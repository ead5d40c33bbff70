// bound --method exact: what is answered, under which policy, and where it does not apply.
#include "app/bound/exact_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bound/bound_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app {
namespace {

BoundRequest exact_of(const std::string& model) { return exact_request(model, "2"); }

Json method_of(const Answer& answer) { return answer.json["methods"].back(); }

/// Three ops without edges, of 1, 1 and 5 ps.
std::string three_ops(const std::string& more = "") {
  return R"({"schema": "detent.graph/1", "name": "three", "regions": [], "ops": [
    {"id": 0, "name": "a", "time_ps": [1, 1], "reads": [], "writes": [])" +
         more + R"(},
    {"id": 1, "name": "b", "time_ps": [1, 1], "reads": [], "writes": []},
    {"id": 2, "name": "c", "time_ps": [4, 5], "reads": [], "writes": []}], "edges": []})";
}

TEST(ExactBound, TheWorstAndTheBestRunAreBothGiven) {
  const Answer answer = bound_model(exact_of("diamond"));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(method_of(answer)["name"], "exact");
  EXPECT_EQ(method_of(answer)["exact"], true);
  EXPECT_EQ(method_of(answer)["bound_ps"], 31'000'000);
  EXPECT_GE(method_of(answer)["states"], 3);
  EXPECT_EQ(answer.json["best_ps"], 27'900'000);
  EXPECT_EQ(answer.json["response_ps"][3], Json({{"op", 3}, {"min", 27'900'000}, {"max", 31'000'000}}));
}

TEST(ExactBound, MoreWorkersThanCoresAreRefused) {
  BoundRequest request = exact_of("diamond");
  request.workers = 2;
  EXPECT_EQ(bound_model(request).outcome, verify::Outcome::kHolds);
  request.workers = 3;
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
            "workers: 3 on platform 'plain', which has 2 CPU cores; ask for at most that many");
}

TEST(ExactBound, ThePolicyDecides) {
  const TemporaryDirectory directory;
  BoundRequest request = exact_of(directory.write("three.json", three_ops()));
  EXPECT_EQ(method_of(bound_model(request))["bound_ps"], 6);
  request.exact.policy = "critical-path";
  EXPECT_EQ(method_of(bound_model(request))["bound_ps"], 5);
  request.exact.policy = "priority";
  EXPECT_EQ(method_of(bound_model(request))["bound_ps"], 6) << "all have one priority: ids";
  request.request.model = directory.write("urgent.json", three_ops(R"(, "priority": 7)"));
  EXPECT_EQ(method_of(bound_model(request))["bound_ps"], 5) << "op 0 goes last";
  request.exact.policy = "random";
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
            "--policy random: choose id, priority, critical-path or fifo");
}

/// Op 2 is ready after ops 3 and 1, which have no predecessors.
TEST(ExactBound, ByArrivalAnOpWaitsBehindThoseThatAreReady) {
  const TemporaryDirectory directory;
  BoundRequest request = exact_request(directory.write("queue.json", R"({"schema": "detent.graph/1", "name": "queue",
    "regions": [], "ops": [
      {"id": 0, "name": "a", "time_ps": [2, 2], "reads": [], "writes": []},
      {"id": 1, "name": "b", "time_ps": [3, 3], "reads": [], "writes": [], "release_ps": [1, 1]},
      {"id": 2, "name": "c", "time_ps": [4, 4], "reads": [], "writes": []},
      {"id": 3, "name": "d", "time_ps": [1, 1], "reads": [], "writes": []}], "edges": [[0, 2]]})"),
                                       "1");
  const auto end_of_op_2 = [&](const char* policy) {
    request.exact.policy = policy;
    return bound_model(request).json["response_ps"][2]["max"];
  };
  EXPECT_EQ(end_of_op_2("id"), 9) << "0, 1, 2, 3";
  EXPECT_EQ(end_of_op_2("fifo"), 10) << "0, 3, 1, 2";
}

TEST(ExactBound, PastTheLimitABoundStandsInItsPlace) {
  BoundRequest request = exact_of("diamond");
  request.exact.max_states = 1;
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(method_of(answer)["exact"], false);
  EXPECT_FALSE(answer.json.contains("best_ps"));
  std::uint64_t least = UINT64_MAX;
  request.method = "all";
  const Answer bounds = bound_model(request);
  for (const Json& method : bounds.json["methods"]) {
    if (method["is_upper"] == true) least = std::min(least, method["bound_ps"].get<std::uint64_t>());
  }
  EXPECT_EQ(method_of(answer)["bound_ps"], least);
  EXPECT_NE(method_of(answer)["assumptions"].get<std::string>().find("more than 1 symbolic states"), std::string::npos);
}

TEST(ExactBound, WhereTheChipDoesMoreThanTheDefinitionItDoesNotApply) {
  const TemporaryDirectory directory;
  const auto reason = [](const BoundRequest& request) {
    const Answer answer = bound_model(request);
    EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
    EXPECT_TRUE(method_of(answer)["bound_ps"].is_null());
    EXPECT_FALSE(answer.json.contains("best_ps"));
    return method_of(answer)["assumptions"].get<std::string>();
  };
  BoundRequest chip = exact_of("diamond");
  chip.cores.clear();
  chip.platform = "am62a";
  EXPECT_EQ(reason(chip).rfind("does not apply: the scheduler takes time", 0), 0U);
  EXPECT_EQ(reason(exact_of(directory.write("affine.json", three_ops(R"(, "workers": [1])")))),
            "does not apply: ops that are for some workers only may wait for an idle core");
  BoundRequest lists = exact_of(directory.write("three.json", three_ops()));
  lists.model.schedule = directory.write("lists.toml", "schema = \"detent.schedule/1\"\nlists = [[0, 1], [2]]\n");
  EXPECT_EQ(reason(lists), "does not apply: a given schedule leaves a ready op waiting for an idle core");
  BoundRequest shared = exact_of(directory.write("shared.json", R"({"schema": "detent.graph/1", "name": "shared",
    "regions": [], "ops": [
    {"id": 0, "name": "a", "time_ps": [1, 1], "mutex": "m", "reads": [], "writes": []},
    {"id": 1, "name": "b", "core": "npu", "time_ps": [1, 1], "mutex": "m", "reads": [], "writes": []}], "edges": []})"));
  shared.cores = "cpu=1,npu=1";
  EXPECT_EQ(reason(shared),
            "does not apply: ops of several core classes share a mutex, and ranks do not say which of them takes it");
}

TEST(ExactBound, WhatOtherClientsMayAddIsAnUpperBoundAndNotExact) {
  BoundRequest request = exact_of("mobilenetv2:64");
  request.cores.clear();
  request.platform = "am62a";
  request.no_overheads = true;
  request.no_npu = true;
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(method_of(answer)["exact"], false);
  EXPECT_FALSE(method_of(answer)["bound_ps"].is_null());
  request.no_contention = true;
  EXPECT_EQ(method_of(bound_model(request))["exact"], true);
}

TEST(ExactBound, OfExclusiveBranchesTheWorstAndTheBestCount) {
  const std::string file = std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/branches.json";
  const Answer all = bound_model(exact_of(file));
  EXPECT_EQ(all.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(method_of(all)["exact"], true);
  EXPECT_LT(all.json["best_ps"], method_of(all)["bound_ps"]);
}

}  // namespace
}  // namespace detent::app
