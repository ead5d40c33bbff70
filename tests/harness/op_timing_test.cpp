// OpTimer: every op gets a time, warm and cold; flushing touches operands without changing them; order statistics.
#include "harness/measure/op_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "harness/measure/host_costs.hpp"
#include "harness/measure/host_overheads.hpp"
#include "runtime/ports/host_clock.h"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

/// Three `mix` ops one after the other on a workspace of `bytes` each.
class Chain {
 public:
  explicit Chain(std::uint64_t bytes) {
    const std::uint32_t region = builder_.add_region("ws", DETENT_REGION_WORKSPACE, 4 * bytes);
    for (std::uint32_t i = 0; i < 4; ++i) {
      builder_.add_tensor({.name = "t",
                           .region = region,
                           .offset_bytes = i * bytes,
                           .block_bytes = bytes,
                           .flags = DETENT_TENSOR_RANGE});
    }
    for (std::uint32_t i = 0; i < 3; ++i) builder_.add_op({.name = "op", .inputs = {i}, .outputs = {i + 1}});
    for (std::uint32_t i = 0; i + 1 < 3; ++i) builder_.add_edge(i, i + 1);
  }
  [[nodiscard]] detent_desc desc() { return builder_.refresh(); }

 private:
  test::DescBuilder builder_;
};

TEST(OpTimer, EveryOpGetsATimeWarmAndCold) {
  Chain chain(4096);
  const detent_desc desc = chain.desc();
  for (const FlushMethod method : {FlushMethod::kBest, FlushMethod::kLines, FlushMethod::kWalk}) {
    OpTimer timer(desc, {.flush = method, .walk_bytes = 1 << 20});
    for (const CacheState state : {CacheState::kWarm, CacheState::kCold}) {
      const std::vector<std::uint64_t>& times = timer.run(state);
      ASSERT_EQ(times.size(), 3U);
      EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](std::uint64_t t) { return t > 0; }));
      EXPECT_GE(timer.makespan_ps(), *std::max_element(times.begin(), times.end()));
    }
  }
}

TEST(OpTimer, KernelsThatDoNothingTakeATick) {
  Chain chain(64);
  const detent_desc desc = chain.desc();
  const auto resolve = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args*) -> std::int32_t { return 0; };
    return DETENT_OK;
  };
  OpTimerOptions options;
  options.backends.push_back({nullptr, "*", resolve, nullptr});
  OpTimer timer(desc, options);
  for (int run = 0; run < 200; ++run) {
    for (const std::uint64_t time_ps : timer.run(CacheState::kWarm)) EXPECT_GE(time_ps, kHostTickPs);
  }
}

TEST(OpTimer, TimeLosesTheCostOfTheClockAndKeepsATick) {
  EXPECT_EQ(kernel_time_ps(50'000, 20'000), 30'000U);
  EXPECT_EQ(kernel_time_ps(50'000, 0), 50'000U);
  EXPECT_EQ(kernel_time_ps(21'000, 20'000), kHostTickPs);
  EXPECT_EQ(kernel_time_ps(20'000, 20'000), kHostTickPs);
  EXPECT_EQ(kernel_time_ps(19'000, 20'000), kHostTickPs) << "the clock was slower when its cost was measured";
  EXPECT_EQ(kernel_time_ps(0, 0), kHostTickPs);
}

TEST(OpTimer, RefusesADescThatDoesNotBindAndBackEndsThatDispatch) {
  Chain chain(64);
  detent_desc desc = chain.desc();
  detent_backend own = detent_cpu_backend("*", detent_builtin_kernels());
  own.dispatch = [](void*, detent_context*, const detent_entity*, std::uint32_t, std::int32_t*) {
    return DETENT_DISPATCH_DONE;
  };
  OpTimerOptions options;
  options.backends.push_back(own);
  EXPECT_THROW(OpTimer(desc, options), std::invalid_argument);
  const char* unknown[] = {"no_such_kernel", "delay"};
  desc.kernels = unknown;
  EXPECT_THROW(OpTimer(desc, OpTimerOptions{}), std::invalid_argument);
}

TEST(OpTimer, AFailingKernelIsNamed) {
  Chain chain(64);
  const detent_desc desc = chain.desc();
  const auto resolve = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args* args) -> std::int32_t { return args->op == 1 ? 7 : 0; };
    return DETENT_OK;
  };
  OpTimerOptions options;
  options.backends.push_back({nullptr, "*", resolve, nullptr});
  OpTimer timer(desc, options);
  EXPECT_THROW(static_cast<void>(timer.run(CacheState::kWarm)), std::invalid_argument);
}

