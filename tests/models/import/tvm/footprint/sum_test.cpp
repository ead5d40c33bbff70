// Sums of sets against all combinations.
#include <gtest/gtest.h>

#include <set>

#include "models/import/tvm/footprint/sets/byte_sum.hpp"

namespace detent::models::tvm::footprint {
namespace {

ByteSet by_force(const Summands& summands, std::int64_t width) {
  std::set<std::int64_t> starts = {summands.offset};
  const auto add = [&](const std::vector<std::int64_t>& points) {
    std::set<std::int64_t> next;
    for (const std::int64_t start : starts) {
      for (const std::int64_t point : points) next.insert(start + point);
    }
    starts = next;
  };
  for (const Progression& one : summands.progressions) {
    std::vector<std::int64_t> points;
    for (std::int64_t i = 0; i < one.count; ++i) points.push_back(i * one.stride);
    add(points);
  }
  for (const std::vector<std::int64_t>& points : summands.points) add(points);
  std::vector<ByteInterval> all;
  for (const std::int64_t start : starts) all.push_back({start, start + width});
  return ByteSet::of(std::move(all));
}

TEST(FootprintSum, EqualsAllCombinations) {
  std::uint64_t state = 7;
  const auto pick = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state >> 33U) % below);
  };
  for (int round = 0; round < 500; ++round) {
    Summands summands;
    summands.offset = pick(100) - 50;
    for (std::int64_t i = pick(4); i > 0; --i) summands.add_progression(pick(40) - 20, 1 + pick(6));
    if (pick(2) == 0) summands.add_points({pick(60), pick(60), pick(60), pick(60)});
    const std::int64_t width = 1 + pick(8);
    const SumResult sum = sum_set(summands, width, 1U << 20U);
    ASSERT_TRUE(sum.exact);
    ASSERT_EQ(sum.bytes, by_force(summands, width)) << "round " << round;
  }
}

TEST(FootprintSum, PointsThatAreAGridBecomeProgressions) {
  Summands summands;
  summands.add_points({3, 5, 7, 103, 105, 107});
  EXPECT_TRUE(summands.points.empty());
  EXPECT_EQ(summands.progressions.size(), 2U);
  EXPECT_EQ(summands.offset, 3);
}

TEST(FootprintSum, TooManyIntervalsAreFilledAndInexact) {
  Summands summands;
  summands.add_progression(8, 1000);
  const SumResult sum = sum_set(summands, 4, 100);
  EXPECT_FALSE(sum.exact);
  EXPECT_EQ(sum.bytes, ByteSet({0, 7996}));
}

}  // namespace
}  // namespace detent::models::tvm::footprint
