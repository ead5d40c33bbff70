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

using Ranks = std::pair<std::uint64_t, std::uint64_t>;

/// Against sums of exact binomial chances, as fractions.
TEST(Statistics, IntervalsOfQuantiles) {
  EXPECT_EQ(fewest_for_interval(50), 6U);
  EXPECT_EQ(fewest_for_interval(99), 368U);
  EXPECT_EQ(fewest_for_interval(1), 368U);
  EXPECT_EQ(interval_ranks(5, 50), std::nullopt);
  EXPECT_EQ(interval_ranks(6, 50), Ranks(1, 6));
  EXPECT_EQ(interval_ranks(10, 50), Ranks(2, 9));
  EXPECT_EQ(interval_ranks(100, 50), Ranks(40, 61));
  EXPECT_EQ(interval_ranks(200, 50), Ranks(86, 115));
  EXPECT_EQ(interval_ranks(367, 99), std::nullopt);
  EXPECT_EQ(interval_ranks(368, 99), Ranks(360, 368));
  EXPECT_EQ(interval_ranks(368, 1), Ranks(1, 9));
  EXPECT_EQ(interval_ranks(400, 99), Ranks(392, 400));
  EXPECT_EQ(interval_ranks(1000, 99), Ranks(983, 997));
  EXPECT_EQ(interval_ranks(2000, 99), Ranks(1971, 1989));
  const auto many = interval_ranks(100'000'000, 99);  // 1.96 deviations of 995 on each side
  EXPECT_NEAR(static_cast<double>(many->first), 98'998'050, 2);
  EXPECT_NEAR(static_cast<double>(many->second), 99'001'951, 2);
}

/// Of uniform numbers, whose quantile is known: the interval misses it in about 5 % of the samples.
TEST(Statistics, IntervalsHoldTheQuantile) {
  int held = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto values = numbers(500, seed * 77 + 1, 0xFFFFF);
    const Percentile p99 = percentile(values, 99);
    EXPECT_TRUE(p99.has_interval);
    EXPECT_LE(p99.low_ps, p99.value_ps);
    EXPECT_LE(p99.value_ps, p99.high_ps);
    const std::uint64_t quantile = 0xFFFFF / 100 * 99;
    held += p99.low_ps <= quantile && quantile <= p99.high_ps ? 1 : 0;
  }
  EXPECT_GE(held, 370);
}

TEST(Statistics, TooFewValuesHaveNoInterval) {
  const Percentile p99 = percentile({4, 9, 2}, 99);
  EXPECT_FALSE(p99.has_interval);
  EXPECT_EQ(p99.value_ps, 9U);
  EXPECT_EQ(p99.needs_runs, 368U);
  EXPECT_EQ(p99.low_ps, 0U);
  EXPECT_EQ(p99.high_ps, 0U);
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
