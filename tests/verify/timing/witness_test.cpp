// Runs that attain exact extremes, against the tests' own list scheduler.
#include "verify/timing/witness.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// When each op is handled, by op.
std::vector<std::uint32_t> places_of(const std::vector<OpId>& order) {
  std::vector<std::uint32_t> places(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

void expect_attained(const TimingProblem& problem, const std::vector<std::uint32_t>& rank, const ListRun& run,
                     std::uint64_t makespan_ps) {
  ASSERT_EQ(run.time_ps.size(), problem.ops.size());
  ASSERT_EQ(run.order.size(), problem.ops.size());
  EXPECT_EQ(run.makespan_ps, makespan_ps);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    EXPECT_GE(run.time_ps[op], problem.ops[op].best_ps) << op;
    EXPECT_LE(run.time_ps[op], problem.ops[op].worst_ps) << op;
    EXPECT_EQ(run.end_ps[op], run.begin_ps[op] + run.time_ps[op]) << op;
  }
  EXPECT_EQ(list_completions(problem, rank, run.time_ps, places_of(run.order)), run.end_ps);
}

TEST(Witness, AttainsBothExtremesOfRandomProblems) {
  std::size_t anomalies = 0;
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 200U : 3000U); ++seed) {
    TimingProblem problem = make_random_problem(seed, 14);
    problem.fixed_ps = 0;
    const std::vector<std::uint32_t> rank = random_rank(seed, problem.ops.size());
    const ExactTimes exact = exact_times(problem, {.order = {.rank = rank}});
    ASSERT_TRUE(exact.is_complete);
    const ExactWitness witness = find_witness(problem, {.rank = rank}, exact);
    EXPECT_EQ(witness.fault, "");
    expect_attained(problem, rank, witness.worst, exact.worst_ps);
    expect_attained(problem, rank, witness.best, exact.best_ps);
    EXPECT_LE(witness.all_worst_ps, exact.worst_ps);
    EXPECT_EQ(witness.all_worst.makespan_ps, witness.all_worst_ps);
    const bool has_all_worst = std::ranges::equal(
        witness.worst.time_ps, problem.ops, [](std::uint64_t time, const TimedOp& op) { return time == op.worst_ps; });
    EXPECT_EQ(witness.shorter.empty(), has_all_worst);
    EXPECT_TRUE(has_all_worst || witness.all_worst_ps < exact.worst_ps);
    for (const ShorterOp& op : witness.shorter) {
      EXPECT_LT(witness.worst.time_ps[op.op], op.worst_ps);
      EXPECT_LT(op.makespan_ps, exact.worst_ps) << "an op that could take longer is no anomaly";
    }
    anomalies += witness.shorter.empty() ? 0 : 1;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(anomalies, 0U);
}

/// Graham 1969, figure 1: ops that take one less make the run longer.
TEST(Witness, AttainsBothExtremesByArrival) {
  std::size_t others = 0;
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 100U : 1000U); ++seed) {
    TimingProblem problem = make_random_problem(seed, 14);
    problem.fixed_ps = 0;
    const ReadyOrder order{.rank = random_rank(seed, problem.ops.size()), .by_arrival = true};
    const ExactTimes exact = exact_times(problem, {.order = order});
    ASSERT_TRUE(exact.is_complete);
    const ExactWitness witness = find_witness(problem, order, exact);
    EXPECT_EQ(witness.fault, "") << "seed " << seed;
    others += exact.worst_ps == exact_times(problem, {.order = {.rank = order.rank}}).worst_ps ? 0 : 1;
  }
  EXPECT_GT(others, 0U) << "the order of arrival makes no difference";
}

TEST(Witness, NamesTheOpsThatAreShorter) {
  TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  for (TimedOp& op : problem.ops) op.best_ps = op.worst_ps - 1;
  const ExactTimes exact = exact_times(problem);
  const ExactWitness witness = find_witness(problem, {}, exact);
  EXPECT_EQ(witness.all_worst_ps, 12U);
  ASSERT_FALSE(witness.shorter.empty());
  EXPECT_GT(exact.worst_ps, 12U);
  for (OpId op = 0; op < 9; ++op) {
    const bool is_shorter = witness.worst.time_ps[op] < problem.ops[op].worst_ps;
    EXPECT_EQ(is_shorter, std::ranges::count(witness.shorter, op, &ShorterOp::op) == 1) << op;
  }
}

TEST(Witness, WhereAllOpsAtTheirWorstAreTheWorstCaseNoneIsShorter) {
  TimingProblem problem = make_problem({3, 2, 5}, {{0, 1}}, 2);
  problem.ops[1].best_ps = 1;
  const ExactWitness witness = find_witness(problem, {}, exact_times(problem));
  EXPECT_EQ(witness.worst.time_ps, (std::vector<std::uint64_t>{3, 2, 5}));
  EXPECT_EQ(witness.worst.core, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_TRUE(witness.shorter.empty());
}

TEST(Witness, AClaimThatNoRunAttainsIsAFault) {
  TimingProblem problem = make_problem({3, 2, 5}, {{0, 1}}, 2);
  ExactTimes exact = exact_times(problem);
  exact.worst_ps = 6;
  EXPECT_NE(find_witness(problem, {}, exact).fault.find("claim a worst makespan of 6 ps"), std::string::npos);
  exact = exact_times(problem);
  exact.best_ps = 4;
  EXPECT_NE(find_witness(problem, {}, exact).fault.find("claim a best makespan of 4 ps"), std::string::npos);
}

}  // namespace
}  // namespace detent::verify
