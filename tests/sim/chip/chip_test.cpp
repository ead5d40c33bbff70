// The chip: what runs together slows each other down, by how much, and what the machine trace says about it.
#include "sim/chip/chip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

constexpr std::uint64_t kTimeUnknown = UINT64_MAX;

/// 1 flop per ns on a core, DRAM 1 byte per ns, nothing else costs anything.
Platform round_chip(std::uint32_t cores) {
  Platform platform = plain_platform({{"cpu", cores}});
  platform.dram_bytes_per_s = 1'000'000'000;
  platform.contention = Contention::kQueue;
  return platform;
}

struct Work {
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;
};

/// Independent ops with this work, times unknown.
class WorkGraph {
 public:
  explicit WorkGraph(const std::vector<Work>& work) : WorkGraph(Graph(work.size()), work) {}
  WorkGraph(const Graph& graph, const std::vector<Work>& work) : tables_(graph, false), desc_(tables_.desc()) {
    for (const Work& each : work) costs_.push_back({kTimeUnknown, kTimeUnknown, each.flops, each.bytes, 0});
    desc_.costs = costs_.data();
  }
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  GraphDesc tables_;
  std::vector<detent_op_cost> costs_;
  detent_desc desc_;
};

SimOptions exact() {
  SimOptions options;
  options.timing_only = true;
  options.jitter = {Jitter::Kind::kWorst, 0};
  return options;
}

std::uint64_t makespan_of(const detent_desc& desc, const Platform& platform, const SimOptions& options = exact()) {
  const SimResult result = simulate(desc, platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return result.max_ps;
}

std::uint64_t idle_and_used(const harness::Account& a) {
  return a.compute_ps + a.memory_ps + a.overhead_ps + a.load_ps + a.idle_ps;
}

TEST(Chip, CountsTrafficOnlyWhereClientsShareTheDram) {
  const WorkGraph graph({{1000, 500}, {1000, 500}});
  Platform platform = round_chip(2);
  const auto count_dram = [&] {
    const SimResult result = simulate(graph.desc(), platform, exact());
    return std::ranges::count_if(result.worst.machine.counters,
                                 [](const harness::Counter& counter) { return counter.name.starts_with("dram"); });
  };
  EXPECT_EQ(count_dram(), 3) << "one for all, one per core";
  platform.contention = Contention::kNone;
  EXPECT_EQ(count_dram(), 0) << "a counter that is always 0 would be a claim";
}

TEST(Chip, AnOpAloneTakesItsRooflineTimeExactly) {
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 10}}).desc(), round_chip(2)), 1'000'000U);
  EXPECT_EQ(makespan_of(WorkGraph({{10, 1000}}).desc(), round_chip(2)), 1'000'000U);
}

TEST(Chip, TwoCopiesTakeTwiceAsLongOnASaturatedDram) {
  EXPECT_EQ(makespan_of(WorkGraph({{0, 1000}, {0, 1000}}).desc(), round_chip(2)), 2'000'000U);
}

TEST(Chip, ComputeThatNeedsNoMemoryIsNotDisturbed) {
  const WorkGraph graph({{5000, 0}, {0, 1000}});
  EXPECT_EQ(makespan_of(graph.desc(), round_chip(2)), 5'000'000U);
}

TEST(Chip, WithoutContentionEveryClientSeesTheWholeBandwidth) {
  Platform platform = round_chip(2);
  platform.contention = Contention::kNone;
  EXPECT_EQ(makespan_of(WorkGraph({{0, 1000}, {0, 1000}}).desc(), platform), 1'000'000U);
}

TEST(Chip, SpeedsChangeWhenClientsBeginAndEnd) {
  // Both at half speed until the short one is done, then the long one alone: 2 x 1000 + 500 ns.
  const WorkGraph graph({{0, 1000}, {0, 1500}});
  EXPECT_EQ(makespan_of(graph.desc(), round_chip(2)), 2'500'000U);
}

