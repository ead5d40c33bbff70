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

/// Strides up to 12 by threes: where one is a multiple of two others, it extends one of them and not both.
TEST(FootprintSum, ThreeProgressionsEqualAllCombinations) {
  for (std::int64_t a = 1; a <= 6; ++a) {
    for (std::int64_t b = a; b <= 8; ++b) {
      for (std::int64_t c = b; c <= 12; ++c) {
        for (std::int64_t counts = 0; counts < 27; ++counts) {
          Summands summands;
          summands.progressions = {{a, 2 + counts % 3}, {b, 2 + counts / 3 % 3}, {c, 2 + counts / 9}};
          const SumResult sum = sum_set(summands, 1, 1U << 20U);
          ASSERT_TRUE(sum.exact);
          ASSERT_EQ(sum.bytes, by_force(summands, 1)) << a << " " << b << " " << c << ", counts " << counts;
        }
      }
    }
  }
}

TEST(FootprintSum, AsManyIntervalsAsAreAllowedAreExact) {
  Summands copies;
  copies.add_progression(8, 128);
  EXPECT_TRUE(sum_set(copies, 4, 128).exact);
  EXPECT_EQ(sum_set(copies, 4, 128).bytes, by_force(copies, 4));
  EXPECT_FALSE(sum_set(copies, 4, 127).exact);
  EXPECT_EQ(sum_set(copies, 4, 127).bytes, ByteSet({0, 127 * 8 + 4}));
  EXPECT_TRUE(sum_set(copies, 8, 1).exact) << "copies without gaps are one interval";
  Summands points;
  points.add_points({0, 10, 25, 47});
  EXPECT_TRUE(sum_set(points, 1, 4).exact);
  EXPECT_EQ(sum_set(points, 1, 4).bytes.intervals().size(), 4U);
  EXPECT_FALSE(sum_set(points, 1, 3).exact);
  EXPECT_EQ(sum_set(points, 1, 3).bytes, ByteSet({0, 48}));
}

TEST(FootprintSum, NegativeStridesBeginAtTheirLastMember) {
  Summands summands;
  summands.add_progression(-4, 3);
  EXPECT_EQ(summands.offset, -8);
  EXPECT_EQ(sum_set(summands, 1, 100).bytes.intervals().size(), 3U);
  EXPECT_EQ(sum_set(summands, 1, 100).bytes.hull().begin, -8);
  EXPECT_EQ(sum_set(summands, 1, 100).bytes.hull().end, 1);
  summands.add_progression(0, 9);
  summands.add_progression(9, 1);
  EXPECT_EQ(summands.progressions.size(), 1U) << "neither moves anything";
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
