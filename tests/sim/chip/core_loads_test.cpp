// Loads of one core: releases, order, jitter, and a count kept by other means.
#include "sim/chip/core_loads.hpp"

#include <gtest/gtest.h>

namespace detent::sim::test {
namespace {

TEST(CoreLoads, TakeTheCoreFromReleaseForTheirDuration) {
  const std::vector<Load> loads{{"a", "cpu", 0, 100, 30, 10, 0}};
  CoreLoads core(loads, {0});
  core.begin(1000, 0);
  core.advance(1009);
  EXPECT_FALSE(core.taken(1009));
  EXPECT_EQ(core.next_change_ps(1009), 1010U);
  core.advance(1010);
  EXPECT_TRUE(core.taken(1010));
  EXPECT_EQ(core.next_change_ps(1010), 1040U);
  core.advance(1040);
  EXPECT_FALSE(core.taken(1040));
  EXPECT_EQ(core.next_change_ps(1040), 1110U);
}

TEST(CoreLoads, WorkReleasedMeanwhileFollows) {
  const std::vector<Load> loads{{"a", "cpu", 0, 100, 30, 0, 0}, {"b", "cpu", 0, 1000, 50, 10, 0}};
  CoreLoads core(loads, {0, 1});
  core.keep_stretches(true);
  core.begin(0, 0);
  core.advance(10);
  EXPECT_EQ(core.next_change_ps(10), 80U);
  core.advance(150);
  ASSERT_EQ(core.stretches().size(), 3U);
  EXPECT_EQ(core.stretches()[1].load, 1U);
  EXPECT_EQ(core.stretches()[1].begin_ps, 30U);
  EXPECT_EQ(core.stretches()[2].begin_ps, 100U);
}

TEST(CoreLoads, JitterDelaysEachReleaseByUpToItsBound) {
  const std::vector<Load> loads{{"a", "cpu", 0, 1000, 10, 100, 200}};
  CoreLoads core(loads, {0});
  core.keep_stretches(true);
  std::uint64_t latest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    core.begin(0, seed);
    core.advance(9'999);
    ASSERT_EQ(core.stretches().size(), 10U);
    for (std::uint64_t k = 0; k < 10; ++k) {
      const std::uint64_t late = core.stretches()[k].begin_ps - (1000 * k + 100);
      EXPECT_LE(late, 200U);
      latest = std::max(latest, late);
    }
  }
  EXPECT_GT(latest, 180U);
}

TEST(CoreLoads, AFreeCoreNeverChanges) {
  const std::vector<Load> loads;
  CoreLoads core(loads, {});
  core.begin(5, 1);
  core.advance(1'000'000);
  EXPECT_FALSE(core.taken(1'000'000));
  EXPECT_EQ(core.next_change_ps(1'000'000), CoreLoads::kNever);
}

}  // namespace
}  // namespace detent::sim::test
