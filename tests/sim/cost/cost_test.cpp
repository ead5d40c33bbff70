// Op times: the Desc's own range, else the roofline of work and traffic.
#include "sim/cost/cost.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

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
