#include "verify/periodic/unrolled.hpp"

#include <gtest/gtest.h>

namespace detent::verify {
namespace {

constexpr std::uint64_t kZones = 100'000;

PeriodicTask one_op(std::uint64_t best_ps, std::uint64_t worst_ps, std::int32_t priority, std::uint64_t period_ps,
                    std::uint64_t offset_ps = 0) {
  return {.problem = {.ops = {{.best_ps = best_ps, .worst_ps = worst_ps}},
                      .first = {0, 0},
                      .targets = {},
                      .cores = {1},
                      .exclusive = {}},
          .priority = priority,
          .period_ps = period_ps,
          .offset_ps = offset_ps};
}

TEST(Unroll, HoldsEveryRunOfAHyperperiodInOrder) {
  const std::vector<PeriodicTask> tasks = {one_op(1, 2, 0, 4, 3), one_op(1, 1, 1, 6, 1)};
  const auto unrolled = unroll(tasks, 100);
  ASSERT_TRUE(unrolled.has_value());
  EXPECT_EQ(unrolled->hyperperiod_ps, 12U);
  ASSERT_EQ(unrolled->runs.size(), 5U);
  EXPECT_EQ(unrolled->problem.ops.size(), 10U);
  EXPECT_EQ(unrolled->runs[1].nominal_ps, 6U) << "from the earliest release of all, which is at 1";
  EXPECT_EQ(unrolled->runs[3].nominal_ps, 0U);
  EXPECT_EQ(unrolled->problem.cores, (std::vector<std::uint32_t>{1, 0}));
  const auto rank_of = [&](std::size_t run) {
    return unrolled->order.rank[static_cast<std::uint32_t>(unrolled->runs[run].first_op)];
  };
  EXPECT_LT(rank_of(2), rank_of(3)) << "all runs of the first go before those of the second";
  const TimingProblem& problem = unrolled->problem;
  const auto first_of = [&](std::size_t run) { return static_cast<std::uint32_t>(unrolled->runs[run].first_op); };
  ASSERT_EQ(problem.first[first_of(0) + 1] - problem.first[first_of(0)], 1U);
  EXPECT_EQ(problem.targets[problem.first[first_of(0)]], first_of(1)) << "a run waits for the end of the one before";
  EXPECT_FALSE(unroll(tasks, 9).has_value());
  EXPECT_TRUE(unroll(tasks, 10).has_value());
}

TEST(Unroll, OrdersOpsOfATaskByItsRank) {
  PeriodicTask two{.problem = {.ops = {{.worst_ps = 1}, {.worst_ps = 1}},
                               .first = {0, 0, 0},
                               .targets = {},
                               .cores = {1},
                               .exclusive = {}},
                   .period_ps = 5,
                   .rank = {1, 0}};
  const auto unrolled = unroll({two}, 100);
  ASSERT_TRUE(unrolled.has_value());
  const auto first = static_cast<std::uint32_t>(unrolled->runs[0].first_op);
  EXPECT_LT(unrolled->order.rank[first + 1], unrolled->order.rank[first]);
}

TEST(Unroll, TimesUpToTwoToTheSixtyOne) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 61U;
  EXPECT_EQ(unroll({one_op(1, 1, 0, kMost)}, 10)->hyperperiod_ps, kMost);
  EXPECT_FALSE(unroll({one_op(1, 1, 0, kMost + 1)}, 10).has_value());
  EXPECT_EQ(unroll({one_op(1, 1, 0, kMost), one_op(1, 1, 1, kMost / 2)}, 10)->runs.size(), 3U);
  EXPECT_FALSE(unroll({one_op(1, 1, 0, kMost / 2), one_op(1, 1, 1, kMost / 4 * 3)}, 10).has_value());
  PeriodicTask late = one_op(1, 1, 0, 10);
  late.jitter_ps = kMost;
  EXPECT_TRUE(unroll({late}, 10).has_value());
  late.jitter_ps = kMost + 1;
  EXPECT_FALSE(unroll({late}, 10).has_value());
  EXPECT_TRUE(unroll({one_op(1, 1, 0, 10, 9)}, 10).has_value());
  EXPECT_FALSE(unroll({one_op(1, 1, 0, 10, 10)}, 10).has_value()) << "an offset is below its period";
  EXPECT_FALSE(unroll({}, 10).has_value());
}

/// A release and an op a run: 2047 runs of the first task and one of the second are 4096 ops. Their priority, which
/// they share, is looked at behind that.
TEST(ExactResponses, UnrollAtMost4096Ops) {
  const auto reason_of = [](std::uint64_t period_ps) {
    return exact_responses({one_op(0, 0, 0, 1), one_op(0, 0, 0, period_ps)}, kZones).reason;
  };
  EXPECT_EQ(reason_of(2047), "tasks share a priority, and nothing says whose op begins first");
  EXPECT_EQ(reason_of(2048),
            "the releases do not repeat within 2^61 ps and 4096 ops, or an offset is not below its period");
}

TEST(ExactResponses, OfTwoTasksAreThoseOfTheClock) {
  // Releases of one instant are counted in any order: the second may have the core from 0 to 3, or from 2 to 5.
  const ExactResponses exact = exact_responses({one_op(1, 2, 0, 4), one_op(3, 3, 1, 8)}, kZones);
  ASSERT_EQ(exact.response_ps.size(), 2U) << exact.reason;
  EXPECT_EQ(exact.response_ps[0], 5U);
  EXPECT_EQ(exact.response_ps[1], 5U);
}

TEST(ExactResponses, OffsetsKeepTasksApart) {
  const ExactResponses exact = exact_responses({one_op(1, 1, 0, 8), one_op(2, 2, 1, 8, 4)}, kZones);
  ASSERT_EQ(exact.response_ps.size(), 2U) << exact.reason;
  EXPECT_EQ(exact.response_ps[0], 1U);
  EXPECT_EQ(exact.response_ps[1], 2U);
}

TEST(ExactResponses, JitterCountsFromTheNominalRelease) {
  PeriodicTask late = one_op(1, 1, 0, 8);
  late.jitter_ps = 3;
  const ExactResponses exact = exact_responses({late, one_op(2, 2, 1, 8)}, kZones);
  ASSERT_EQ(exact.response_ps.size(), 2U) << exact.reason;
  EXPECT_EQ(exact.response_ps[0], 4U);
  EXPECT_EQ(exact.response_ps[1], 3U);
}

TEST(ExactResponses, ARunWaitsForTheOneBefore) {
  // The second takes 9 of a hyperperiod of 12; the run of the first that is wanted at 4 ends at 11, the next at 13.
  EXPECT_EQ(exact_responses({one_op(2, 2, 0, 4), one_op(9, 9, 1, 12)}, kZones).reason,
            "a run may still execute when the releases repeat");
}

TEST(ExactResponses, WhatIsNotDefinedIsNotKnown) {
  EXPECT_EQ(exact_responses({one_op(1, 1, 0, 8), one_op(1, 1, 0, 8)}, kZones).reason,
            "tasks share a priority, and nothing says whose op begins first");
  EXPECT_NE(exact_responses({one_op(1, 1, 0, 8, 8)}, kZones).reason, "") << "an offset of a period";
  EXPECT_NE(exact_responses({one_op(1, 1, 0, 1'000'003), one_op(1, 1, 1, 1'000'033)}, kZones).reason, "");
  EXPECT_NE(exact_responses({one_op(1, 1, 0, 8), one_op(3, 4, 1, 80)}, 1).reason, "");
  PeriodicTask fixed = one_op(1, 1, 0, 8);
  fixed.problem.fixed_ps = 1;
  EXPECT_EQ(exact_responses({fixed}, kZones).reason, "beginning and ending a run take time");
  EXPECT_TRUE(exact_responses({fixed}, kZones).response_ps.empty());
}

}  // namespace
}  // namespace detent::verify
