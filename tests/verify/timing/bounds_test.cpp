// Bounds: Graham's own example, hand-computed typed cases, mutexes, overflow, and all schedules of small DAGs.
#include "verify/timing/bounds.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/exact.hpp"
#include "verify/timing/response.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// Graham 1969, figure 1: nine tasks on three processors.
TimingProblem graham_example(std::uint32_t cores) {
  return make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, cores);
}

std::vector<std::uint64_t> worst_times(const TimingProblem& problem) {
  std::vector<std::uint64_t> times;
  for (const TimedOp& op : problem.ops) times.push_back(op.worst_ps);
  return times;
}

TEST(ListSchedule, Graham1969AnomaliesOccur) {
  const TimingProblem three = graham_example(3);
  const auto rank = identity_rank(9);
  EXPECT_EQ(list_schedule(three, rank, worst_times(three)), 12U);
  EXPECT_EQ(list_schedule(graham_example(4), rank, worst_times(three)), 15U);
  const TimingProblem fewer_edges = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 6}, {3, 7}}, 3);
  EXPECT_EQ(list_schedule(fewer_edges, rank, worst_times(fewer_edges)), 16U);
  // Tasks 1 and 4 end together. Graham's 13 needs the completion of task 4 first; the other way round task 9 is alone
  // ready when a core is free. This is why ties go in any order in the definition of execution.
  EXPECT_EQ(list_schedule(three, rank, {2, 1, 1, 1, 3, 3, 3, 3, 8}, {8, 7, 6, 5, 4, 3, 2, 1, 0}), 13U);
  EXPECT_EQ(list_schedule(three, rank, {2, 1, 1, 1, 3, 3, 3, 3, 8}, rank), 10U);
}

TEST(Bounds, Graham1969Example) {
  const TimingProblem problem = graham_example(3);
  EXPECT_EQ(critical_path(problem).bound_ps, 12U);
  EXPECT_EQ(work_per_core(problem).bound_ps, 12U);  // 34 / 3, rounded up
  EXPECT_EQ(graham_bound(problem).bound_ps, 20U);   // 12 + 22 / 3, rounded up
  EXPECT_EQ(typed_bound(problem).bound_ps, 20U);    // the same on one class
  EXPECT_EQ(serial_bound(problem).bound_ps, 34U);
  EXPECT_FALSE(critical_path(problem).is_upper);
  EXPECT_TRUE(graham_bound(problem).is_upper);
}

TEST(Bounds, OpsWithoutTimeDoNotCountAsASecondClass) {
  TimingProblem problem = graham_example(3);
  problem.ops.push_back({.best_ps = 0, .worst_ps = 0, .core_class = 1});
  problem.first.push_back(problem.first.back());
  problem.cores = {3, 1};
  EXPECT_EQ(graham_bound(problem).bound_ps, 20U);
  problem.ops.back().worst_ps = 1;
  EXPECT_EQ(graham_bound(problem).bound_ps, kUnknownPs);
}

/// Two CPUs, one NPU: a(cpu 4) -> b(npu 6) -> c(cpu 2), and d(cpu 4) alone.
TimingProblem typed_example() {
  TimingProblem problem = make_problem({4, 6, 2, 4}, {{0, 1}, {1, 2}}, 2);
  problem.cores = {2, 1};
  problem.ops[1].core_class = 1;
  return problem;
}

TEST(Bounds, Han2019Theorem31ByHand) {
  const TimingProblem problem = typed_example();
  // Path a, b, c: 4/2 + 0 + 2/2 = 3; volumes 10/2 + 6/1 = 11.
  EXPECT_EQ(typed_bound(problem).bound_ps, 14U);
  EXPECT_EQ(critical_path(problem).bound_ps, 12U);
  EXPECT_EQ(work_per_core(problem).bound_ps, 6U);
  EXPECT_EQ(graham_bound(problem).bound_ps, kUnknownPs);
}

TEST(Bounds, DelaysLengthenPathsAndAddNoWork) {
  TimingProblem problem = typed_example();
  problem.cores = {2, 0};
  // b is a delay: 2 + 6 + 1 on the path, 10/2 of work.
  EXPECT_EQ(typed_bound(problem).bound_ps, 14U);
  problem.ops[3].worst_ps = 0;
  EXPECT_EQ(typed_bound(problem).bound_ps, 12U);  // 9 + 3, and the serial bound agrees
}

