#include "app/explore/threads.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::app {
namespace {

using verify::Outcome;

ThreadExploreRequest threads_of(const std::string& model) {
  ThreadExploreRequest made;
  made.line.model = model;
  return made;
}

Answer explored_threads(const ThreadExploreRequest& request) {
  return explore_threads(request, load(request.line.model, {}));
}

TEST(ExploreThreads, EarlyTimeoutsAndWholeLifeFollowFromTheRest) {
  ThreadExploreRequest request;
  EXPECT_EQ(request.program().threads.early_timeouts, 0U);
  EXPECT_EQ(request.program().threads.memory, "c11");
  request.line.threads.op_deadline_ps = 5;
  EXPECT_EQ(request.program().threads.early_timeouts, 1U);
  request.early_timeouts = 0;
  EXPECT_EQ(request.program().threads.early_timeouts, 0U);
  EXPECT_FALSE(request.program().threads.whole_life);
  request.line.threads.failing_starts = 1;
  EXPECT_TRUE(request.program().threads.whole_life);
}

TEST(ExploreThreads, AWholeSearchHoldsAndABudgetIsUnknown) {
  ThreadExploreRequest request = threads_of("erdos:1:3");
  const Answer whole = explored_threads(request);
  EXPECT_EQ(whole.outcome, Outcome::kHolds);
  EXPECT_EQ(whole.json["traces"]["exact"], true);
  EXPECT_EQ(whole.json["unseen_mass"], 0.0);
  request.budget = 3;
  const Answer part = explored_threads(request);
  EXPECT_EQ(part.outcome, Outcome::kUnknown);
  EXPECT_TRUE(part.json["traces"]["total"].is_null());
}

TEST(ExploreThreads, AGivenScheduleIsListedWithTheLineThatRepeatsIt) {
  ThreadExploreRequest request = threads_of("diamond");
  request.line.threads.choices = "t1:#0";
  const Answer answer = explored_threads(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.lines.front(), answer.json["listing"].get<std::string>());
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.threads.choices, "t1:#0");
  EXPECT_EQ(line.threads.memory, "c11");
  EXPECT_TRUE(line.threads.law.empty());
}

TEST(ExploreThreads, UnknownWordsAreRefused) {
  ThreadExploreRequest request = threads_of("diamond");
  request.strategy = "triples";
  EXPECT_THROW(explored_threads(request), std::invalid_argument);
  request.strategy = "dfs";
  request.line.engine.policy = "random";
  EXPECT_THROW(explored_threads(request), std::invalid_argument);
}

TEST(ExploreThreads, StatesCountStatesInsteadOfTraces) {
  ThreadExploreRequest request = threads_of("diamond");
  request.strategy = "states";
  request.line.threads.memory = "sc";
  const Answer answer = explored_threads(request);
  EXPECT_GT(answer.json["states"].get<std::uint64_t>(), 0U);
  EXPECT_TRUE(answer.json["redundancy"].is_null());
}

}  // namespace
}  // namespace detent::app
