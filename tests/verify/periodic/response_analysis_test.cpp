#include "verify/periodic/response_analysis.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "verify/timing/bounds.hpp"

namespace detent::verify {
namespace {

/// Ops one after another on class 0 of `cores` cores.
PeriodicTask chain_task(std::vector<std::uint64_t> times, std::int32_t priority, std::uint64_t period_ps,
                        std::uint32_t cores = 1) {
  PeriodicTask task{.problem = {.ops = {}, .first = {0}, .targets = {}, .cores = {cores}, .exclusive = {}},
                    .priority = priority,
                    .period_ps = period_ps};
  for (std::uint32_t op = 0; op < times.size(); ++op) {
    task.problem.ops.push_back({.best_ps = times[op], .worst_ps = times[op]});
    if (op + 1 < times.size()) task.problem.targets.push_back(op + 1);
    task.problem.first.push_back(static_cast<std::uint32_t>(task.problem.targets.size()));
  }
  return task;
}

TEST(TaskResponses, OneTaskIsItsTypedBound) {
  const PeriodicTask task = chain_task({3, 4}, 0, 10);
  EXPECT_EQ(task_responses({task})[0].response_ps, typed_bound(task.problem).bound_ps);
  EXPECT_EQ(task_responses({task})[0].response_ps, 7U);
}

TEST(TaskResponses, TheFirstWaitsForOneOpOfALaterNumberPerOpOfItsPath) {
  const std::vector<PeriodicTask> tasks = {chain_task({1, 1}, 0, 20), chain_task({5, 2}, 1, 100)};
  const std::vector<TaskResponse> responses = task_responses(tasks);
  EXPECT_EQ(responses[0].response_ps, 2U + 2 * 5U) << "both of its ops may find the longest op on the core";
  // 7 of its own; a window of 11 is met by ceil((11 + 12) / 20) = 2 runs of 2 ps each.
  EXPECT_EQ(responses[1].response_ps, 11U);
}

TEST(TaskResponses, RunsThatReachIntoTheWindowCount) {
  // R of the first is 1 + 2; a window of 4 is met by ceil((4 + 3) / 4) = 2 of its runs.
  const std::vector<TaskResponse> responses = task_responses({chain_task({1}, 0, 4), chain_task({2}, 1, 8)});
  EXPECT_EQ(responses[0].response_ps, 3U);
  EXPECT_EQ(responses[1].response_ps, 4U);
}

TEST(TaskResponses, JitterDelaysTheTaskAndBringsRunsOfOthersCloser) {
  std::vector<PeriodicTask> tasks = {chain_task({1}, 0, 10), chain_task({6}, 1, 100)};
  const std::uint64_t before = task_responses(tasks)[1].response_ps;
  tasks[0].jitter_ps = 3;
  const std::vector<TaskResponse> responses = task_responses(tasks);
  EXPECT_EQ(responses[0].response_ps, 1U + 6U + 3U);
  EXPECT_EQ(before, 8U) << "two runs in a window of 8";
  EXPECT_EQ(responses[1].response_ps, 8U) << "ceil((8 + 10) / 10) is 2 still";
  tasks[0].jitter_ps = 4;
  EXPECT_EQ(task_responses(tasks)[0].response_ps, kUnknownPs) << "11 is more than its period of 10";
}

TEST(TaskResponses, WorkOfOneNumberCountsBothWays) {
  const std::vector<TaskResponse> responses = task_responses({chain_task({2}, 5, 20), chain_task({3, 3}, 5, 20)});
  EXPECT_EQ(responses[0].response_ps, 8U) << "all of the other, and not only one op of it";
  EXPECT_EQ(responses[1].response_ps, 8U);
}

TEST(TaskResponses, CoresShareTheWorkOfOthers) {
  // On two cores: path 4 (1 - 1/2), own work 4/2, of the others 8/2 and 6/2; blocked by nothing.
  const std::vector<TaskResponse> responses =
      task_responses({chain_task({8}, 0, 100, 2), chain_task({6}, 1, 100, 2), chain_task({4}, 2, 100, 2)});
  EXPECT_EQ(responses[2].response_ps, 2U + 2U + 4U + 3U);
}

TEST(TaskResponses, NothingWaitsWhereEveryChainHasACoreOfItsOwn) {
  const std::vector<PeriodicTask> chains = {chain_task({4, 1}, 0, 6, 2), chain_task({4}, 0, 6, 2)};
  EXPECT_EQ(task_responses(chains)[0].response_ps, 5U);
  EXPECT_EQ(task_responses(chains)[1].response_ps, 4U);
  // A fork is two chains, and its join goes on with one of them.
  PeriodicTask fork{.problem = {.ops = std::vector<TimedOp>(4, {.worst_ps = 1}),
                                .first = {0, 2, 3, 4, 4},
                                .targets = {1, 2, 3, 3},
                                .cores = {3},
                                .exclusive = {}},
                    .period_ps = 100};
  EXPECT_EQ(task_responses({fork, chain_task({50}, 1, 100, 3)})[0].response_ps, 3U);
  EXPECT_GT(task_responses({fork, chain_task({50}, 1, 100, 3), chain_task({1}, 1, 100, 3)})[0].response_ps, 50U);
}

TEST(TaskResponses, OneThatMissesItsPeriodTakesTheBoundOfThoseBehind) {
  const std::vector<TaskResponse> responses =
      task_responses({chain_task({1}, 0, 10), chain_task({9, 9}, 1, 12), chain_task({1}, 2, 1000)});
  EXPECT_EQ(responses[0].response_ps, 10U);
  EXPECT_EQ(responses[1].response_ps, kUnknownPs);
  EXPECT_EQ(responses[1].because_of, 1U);
  EXPECT_EQ(responses[2].response_ps, kUnknownPs);
  EXPECT_EQ(responses[2].because_of, 1U);
  EXPECT_EQ(responses[2].reason, "goes first and has no bound itself");
}

TEST(TaskResponses, NothingIsSaidWhereASchedulerTakesTime) {
  std::vector<PeriodicTask> tasks = {chain_task({1}, 0, 100), chain_task({5, 5}, 1, 100)};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 6U);
  tasks[1].problem.ops[0].role_ps = 2;
  EXPECT_EQ(task_responses(tasks)[0].reason, "has a scheduler that takes time");
  EXPECT_EQ(task_responses(tasks)[0].because_of, 1U);
  tasks[1].problem.ops[0].role_ps = 0;
  tasks[0].problem.fixed_ps = 1;
  EXPECT_EQ(task_responses(tasks)[1].reason, "has a scheduler that takes time");
  EXPECT_EQ(task_responses(tasks)[1].because_of, 0U);
}

TEST(TaskResponses, QueuesOfCoresAndMutexesDoSoToo) {
  std::vector<PeriodicTask> tasks = {chain_task({1}, 0, 100), chain_task({5, 5}, 1, 100)};
  for (PeriodicTask& task : tasks) task.problem.queue_depth = {2};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 11U);
  for (PeriodicTask& task : tasks) task.problem.queue_depth = {1};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 6U);
  tasks[1].problem.exclusive = {{0, 1}};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 11U);
}

