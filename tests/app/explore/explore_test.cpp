// detent explore at both levels, and which options belong to which.
#include "app/explore/explore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/explore/ops.hpp"
#include "tests/app/answers.hpp"
#include "tests/build.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

ExploreRequest explore_of(const std::string& model, const std::string& level = "ops") {
  ExploreRequest made;
  made.request.model = model;
  made.level = level;
  made.workers = level == "threads" ? 1 : 3;
  return made;
}

/// As the parser lists it: typed with one word.
GivenOption typed(const std::string& name, const std::string& word = "true") { return {.name = name, .words = {word}}; }

Answer explored(const ExploreRequest& wanted) { return explore_model(wanted, load_explored(wanted), {}); }

std::string explore_refusal(const ExploreRequest& wanted) {
  return refusal_of([&] { return explored(wanted); });
}

TEST(ExploreModel, OrdersOfOpsGetWhatBothLevelsShare) {
  ExploreRequest wanted = explore_of("bad_reuse_war");
  wanted.request.seeds = {.input = 3, .schedule = 5};
  wanted.budget = 8;
  wanted.strategy = "pairs";
  OpExploreRequest ops;
  ops.request = wanted.request;
  ops.budget = 8;
  ops.strategy = "pairs";
  expect_same_answer(explored(wanted), explore_orders(ops, load("bad_reuse_war", {}), {}));
}

TEST(ExploreModel, TheEngineGetsWhatBothLevelsShare) {
  ExploreRequest wanted = explore_of("diamond", "threads");
  wanted.request.seeds = {.input = 3, .schedule = 5};
  wanted.budget = 20;
  wanted.model.split = 2;
  ThreadExploreRequest threads;
  threads.line.model = "diamond";
  threads.line.seeds = wanted.request.seeds;
  threads.line.engine.workers = 1;
  threads.line.split = 2;
  threads.budget = 20;
  const LoadedModel loaded = load("diamond", {.split = 2});
  Answer expected = explore_threads(threads, loaded);
  expected.json["settings"] = loaded.settings;
  expected.lines.push_back(loaded.settings);
  EXPECT_TRUE(loaded.settings.starts_with("--split 2 splits no op")) << loaded.settings;
  expect_same_answer(explored(wanted), expected);
}

TEST(ExploreModel, ADeviceExecutesTheOpsOfItsClass) {
  for (const char* const level : {"ops", "threads"}) {
    ExploreRequest wanted = explore_of("branchnet", level);
    wanted.budget = 3;
    const Answer without = explored(wanted);
    EXPECT_FALSE(without.json.contains("device")) << level;
    wanted.model.device.module = "software";
    wanted.request.reproducible = true;
    const Answer answer = explored(wanted);
    EXPECT_EQ(answer.outcome, without.outcome) << level;
    EXPECT_EQ(answer.json["device"]["model_ops"], 19) << level;
    EXPECT_GE(answer.json["device"]["ops"], 19) << level;
    EXPECT_EQ(answer.json["executions"], without.json["executions"]) << level;
  }
}

TEST(ExploreModel, ADeviceExecutesWhatItCanOfANetworkWithoutClasses) {
  ExploreRequest wanted = explore_of("calibration:2");
  wanted.model.device.module = "software";
  const Answer answer = explored(wanted);
  EXPECT_GT(answer.json["device"]["model_ops"], 0);
  EXPECT_GT(answer.json["device"]["ops"], 0);
}

TEST(ExploreModel, ADeviceExecutesNothingOfACount) {
  ExploreRequest wanted = explore_of("branchnet");
  wanted.model.device.module = "software";
  wanted.ops.count_only = true;
  EXPECT_EQ(explore_refusal(wanted), "--device: --count executes nothing; leave one of them out");
}

TEST(ExploreModel, AFailureIsWrittenAtEitherLevel) {
  const TemporaryDirectory place;
  ExploreRequest wanted = explore_of("bad_reuse_war");
  wanted.failure.file = place.file("ops.txt");
  EXPECT_EQ(explored(wanted).outcome, Outcome::kViolated);
  EXPECT_TRUE(bytes_of(place.file("ops.txt")).starts_with("detent-failure/1\n"));
  if (kIsInstrumented) GTEST_SKIP() << "states of the threads do not merge in instrumented builds";
  wanted = explore_of("bad_reuse_war", "threads");
  wanted.workers = 2;
  wanted.failure.file = place.file("threads.txt");
  EXPECT_EQ(explored(wanted).outcome, Outcome::kViolated);
  EXPECT_TRUE(bytes_of(place.file("threads.txt")).starts_with("detent-failure/1\n"));
}

TEST(ExploreModel, OptionsOfThreadsAreRefusedForOps) {
  for (const char* name : {"--fail-op", "--fail-device", "--failing-starts", "--duplicate-answers", "--deadline",
                           "--early-timeouts", "--cancel", "--spurious", "--runs", "--spin", "--memory", "--choices"}) {
    ExploreRequest wanted = explore_of("diamond");
    wanted.given = {typed(name, "1")};
    EXPECT_EQ(explore_refusal(wanted), std::string(name) + ": is of the engine's threads; add --level threads");
    wanted.given.front().words.clear();
    wanted.budget = 1;
    EXPECT_EQ(explore_refusal(wanted), "") << name << " was not typed";
  }
}