TEST(Chip, OneCoresBandwidthBelowTheServersLeavesRoomForAnother) {
  Platform platform = round_chip(4);
  platform.dram_bytes_per_s = 3'641'000'000;
  platform.classes[0].dram_bytes_per_s = 1'957'000'000;
  const auto rate = [&](std::uint32_t cores) {
    const WorkGraph graph(std::vector<Work>(cores, {0, 1'957'000}));
    return 1957.0 * cores * 1e9 / static_cast<double>(makespan_of(graph.desc(), platform));
  };
  EXPECT_NEAR(rate(1), 1957, 1);
  EXPECT_NEAR(rate(2) / 3123, 1, 0.05);
  EXPECT_NEAR(rate(4) / 3606, 1, 0.01);
}

TEST(Chip, CachedBytesNeverReachTheDram) {
  Platform platform = round_chip(2);
  platform.classes[0].l2_bytes = 1000;
  EXPECT_EQ(makespan_of(WorkGraph({{700, 1000}, {700, 1000}}).desc(), platform), 700'000U);
  EXPECT_EQ(makespan_of(WorkGraph({{0, 1600}}).desc(), platform), 600'000U);
  platform.classes[0].cache_bytes_per_cycle = 4;
  EXPECT_EQ(makespan_of(WorkGraph({{0, 1600}}).desc(), platform), 850'000U);
}

TEST(Chip, KernelEfficiencyReplacesTheClassesOwn) {
  Platform platform = round_chip(1);
  platform.classes[0].kernel_efficiency = {{"delay", 0.1}, {"mix", 0.5}};
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform), 2'000'000U);
}

TEST(Chip, HardwareThreadsOfOneCoreSlowEachOtherDown) {
  Platform platform = round_chip(4);
  platform.classes[0].threads_per_core = 2;
  platform.classes[0].corun_rate = 0.5;
  const std::vector<Work> work{{1000, 0}, {3000, 0}};
  // Half speed for 2000 ns, then the second alone for the 2000 that are left.
  EXPECT_EQ(makespan_of(WorkGraph(work).desc(), platform), 4'000'000U);
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform), 1'000'000U);
}

TEST(Chip, ALoadTakesTheCoreAndGivesItBack) {
  Platform platform = round_chip(1);
  platform.loads = {{"control", "cpu", 0, 1'000'000, 250'000, 100'000, 0}};
  // Releases at 0.1, 1.1 and 2.1 us, each for 0.25 us: 2 us of work end at 2 + 3 * 0.25.
  EXPECT_EQ(makespan_of(WorkGraph({{2000, 0}}).desc(), platform), 2'750'000U);
}

TEST(Chip, LoadsOfOneCoreFollowEachOther) {
  Platform platform = round_chip(1);
  platform.loads = {{"a", "cpu", 0, 10'000'000, 300'000, 100'000, 0}, {"b", "cpu", 0, 10'000'000, 200'000, 200'000, 0}};
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform), 1'500'000U);
}

TEST(Chip, MigratingWorkersLeaveACoreThatALoadTakes) {
  Platform platform = round_chip(2);
  platform.loads = {{"hog", "cpu", 0, 10'000'000, 5'000'000, 500'000, 0}};
  SimOptions options = exact();
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform, options), 6'000'000U) << "pinned";
  options.migrating = true;
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform, options), 1'000'000U);
  platform.overheads.migrate_ps = 7'000;
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform, options), 1'007'000U);
}

TEST(Chip, OpThatEndsWhenALoadBeginsIsNotDelayed) {
  Platform platform = round_chip(1);
  platform.loads = {{"hog", "cpu", 0, 10'000'000, 5'000'000, 1'000'000, 0}};
  EXPECT_EQ(makespan_of(WorkGraph({{1000, 0}}).desc(), platform), 1'000'000U);
}

