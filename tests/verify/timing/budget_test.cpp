// Budgets of bounds: by hand, and sums over random problems.
#include "verify/timing/budget.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/timing/list_times.hpp"
#include "verify/timing/witness.hpp"

namespace detent::verify {
namespace {

using namespace testing;

std::vector<std::uint64_t> of(const Budget& budget, std::uint64_t OpCharge::*part) {
  std::vector<std::uint64_t> all;
  for (const OpCharge& op : budget.ops) all.push_back(op.*part);
  return all;
}

/// Graham 1969, figure 1: 12 + 22 / 3. The path is tasks 1 and 9; shares of thirds are carried from op to op.
TEST(Budget, Graham1969ByHand) {
  const TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  const auto budget = bound_budget(problem, "graham");
  ASSERT_TRUE(budget);
  EXPECT_EQ(of(*budget, &OpCharge::path_ps), (std::vector<std::uint64_t>{3, 0, 0, 0, 0, 0, 0, 0, 9}));
  EXPECT_EQ(of(*budget, &OpCharge::others_ps), (std::vector<std::uint64_t>{0, 1, 1, 0, 2, 1, 1, 2, 0}));
  EXPECT_EQ(sum_ps(*budget), 20U);
}

/// Two long paths of 6 and 5 on two cores: the second one hides behind the first, and the op of 1 is left.
TEST(Budget, AHiddenPathCountsNothing) {
  const TimingProblem problem = make_problem({3, 3, 5, 1}, {{0, 1}}, 2);
  const auto budget = bound_budget(problem, "he2022");
  ASSERT_TRUE(budget);
  EXPECT_EQ(of(*budget, &OpCharge::path_ps), (std::vector<std::uint64_t>{3, 3, 0, 1}));
  EXPECT_EQ(of(*budget, &OpCharge::others_ps), (std::vector<std::uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(sum_ps(*budget), long_paths_bound(problem).bound_ps);
}

/// Two CPUs, one NPU, and what the scheduler and the run add: a(4) -> b(npu 6) -> c(2), d(4) alone.
TEST(Budget, TypesSchedulerAndRunByHand) {
  TimingProblem problem = make_problem({4, 6, 2, 4}, {{0, 1}, {1, 2}}, 2);
  problem.cores = {2, 1};
  problem.ops[1].core_class = 1;
  problem.ops[0].role_ps = 5;
  problem.fixed_ps = 100;
  const auto budget = bound_budget(problem, "typed");
  ASSERT_TRUE(budget);
  EXPECT_EQ(of(*budget, &OpCharge::path_ps), (std::vector<std::uint64_t>{4, 6, 2, 0}));
  EXPECT_EQ(of(*budget, &OpCharge::others_ps), (std::vector<std::uint64_t>{0, 0, 0, 2}));
  EXPECT_EQ(of(*budget, &OpCharge::role_ps), (std::vector<std::uint64_t>{5, 0, 0, 0}));
  EXPECT_EQ(budget->fixed_ps, 100U);
  EXPECT_EQ(sum_ps(*budget), 119U);
}

TEST(Budget, AMutexIsWaitingForOthers) {
  TimingProblem problem = make_problem({10, 4, 2, 30}, {}, 8);
  problem.exclusive = {{1, 2}};
  const auto budget = bound_budget(problem, "graham");
  ASSERT_TRUE(budget);
  EXPECT_EQ(of(*budget, &OpCharge::path_ps), (std::vector<std::uint64_t>{0, 0, 0, 30}));
  EXPECT_EQ(sum_ps(*budget), 30U + 2 + 6);
}

TEST(Budget, WhereThereIsNoBoundThereIsNone) {
  TimingProblem problem = make_problem({1, 2}, {}, 2);
  EXPECT_FALSE(bound_budget(make_problem({1, kUnknownPs}, {}, 2), "serial"));
  EXPECT_FALSE(path_budget(make_problem({1, kUnknownPs}, {}, 2)));
  problem.cores = {2, 2};
  problem.ops[1].core_class = 1;
  EXPECT_FALSE(bound_budget(problem, "graham"));
  EXPECT_THROW(static_cast<void>(bound_budget(problem, "exact")), std::invalid_argument);
}

TEST(Budget, SumsAreTheBoundsOfRandomProblems) {
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 200U : 2000U); ++seed) {
    const TimingProblem problem = make_random_problem(seed, 14);
    for (const Bound& bound : all_bounds(problem)) {
      if (!bound.is_upper) continue;
      const auto budget = bound_budget(problem, bound.name);
      ASSERT_TRUE(budget) << seed << " " << bound.name;
      EXPECT_EQ(sum_ps(*budget), bound.bound_ps) << seed << " " << bound.name;
    }
    const auto path = path_budget(problem);
    ASSERT_TRUE(path);
    EXPECT_EQ(sum_ps(*path), list_times(problem, {}).worst_ps) << seed;
  }
}

TEST(Budget, TheChainOfARunIsAsLongAsTheRun) {
  std::uint64_t waited_ps = 0;
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 100U : 1000U); ++seed) {
    TimingProblem problem = make_random_problem(seed, 14);
    problem.fixed_ps = 0;
    for (TimedOp& op : problem.ops) op.role_ps = 0;
    const ReadyOrder order{.rank = random_rank(seed, problem.ops.size())};
    const ExactTimes exact = exact_times(problem, {.order = order});
    ASSERT_TRUE(exact.is_complete);
    const auto budget = run_budget(problem, find_witness(problem, order, exact).worst);
    ASSERT_TRUE(budget) << seed;
    EXPECT_EQ(sum_ps(*budget), exact.worst_ps) << seed;
    for (const OpCharge& op : budget->ops) waited_ps += op.others_ps;
  }
  EXPECT_GT(waited_ps, 0U) << "some op waits for a core";
}

/// a(4), b(3) on one core, by id: c(2) waits for a, and b, which c does not depend on, keeps the core from it.
TEST(Budget, AnOpThatOnlyKeptTheCoreIsWaiting) {
  const TimingProblem problem = make_problem({4, 3, 2}, {{0, 2}}, 1);
  const auto budget = run_budget(problem, play_list_run(problem, {}, {4, 3, 2}, {0, 1, 2}));
  ASSERT_TRUE(budget);
  EXPECT_EQ(of(*budget, &OpCharge::path_ps), (std::vector<std::uint64_t>{0, 0, 2}));
  EXPECT_EQ(of(*budget, &OpCharge::others_ps), (std::vector<std::uint64_t>{4, 3, 0}));
}

TEST(Budget, ARunThatLeavesACoreIdleHasNone) {
  const TimingProblem problem = make_problem({4, 3}, {}, 1);
  ListRun run = play_list_run(problem, {}, {4, 3}, {0, 1});
  ++run.begin_ps[1];
  ++run.end_ps[1];
  EXPECT_FALSE(run_budget(problem, run));
}

}  // namespace
}  // namespace detent::verify
