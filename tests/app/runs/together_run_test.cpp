// Several models at once on this machine: what is said of each, and what is refused.
#include "app/runs/together_run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "app/runs/native_run.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

RunRequest together(const std::string& model, const std::vector<std::string>& others) {
  RunRequest made;
  made.request.model = model;
  made.others = others;
  made.schedule.engine.workers = 2;
  made.repeat = 20;
  return made;
}

TEST(TogetherRun, EachModelComputesWhatItComputesAlone) {
  RunRequest request = together("diamond", {"branchnet", "series_parallel"});
  request.priorities = {1, 0, 1};
  std::uint64_t told = 0;
  const Answer answer = run_models_together(request, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 21U);
  });
  EXPECT_EQ(told, 21U);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["rounds"], 20);
  const Json& networks = answer.json["networks"];
  ASSERT_EQ(networks.size(), 3U);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    RunRequest alone;
    alone.request.model = networks[i]["model"];
    EXPECT_EQ(networks[i]["digest_alone"], run_once(alone).json["digest"]);
    EXPECT_EQ(networks[i]["different"], 0);
    EXPECT_EQ(networks[i]["priority"], request.priorities[i]);
    const std::vector<std::uint64_t> ended = networks[i]["ended"];
    EXPECT_EQ(std::accumulate(ended.begin(), ended.end(), std::uint64_t{0}), 20U);
    EXPECT_LE(networks[i]["min_ns"], networks[i]["median_ns"]);
    EXPECT_LE(networks[i]["median_ns"], networks[i]["max_ns"]);
  }
}

// The policy decides who comes first of two ops that race; alone, lower ids do.
TEST(TogetherRun, AnOutputThatIsNotTheOneAloneIsAViolation) {
  const std::string path = testing::TempDir() + "together_race.json";
  std::ofstream(path)
      << R"({"schema": "detent.graph/1", "name": "race", "regions": [{"name": "ws", "size": 128}], "ops": [
    {"id": 0, "priority": 2, "writes": [{"region": "ws", "offset": 0, "size": 8}]},
    {"id": 1, "priority": 1, "reads": [{"region": "ws", "offset": 0, "size": 8}],
     "writes": [{"region": "ws", "offset": 64, "size": 8}]}], "edges": []})";
  RunRequest request = together("chain", {path});
  request.schedule.engine.workers = 1;
  request.schedule.engine.policy = "priority";
  request.repeat = 3;
  const Answer answer = run_models_together(request, {});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["networks"][0]["different"], 0);
  EXPECT_EQ(answer.json["networks"][1]["different"], 4);  // warm-up, too
}

TEST(TogetherRun, AReproducibleAnswerSaysNothingOfThisHost) {
  RunRequest request = together("diamond", {"chain"});
  request.request.reproducible = true;
  const Answer first = run_models_together(request, {});
  const Answer second = run_models_together(request, {});
  EXPECT_EQ(first.json.dump(), second.json.dump());
  EXPECT_EQ(first.lines, second.lines);
  EXPECT_FALSE(first.json["networks"][0].contains("min_ns"));
}

TEST(TogetherRun, WhatBelongsToOneNetworkIsRefusedByName) {
  const auto refused = [](const std::function<void(RunRequest&)>& change) -> std::string {
    RunRequest request = together("diamond", {"chain"});
    change(request);
    try {
      run_models_together(request, {});
    } catch (const std::invalid_argument& bad) {
      return bad.what();
    }
    return "";
  };
  EXPECT_EQ(refused([](RunRequest& r) { r.others.clear(); }),
            "--together: one model; name those that share the workers with it");
  EXPECT_NE(refused([](RunRequest& r) { r.schedule.engine.workers = 0; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.schedule.engine.workers = 33; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.schedule.engine.mode = DETENT_MODE_LAYERED; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.schedule.engine.scheduler = DETENT_SCHEDULER_THREAD; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.sweep = true; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.outputs = {"y.npy"}; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.log_file = "run.log"; }), "");
  EXPECT_NE(refused([](RunRequest& r) { r.others.assign(16, "chain"); }), "");
  EXPECT_EQ(refused([](RunRequest& r) { r.priorities = {1}; }),
            "--priorities: 1 number for 2 models; give one for each, in their order");
}

}  // namespace
}  // namespace detent::app