TEST(Chip, ContendedLockIsPaidWhereTheRoleChangesHands) {
  Graph graph(6);
  for (std::uint32_t op = 0; op < 6; ++op) graph[op].best_ps = graph[op].worst_ps = 1000 + 700 * op;
  const GraphDesc tables(graph);
  Platform platform = plain_platform({{"cpu", 2}});
  const auto with = [&](std::uint64_t free_ps, std::uint64_t contended_ps) {
    platform.overheads.lock_ps = free_ps;
    platform.overheads.lock_contended_ps = contended_ps;
    return makespan_of(tables.desc(), platform);
  };
  EXPECT_EQ(with(10, 0), with(10, 10)) << "contended is never cheaper";
  EXPECT_GT(with(10, 100), with(10, 10));
}

/// An NPU of one cell: a GEMM op would need its tensors, so the roofline of the class stands in for the array.
Platform npu_chip(std::uint32_t queue_depth) {
  Platform platform = plain_platform({{"cpu", 1}, {"npu", 1}});
  platform.dram_bytes_per_s = 1'000'000'000;
  platform.contention = Contention::kQueue;
  platform.classes[1].npu = npu::NpuConfig{};
  platform.classes[1].queue_depth = queue_depth;
  platform.overheads.interrupt_ps = 5'000;
  return platform;
}