TEST(TaskResponses, UnknownTimesAreNotBounded) {
  std::vector<PeriodicTask> tasks = {chain_task({1}, 0, 100), chain_task({5}, 1, 100)};
  tasks[1].problem.ops[0].worst_ps = kUnknownPs;
  EXPECT_EQ(task_responses(tasks)[0].response_ps, kUnknownPs);
  EXPECT_EQ(task_responses(tasks)[0].because_of, 1U);
  EXPECT_EQ(task_responses(tasks)[0].reason, "has an op whose time is not known");
  tasks[1].problem.ops[0].worst_ps = kUnknownPs - 1;
  EXPECT_EQ(task_responses(tasks)[0].reason, "has an op that may take more than 2^62 ps");
}

TEST(TaskResponses, ManyShortPeriodsEnd) {
  const std::vector<TaskResponse> responses =
      task_responses({chain_task({1}, 0, 3), chain_task({std::uint64_t{1} << 40U}, 1, std::uint64_t{1} << 50U)});
  EXPECT_EQ(responses[0].response_ps, kUnknownPs) << "blocked for longer than its period";
  EXPECT_EQ(responses[1].response_ps, kUnknownPs);
}

TEST(TaskResponses, StepsOfAllRunsCountWhateverTheirNumbers) {
  std::vector<PeriodicTask> tasks = {chain_task({10}, 0, 1000), chain_task({5}, 1, 1000)};
  tasks[0].serial_ps = 3;
  tasks[1].serial_ps = 4;
  const std::vector<TaskResponse> responses = task_responses(tasks);
  EXPECT_EQ(responses[0].response_ps, 10U + 5U + 3U + 4U) << "steps of the higher number, beside its op";
  EXPECT_EQ(responses[1].response_ps, 5U + 4U + 10U + 3U);
  EXPECT_EQ(task_responses(tasks, {.once_ps = 7})[0].response_ps, 22U + 7U);
}

