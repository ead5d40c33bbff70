// Extremes by Z3 against the zones, and each run it finds against the list scheduler.
#include "verify/smt/timing_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/exact.hpp"
#include "verify/timing/list_run.hpp"

namespace detent::verify::smt {
namespace {

using namespace verify::testing;

constexpr Limits kUnlimited{.seconds = 0};

void expect_run(const TimingProblem& problem, const ReadyOrder& order, const ProvedRun& run) {
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    EXPECT_GE(run.times_ps[op], problem.ops[op].best_ps);
    EXPECT_LE(run.times_ps[op], problem.ops[op].worst_ps);
  }
  const ListRun played = play_list_run(problem, order, run.times_ps, run.order);
  EXPECT_EQ(played.makespan_ps, run.makespan_ps);
  EXPECT_EQ(played.order, run.order);
}

void expect_as_zones(const TimingProblem& problem, const ReadyOrder& order) {
  const ExactTimes exact = exact_times(problem, {.order = order});
  ASSERT_TRUE(exact.is_complete) << exact.reason;
  const TimingProof proof = prove_extremes(problem, order, kUnlimited);
  ASSERT_TRUE(proof.complete) << proof.reason;
  EXPECT_EQ(proof.worst.makespan_ps + problem.fixed_ps, exact.worst_ps);
  EXPECT_EQ(proof.best.makespan_ps, exact.best_ps);
  expect_run(problem, order, proof.worst);
  expect_run(problem, order, proof.best);
}

TEST(TimingProof, EqualsTheZonesOnRandomProblems) {
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 10U : 60U); ++seed) {
    TimingProblem problem = make_random_problem(seed, 6);
    const std::vector<std::uint32_t> rank = random_rank(seed, problem.ops.size());
    for (const bool by_arrival : {false, true}) {
      expect_as_zones(problem, {.rank = rank, .by_arrival = by_arrival});
      if (HasFailure()) FAIL() << "seed " << seed << " by arrival " << by_arrival;
    }
  }
}

/// Graham 1969, figure 1, in milliseconds.
TEST(TimingProof, ShorterOpsThatMakeTheRunLonger) {
  constexpr std::uint64_t kMs = 1'000'000'000;
  TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  for (TimedOp& op : problem.ops) {
    op.worst_ps *= kMs;
    op.best_ps = op.worst_ps - kMs;
  }
  const TimingProof proof = prove_extremes(problem, {}, kUnlimited);
  ASSERT_TRUE(proof.complete) << proof.reason;
  EXPECT_GT(proof.worst.makespan_ps, 12 * kMs);
  EXPECT_LE(proof.cost.questions, 20U) << "bisected by milliseconds, not by picoseconds";
  expect_as_zones(problem, {});
}

TEST(TimingProof, OpsWithoutTimeAndNoOps) {
  TimingProblem nothing;
  nothing.first = {0};
  const TimingProof proof = prove_extremes(nothing, {}, kUnlimited);
  EXPECT_TRUE(proof.complete) << proof.reason;
  EXPECT_EQ(proof.worst.makespan_ps, 0U);
  expect_as_zones(make_problem({0, 0, 5, 0}, {{0, 1}, {1, 2}}, 1), {});
}

TEST(TimingProof, ALimitIsSaidAndNothingIsClaimed) {
  const TimingProblem problem = make_random_problem(3, 9);
  const TimingProof proof = prove_extremes(problem, {}, {.seconds = 0, .steps = 50});
  EXPECT_FALSE(proof.complete);
  EXPECT_EQ(proof.reason.rfind("limit of 50 solver steps", 0), 0U) << proof.reason;
}

}  // namespace
}  // namespace detent::verify::smt