TEST(Chip, AnNpuExecutesOneOpAtATimeAndTellsByInterrupt) {
  Graph graph(3);
  for (GraphOp& op : graph) op.core_class = kNpu, op.best_ps = op.worst_ps = 100'000;
  const GraphDesc tables(graph);
  EXPECT_EQ(makespan_of(tables.desc(), npu_chip(1)), 315'000U);
  // With two commands in the queue the array does not wait for its driver.
  EXPECT_EQ(makespan_of(tables.desc(), npu_chip(2)), 305'000U);
}

TEST(Chip, AGpuLaunchesTheNextKernelWhileOneRuns) {
  Graph graph(3);
  for (GraphOp& op : graph) op.core_class = kNpu;
  const GraphDesc tables(graph, false);
  detent_desc desc = tables.desc();
  const std::vector<detent_op_cost> costs(3, {UINT64_MAX, UINT64_MAX, 100, 0, 0});
  desc.costs = costs.data();
  Platform platform = npu_chip(1);
  CoreClass& gpu = platform.classes[1];
  gpu.npu.reset();
  gpu.gpu = GpuConfig{.wave_elements = 1, .launch_cycles = 20, .loads_outstanding = 4};
  gpu.clock_hz = 1'000'000'000, gpu.flops_per_cycle = 1, gpu.efficiency = 1;
  EXPECT_EQ(makespan_of(desc, platform), 375'000U) << "launch, kernel, interrupt";
  gpu.queue_depth = 2;
  EXPECT_EQ(makespan_of(desc, platform), 325'000U) << "one launch and the last interrupt";
}

/// Two NPUs. The third op has to wait behind one of the first two; the fourth is ready when the second NPU has been
/// empty for a while, and its worker is the one of the first NPU.
TEST(Chip, ACommandJoinsTheNpuWithTheShortestQueue) {
  Graph graph(4);
  const std::array<std::uint64_t, 4> times_ps = {300'000, 200'000, 100'000, 100'000};
  for (std::uint32_t op = 0; op < 4; ++op) graph[op].best_ps = graph[op].worst_ps = times_ps[op];
  for (GraphOp& op : graph) op.core_class = kNpu;
  graph[0].successors = {3};
  Platform platform = npu_chip(2);
  platform.classes[1].count = 2;
  EXPECT_EQ(makespan_of(GraphDesc(graph).desc(), platform), 410'000U);
  graph.resize(2);
  graph[0].successors.clear();
  EXPECT_EQ(makespan_of(GraphDesc(graph).desc(), platform), 305'000U) << "one op for each NPU";
}

TEST(Chip, EachNpuHasACounterOfItsOwn) {
  Graph graph(4);  // one executed, one in the queue of each
  for (GraphOp& op : graph) op.core_class = kNpu, op.best_ps = op.worst_ps = 100'000;
  Platform platform = npu_chip(2);
  platform.classes[1].count = 2;
  const GraphDesc tables(graph);
  const SimResult result = simulate(tables.desc(), platform, exact());
  const harness::MachineTrace& machine = result.worst.machine;
  std::map<std::string, std::uint64_t> most;
  for (const harness::Sample& sample : machine.samples) {
    std::uint64_t& value = most[machine.counters.at(sample.counter).name];
    value = std::max(value, sample.value);
  }
  EXPECT_GT(most["npu0 queue"], 0U);
  EXPECT_GT(most["npu1 queue"], 0U);
}

TEST(Chip, EveryCounterBeginsWithTheRun) {
  Graph graph(4);
  for (GraphOp& op : graph) op.core_class = kNpu, op.best_ps = op.worst_ps = 100'000;
  Platform platform = npu_chip(2);
  platform.classes[1].count = 3;  // one may never be used
  const GraphDesc tables(graph);
  const harness::MachineTrace machine = simulate(tables.desc(), platform, exact()).worst.machine;
  ASSERT_GE(machine.counters.size(), 3U);
  std::map<std::uint32_t, harness::Sample> first;
  for (const harness::Sample& sample : machine.samples) first.try_emplace(sample.counter, sample);
  for (std::uint32_t counter = 0; counter < machine.counters.size(); ++counter) {
    ASSERT_TRUE(first.contains(counter)) << machine.counters[counter].name;
    EXPECT_EQ(first[counter].time_ps, 0U);
  }
}

TEST(Chip, AccountsAddUpToTheMakespanAndBytesAreKept) {
  Platform platform = round_chip(3);
  platform.classes[0].threads_per_core = 2;
  platform.classes[0].corun_rate = 0.7;
  platform.overheads = {300, 50, 40, 2000, 10, 90, 0, 0};
  platform.loads = {{"load", "cpu", 1, 1'000'000, 200'000, 0, 300'000}};
  Random random(3);
  for (std::uint32_t seed = 0; seed < effort(40U); ++seed) {
    const Graph graph = random_graph(seed, {});
    std::vector<Work> work;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      work.push_back({random.below(3000), random.below(2000)});
      bytes += work.back().bytes;
    }
    SimOptions options = exact();
    options.seeds.schedule = seed;
    const WorkGraph tables(graph, work);
    const SimResult result = simulate(tables.desc(), platform, options);
    ASSERT_FALSE(result.failure) << *result.failure;
    const harness::MachineTrace& machine = result.worst.machine;
    std::uint64_t moved = 0;
    for (const harness::Account& account : machine.accounts) {
      EXPECT_EQ(idle_and_used(account), result.max_ps) << seed;
      EXPECT_LE(account.contention_ps, account.memory_ps);
      moved += account.dram_bytes;
    }
    EXPECT_NEAR(static_cast<double>(moved), static_cast<double>(bytes), 2.0 * static_cast<double>(graph.size()));
    std::vector<std::uint64_t> ends(machine.resources.size(), 0);
    for (const harness::Use& use : machine.uses) {
      EXPECT_GE(use.begin_ps, ends[use.resource]) << "uses of one resource overlap, seed " << seed;
      EXPECT_LT(use.begin_ps, use.end_ps);
      EXPECT_LE(use.end_ps, result.max_ps);
      ends[use.resource] = use.end_ps;
    }
  }
}

TEST(Chip, ATraceChangesNothing) {
  Platform platform = round_chip(2);
  platform.loads = {{"load", "cpu", 0, 700'000, 90'000, 0, 100'000}};
  Random random(5);
  for (std::uint32_t seed = 0; seed < effort(20U); ++seed) {
    const Graph graph = random_graph(seed, {});
    std::vector<Work> work;
    for (std::size_t i = 0; i < graph.size(); ++i) work.push_back({random.below(3000), random.below(2000)});
    SimOptions options = exact();
    options.seeds.schedule = seed;
    options.runs = 3;  // the worst and the median run are repeated with a trace and compared
    options.jitter = {Jitter::Kind::kUniform, 0.5};
    const SimResult result = simulate(WorkGraph(graph, work).desc(), platform, options);
    EXPECT_FALSE(result.failure) << *result.failure;
  }
}

}  // namespace
}  // namespace detent::sim::test