TEST(Bounds, FixedCostIsAddedToAll) {
  TimingProblem problem = graham_example(3);
  problem.fixed_ps = 100;
  for (const Bound& bound : all_bounds(problem)) EXPECT_GT(bound.bound_ps, 100U) << bound.name;
  EXPECT_EQ(graham_bound(problem).bound_ps, 120U);
}

TEST(Bounds, AMutexBreaksGrahamAndItsWorkIsAdded) {
  TimingProblem problem = make_problem({10, 10, 10}, {}, 2);
  EXPECT_EQ(graham_bound(problem).bound_ps, 20U);
  problem.exclusive = {{0, 1, 2}};
  EXPECT_EQ(list_schedule(problem, identity_rank(3), {10, 10, 10}), 30U);
  EXPECT_EQ(graham_bound(problem).bound_ps, 30U);
  EXPECT_EQ(typed_bound(problem).bound_ps, 30U);
}

TEST(Bounds, AMutexOfOneHolderChangesNothing) {
  TimingProblem problem = make_problem({10, 10, 10}, {}, 2);
  problem.exclusive = {{1}};
  EXPECT_EQ(graham_bound(problem).bound_ps, 20U);
}

TEST(Bounds, SumsBeyondSixtyFourBitsAreUnknown) {
  const std::uint64_t half = std::uint64_t{1} << 63U;
  const TimingProblem problem = make_problem({half, half}, {}, 2);
  EXPECT_EQ(serial_bound(problem).bound_ps, kUnknownPs);
  EXPECT_EQ(graham_bound(problem).bound_ps, half + half / 2);
  EXPECT_EQ(typed_bound(problem).bound_ps, half + half / 2);
}

TEST(Bounds, AnUnknownTimeMakesEveryBoundUnknown) {
  TimingProblem problem = graham_example(3);
  problem.ops[4].worst_ps = kUnknownPs;
  for (const Bound& bound : all_bounds(problem)) EXPECT_EQ(bound.bound_ps, kUnknownPs) << bound.name;
  EXPECT_EQ(check_bound(5, all_bounds(problem)).outcome, Outcome::kUnknown);
}

TEST(Bounds, CoprimeCoreCountsStayExact) {
  TimingProblem problem = make_problem({7, 11, 13}, {{0, 1}, {1, 2}}, 3);
  problem.cores = {3, 5, 7};
  problem.ops[1].core_class = 1;
  problem.ops[2].core_class = 2;
  EXPECT_EQ(typed_bound(problem).bound_ps, 31U);  // a chain: every term's fractions cancel
}

TEST(Bounds, NoOpsTakeOnlyTheFixedCost) {
  TimingProblem problem = make_problem({}, {}, 4);
  problem.fixed_ps = 7;
  for (const Bound& bound : all_bounds(problem)) EXPECT_EQ(bound.bound_ps, 7U) << bound.name;
}

TEST(Bounds, B20_ACycleIsRefused) {
  EXPECT_THROW(static_cast<void>(all_bounds(make_problem({1, 1}, {{0, 1}, {1, 0}}, 1))), std::invalid_argument);
  using OneBound = Bound (*)(const TimingProblem&);
  for (const OneBound one : {critical_path, serial_bound, graham_bound, long_paths_bound, typed_bound})
    EXPECT_THROW(static_cast<void>(one(make_problem({1, 1}, {{0, 1}, {1, 0}}, 1))), std::invalid_argument);
}

TEST(Bounds, AClassWithoutEntryIsRefused) {
  TimingProblem problem = graham_example(3);
  problem.ops[0].core_class = 1;
  EXPECT_THROW(static_cast<void>(typed_bound(problem)), std::invalid_argument);
}

/// Tables that are wrong in one place each, most of which a bound that does not look would answer for.
std::vector<TimingProblem> broken_problems() {
  std::vector<TimingProblem> broken(9, make_problem({1, 2}, {{0, 1}}, 1));
  broken[0].first.pop_back();
  broken[1].first.front() = 1;
  broken[2].first.back() = 0;
  broken[3].first = {0, 2, 1};
  broken[4].targets[0] = 2;
  broken[5].ops[1].core_class = 1;
  broken[6].exclusive = {{0, 2}};
  broken[7].queue_depth = {1, 1};
  broken[8].targets[0] = 0;  // op 0 before itself
  return broken;
}

