// Exact completions against every vector of integer times and every order of ties, which share nothing with zones.
#include "verify/timing/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"
#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"

namespace detent::verify {
namespace {

using namespace testing;

struct Extremes {
  std::uint64_t best_ps = kUnknownPs, worst_ps = 0;
  std::vector<Response> responses{};
};

/// Plays the definition of execution, time by time and tie by tie.
class EveryRun {
 public:
  EveryRun(const TimingProblem& problem, ReadyOrder order) : problem_(problem), order_(std::move(order)) {
    for (OpId op = 0; op < problem.ops.size(); ++op) found_.responses.push_back({op, kUnknownPs, 0});
  }

  Extremes find() {
    times_.assign(problem_.ops.size(), 0);
    choose_time(0);
    return found_;
  }

 private:
  struct State {
    std::uint64_t now = 0;
    std::vector<bool> begun, ended;
    std::vector<std::uint64_t> end;
    std::size_t left = 0;
    std::vector<std::size_t> ready_since;  // ops left then; 0: not ready
  };

  void choose_time(OpId op) {
    if (op == problem_.ops.size()) {
      State state{0,  std::vector<bool>(op, false),   std::vector<bool>(op, false), std::vector<std::uint64_t>(op, 0),
                  op, std::vector<std::size_t>(op, 0)};
      start(state);
      go_on(state);
      return;
    }
    for (times_[op] = problem_.ops[op].best_ps; times_[op] <= problem_.ops[op].worst_ps; ++times_[op]) {
      choose_time(op + 1);
    }
  }

  [[nodiscard]] bool may_start(const State& state, OpId op) const {
    if (state.begun[op] || state.ready_since[op] == 0) return false;
    std::uint32_t busy = 0;
    for (OpId other = 0; other < problem_.ops.size(); ++other) {
      const bool runs = state.begun[other] && !state.ended[other];
      if (runs && problem_.ops[other].core_class == problem_.ops[op].core_class) ++busy;
      if (runs && std::ranges::any_of(problem_.exclusive, [&](const auto& holders) {
            return std::ranges::count(holders, other) > 0 && std::ranges::count(holders, op) > 0;
          })) {
        return false;
      }
    }
    const std::uint32_t cores = problem_.cores[problem_.ops[op].core_class];
    return cores == 0 || busy < cores;
  }

  [[nodiscard]] bool is_ready(const State& state, OpId op) const {
    for (OpId other = 0; other < problem_.ops.size(); ++other) {
      const auto edges_begin = problem_.targets.begin() + problem_.first[other];
      const auto edges_end = problem_.targets.begin() + problem_.first[other + 1];
      if (!state.ended[other] && std::count(edges_begin, edges_end, op) > 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_before(const State& state, OpId a, OpId b) const {
    if (order_.by_arrival && state.ready_since[a] != state.ready_since[b]) {
      return state.ready_since[a] > state.ready_since[b];
    }
    return order_.rank.empty() ? a < b : order_.rank[a] < order_.rank[b];
  }

  void start(State& state) const {
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (state.ready_since[op] == 0 && is_ready(state, op)) state.ready_since[op] = state.left;
    }
    for (;;) {
      OpId best{static_cast<std::uint32_t>(problem_.ops.size())};
      for (OpId op = 0; op < problem_.ops.size(); ++op) {
        const bool is_better = best == problem_.ops.size() || is_before(state, op, best);
        if (is_better && may_start(state, op)) best = op;
      }
      if (best == problem_.ops.size()) return;
      state.begun[best] = true;
      state.end[best] = state.now + times_[best];
    }
  }

  void go_on(const State& state) {
    if (state.left == 0) {
      found_.best_ps = std::min(found_.best_ps, state.now);
      found_.worst_ps = std::max(found_.worst_ps, state.now);
      return;
    }
    std::uint64_t next = UINT64_MAX;
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (state.begun[op] && !state.ended[op]) next = std::min(next, state.end[op]);
    }
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (!state.begun[op] || state.ended[op] || state.end[op] != next) continue;
      State after = state;
      after.now = next;
      after.ended[op] = true;
      --after.left;
      found_.responses[op].min_ps = std::min(found_.responses[op].min_ps, next);
      found_.responses[op].max_ps = std::max(found_.responses[op].max_ps, next);
      start(after);
      go_on(after);
    }
  }

