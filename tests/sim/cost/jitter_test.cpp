#include "sim/cost/jitter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace detent::sim::test {
namespace {

constexpr OpTime kRange{100, 110};

TEST(Jitter, StaysInRangeAndReachesBothEnds) {
  for (const auto kind : {Jitter::Kind::kUniform, Jitter::Kind::kTriangular}) {
    std::array<int, 11> seen{};
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
      const std::uint64_t time_ps = sample_ps(kRange, kind, seed, 3);
      ASSERT_GE(time_ps, kRange.best_ps);
      ASSERT_LE(time_ps, kRange.worst_ps);
      ++seen[time_ps - kRange.best_ps];
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int count) { return count > 0; }));
  }
}

TEST(Jitter, UniformIsFlatAndTriangularPeaksInTheMiddle) {
  std::array<int, 11> uniform{};
  std::array<int, 11> triangular{};
  for (std::uint32_t op = 0; op < 110000; ++op) {
    ++uniform[sample_ps(kRange, Jitter::Kind::kUniform, 1, op) - kRange.best_ps];
    ++triangular[sample_ps(kRange, Jitter::Kind::kTriangular, 1, op) - kRange.best_ps];
  }
  for (const int count : uniform) EXPECT_NEAR(count, 10000, 500);
  EXPECT_GT(triangular[5], 3 * triangular[0]);
  EXPECT_NEAR(triangular[2], triangular[8], 1500);
}

TEST(Jitter, WorstIsTheWorst) { EXPECT_EQ(sample_ps(kRange, Jitter::Kind::kWorst, 7, 7), 110U); }

TEST(Jitter, FullRangeDoesNotOverflow) {
  const OpTime full{0, UINT64_MAX};
  const OpTime high{UINT64_MAX - 1, UINT64_MAX};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    sample_ps(full, Jitter::Kind::kTriangular, seed, 0);
    EXPECT_GE(sample_ps(high, Jitter::Kind::kTriangular, seed, 0), UINT64_MAX - 1);
    EXPECT_GE(sample_ps(high, Jitter::Kind::kUniform, seed, 0), UINT64_MAX - 1);
  }
}

TEST(Jitter, RunZeroHasTheCampaignsSeed) {
  EXPECT_EQ(run_seed(42, 0), 42U);
  EXPECT_EQ(run_seed(run_seed(42, 17), 0), run_seed(42, 17));
  EXPECT_NE(run_seed(42, 1), run_seed(43, 1));
  EXPECT_NE(run_seed(42, 1), run_seed(42, 2));
}

}  // namespace
}  // namespace detent::sim::test