TEST(OpTimer, StatisticsAreNearestRanks) {
  std::vector<std::uint64_t> samples;
  for (std::uint64_t i = 0; i < 200; ++i) samples.push_back(200 - i);
  const TimeStatistics s = summarize(samples, 5);
  EXPECT_EQ(s.min_ps, 1U);
  EXPECT_EQ(s.median_ps, 100U);
  EXPECT_EQ(s.p99_ps, 198U);
  EXPECT_EQ(s.max_ps, 200U);
  EXPECT_EQ(s.quantiles_ps, (std::vector<std::uint64_t>{1, 50, 100, 150, 200}));
  EXPECT_EQ(summarize({7}, 33).quantiles_ps, (std::vector<std::uint64_t>{7, 7}));
  EXPECT_EQ(summarize({7, 9}, 33).quantiles_ps, (std::vector<std::uint64_t>{7, 9}));
  EXPECT_THROW(static_cast<void>(summarize({}, 5)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(summarize({1}, 1)), std::invalid_argument);
}

TEST(OpTimer, TrimmedMeanLeavesOutTheGreatestTenth) {
  EXPECT_EQ(trimmed_mean({1, 2, 3, 4, 5, 6, 7, 8, 9, 1000}), 5U);
  EXPECT_EQ(trimmed_mean({4, 8}), 6U);
  EXPECT_THROW(static_cast<void>(trimmed_mean({})), std::invalid_argument);
}

TEST(HostCosts, FollowFromTheTimesOfChains) {
  const RuntimeCosts costs = costs_of_chains({.serial_ps = 1000, .logged_ps = 1300, .closed_ps = 1850, .lock_ps = 50});
  EXPECT_EQ(costs.dispatch_ps, 1000U);
  EXPECT_EQ(costs.log_ps, 150U);
  EXPECT_EQ(costs.queue_ps, 400U);
  EXPECT_EQ(costs.lock_ps, 50U);
  EXPECT_EQ(costs.lock_contended_ps, 50U);
  EXPECT_EQ(costs.wake_ps, 0U);
  EXPECT_EQ(costs.interrupt_ps, 0U);
  // What was measured as less than it contains costs nothing.
  const RuntimeCosts noisy = costs_of_chains({.serial_ps = 1000, .logged_ps = 999, .closed_ps = 1049, .lock_ps = 50});
  EXPECT_EQ(noisy.log_ps, 0U);
  EXPECT_EQ(noisy.queue_ps, 0U);
}

TEST(HostCosts, EveryNumberIsPossible) {
  int steps = 0;
  const HostCosts costs =
      measure_host({.rounds = 1, .copy_bytes = 1 << 20, .progress = [&](const std::string&) { ++steps; }});
  EXPECT_EQ(steps, 3);
  EXPECT_GE(costs.cpus, 1U);
  EXPECT_GT(costs.clock_hz, 0U);
  EXPECT_GT(costs.flops_per_cycle, 0);
  EXPECT_GT(costs.cache_bytes_per_cycle, 0);
  EXPECT_GT(costs.core_bytes_per_s, 0U);
  EXPECT_GE(costs.dram_bytes_per_s, costs.core_bytes_per_s);
  EXPECT_GT(costs.corun_rate, 0);
  EXPECT_LE(costs.corun_rate, 1);
  EXPECT_GT(costs.dispatch_ps, 0U);
  EXPECT_GT(costs.lock_ps, 0U);
  EXPECT_GE(costs.lock_contended_ps, costs.lock_ps);
  EXPECT_GT(costs.wake_ps, 0U);
  EXPECT_GT(costs.interrupt_ps, 0U);
  EXPECT_GT(last_level_cache_bytes(), 0U);
  EXPECT_GE(host_cache(2).sharers, 1U);
  const auto share = [](int level) { return host_cache(level).bytes / host_cache(level).sharers; };
  EXPECT_EQ(costs.l1_bytes, share(1));
  EXPECT_EQ(costs.l2_bytes, share(2) + share(3));
  EXPECT_THROW(static_cast<void>(measure_host({.rounds = 0})), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness
