// Op times: the Desc's own range, else the roofline of work and traffic.
#include "sim/cost/cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

/// 2 GHz x 4 flops per cycle x 0.5 = 4 flops per ns; DRAM 1 byte per ns.
Platform round_platform() {
  Platform platform = plain_platform({{"cpu", 1}});
  platform.classes[0].clock_hz = 2'000'000'000;
  platform.classes[0].flops_per_cycle = 4;
  platform.classes[0].efficiency = 0.5;
  platform.dram_bytes_per_s = 1'000'000'000;
  return platform;
}

OpTime time_of(const detent_op_cost& cost, double spread = 0.1) {
  const GraphDesc tables(Graph(1), false);
  detent_desc desc = tables.desc();
  desc.costs = &cost;
  return op_times(desc, round_platform(), {Jitter::Kind::kUniform, spread}).at(0);
}

constexpr std::uint64_t kUnknown = UINT64_MAX;

TEST(Cost, KnownTimesAreTakenAsTheyAre) {
  const OpTime time = time_of({7, 9, 1000, 1000, 1000});
  EXPECT_EQ(time.best_ps, 7U);
  EXPECT_EQ(time.worst_ps, 9U);
}

TEST(Cost, ComputeBoundOpsTakeFlopsOverReachablePeak) {
  const OpTime time = time_of({kUnknown, kUnknown, 4000, 10, 10});
  EXPECT_EQ(time.best_ps, 1'000'000U);
  EXPECT_EQ(time.worst_ps, 1'100'000U);
}

TEST(Cost, MemoryBoundOpsTakeBytesOverBandwidth) {
  const OpTime time = time_of({kUnknown, kUnknown, 4, 1500, 500}, 0.5);
  EXPECT_EQ(time.best_ps, 2'000'000U);
  EXPECT_EQ(time.worst_ps, 3'000'000U);
}

TEST(Cost, NoWorkTakesNoTime) { EXPECT_EQ(time_of({kUnknown, kUnknown, 0, 0, 0}).worst_ps, 0U); }

/// An op of 1500 flops on a GPU of 1 flop per ns and a launch of 10 ns, whose output has these dims.
OpWork work_on_gpu(const std::vector<std::int32_t>& dims, double spread = 0) {
  Graph graph(1);
  graph[0].core_class = kNpu;
  const GraphDesc tables(graph, false);
  detent_desc desc = tables.desc();
  const detent_op_cost cost = {kUnknown, kUnknown, 1500, 0, 0};
  detent_op op = desc.ops[0];
  op.outputs = {0, 1};
  detent_tensor tensor = {};
  tensor.rank = static_cast<std::uint8_t>(dims.size());
  std::ranges::copy(dims, tensor.dims);
  const std::uint32_t ref = 0;
  desc.costs = &cost, desc.ops = &op, desc.tensors = &tensor, desc.tensor_refs = &ref;
  Platform platform = plain_platform({{"cpu", 1}, {"npu", 1}});
  CoreClass& core = platform.classes[1];
  core.clock_hz = 1'000'000'000, core.flops_per_cycle = 2, core.efficiency = 0.5;
  core.gpu = GpuConfig{.wave_elements = 100, .launch_cycles = 10, .loads_outstanding = 1};
  platform.dram_bytes_per_s = 1'000'000'000;
  return op_work(desc, platform, {Jitter::Kind::kUniform, spread}).at(0);
}

TEST(Cost, AGpuComputesInWholeWaves) {
  EXPECT_EQ(work_on_gpu({100}).time.best_ps, 1'510'000U) << "one full wave";
  EXPECT_EQ(work_on_gpu({3, 50}).time.best_ps, 2'010'000U) << "two waves, one of them half empty";
  EXPECT_EQ(work_on_gpu({50}).time.best_ps, 3'010'000U) << "half a wave";
  EXPECT_EQ(work_on_gpu({1, 4, 5, 5}).front_ps, 10'000U) << "the launch";
  EXPECT_EQ(work_on_gpu({}).time.best_ps, 1'510'000U) << "an output without a shape fills its waves";
  EXPECT_EQ(work_on_gpu({3, 50}, 0.5).time.worst_ps, 3'015'000U);
  EXPECT_EQ(work_on_gpu({3, 50}).compute_ps, 2'000'000U);
}

TimeSource source_of(const detent_op_cost& cost, const std::string& provenance, const char* kernel_source = "") {
  const GraphDesc tables(Graph(1), false);
  detent_desc desc = tables.desc();
  desc.costs = &cost;
  Platform platform = round_platform();
  if (!provenance.empty()) platform.provenance = {{"cpu.efficiency", provenance}};
  if (*kernel_source != '\0') {
    const std::string kernel = desc.kernels[desc.ops[0].kernel];
    platform.classes[0].kernel_efficiency = {{kernel, 0.5}};
    platform.provenance.push_back({"cpu.kernel_efficiency." + kernel, kernel_source});
  }
  return op_work(desc, platform, {}).at(0).source;
}

TEST(Cost, EveryTimeSaysWhereItComesFrom) {
  const detent_op_cost given{7, 9, 10, 10, 10}, work{kUnknown, kUnknown, 4000, 10, 10}, zero{0, 0, 10, 10, 10};
  EXPECT_EQ(source_of(given, ""), TimeSource::kGiven);
  EXPECT_EQ(source_of(work, "seen: a board"), TimeSource::kRoofline);
  EXPECT_EQ(source_of(work, "derived: from a board"), TimeSource::kRoofline);
  EXPECT_EQ(source_of(work, "memory: usual"), TimeSource::kGuessedRate);
  EXPECT_EQ(source_of(work, ""), TimeSource::kGuessedRate) << "a number without a source";
  EXPECT_EQ(source_of(work, "memory: usual", "derived: measured"), TimeSource::kRoofline) << "the kernel's own";
  EXPECT_EQ(source_of(work, "seen: a board", "memory: usual"), TimeSource::kGuessedRate);
  EXPECT_EQ(source_of(zero, "seen: a board"), TimeSource::kNone) << "no op takes no time";
  EXPECT_EQ(source_of({kUnknown, kUnknown, 0, 0, 0}, "seen: a board"), TimeSource::kNone);
}

TEST(Cost, ImpossibleTimesAreRefused) {
  EXPECT_THROW(time_of({9, 7, 0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(time_of({kUnknown, kUnknown, UINT64_MAX, 0, 0}, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace detent::sim::test
