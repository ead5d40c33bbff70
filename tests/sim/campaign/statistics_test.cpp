// Statistics of campaigns against a sorted copy.
#include "sim/campaign/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

std::vector<std::uint64_t> numbers(std::size_t count, std::uint64_t seed, std::uint64_t mask) {
  Random random(seed);
  std::vector<std::uint64_t> values(count);
  for (std::uint64_t& value : values) value = random.next() & mask;
  return values;
}

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Statistics, RanksAreThoseOfTheSortedValues) {
  for (const std::size_t count : {1U, 2U, 7U, 100U, 40'000U}) {  // the last one is counted, the others copied
    for (const std::uint64_t mask : {0x3ULL, 0xFFFFULL, 0xFFFFFFFFFULL, ~0ULL}) {
      const auto values = numbers(count, count + mask, mask);
      const auto order = sorted(values);
      for (const std::size_t rank : {std::size_t{1}, (count + 1) / 2, (count * 99 + 99) / 100, count}) {
        ASSERT_EQ(value_of_rank(values, rank), order[rank - 1]) << count << " " << mask << " " << rank;
      }
    }
  }
}

TEST(Statistics, NearestRankOfFewValues) {
  EXPECT_EQ(nearest_rank({5}, 99), 5U);
  EXPECT_EQ(nearest_rank({5, 1}, 50), 1U);
  EXPECT_EQ(nearest_rank({5, 1, 3}, 50), 3U);
  EXPECT_EQ(nearest_rank({5, 1, 3}, 0), 1U);
  EXPECT_EQ(nearest_rank({5, 1, 3}, 100), 5U);
}

TEST(Statistics, SummaryNamesTheFirstRunsThatShowIt) {
  const Summary summary = summarize({4, 9, 2, 9, 4, 2, 4});
  EXPECT_EQ(summary.min_ps, 2U);
  EXPECT_EQ(summary.median_ps, 4U);
  EXPECT_EQ(summary.p99_ps, 9U);
  EXPECT_EQ(summary.worst_run, 1U);
  EXPECT_EQ(summary.median_run, 0U);
}

TEST(Statistics, MomentsOfKnownValues) {
  EXPECT_EQ(moments({7}).mean_ps, 7);
  EXPECT_EQ(moments({7}).standard_error_ps, 0);
  const Moments few = moments({2, 4, 4, 4, 5, 5, 7, 9});  // deviation 2 over n, so sqrt(32 / 7) over n - 1
  EXPECT_EQ(few.mean_ps, 5);
  EXPECT_NEAR(few.standard_error_ps, std::sqrt(32.0 / 7 / 8), 1e-12);
  const Moments huge = moments({UINT64_MAX, UINT64_MAX});  // the sum needs more than 64 bits
  EXPECT_EQ(huge.mean_ps, 0x1p64);
}

TEST(Statistics, LargestAreSortedWithTiesByPosition) {
  EXPECT_EQ(largest({4, 9, 2, 9, 4, 2, 4}, 4), (std::vector<std::uint64_t>{1, 3, 0, 4}));
  EXPECT_EQ(largest({1, 2}, 5), (std::vector<std::uint64_t>{1, 0}));
  EXPECT_TRUE(largest({1, 2}, 0).empty());
  const auto values = numbers(5000, 3, 0xFF);
  std::vector<std::uint64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] > values[b]; });
  order.resize(100);
  EXPECT_EQ(largest(values, 100), order);
}

TEST(Statistics, HistogramCountsEveryValueOnce) {
  const Histogram one = histogram({5, 5, 5}, 40);
  EXPECT_EQ(one.from_ps, 5U);
  EXPECT_EQ(one.counts, (std::vector<std::uint64_t>{3}));
  const Histogram ends = histogram({0, UINT64_MAX}, 10);
  EXPECT_EQ(ends.counts.size(), 10U);
  EXPECT_EQ(ends.counts.back(), 1U);
  const Histogram many = histogram(numbers(10'000, 1, 0xFFFFF), 40);
  EXPECT_LE(many.counts.size(), 40U);
  EXPECT_EQ(std::accumulate(many.counts.begin(), many.counts.end(), std::uint64_t{0}), 10'000U);
}

}  // namespace
}  // namespace detent::sim::test
