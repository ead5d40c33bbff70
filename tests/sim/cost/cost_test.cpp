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

TEST(Cost, ImpossibleTimesAreRefused) {
  EXPECT_THROW(time_of({9, 7, 0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(time_of({kUnknown, kUnknown, UINT64_MAX, 0, 0}, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace detent::sim::test