TEST(Bounds, EveryBoundRefusesEveryBrokenTable) {
  const std::vector<TimingProblem> broken = broken_problems();
  for (std::size_t i = 0; i < broken.size(); ++i) {
    EXPECT_THROW(static_cast<void>(critical_path(broken[i])), std::invalid_argument) << i;
    EXPECT_THROW(static_cast<void>(serial_bound(broken[i])), std::invalid_argument) << i;
    EXPECT_THROW(static_cast<void>(graham_bound(broken[i])), std::invalid_argument) << i;
    EXPECT_THROW(static_cast<void>(typed_bound(broken[i])), std::invalid_argument) << i;
    EXPECT_THROW(static_cast<void>(response_bounds(broken[i])), std::invalid_argument) << i;
    if (i == 8) continue;  // no path is looked at
    EXPECT_THROW(static_cast<void>(work_per_core(broken[i])), std::invalid_argument) << i;
  }
}

/// The scheduler works for one op at a time, beside what the cores do.
TEST(Bounds, TheSchedulersWorkIsAddedOnce) {
  TimingProblem problem = graham_example(3);
  for (TimedOp& op : problem.ops) op.role_ps = 100;
  EXPECT_EQ(serial_bound(problem).bound_ps, 34U + 900);
  EXPECT_EQ(graham_bound(problem).bound_ps, 20U + 900);
  EXPECT_EQ(typed_bound(problem).bound_ps, 20U + 900);
  EXPECT_EQ(critical_path(problem).bound_ps, 12U);
  problem.ops[2].role_ps = kUnknownPs;
  EXPECT_EQ(serial_bound(problem).bound_ps, kUnknownPs);
  EXPECT_EQ(response_bounds(problem)[0].max_ps, kUnknownPs);
}

/// Independent ops of 10, 10, 10 and 6 on two cores.
TimingProblem queue_example(std::uint32_t depth) {
  TimingProblem problem = make_problem({10, 10, 6, 10}, {}, 2);
  problem.queue_depth = {depth};
  return problem;
}

TEST(Bounds, AnOpMayWaitBehindTheLongestOthersInItsQueue) {
  EXPECT_EQ(typed_bound(queue_example(1)).bound_ps, 23U);  // 10/2 + 36/2
  EXPECT_EQ(typed_bound(queue_example(2)).bound_ps, 33U);  // and 10 before it
  TimingProblem long_tail = queue_example(2);
  long_tail.ops[2].worst_ps = 40;                   // alone: 40/2 + 10 before it; another: 10/2 + 40
  EXPECT_EQ(typed_bound(long_tail).bound_ps, 70U);  // one core: all 70; ops ahead: 45 + 70/2
  long_tail.ops[2].worst_ps = 12;
  EXPECT_EQ(typed_bound(long_tail).bound_ps, 38U);         // 10/2 + 12 + 42/2; the longest op itself has 10 before it
  EXPECT_EQ(typed_bound(queue_example(3)).bound_ps, 36U);  // two before it: 5 + 20 + 18; one core is less
}

TEST(Bounds, QueueOfOneCoreDoesNotChangeItsBounds) {
  TimingProblem problem = make_problem({10, 10, 6, 10}, {}, 1);
  problem.queue_depth = {3};
  EXPECT_EQ(typed_bound(problem).bound_ps, 36U);
  EXPECT_EQ(graham_bound(problem).bound_ps, 36U);
}

TEST(Bounds, GrahamDoesNotApplyToQueues) {
  EXPECT_EQ(graham_bound(queue_example(1)).bound_ps, 23U);
  const Bound refused = graham_bound(queue_example(2));
  EXPECT_EQ(refused.bound_ps, kUnknownPs);
  EXPECT_EQ(refused.assumptions,
            "does not apply: several cores queue ops, so that one may wait behind a busy core beside an idle one");
  EXPECT_EQ(typed_bound(queue_example(2)).assumptions,
            "each op bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready op at "
            "once, whatever the priorities; op times at most their worst, overheads included; an op joins the core "
            "with the shortest queue, and waits there beside idle ones");
  EXPECT_EQ(typed_bound(queue_example(1)).assumptions,
            "each op bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready op at "
            "once, whatever the priorities; op times at most their worst, overheads included");
}