TEST(TaskResponses, WhereALaterNumberFallsBehindItsRunsAreCountedByTheirShortest) {
  std::vector<PeriodicTask> tasks = {chain_task({1}, 0, 100), chain_task({60}, 1, 50)};
  tasks[1].serial_ps = 2;
  std::vector<TaskResponse> responses = task_responses(tasks);
  // Blocked by 60; a window of 67 meets 67 / 60 + 2 = 3 runs, of 2 each.
  EXPECT_EQ(responses[0].response_ps, 1U + 60U + 6U);
  EXPECT_EQ(responses[1].response_ps, kUnknownPs);
  EXPECT_EQ(responses[1].reason, "may have runs that are longer than its period");
  tasks[1].problem.ops[0].best_ps = 0;
  responses = task_responses(tasks);
  EXPECT_EQ(responses[0].response_ps, kUnknownPs);
  EXPECT_EQ(responses[0].because_of, 1U);
  EXPECT_EQ(responses[0].reason, "may have any number of runs, each with steps of the runtime");
  tasks[1].serial_ps = kUnknownPs;
  EXPECT_EQ(task_responses(tasks)[0].reason, "has steps of the runtime that may take more than 2^62 ps");
}

TEST(TaskResponses, LoadsTakeTheirPartOfEveryWindow) {
  const std::vector<PeriodicTask> tasks = {chain_task({10}, 0, 1000)};
  const Surroundings around{.loads = {{.period_ps = 100, .jitter_ps = 5, .duration_ps = 2}}};
  EXPECT_EQ(task_responses(tasks, around)[0].response_ps, 10U + 2 * 2U);
  EXPECT_EQ(task_responses({chain_task({89}, 0, 1000)}, around)[0].response_ps, 89U + 2 * 2U) << "93 + 5 is below 100";
  EXPECT_EQ(task_responses({chain_task({91}, 0, 1000)}, around)[0].response_ps, 91U + 3 * 2U);
  const Surroundings all{.loads = {{.period_ps = 2, .jitter_ps = 0, .duration_ps = 2}}};
  EXPECT_EQ(task_responses(tasks, all)[0].response_ps, kUnknownPs) << "nothing is left";
}

TEST(TaskResponses, OfBranchesTheLongestCountsAndOfOtherRunsTheOneWithMostWork) {
  std::vector<PeriodicTask> tasks = {chain_task({10, 20}, 0, 1000), chain_task({1}, 1, 1000)};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 30U + 2 * 1U);
  EXPECT_EQ(task_responses(tasks)[1].response_ps, 1U + 30U);
  tasks[0].worst_by_outcome_ps = {{10, 0}, {0, 20}};
  EXPECT_EQ(task_responses(tasks)[0].response_ps, 20U + 2 * 1U) << "an op that is left out waits for the core, too";
  EXPECT_EQ(task_responses(tasks)[1].response_ps, 1U + 20U);
  EXPECT_EQ(class_loads(tasks)[0].utilisation, 0.021);
}

TEST(TaskResponses, WhatIsNoTaskSetIsRefused) {
  EXPECT_TRUE(task_responses({}).empty());
  EXPECT_THROW(static_cast<void>(task_responses({chain_task({1}, 0, 0)})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(task_responses({chain_task({1}, 0, 5), chain_task({1}, 0, 5, 2)})),
               std::invalid_argument);
  PeriodicTask branched = chain_task({1, 2}, 0, 5);
  branched.worst_by_outcome_ps = {{1}};
  EXPECT_THROW(static_cast<void>(task_responses({branched})), std::invalid_argument);
  branched.worst_by_outcome_ps = {{1, 3}};
  EXPECT_THROW(static_cast<void>(task_responses({branched})), std::invalid_argument);
  PeriodicTask ranked = chain_task({1, 2}, 0, 5);
  ranked.rank = {0};
  EXPECT_THROW(static_cast<void>(task_responses({ranked})), std::invalid_argument);
}

TEST(ClassLoads, AreWorkOverPeriodsAndCores) {
  std::vector<PeriodicTask> tasks = {chain_task({1, 1}, 0, 8, 2), chain_task({6}, 1, 8, 2)};
  const std::vector<ClassLoad> loads = class_loads(tasks);
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_DOUBLE_EQ(loads[0].utilisation, 0.5);
  EXPECT_FALSE(loads[0].is_overloaded);
  for (PeriodicTask& task : tasks) task.problem.cores = {1};
  EXPECT_DOUBLE_EQ(class_loads(tasks)[0].utilisation, 1.0);
  EXPECT_FALSE(class_loads(tasks)[0].is_overloaded) << "just enough is no overload";
  tasks[1].problem.ops[0].worst_ps = 7;
  EXPECT_TRUE(class_loads(tasks)[0].is_overloaded);
  for (PeriodicTask& task : tasks) task.problem.cores = {0};
  EXPECT_TRUE(class_loads(tasks).empty()) << "delays take no core";
}

}  // namespace
}  // namespace detent::verify
