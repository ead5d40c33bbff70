// Free segments by hand, and exact times with and without what they, and zones that cover others, leave out.
#include "verify/timing/segments.hpp"

#include <gtest/gtest.h>

#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/exact.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// 0 -> {1, 2 -> 3} -> 4 -> {5, 6} -> 7, with edges 0 -> 7 and 1 -> 5 over the join.
TimingProblem two_forks(std::uint32_t cores) {
  return make_problem({3, 4, 2, 5, 1, 6, 7, 2},
                      {{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}, {4, 5}, {4, 6}, {5, 7}, {6, 7}, {0, 7}, {1, 5}}, cores);
}

TEST(Segments, LieBetweenOpsThatAreOrderedAgainstAllOthers) {
  const std::vector<FreeSegment> found = free_segments(two_forks(2));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].from, OpId{0});
  EXPECT_EQ(found[0].to, OpId{4});
  EXPECT_EQ(found[0].between, (std::vector<OpId>{1, 2, 3}));
  EXPECT_EQ(found[1].from, OpId{4});
  EXPECT_EQ(found[1].to, OpId{7});
}

TEST(Segments, AreFreeOnlyWhereNoOpWaits) {
  EXPECT_TRUE(free_segments(two_forks(1)).empty()) << "two ops want one core";
  TimingProblem shared = two_forks(2);
  shared.exclusive = {{1, 3}};
  EXPECT_EQ(free_segments(shared).size(), 1U) << "op 1 may wait for the mutex of op 3";
  TimingProblem typed = two_forks(2);
  typed.cores = {1, 1};
  typed.ops[3].core_class = typed.ops[2].core_class = 1;
  EXPECT_EQ(free_segments(typed).size(), 1U) << "ops 5 and 6 want one core";
  typed.ops[2].core_class = 0;
  EXPECT_TRUE(free_segments(typed).empty()) << "ops 1 and 2 do, too";
  TimingProblem beside = two_forks(2);
  beside.ops.push_back({1, 1, 0});
  beside.first.push_back(beside.first.back());
  EXPECT_TRUE(free_segments(beside).empty()) << "op 8 may run at any time";
}

/// Chains of forks with joins between them, and problems of any shape.
TimingProblem forks(std::uint64_t seed) {
  std::vector<std::uint64_t> worst{1 + seed % 7};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint64_t state = seed;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state >> 33U) % below);
  };
  for (std::uint32_t fork = 0; fork < 3; ++fork) {
    const auto from = static_cast<std::uint32_t>(worst.size() - 1);
    std::vector<std::uint32_t> ends;
    for (std::uint32_t branch = draw(3); branch < 3; ++branch) {
      std::uint32_t at = from;
      for (std::uint32_t length = draw(2); length < 2; ++length) {
        worst.push_back(draw(9));
        edges.emplace_back(at, static_cast<std::uint32_t>(worst.size() - 1));
        at = static_cast<std::uint32_t>(worst.size() - 1);
      }
      ends.push_back(at);
    }
    worst.push_back(draw(9));
    for (const std::uint32_t end : ends) edges.emplace_back(end, static_cast<std::uint32_t>(worst.size() - 1));
  }
  TimingProblem problem = make_problem(worst, edges, 1 + draw(3));
  for (TimedOp& op : problem.ops) op.best_ps = op.worst_ps - draw(op.worst_ps + 1);
  return problem;
}

void expect_equal(const TimingProblem& problem, const std::vector<std::uint32_t>& rank) {
  const ExactTimes fast = exact_times(problem, {.order = {.rank = rank}});
  const ExactTimes whole = exact_times(problem, {.order = {.rank = rank}, .prune = false});
  ASSERT_TRUE(fast.is_complete && whole.is_complete);
  EXPECT_EQ(fast.worst_ps, whole.worst_ps);
  EXPECT_EQ(fast.best_ps, whole.best_ps);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    EXPECT_EQ(fast.responses[op].min_ps, whole.responses[op].min_ps) << op;
    EXPECT_EQ(fast.responses[op].max_ps, whole.responses[op].max_ps) << op;
  }
}

TEST(Segments, WhatIsLeftOutChangesNoExactTime) {
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 100U : 1500U); ++seed) {
    const TimingProblem any = make_random_problem(seed, 12);
    expect_equal(any, random_rank(seed, any.ops.size()));
    const TimingProblem joined = forks(seed);
    expect_equal(joined, random_rank(seed, joined.ops.size()));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

/// Twice the same problem, with a join between: the extremes are sums.
TEST(Segments, AtAJoinTheExtremesAddUp) {
  const TimingProblem one =
      make_problem({0, 3, 2, 2, 4, 4, 0}, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 6}, {5, 6}}, 2);
  TimingProblem two = make_problem({0, 3, 2, 2, 4, 4, 0, 3, 2, 2, 4, 4, 0},
                                   {{0, 1},
                                    {0, 2},
                                    {0, 3},
                                    {1, 4},
                                    {2, 5},
                                    {3, 6},
                                    {4, 6},
                                    {5, 6},
                                    {6, 7},
                                    {6, 8},
                                    {6, 9},
                                    {7, 10},
                                    {8, 11},
                                    {9, 12},
                                    {10, 12},
                                    {11, 12}},
                                   2);
  const auto widen = [](TimingProblem problem) {
    for (TimedOp& op : problem.ops) op.best_ps = op.worst_ps / 2;
    return exact_times(problem);
  };
  const ExactTimes half = widen(one), whole = widen(two);
  EXPECT_EQ(whole.worst_ps, 2 * half.worst_ps);
  EXPECT_EQ(whole.best_ps, 2 * half.best_ps);
}

}  // namespace
}  // namespace detent::verify