/// A holder of a mutex may itself stand in a queue.
TEST(Bounds, AMutexIsHeldWhileItsHolderWaitsInAQueue) {
  TimingProblem problem = make_problem({2, 2, 10, 10, 10, 10}, {}, 2);
  problem.cores = {2, 2};
  problem.queue_depth = {1, 2};
  for (std::uint32_t op = 1; op < 6; ++op) problem.ops[op].core_class = 1;
  EXPECT_EQ(typed_bound(problem).bound_ps, 37U);  // 10/2 + 10 before it, 2/2 + 42/2
  problem.exclusive = {{0, 1}};
  EXPECT_EQ(typed_bound(problem).bound_ps, 44U);       // 51 with (2) + (2 + 10); all work is 44, and less
  EXPECT_EQ(response_bounds(problem)[0].max_ps, 37U);  // 2/2, 2/2 + 42/2, 2 + (2 + 10);
}

TEST(Bounds, OrderIsFixedAndTheLastUpperOneIsTheTightest) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<Bound> bounds = all_bounds(make_random_problem(seed, 12));
    ASSERT_TRUE(bounds.back().is_upper);
    for (const Bound& bound : bounds) {
      if (bound.is_upper) {
        EXPECT_GE(bound.bound_ps, bounds.back().bound_ps) << bound.name << " seed " << seed;
      } else {
        EXPECT_LE(bound.bound_ps, bounds.back().bound_ps) << bound.name << " seed " << seed;
      }
    }
  }
}

/// All time vectors within [best, worst], as an odometer.
bool advance_odometer(const TimingProblem& problem, std::vector<std::uint64_t>& times) {
  for (std::size_t op = 0; op < times.size(); ++op) {
    if (times[op] < problem.ops[op].worst_ps) {
      ++times[op];
      return true;
    }
    times[op] = problem.ops[op].best_ps;
  }
  return false;
}

TEST(Bounds, HoldForEveryTimeVectorAndManyRanksOfSmallDags) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    TimingProblem problem = make_random_problem(seed, 6);
    for (TimedOp& op : problem.ops) {
      op.worst_ps = op.worst_ps % 4;
      op.best_ps = std::min(op.best_ps, op.worst_ps);
    }
    const std::vector<Bound> bounds = all_bounds(problem);
    std::uint64_t longest = 0;
    for (std::uint64_t order = 0; order < 8; ++order) {
      const auto rank = random_rank(order, problem.ops.size());
      std::vector<std::uint64_t> times;
      for (const TimedOp& op : problem.ops) times.push_back(op.best_ps);
      do {
        longest = std::max(longest, list_schedule(problem, rank, times, random_rank(order + 8, times.size())));
      } while (advance_odometer(problem, times));
    }
    EXPECT_EQ(check_bound(longest, bounds).outcome, Outcome::kHolds) << "seed " << seed;
  }
}

TEST(ResponseBounds, Graham1969Example) {
  const std::vector<Response> responses = response_bounds(graham_example(3));
  ASSERT_EQ(responses.size(), 9U);
  // Task 4 (op 3): fastest 2; slowest 2 (1 - 1/3) + (34 - 16) / 3, rounded up: its four successors cannot delay it.
  EXPECT_EQ(responses[3].min_ps, 2U);
  EXPECT_EQ(responses[3].max_ps, 8U);
  // Task 9 (op 8): fastest 3 + 9; slowest 12 (1 - 1/3) + 34 / 3, rounded up.
  EXPECT_EQ(responses[8].min_ps, 12U);
  EXPECT_EQ(responses[8].max_ps, 20U);
}

TEST(ResponseBounds, TheSchedulerHasNotWorkedForSuccessorsYet) {
  TimingProblem problem = graham_example(3);
  problem.fixed_ps = 1000;
  for (TimedOp& op : problem.ops) op.role_ps = 100;
  const std::vector<Response> responses = response_bounds(problem);
  EXPECT_EQ(responses[3].max_ps, 8U + 500 + 1000);  // four of nine ops succeed op 3
  EXPECT_EQ(responses[8].max_ps, 20U + 900 + 1000);
  EXPECT_EQ(response_bounds(problem, {.exact_ops = 8})[3].max_ps, 13U + 900 + 1000);  // 4/3 + 34/3
  EXPECT_EQ(response_bounds(problem, {.exact_ops = 9})[3].max_ps, responses[3].max_ps);
}