/// An op that its device makes fail and one that fails by itself are the same to the engine.
TEST(ExploreModel, OpsOfAFailingDeviceAreFailingOps) {
  ExploreRequest by_device = explore_of("fallback", "threads");
  by_device.request.seeds.schedule = 5;
  by_device.budget = 5;
  by_device.strategy = "pos";
  by_device.failing_devices = {"npu"};
  by_device.threads.line.threads.failing_ops = {4};
  const LoadedModel loaded = load_explored(by_device);
  const ThreadExploreRequest asked = thread_request(by_device, loaded);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t op = 0; op < loaded.desc().op_count; ++op) {
    const std::string device = loaded.desc().classes[loaded.desc().ops[op].core_class].name;
    if (device == "npu" || op == 4) expected.push_back(op);
  }
  EXPECT_EQ(asked.line.threads.failing_ops, expected);
  by_device.failing_devices = {"gpu"};
  EXPECT_NE(explore_refusal(by_device).find("device gpu: the model has the classes cpu, npu"), std::string::npos);
  by_device.failing_devices = {"npu,2"};
  EXPECT_EQ(explore_refusal(by_device),
            "--fail-device npu,2: under the explorer every call of a device fails, with one code; give the class "
            "alone");
}

TEST(ExploreModel, ShardsAreRefusedForThreads) {
  for (const char* name : {"--shard", "--campaign", "--merge", "--resume"}) {
    ExploreRequest wanted = explore_of("diamond", "threads");
    wanted.given = {typed(name, "0/2")};
    EXPECT_EQ(explore_refusal(wanted), std::string(name) + ": shards are of --level ops; leave it out");
  }
}

TEST(ExploreModel, CountingIsOfOps) {
  ExploreRequest wanted = explore_of("diamond", "threads");
  wanted.ops.count_only = true;
  EXPECT_EQ(explore_refusal(wanted), "--count: the thread level executes; leave it out");
  wanted.level = "ops";
  EXPECT_EQ(explored(wanted).json["executions"], 0);
}

TEST(ExploreModel, StrategiesOfThreadsAreRefusedForOps) {
  for (const std::string& strategy : explore_strategies()) {
    ExploreRequest wanted = explore_of("chain:2");
    wanted.strategy = strategy;
    wanted.budget = 2;
    const std::vector<std::string> own = op_strategies();
    const bool is_own = std::ranges::count(own, strategy) != 0;
    EXPECT_EQ(explore_refusal(wanted), is_own ? "" : "--strategy " + strategy + ": add --level threads");
  }
}

TEST(ExploreModel, EveryStrategyIsListedOnce) {
  std::vector<std::string> strategies = explore_strategies();
  EXPECT_GE(strategies.size(), op_strategies().size() + 3);
  std::ranges::sort(strategies);
  EXPECT_EQ(std::ranges::adjacent_find(strategies), strategies.end());
}

TEST(ExploreModel, AModelWhoseStructureIsBrokenIsNotExplored) {
  EXPECT_NE(refusal_of([] { return load_explored(explore_of("bad_cycle")).desc().op_count; }), "");
  EXPECT_NE(refusal_of([] { return load_explored(explore_of("nothing")).desc().op_count; }), "");
}

TEST(ExploreModel, ShardsKnowTheOptionsThatDecideTheirSchedules) {
  const TemporaryDirectory place;
  ExploreRequest wanted = explore_of("bad_reuse_war");
  const auto shard = [&](const std::string& part, const std::string& file) {
    wanted.ops.campaign.shard = part;
    wanted.ops.campaign.file = place.file(file);
    wanted.given = {{.name = "MODEL", .words = {"bad_reuse_war"}},
                    {.name = "--budget", .words = {"4"}},
                    {.name = "--memory", .fallback = "sc"},
                    {.name = "--campaign", .words = {wanted.ops.campaign.file}},
                    {.name = "--shard", .words = {part}}};
    wanted.budget = 4;
    return explored(wanted);
  };
  (void)shard("0/2", "a");
  (void)shard("1/2", "b");
  ExploreRequest whole = explore_of("bad_reuse_war");
  whole.budget = 4;
  whole.given = {{.name = "MODEL", .words = {"bad_reuse_war"}}, {.name = "--budget", .words = {"4"}}};
  whole.ops.campaign.merge = {place.file("a"), place.file("b")};
  const Answer merged = explored(whole);
  whole.ops.campaign.merge.clear();
  expect_same_answer(merged, explored(whole));
  whole.ops.campaign.merge = {place.file("a"), place.file("b")};
  whole.given.back().words = {"5"};
  EXPECT_NE(explore_refusal(whole).find("--budget is 4 there and 5 here"), std::string::npos) << explore_refusal(whole);
}

}  // namespace
}  // namespace detent::app