  const TimingProblem& problem_;
  ReadyOrder order_;
  std::vector<std::uint64_t> times_;
  Extremes found_;
};

void expect_exact(const TimingProblem& problem, const ReadyOrder& order) {
  const ExactTimes exact = exact_times(problem, {.order = order});
  ASSERT_TRUE(exact.is_complete) << exact.reason;
  const Extremes wanted = EveryRun(problem, order).find();
  EXPECT_EQ(exact.best_ps, wanted.best_ps);
  EXPECT_EQ(exact.worst_ps, wanted.worst_ps);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    EXPECT_EQ(exact.responses[op].op, op);
    EXPECT_EQ(exact.responses[op].min_ps, wanted.responses[op].min_ps) << op;
    EXPECT_EQ(exact.responses[op].max_ps, wanted.responses[op].max_ps) << op;
  }
}

/// Up to 7 ops, classes of 1 to 3 cores and one without a limit, mutexes, narrow ranges.
TimingProblem random_problem(RandomSource& random) {
  TimingProblem problem;
  const std::uint32_t ops = 2 + random.below(6);
  problem.cores = {1 + random.below(3), 1 + random.below(2), 0};
  problem.first.push_back(0);
  for (OpId op = 0; op < ops; ++op) {
    TimedOp timed;
    timed.best_ps = random.below(6);
    timed.worst_ps = timed.best_ps + random.below(3);
    timed.core_class = random.below(4) == 0 ? 1 + random.below(2) : 0;
    problem.ops.push_back(timed);
    for (OpId to = op + 1; to < ops; ++to) {
      if (random.below(4) == 0) problem.targets.push_back(to);
    }
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  if (random.below(2) == 0) problem.exclusive = {{0, random.below(ops - 1) + 1}};
  return problem;
}

TEST(Exact, EqualsEveryVectorOfTimesAndEveryOrderOfTies) {
  RandomSource random(20261126);
  for (int round = 0; round < (kIsInstrumented ? 60 : 600); ++round) {
    const TimingProblem problem = random_problem(random);
    std::vector<std::uint32_t> rank(problem.ops.size());
    std::iota(rank.begin(), rank.end(), 0U);
    for (std::size_t i = rank.size(); i > 1; --i)
      std::swap(rank[i - 1], rank[random.below(static_cast<std::uint32_t>(i))]);
    expect_exact(problem, {.rank = rank});
    expect_exact(problem, {.rank = rank, .by_arrival = true});
    if (HasFailure()) FAIL() << "round " << round;
  }
}

/// Graham 1969, figure 1: shorter ops make the run longer, so all ops at their worst are not the worst case.
TEST(Exact, TheWorstCaseIsAboveTheRunOfWorstTimes) {
  TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  EXPECT_EQ(exact_times(problem).worst_ps, 12U);
  for (TimedOp& op : problem.ops) op.best_ps = op.worst_ps - 1;
  const ExactTimes exact = exact_times(problem);
  EXPECT_GT(exact.worst_ps, 12U);
  EXPECT_LE(exact.worst_ps, graham_bound(problem).bound_ps);
  expect_exact(problem, {});
}

TEST(Exact, WhatTheRunCostsIsAddedOnce) {
  TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
  problem.fixed_ps = 7;
  const ExactTimes exact = exact_times(problem);
  EXPECT_EQ(exact.worst_ps, 12U);
  EXPECT_EQ(exact.best_ps, problem.ops[0].best_ps + problem.ops[1].best_ps);
  EXPECT_EQ(exact.responses[0].max_ps, 10U);
}

TEST(Exact, WhatIsOutsideTheDefinitionIsNotAnswered) {
  const auto reason = [](const std::function<void(TimingProblem&)>& change) {
    TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
    change(problem);
    const ExactTimes exact = exact_times(problem);
    EXPECT_FALSE(exact.is_complete);
    EXPECT_TRUE(exact.responses.empty());
    return exact.reason;
  };
  EXPECT_EQ(reason([](TimingProblem& p) { p.ops[0].worst_ps = kUnknownPs; }), "an op's time is not known");
  EXPECT_EQ(reason([](TimingProblem& p) { p.ops[1].role_ps = 1; }).rfind("the scheduler takes time", 0), 0U);
  EXPECT_EQ(reason([](TimingProblem& p) { p.ops[1].best_ps = 3; }), "an op's best time is above its worst");
  EXPECT_EQ(reason([](TimingProblem& p) { p.queue_depth = std::vector<std::uint32_t>(p.cores.size(), 2); }),
            "cores of a class queue ops");
  EXPECT_EQ(reason([](TimingProblem& p) { p.ops[0].worst_ps = std::uint64_t{1} << 62U; }),
            "times add up to more than 2^61 ps");
}

TEST(Exact, ALimitIsSaidAndNothingIsClaimed) {
  const TimingProblem problem = make_problem({3, 2, 2, 2, 4}, {}, 2);
  const ExactTimes exact = exact_times(problem, {.max_zones = 2});
  EXPECT_FALSE(exact.is_complete);
  EXPECT_EQ(exact.reason, "more than 2 symbolic states");
  EXPECT_TRUE(exact.responses.empty());
  EXPECT_EQ(exact.zones, 3U);
}

TEST(Exact, NoOpsTakeNoTime) {
  TimingProblem problem;
  problem.first = {0};
  const ExactTimes exact = exact_times(problem);
  EXPECT_TRUE(exact.is_complete);
  EXPECT_EQ(exact.best_ps, 0U);
  EXPECT_EQ(exact.worst_ps, 0U);
}

TEST(Exact, RanksThatAreNoOrderAreRefused) {
  const TimingProblem problem = make_problem({3, 2}, {}, 1);
  EXPECT_THROW(exact_times(problem, {.order = {.rank = {0, 0}}}), std::invalid_argument);
  EXPECT_THROW(exact_times(problem, {.order = {.rank = {0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::verify