TEST(ResponseBounds, WithoutWorkConservationOnlySuccessorsAreTakenOff) {
  const std::vector<Response> responses = response_bounds(graham_example(3), {.is_work_conserving = false});
  EXPECT_EQ(responses[3].max_ps, 34U - 16);
  EXPECT_EQ(responses[8].max_ps, 34U);
}

TEST(ResponseBounds, QueuesCountAsInTheTypedBound) {
  for (std::uint32_t depth = 1; depth <= 3; ++depth) {
    const std::uint64_t bound_ps = typed_bound(queue_example(depth)).bound_ps;
    std::uint64_t latest_ps = 0;
    for (const Response& response : response_bounds(queue_example(depth))) {
      latest_ps = std::max(latest_ps, response.max_ps);
    }
    EXPECT_EQ(latest_ps, bound_ps) << depth;  // independent ops: nothing to take off
  }
}

TEST(CheckResponses, EachOpThatLeavesItsRangeIsAWitness) {
  const std::vector<Response> responses = {{0, 10, 20}, {1, 10, 20}};
  const std::vector<std::string> names = {"first", "second"};
  EXPECT_EQ(check_responses(names, {}, responses).outcome, Outcome::kUnknown);
  const Verdict good = check_responses(names, {{10, 20, 1, 2}, {15, 15, 1, 2}}, responses);
  EXPECT_EQ(good.property, Property::kResponses);
  EXPECT_EQ(good.outcome, Outcome::kHolds);
  EXPECT_TRUE(good.witnesses.empty());
  const Verdict bad = check_responses(names, {{9, 20, 7, 2}, {15, 21, 1, 8}}, responses);
  EXPECT_EQ(bad.outcome, Outcome::kViolated);
  ASSERT_EQ(bad.witnesses.size(), 2U);
  EXPECT_EQ(bad.witnesses[0].text, "op 0 (first) ended at 9 ps (seed 7), before its earliest completion 10 ps");
  EXPECT_EQ(bad.witnesses[1].text, "op 1 (second) ended at 21 ps (seed 8), after its latest completion 20 ps");
  EXPECT_EQ(bad.witnesses[1].ops, std::vector<std::uint32_t>{1});
  EXPECT_EQ(bad.summary, bad.witnesses[0].text);
}

TEST(CheckResponses, UnknownBoundMakesTheVerdictUnknown) {
  const Verdict verdict = check_responses({"a", "b"}, {{1, 1, 0, 0}, {1, 1, 0, 0}}, {{0, 0, kUnknownPs}, {1, 0, 5}});
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(verdict.summary, "1 of 2 ops have no upper bound on their completion");
}

/// Two paths of 10 and 9, and 8 of other work on 3 cores: 10 + 17/3, 10 + 8/2, 10 + 4/1.
TEST(LongPaths, TheBestNumberOfThemCounts) {
  TimingProblem problem = make_problem({5, 5, 4, 5, 4, 4}, {{0, 1}, {2, 3}}, 3);
  EXPECT_EQ(graham_bound(problem).bound_ps, 16U);
  EXPECT_EQ(long_paths_bound(problem).bound_ps, 14U);
  EXPECT_EQ(long_paths_bound(problem).name, "he2022");
  problem.cores = {2};
  EXPECT_EQ(long_paths_bound(problem).bound_ps, 18U) << "10 + 8/1";
  problem.cores = {8};
  EXPECT_EQ(long_paths_bound(problem).bound_ps, 10U) << "every path has a core";
  problem.fixed_ps = 7;
  problem.ops[5].role_ps = 2;
  EXPECT_EQ(long_paths_bound(problem).bound_ps, 19U);
}

/// What the longest path has taken counts nothing for the next one: of 0 -> 1 -> 3 and 0 -> 2 -> 3, 2 is left.
TEST(LongPaths, OpsOfOnePathCountOnce) {
  const TimingProblem problem = make_problem({10, 6, 4, 10}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, 2);
  EXPECT_EQ(graham_bound(problem).bound_ps, 28U);
  EXPECT_EQ(long_paths_bound(problem).bound_ps, 26U);
}

