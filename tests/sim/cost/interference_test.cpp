// What others add: simulated maxima on a chip with contention, hardware threads, loads and an NPU queue never pass
// Graham's or the typed bound over worst times with overhead and interference, plus the time that loads take.
#include "sim/cost/interference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cost/cost.hpp"
#include "sim/cost/dram.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

constexpr std::uint64_t kNoTime = UINT64_MAX;

Platform busy_chip(Random& random) {
  Platform platform = plain_platform({{"cpu", 1 + random.below(4)}, {"npu", 1 + random.below(2)}});
  platform.dram_bytes_per_s = 1'000'000'000;
  platform.contention = Contention::kQueue;
  CoreClass& cpu = platform.classes[0];
  cpu.dram_bytes_per_s = 400'000'000 + 100'000'000 * random.below(7);
  if (random.below(2) == 0) {
    cpu.threads_per_core = 2;
    cpu.corun_rate = 0.4 + 0.1 * random.below(6);
  }
  platform.classes[1].queue_depth = 1 + random.below(2);
  platform.classes[1].npu = npu::NpuConfig{};
  platform.overheads = {random.below(900), random.below(90),  random.below(90),   random.below(3000),
                        random.below(20),  random.below(200), random.below(5000), random.below(2000)};
  if (random.below(2) == 0) {
    platform.loads.push_back(
        {"control", "cpu", 0, 900'000, 100'000 + random.below(100'000), random.below(900'000), random.below(90'000)});
  }
  return platform;
}

std::uint64_t typed_bound(const Graph& graph, const std::vector<double>& weight_ps, const Platform& platform) {
  std::vector<double> path(graph.size());
  std::vector<double> volume(2);
  double longest = 0;
  for (std::size_t op = graph.size(); op-- > 0;) {
    const CoreClass& core_class = platform.classes[graph[op].core_class];
    const double cores = core_class.queue_depth > 1 ? 1 : core_class.count;  // an op may wait beside an idle NPU
    for (const std::uint32_t next : graph[op].successors) path[op] = std::max(path[op], path[next]);
    path[op] += weight_ps[op] * (1 - 1 / cores);
    longest = std::max(longest, path[op]);
    volume[graph[op].core_class] += weight_ps[op] / cores;
  }
  return static_cast<std::uint64_t>(longest + volume[0] + volume[1]) + 1;
}

TEST(Interference, SimulatedMaximaStayBelowTheBound) {
  Random random(17);
  double closest = 0;
  for (std::uint32_t seed = 0; seed < effort(150U); ++seed) {
    const Platform platform = busy_chip(random);
    RandomGraphOptions shape;
    shape.npu = true;
    Graph graph = random_graph(seed, shape);
    for (GraphOp& op : graph) op.mutexes.clear();
    const GraphDesc tables(graph, false);
    detent_desc desc = tables.desc();
    std::vector<detent_op_cost> costs;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      costs.push_back({kNoTime, kNoTime, random.below(3000), random.below(1000), random.below(500)});
    }
    desc.costs = costs.data();
    SimOptions options;
    options.timing_only = true;
    options.seeds.schedule = seed;
    options.runs = 5;
    options.migrating = random.below(2) == 0;
    options.jitter = {Jitter::Kind::kUniform, 0.3};
    const SimResult result = simulate(desc, platform, options);
    ASSERT_FALSE(result.failure) << *result.failure;

    const std::vector<OpWork> work = op_work(desc, platform, options.jitter);
    const EngineOverhead overhead = engine_overhead(desc, platform);
    std::uint64_t role_ps = 0;
    for (const std::uint64_t each_ps : overhead.role_ps) role_ps += each_ps;
    for (const Interference& others :
         {interference_by_op(desc, platform, work), interference_by_total(desc, platform, work)}) {
      std::vector<double> weight;
      for (std::size_t op = 0; op < graph.size(); ++op) {
        weight.push_back(static_cast<double>(work[op].time.worst_ps + others.per_op_ps[op] + overhead.local_ps[op]));
      }
      std::uint64_t bound = typed_bound(graph, weight, platform) + role_ps + overhead.run_ps + others.per_run_ps;
      bound += loads_ps(platform, bound);
      EXPECT_LE(result.max_ps, bound) << "seed " << seed;
      closest = std::max(closest, static_cast<double>(result.max_ps) / static_cast<double>(bound));
    }
  }
  EXPECT_GT(closest, 0.3) << "a bound that is never near says little";
}

/// An op on one of two CPUs waits for the other CPU and for the NPU alike, and not for itself; by the run, all waits
/// are for bytes of CPUs.
TEST(Interference, ChannelsSayWhoIsWaitedFor) {
  Platform platform = plain_platform({{"cpu", 2}, {"npu", 1}});
  platform.dram_bytes_per_s = 1'000'000'000;
  platform.contention = Contention::kQueue;
  const GraphDesc tables(Graph(1), false);
  detent_desc desc = tables.desc();
  const std::vector<detent_op_cost> costs(1, {kNoTime, kNoTime, 0, 1000, 0});
  desc.costs = costs.data();
  const std::vector<OpWork> work = op_work(desc, platform, {Jitter::Kind::kWorst, 0});
  const Interference by_op = interference_by_op(desc, platform, work);
  ASSERT_EQ(by_op.channels.size(), 4U);
  EXPECT_EQ(by_op.channels[0].client, "dram:cpu");
  EXPECT_EQ(by_op.channels[1].client, "dram:npu");
  EXPECT_NEAR(static_cast<double>(by_op.channels[0].per_op_ps[0]), 1'000'000, 10);
  EXPECT_NEAR(static_cast<double>(by_op.channels[1].per_op_ps[0]), 1'000'000, 10);
  EXPECT_EQ(by_op.channels[2].per_op_ps[0], 0U) << "one hardware thread";
  EXPECT_EQ(by_op.channels[3].per_run_ps, 4U);
  std::uint64_t sum = 0;
  for (const InterferenceChannel& channel : by_op.channels) sum += channel.per_op_ps[0];
  EXPECT_EQ(sum, by_op.per_op_ps[0]);
  const Interference by_total = interference_by_total(desc, platform, work);
  EXPECT_EQ(by_total.channels[0].per_run_ps, by_total.per_run_ps - 4);
  EXPECT_EQ(by_total.channels[1].per_run_ps, 0U);
}

/// Copies side by side on a saturated DRAM: without interference Graham's bound is far below what happens.
TEST(Interference, CopiesReachTheBoundWithInterferenceAndExceedItWithout) {
  for (const std::uint32_t cores : {2U, 3U, 4U}) {
    Platform platform = plain_platform({{"cpu", cores}});
    platform.dram_bytes_per_s = 1'000'000'000;
    platform.contention = Contention::kQueue;
    const Graph graph(cores);
    const GraphDesc tables(graph, false);
    detent_desc desc = tables.desc();
    const std::vector<detent_op_cost> costs(cores, {kNoTime, kNoTime, 0, 1000, 0});
    desc.costs = costs.data();
    SimOptions options;
    options.timing_only = true;
    options.jitter = {Jitter::Kind::kWorst, 0};
    const std::uint64_t makespan_ps = simulate(desc, platform, options).max_ps;
    EXPECT_GE(makespan_ps, 1'000'000U * cores);
    EXPECT_LE(makespan_ps, 1'000'000U * cores + 1) << "speeds are rounded down";
    const std::vector<OpWork> work = op_work(desc, platform, options.jitter);
    const auto bound_with = [&](const Interference& others) {
      std::vector<double> weight;
      for (std::uint32_t op = 0; op < cores; ++op) {
        weight.push_back(static_cast<double>(work[op].time.worst_ps + others.per_op_ps[op]));
      }
      platform.classes.push_back({"npu", 1});
      const std::uint64_t bound = typed_bound(graph, weight, platform) + others.per_run_ps;
      platform.classes.pop_back();
      return bound;
    };
    EXPECT_LE(makespan_ps, bound_with(interference_by_op(desc, platform, work)));
    EXPECT_LE(makespan_ps, bound_with(interference_by_total(desc, platform, work)));
    EXPECT_GT(makespan_ps, bound_with({std::vector<std::uint64_t>(cores, 0), 0, {}}));
  }
}

TEST(Interference, WithoutSharedMemoryInterferenceIsZero) {
  Graph graph(3);
  const GraphDesc tables(graph, false);
  detent_desc desc = tables.desc();
  std::vector<detent_op_cost> costs(3, {kNoTime, kNoTime, 100, 100, 100});
  desc.costs = costs.data();
  const Platform platform = plain_platform({{"cpu", 4}});
  const std::vector<OpWork> work = op_work(desc, platform, {});
  for (const std::uint64_t extra : interference_by_op(desc, platform, work).per_op_ps) EXPECT_EQ(extra, 0U);
  EXPECT_EQ(interference_by_total(desc, platform, work).per_run_ps, 0U);
  EXPECT_EQ(loads_ps(platform, 1'000'000), 0U);
}

/// What interference_by_total rests on.
TEST(Interference, ClientIsSlowedByAtMostTheShareServedToOthers) {
  Random random(23);
  for (std::uint32_t i = 0; i < effort(20'000U); ++i) {
    std::vector<DramClient> clients;
    const std::uint32_t count = 2 + random.below(6);
    for (std::uint32_t c = 0; c < count; ++c) {
      clients.push_back({0.001 * (1 + random.below(1000)), random.below(2) == 0 ? 1 + random.below(12) : 1});
    }
    std::vector<double> speeds(count);
    DramQueue queue;
    queue.solve(clients, speeds);
    double served = 0;
    std::vector<double> mine;
    for (std::uint32_t c = 0; c < count; ++c) {
      const DramClient& client = clients[c];
      mine.push_back(speeds[c] * client.share * client.streams * own_speed(client.share, client.streams));
      served += mine[c];
    }
    for (std::uint32_t c = 0; c < count; ++c) EXPECT_LE(1 - speeds[c], served - mine[c] + 1e-9) << i;
  }
}

// Hand-computed. A part in a million and some picoseconds cover the arithmetic of the chip.

/// One op of 1000 bytes at 1 GB/s: a microsecond alone, all of it on the DRAM.
OpWork copy_of_a_kilobyte() {
  OpWork work;
  work.time = {1'000'000, 1'000'000};
  work.dram_bytes = 1000;
  return work;
}

Platform shared_chip(std::uint32_t cpus) {
  Platform platform = plain_platform({{"cpu", cpus}});
  platform.dram_bytes_per_s = 1'000'000'000;
  platform.contention = Contention::kQueue;
  return platform;
}

Interference by_op_of(const OpWork& work, const Platform& platform) {
  const GraphDesc tables(Graph(1), false);
  return interference_by_op(tables.desc(), platform, {work});
}

void expect_extra(const OpWork& work, const Platform& platform, std::uint64_t extra_ps) {
  const Interference others = by_op_of(work, platform);
  EXPECT_FALSE(others.unknown);
  EXPECT_GE(others.per_op_ps[0], extra_ps);
  EXPECT_LE(others.per_op_ps[0], extra_ps + (extra_ps + work.time.worst_ps) / 500'000 + 1);
  EXPECT_EQ(others.per_run_ps, 4U) << "a begin and an end of each part";
}

TEST(Interference, EachRequestWaitsForOneOfEveryOtherStream) {
  expect_extra(copy_of_a_kilobyte(), shared_chip(1), 0);
  expect_extra(copy_of_a_kilobyte(), shared_chip(3), 2'000'000);
  OpWork half = copy_of_a_kilobyte();
  half.dram_bytes = 500;
  expect_extra(half, shared_chip(3), 1'000'000);
  half.front_ps = 250'000;  // 100 bytes of front, 500 of body
  half.front_bytes = 100;
  expect_extra(half, shared_chip(3), 1'200'000);
}

TEST(Interference, AnNpuHasAClientForEachCommandInItsQueue) {
  Platform platform = shared_chip(1);
  platform.classes.push_back({"npu", 2});
  platform.classes[1].npu = npu::NpuConfig{};
  platform.classes[1].npu->dma_outstanding = 4;
  for (std::uint32_t depth = 1; depth <= 3; ++depth) {
    platform.classes[1].queue_depth = depth;
    expect_extra(copy_of_a_kilobyte(), platform, 8'000'000 * depth);
  }
}

TEST(Interference, OtherHardwareThreadSlowsTimeOutsideOfMemory) {
  Platform platform = shared_chip(2);
  platform.classes[0].threads_per_core = 2;
  platform.classes[0].corun_rate = 0.5;
  OpWork work = copy_of_a_kilobyte();
  work.dram_bytes = 0;
  expect_extra(work, platform, 1'000'000);
  expect_extra(copy_of_a_kilobyte(), platform, 2'000'000);  // as if all of it were slowed, and one other stream
}

TEST(Interference, TotalBoundServesAllBytesOnce) {
  const GraphDesc tables(Graph(2), false);
  OpWork work = copy_of_a_kilobyte();
  work.front_ps = 1;
  work.front_bytes = 20;
  const Interference others = interference_by_total(tables.desc(), shared_chip(4), {work, work});
  EXPECT_FALSE(others.unknown);
  EXPECT_GE(others.per_run_ps, 2'040'000U + 8);
  EXPECT_LE(others.per_run_ps, 2'040'000U + 8 + 4);
  EXPECT_LE(others.per_op_ps[0], 2U);
}

TEST(Interference, MoreStreamsThanTheQueueSolvesHaveNoBound) {
  Platform platform = shared_chip(60);
  platform.classes.push_back({"npu", 2});
  platform.classes[1].npu = npu::NpuConfig{};
  platform.classes[1].npu->dma_outstanding = 50;
  const GraphDesc tables(Graph(1), false);
  EXPECT_FALSE(by_op_of(copy_of_a_kilobyte(), platform).unknown);
  platform.classes[1].npu->dma_outstanding = 51;
  EXPECT_TRUE(by_op_of(copy_of_a_kilobyte(), platform).unknown);
  EXPECT_TRUE(interference_by_total(tables.desc(), platform, {copy_of_a_kilobyte()}).unknown);
  OpWork none = copy_of_a_kilobyte();
  none.dram_bytes = 0;
  EXPECT_FALSE(by_op_of(none, platform).unknown) << "nobody asks for the DRAM";
}

/// Every release within the bound and the loads' own time, one carried in and one cut off; each may drive an op away.
TEST(Interference, LoadsTakeTheirReleasesWithinWhatTheyStretch) {
  Platform platform = plain_platform({{"cpu", 2}});
  platform.overheads.migrate_ps = 7;
  platform.loads = {{"a", "cpu", 0, 1'000, 100, 0, 50}};
  EXPECT_EQ(loads_ps(platform, 10'000), 13U * 109);  // 10,000 + 1,417 + 50 holds 11 periods
  EXPECT_EQ(loads_ps(platform, 0), 2U * 109);
}

TEST(Interference, LoadsThatLeaveNothingHaveNoBound) {
  Platform platform = plain_platform({{"cpu", 2}});
  platform.loads = {{"a", "cpu", 0, 100, 60, 0, 0}, {"b", "cpu", 1, 100, 60, 0, 0}};
  EXPECT_EQ(loads_ps(platform, 1'000'000), UINT64_MAX);
}

}  // namespace
}  // namespace detent::sim::test
