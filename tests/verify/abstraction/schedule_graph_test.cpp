// The schedule abstraction by hand, and against exact times, which share nothing with it but the definition.
#include "verify/abstraction/schedule_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/build.hpp"
#include "tests/verify/random_graph.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/exact.hpp"

namespace detent::verify {
namespace {

using namespace testing;

std::string completions_text(const AbstractTimes& times) {
  std::string text = std::to_string(times.best_ps) + ".." + std::to_string(times.worst_ps) + ":";
  for (const Response& response : times.responses) {
    text += " " + std::to_string(response.min_ps) + ".." + std::to_string(response.max_ps);
  }
  return text;
}

void set_op_range(TimingProblem& problem, OpId op, std::uint64_t best_ps, std::uint64_t worst_ps) {
  problem.ops[op].best_ps = best_ps;
  problem.ops[op].worst_ps = worst_ps;
}

TEST(ScheduleGraph, AChainTakesTheSumOfItsTimes) {
  TimingProblem problem = make_problem({3, 5, 7}, {{0, 1}, {1, 2}}, 2);
  set_op_range(problem, 1, 2, 5);
  const AbstractTimes times = abstract_times(problem);
  EXPECT_TRUE(times.applies);
  EXPECT_TRUE(times.is_complete);
  EXPECT_EQ(completions_text(times), "12..15: 3..3 5..8 12..15");
}

/// Two ops without predecessors on one core: the first rank begins, the other when it has ended.
TEST(ScheduleGraph, OnOneCoreRanksSayTheOrder) {
  TimingProblem problem = make_problem({4, 6}, {}, 1);
  set_op_range(problem, 0, 1, 4);
  EXPECT_EQ(completions_text(abstract_times(problem)), "7..10: 1..4 7..10");
  EXPECT_EQ(completions_text(abstract_times(problem, {.order = {.rank = {1, 0}}})), "7..10: 7..10 6..6");
}

/// The op of last rank begins first only where it may be ready before the other.
/// at 4.
TEST(ScheduleGraph, AnOpGoesBeforeOneOfHigherRankThatMayBeReadyLater) {
  // Delays 0 and 1 make 2 and 3 ready.
  TimingProblem problem = make_problem({5, 3, 10, 10}, {{0, 2}, {1, 3}}, 1);
  problem.cores.push_back(0);
  problem.ops[0].core_class = problem.ops[1].core_class = 1;
  set_op_range(problem, 0, 2, 5);
  set_op_range(problem, 1, 3, 3);
  EXPECT_EQ(completions_text(abstract_times(problem)), "22..23: 2..5 3..3 12..23 13..23");
  set_op_range(problem, 0, 4, 5);
  EXPECT_EQ(completions_text(abstract_times(problem)), "23..23: 4..5 3..3 23..23 13..13");
  set_op_range(problem, 0, 2, 2);
  EXPECT_EQ(completions_text(abstract_times(problem)), "22..22: 2..2 3..3 12..12 22..22");
}

TEST(ScheduleGraph, AnEndThatLeavesAChoiceOfTiesLeavesBothOrders) {
  TimingProblem problem = make_problem({3, 3, 10, 10}, {{0, 2}, {1, 3}}, 1);
  problem.cores.push_back(0);
  problem.ops[0].core_class = problem.ops[1].core_class = 1;
  EXPECT_EQ(completions_text(abstract_times(problem)), "23..23: 3..3 3..3 13..23 13..23");
}

/// Graham 1969, figure 1: shorter ops make the run longer.
TEST(ScheduleGraph, AnomaliesAreIn) {
  TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  EXPECT_EQ(abstract_times(problem).worst_ps, 12U);
  for (TimedOp& op : problem.ops) op.best_ps = op.worst_ps - 1;
  EXPECT_GE(abstract_times(problem).worst_ps, exact_times(problem).worst_ps);
}

TimingProblem draw_typed_problem(Random& random, std::uint32_t most_ops) {
  TimingProblem problem;
  const std::uint32_t ops = 2 + random.below(most_ops - 1), density = 2 + random.below(6);
  const std::uint32_t most_ps = random.below(3) == 0 ? 6 : 1000, spread = 1 + random.below(4);
  problem.cores = {1 + random.below(4), 1 + random.below(2), 0};
  problem.first.push_back(0);
  for (OpId op = 0; op < ops; ++op) {
    const std::uint64_t worst_ps = random.below(most_ps);
    const std::uint32_t core_class = random.below(3) == 0 ? 1 + random.below(2) : 0;
    problem.ops.push_back({worst_ps - worst_ps * random.below(spread) / 4, worst_ps, core_class, 0});
    for (OpId to = op + 1; to < ops; ++to) {
      if (random.below(density) == 0) problem.targets.push_back(to);
    }
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  if (random.below(3) == 0) problem.exclusive = {{0, random.below(ops)}, {random.below(ops), random.below(ops), 1}};
  return problem;
}

void expect_exact_within(const TimingProblem& problem, const AbstractionOptions& options) {
  const ExactTimes exact = exact_times(problem, {.order = options.order, .max_zones = 100'000});
  if (!exact.is_complete) return;
  const AbstractTimes times = abstract_times(problem, options);
  ASSERT_TRUE(times.applies);
  EXPECT_LE(exact.worst_ps, times.worst_ps);
  EXPECT_GE(exact.best_ps, times.best_ps);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    EXPECT_LE(exact.responses[op].max_ps, times.responses[op].max_ps) << op;
    EXPECT_GE(exact.responses[op].min_ps, times.responses[op].min_ps) << op;
  }
}

TEST(ScheduleGraph, HoldsAllExactTimesOfRandomProblems) {
  Random random{20261128};
  for (int round = 0; round < (kIsInstrumented ? 200 : 4000); ++round) {
    const TimingProblem problem = draw_typed_problem(random, 14);
    const std::vector<std::uint32_t> rank = random_rank(random.next(), problem.ops.size());
    const std::uint32_t width = 1 + random.below(3);
    for (const bool by_arrival : {false, true}) {
      expect_exact_within(problem, {.order = {.rank = rank, .by_arrival = by_arrival}, .width = width});
      expect_exact_within(
          problem,
          {.order = {.rank = rank, .by_arrival = by_arrival}, .max_states = 1 + random.below(40), .width = width});
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(ScheduleGraph, ALimitIsSaidAndTheRestIsBounded) {
  const TimingProblem problem = make_problem({3, 2, 2, 2, 4}, {}, 2);
  const AbstractTimes times = abstract_times(problem, {.max_states = 2});
  EXPECT_TRUE(times.applies);
  EXPECT_FALSE(times.is_complete);
  EXPECT_EQ(times.reason, "more than 2 states");
  EXPECT_EQ(times.best_ps, 0U);
  EXPECT_LE(exact_times(problem).worst_ps, times.worst_ps);
  EXPECT_LE(times.worst_ps, serial_bound(problem).bound_ps);
  EXPECT_EQ(times.responses[4].max_ps, kUnknownPs);
}

TEST(ScheduleGraph, WhatTheRunCostsIsAddedOnce) {
  TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
  problem.fixed_ps = 7;
  EXPECT_EQ(completions_text(abstract_times(problem)), "5..12: 3..10 5..12");
}

TEST(ScheduleGraph, WhatIsOutsideTheDefinitionIsNotAnswered) {
  TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
  problem.ops[1].role_ps = 1;
  const AbstractTimes times = abstract_times(problem);
  EXPECT_FALSE(times.applies);
  EXPECT_EQ(times.worst_ps, kUnknownPs);
  EXPECT_EQ(times.reason.rfind("the scheduler takes time", 0), 0U);
  EXPECT_TRUE(times.responses.empty());
}

TEST(ScheduleGraph, NoOpsTakeNoTime) {
  TimingProblem problem;
  problem.first = {0};
  EXPECT_EQ(completions_text(abstract_times(problem)), "0..0:");
}

TEST(ScheduleGraph, NoStatesAndRanksThatAreNoOrderAreRefused) {
  const TimingProblem problem = make_problem({3, 2}, {}, 1);
  EXPECT_THROW(abstract_times(problem, {.width = 0}), std::invalid_argument);
  EXPECT_THROW(abstract_times(problem, {.order = {.rank = {0, 0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::verify
