// Steps of a pool of workers, counted by hand.
#include <gtest/gtest.h>

#include "sim/cost/overhead.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

Platform stepping_platform() {
  Platform platform = plain_platform({{"cpu", 2}, {"npu", 1}});
  platform.classes[1].npu = npu::NpuConfig{};
  platform.overheads = {.dispatch_ps = 1,
                        .queue_ps = 10,
                        .lock_ps = 100,
                        .wake_ps = 1'000,
                        .log_ps = 10'000,
                        .lock_contended_ps = 200,
                        .interrupt_ps = 100'000,
                        .migrate_ps = 1'000'000};
  return platform;
}

TEST(PoolOverhead, EveryHoldOfTheRolePaysForItselfAndForWhomItWakes) {
  // A CPU op, an NPU op and a delay in a row.
  const GraphDesc graph(Graph{{.successors = {1}, .mutexes = {}},
                              {.core_class = kNpu, .successors = {2}, .mutexes = {}},
                              {.core_class = kDelay, .successors = {}, .mutexes = {}}});
  const PoolOverhead found = pool_overhead(graph.desc(), stepping_platform(), {2, 1, 0, 0});
  EXPECT_EQ(found.local_ps, (std::vector<std::uint64_t>{20'001 + 10, 20'001 + 10 + 100'000, 0}));
  // The run is opened; two ops are given and three reported; of two CPU workers one may come in vain.
  const std::uint64_t holds = 1 + 2 + 3 + 1;
  EXPECT_EQ(found.run_ps, holds * (200 + 1'000) + 3 * 3 * 10 + 20'001);
  EXPECT_EQ(found.window_ps, 3 * (200 + 1'000) + 2 * 1'000U);
}

TEST(PoolOverhead, OpsThatShareAMutexMayStandInTheWayOfEveryWorker) {
  const GraphDesc graph(Graph{{.successors = {}, .mutexes = {0}}, {.successors = {}, .mutexes = {0}}});
  // Two given, two reported, one opened; per op one other worker in vain, and both workers for each of two mutexed ops.
  const std::uint64_t holds = 2 + 2 + 1 + 2 * 1 + 2 * 2;
  EXPECT_EQ(pool_overhead(graph.desc(), stepping_platform(), {2, 1, 0, 0}).run_ps, holds * 1'200 + 2 * 3 * 10);
}

TEST(PoolOverhead, WhatCostsNothingAddsNothing) {
  const GraphDesc graph(Graph{{.successors = {1}, .mutexes = {}}, {.successors = {}, .mutexes = {}}});
  const PoolOverhead found = pool_overhead(graph.desc(), plain_platform({{"cpu", 2}}), {2, 0, 0, 0});
  EXPECT_EQ(found.local_ps, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(found.run_ps, 0U);
  EXPECT_EQ(found.window_ps, 0U);
}

TEST(PoolOverhead, StepsThatPass64BitsAreNotKnown) {
  const GraphDesc graph(Graph{{.successors = {1}, .mutexes = {}}, {.successors = {}, .mutexes = {}}});
  Platform platform = plain_platform({{"cpu", 2}});
  platform.overheads.wake_ps = UINT64_MAX / 4;
  EXPECT_EQ(pool_overhead(graph.desc(), platform, {2, 0, 0, 0}).run_ps, UINT64_MAX);
}

}  // namespace
}  // namespace detent::sim::test