TEST(LongPaths, AreNeverAboveGrahamAndNeverBelowTheExactWorstCase) {
  std::size_t lower = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 200U : 3000U); ++seed) {
    TimingProblem problem = make_random_problem(seed, 14);
    for (TimedOp& op : problem.ops) op.core_class = 0;
    problem.cores = {1 + static_cast<std::uint32_t>(seed % 5)};
    problem.exclusive.clear();
    const ExactTimes exact = exact_times(problem, {.order = {.rank = random_rank(seed, problem.ops.size())}});
    const std::uint64_t bound_ps = long_paths_bound(problem).bound_ps;
    ASSERT_TRUE(exact.is_complete);
    EXPECT_LE(exact.worst_ps, bound_ps) << seed;
    EXPECT_LE(bound_ps, graham_bound(problem).bound_ps) << seed;
    lower += bound_ps < graham_bound(problem).bound_ps ? 1 : 0;
    ++compared;
  }
  EXPECT_GT(lower, compared / 10);
}

TEST(LongPaths, DoNotApplyWhereOpsWaitForMoreThanACore) {
  TimingProblem problem = make_problem({5, 5, 4}, {{0, 1}}, 2);
  problem.exclusive = {{0}};
  EXPECT_NE(long_paths_bound(problem).bound_ps, kUnknownPs) << "nobody else wants the mutex";
  problem.exclusive = {{0, 2}};
  EXPECT_EQ(long_paths_bound(problem).bound_ps, kUnknownPs);
  EXPECT_EQ(long_paths_bound(problem).assumptions,
            "does not apply: ops share a mutex, and may wait for it beside idle cores");
  problem.cores = {2, 1};
  problem.ops[2].core_class = 1;
  EXPECT_EQ(long_paths_bound(problem).bound_ps, kUnknownPs);
  EXPECT_EQ(long_paths_bound(problem).name, "he2022");
}

TEST(CheckBound, MakespanAboveABoundIsAViolation) {
  const std::vector<Bound> bounds = all_bounds(graham_example(3));
  const Verdict good = check_bound(20, bounds);
  EXPECT_EQ(good.property, Property::kBound);
  EXPECT_EQ(good.outcome, Outcome::kHolds);
  const Verdict bad = check_bound(21, bounds);
  EXPECT_EQ(bad.outcome, Outcome::kViolated);
  ASSERT_EQ(bad.witnesses.size(), 3U);  // graham, he2022 and typed
  EXPECT_EQ(bad.witnesses[0].text,
            "simulated maximum 21 ps (an optimistic estimate) exceeds the graham bound 20 ps; assumptions: identical "
            "cores; non-preemptive and work-conserving: a free core takes a ready op at once, whatever the priorities; "
            "op times at most their worst, overheads included");
}

TEST(CheckBound, LowerBoundsAreNotHeldAgainstASimulation) {
  EXPECT_EQ(check_bound(1, all_bounds(graham_example(3))).outcome, Outcome::kHolds);
}

TEST(CheckBound, WithoutBoundsTheVerdictIsUnknown) { EXPECT_EQ(check_bound(1, {}).outcome, Outcome::kUnknown); }

TEST(CheckBound, ABoundIsNeverToldBelowItsValueNorBelowWhatItBounds) {
  const auto summary = [](std::uint64_t seen_ps, std::uint64_t bound_ps) {
    Bound bound;
    bound.name = "typed";
    bound.bound_ps = bound_ps;
    bound.is_upper = true;
    return check_bound(seen_ps, {bound}).summary;
  };
  EXPECT_EQ(summary(24'307'354'214, 26'752'635'540),
            "simulated maximum 24.3 ms (an optimistic estimate) <= typed bound 26.8 ms");
  EXPECT_EQ(summary(999, 1000), "simulated maximum 999 ps (an optimistic estimate) <= typed bound 1.00 ns");
  EXPECT_EQ(summary(1'000'001, 5'000'000'000'000'000),
            "simulated maximum 1.00 \xC2\xB5s (an optimistic estimate) <= typed bound 5000 s");
  EXPECT_EQ(summary(26'700'000'001, 26'700'000'000),
            "simulated maximum 26.7 ms (an optimistic estimate) exceeds the typed bound 26.7 ms by 1 ps");
  EXPECT_EQ(summary(26'700'000'000, 26'700'000'001),
            "simulated maximum 26.7 ms (an optimistic estimate) <= typed bound 26.8 ms");
}

}  // namespace
}  // namespace detent::verify
