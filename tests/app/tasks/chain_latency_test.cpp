#include "app/tasks/chain_latency.hpp"

#include <gtest/gtest.h>

namespace detent::app {
namespace {

TEST(ChainLatency, IsAPeriodAndAResponsePerLinkAtMost) {
  EXPECT_EQ(latency_bound_ps({{10, 3}, {20, 5}}), 38U);
  EXPECT_EQ(latency_bound_ps({{10, UINT64_MAX}}), std::nullopt);
  EXPECT_EQ(latency_bound_ps({{std::uint64_t{1} << 62U, 0}, {std::uint64_t{1} << 62U, 0}}), std::uint64_t{1} << 63U);
  EXPECT_EQ(latency_bound_ps({{std::uint64_t{1} << 62U, 0}, {std::uint64_t{1} << 62U, 1}}), std::nullopt);
}

TEST(ChainLatency, DataThatMissesARunWaitsForTheNext) {
  // Data of 1 is seen by the run from 10 to 14, and by the second task's from 20 to 22.
  const std::vector<ChainRun> first = {{0, 4}, {10, 14}, {20, 24}}, second = {{0, 2}, {20, 22}, {40, 42}};
  EXPECT_EQ(longest_latency_ps({first}), 13U);
  EXPECT_EQ(longest_latency_ps({first, second}), 31U) << "from 11: out at 24, then at 42";
}

TEST(ChainLatency, AnOutputThatIsThereAtABeginIsRead) {
  EXPECT_EQ(longest_latency_ps({{{0, 5}, {10, 15}}, {{15, 20}}}), 19U);
}

TEST(ChainLatency, TheFirstOutputThatHasSeenItCounts) {
  // Two contexts: the run that begins later ends earlier.
  EXPECT_EQ(longest_latency_ps({{{0, 9}, {10, 40}, {12, 20}}}), 19U);
}

TEST(ChainLatency, IsNotKnownWhereNothingComesThrough) {
  EXPECT_EQ(longest_latency_ps({}), std::nullopt);
  EXPECT_EQ(longest_latency_ps({{{0, 5}}}), std::nullopt);
  EXPECT_EQ(longest_latency_ps({{{0, 5}, {10, 15}}, {{14, 16}}}), std::nullopt);
}

}  // namespace
}  // namespace detent::app
