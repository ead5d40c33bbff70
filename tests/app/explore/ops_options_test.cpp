#include <gtest/gtest.h>

#include "app/explore/ops.hpp"
#include "app/explore/threads.hpp"
#include "app/replay/replay_source.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

OpExploreRequest exploration_of(const std::string& model) {
  OpExploreRequest made;
  made.request.model = model;
  return made;
}

Answer exploration(const OpExploreRequest& wanted) {
  return explore_orders(wanted, load(wanted.request.model, {}), {});
}

TEST(OpExploreOptions, TwoCallsGiveTheSameBytes) {
  for (const std::string& strategy : op_strategies()) {
    OpExploreRequest request = exploration_of("bad_reuse_war");
    request.strategy = strategy;
    request.budget = 16;
    expect_same_answer(exploration(request), exploration(request));
  }
}

TEST(OpExploreOptions, AnUnknownStrategyIsRefused) {
  OpExploreRequest request = exploration_of("diamond");
  request.strategy = "guess";
  EXPECT_NE(refusal_of([&] { return exploration(request); }), "");
}

TEST(OpExploreOptions, SimulatedSchedulesAreAsManyAsAskedForAndThereAre) {
  OpExploreRequest request = exploration_of("bad_reuse_war");
  request.simulate = 0;
  EXPECT_EQ(exploration(request).json["simulated"]["runs"], 0);
  request.simulate = 1;
  EXPECT_EQ(exploration(request).json["simulated"]["runs"], 1);
  EXPECT_EQ(exploration(request).json["simulated"]["other_digest"], 0);
}

TEST(OpExploreOptions, TheFailureFileIsASourceOfTheSameFailure) {
  const TemporaryDirectory place;
  OpExploreRequest request = exploration_of("bad_reuse_war");
  request.failure.file = place.file("failure");
  const Answer answer = exploration(request);
  const ReplaySource source = read_replay_source(request.failure.file);
  ASSERT_TRUE(source.record);
  EXPECT_EQ(source.line.model, "bad_reuse_war");
  EXPECT_EQ(place.file_count(), 1U);
  request.failure.file = place.file("missing/failure");
  EXPECT_NE(refusal_of([&] { return exploration(request); }), "");
  request = exploration_of("diamond");
  request.failure.file = place.file("none");
  EXPECT_EQ(exploration(request).outcome, Outcome::kHolds);
  EXPECT_FALSE(std::filesystem::exists(request.failure.file)) << "nothing failed";
}

TEST(ThreadExploreOptions, LargestStateTableIsNotTakenForNone) {
  ThreadExploreRequest request;
  request.line.model = "chain:2";
  request.line.threads.memory = "sc";
  request.strategy = "states";
  const Answer usual = explore_threads(request, load("chain:2", {}));
  request.state_memory_mib = std::uint64_t{1} << 44U;
  expect_same_answer(usual, explore_threads(request, load("chain:2", {})));
}

TEST(ThreadExploreOptions, AScheduleThatHoldsIsWrittenAsWell) {
  const TemporaryDirectory place;
  ThreadExploreRequest request;
  request.line.model = "diamond";
  request.line.threads.choices = "t1:#0";
  request.failure_file = place.file("schedule");
  const Answer answer = explore_threads(request, load("diamond", {}));
  EXPECT_EQ(read_replay_source(request.failure_file).line, parse_replay_line(answer.json["replay"].get<std::string>()));
}

}  // namespace
}  // namespace detent::app
