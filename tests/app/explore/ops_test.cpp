#include "app/explore/ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/replay/replay_source.hpp"
#include "app/replay/replay_worlds.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

Answer explored_orders(const OpExploreRequest& wanted) {
  return explore_orders(wanted, load(wanted.request.model, {}), {});
}

OpExploreRequest orders_of(const std::string& model) {
  OpExploreRequest made;
  made.request.model = model;
  return made;
}

TEST(ExploreOrders, OneTraceHolds) {
  const Answer answer = explored_orders(orders_of("diamond"));
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["traces"]["total"], 1);
  EXPECT_TRUE(answer.json["failure"].is_null());
  EXPECT_FALSE(answer.json.contains("replay"));
}

TEST(ExploreOrders, AFailureIsMadeSmallAndReplaysInEveryWorld) {
  const Answer answer = explored_orders(orders_of("bad_reuse_war"));
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["failure"]["constraints"].size(), 1U);
  EXPECT_EQ(answer.json["failure"]["schedule"].size(), 5U);  // all ops of the model
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.json["failure"].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"constraints", "pair", "names", "kind", "region", "bytes", "tensors",
                                            "shown", "ops", "schedule", "workers", "digest", "serial_digest",
                                            "executions", "native", "table", "note", "replay"}));
  EXPECT_EQ(answer.json["failure"]["native"]["runs"], answer.json["failure"]["native"]["reproduced"]);
  const ReplaySource source = read_replay_source(answer.json["replay"].get<std::string>());
  for (const char* world : {"native", "sim", "explore"}) {
    const ReplayLine line = line_for(source, "", world);
    const sim::Platform platform = line.on == "sim" ? platform_of(line) : sim::Platform{};
    const ReplayOutcome outcome = replay_in_world(line, load_for(line, platform), platform, {});
    EXPECT_EQ(difference_to(line, outcome), "") << world;
    EXPECT_EQ(replay_answer({}, line, outcome)["on"], world);
    EXPECT_FALSE(replay_outcome_lines(line, outcome).empty());
  }
}

TEST(ExploreOrders, WithoutWorkersNothingIsSaidOfReachableTraces) {
  const auto is_of_reach = [](const std::string& line) { return line.starts_with("  reachable"); };
  OpExploreRequest request = orders_of("diamond");
  EXPECT_EQ(std::ranges::count_if(explored_orders(request).lines, is_of_reach), 1);
  request.workers = 0;
  EXPECT_EQ(std::ranges::count_if(explored_orders(request).lines, is_of_reach), 0);
}

TEST(ExploreOrders, CountingExecutesNothing) {
  OpExploreRequest request = orders_of("bad_reuse_war");
  request.count_only = true;
  const Answer answer = explored_orders(request);
  EXPECT_EQ(answer.json["executions"], 0);
  EXPECT_EQ(answer.json["traces"]["total"], 2);
  EXPECT_TRUE(answer.json["strategy"].is_null());
  EXPECT_FALSE(answer.json.contains("simulated"));
}

TEST(ExploreOrders, EveryStrategyFindsTheRaceOfTwoTraces) {
  for (const std::string& strategy : op_strategies()) {
    OpExploreRequest request = orders_of("bad_reuse_waw");
    request.strategy = strategy;
    request.budget = 64;
    EXPECT_EQ(explored_orders(request).outcome, Outcome::kViolated) << strategy;
  }
}

TEST(ExploreOrders, ProgressReachesTheEnd) {
  std::uint64_t last = 0;
  const Answer answer = explore_orders(orders_of("bad_reuse_war"), load("bad_reuse_war", {}),
                                       [&](std::uint64_t done, std::uint64_t) { last = done; });
  EXPECT_EQ(answer.json["executions"].get<std::uint64_t>() >= last, true);
  EXPECT_GT(last, 0U);
}

TEST(ExploreOrders, InvalidSourcesOfReplayLinesAreRefused) {
  EXPECT_EQ(read_replay_source("detent-replay/1 model=diamond").line.model, "diamond");
  EXPECT_THROW(static_cast<void>(read_replay_source("detent-replay/1")), std::invalid_argument);
  EXPECT_ANY_THROW(static_cast<void>(read_replay_source("/nowhere/at/all")));
  const ReplaySource threads =
      read_replay_source("detent-replay/1 model=diamond on=explore level=threads choices=t1:#0");
  EXPECT_THROW(static_cast<void>(line_for(threads, "", "sim")), std::invalid_argument);
  EXPECT_EQ(line_for(threads, "chain", "").model, "chain");
}

}  // namespace
}  // namespace detent::app
