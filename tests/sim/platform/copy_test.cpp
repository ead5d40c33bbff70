// Copy loops on simulated cores against published silicon: TI's LMBench figures of AM62P, the sister chip of AM62A.
#include <gtest/gtest.h>

#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

constexpr std::uint64_t kCopyBytes = 64 << 20;  // far more than the caches hold
constexpr std::uint32_t kCopies = 8;

/// MB/s copied by `cores` cores that do nothing else: kCopies independent ops, each reads and writes kCopyBytes.
double copied_mb_per_s(const Platform& platform, std::uint32_t cores) {
  const GraphDesc tables(Graph(kCopies), false);
  const std::vector<detent_op_cost> costs(kCopies, {UINT64_MAX, UINT64_MAX, 0, kCopyBytes, kCopyBytes});
  detent_desc desc = tables.desc();
  desc.costs = costs.data();
  SimOptions options;
  options.engine.workers = cores;
  options.jitter.spread = 0;
  options.timing_only = true;
  const SimResult result = simulate(desc, platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return static_cast<double>(kCopies * kCopyBytes) / (static_cast<double>(result.max_ps) * 1e-12) / 1e6;
}

TEST(Platform, TwoCopyingCoresOfAm62aAreAsMeasured) {
  const Platform platform = find_platform("am62a");
  EXPECT_NEAR(copied_mb_per_s(platform, 1) / 1957, 1, 0.01);  // fitted
  EXPECT_NEAR(copied_mb_per_s(platform, 4) / 3606, 1, 0.01);  // fitted
  EXPECT_NEAR(copied_mb_per_s(platform, 2) / 3123, 1, 0.05);  // predicted
}

TEST(Platform, TheSlowerCopyLoopOfTheSameMeasurementIsPredictedToo) {
  // bw_mem 8M cp of SPRADG0A: 1012, 1569 and 1874 MB/s on 1, 2 and 4 cores. Fitted on 1 and 4 like the platform itself.
  Platform platform = find_platform("am62a");
  platform.classes[0].dram_bytes_per_s = 2'024'540'000;
  platform.dram_bytes_per_s = 3'786'640'000;
  EXPECT_NEAR(copied_mb_per_s(platform, 1) / 1012.27, 1, 0.01);
  EXPECT_NEAR(copied_mb_per_s(platform, 4) / 1874.32, 1, 0.01);
  EXPECT_NEAR(copied_mb_per_s(platform, 2) / 1568.78, 1, 0.02);
}

TEST(Platform, WithoutContentionTwoCopyingCoresAreTwiceAsFast) {
  Platform platform = find_platform("am62a");
  platform.contention = Contention::kNone;
  EXPECT_NEAR(copied_mb_per_s(platform, 2) / copied_mb_per_s(platform, 1), 2, 0.01);
}

}  // namespace
}  // namespace detent::sim::test
