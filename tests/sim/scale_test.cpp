// Cost of a simulated op does not grow with the graph or the cores: counted in thread switches, not in time.
#include <gtest/gtest.h>

#include "sim/kernel/sim_kernel.hpp"
#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/scale_graph.hpp"

namespace detent::sim::test {
namespace {

/// Thread switches per op of one run without a trace.
double switches_per_op(std::uint32_t ops, std::uint32_t cores, Platform platform) {
  platform.classes[0].count = cores;
  const GraphDesc tables(scale_graph(7, {.ops = ops, .max_time_ps = 9'000'000, .reach = 20 * cores}), false);
  SimOptions options;
  options.timing_only = true;
  options.with_traces = false;
  const std::uint64_t before = SimKernel::instance().switches();
  const SimResult result = simulate(tables.desc(), platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return static_cast<double>(SimKernel::instance().switches() - before) / ops;
}

TEST(Scale, SwitchesPerOpDoNotGrowWithTheGraph) {
  const Platform plain = plain_platform({{"cpu", 4}});
  for (const std::uint32_t cores : {4U, 64U}) {
    const double small = switches_per_op(10'000, cores, plain);
    EXPECT_LE(switches_per_op(effort(1'000'000U), cores, plain), small * 1.05 + 0.05) << cores;
    EXPECT_LE(small, 2.1) << cores;  // to the worker and back
  }
}

TEST(Scale, SwitchesPerOpDoNotGrowWithTheCores) {
  const Platform plain = plain_platform({{"cpu", 4}});
  const double few = switches_per_op(effort(100'000U), 4, plain);
  for (const std::uint32_t cores : {16U, 64U}) {
    EXPECT_LE(switches_per_op(effort(100'000U), cores, plain), few + 1.1) << cores;
  }
}

TEST(Scale, OverheadsAddABoundedNumberOfSwitches) {
  const Platform real = find_platform("quad_npu");
  for (const std::uint32_t cores : {4U, 63U}) {
    const double small = switches_per_op(10'000, cores, real);
    EXPECT_LE(switches_per_op(effort(200'000U), cores, real), small * 1.1 + 0.1) << cores;
  }
}

}  // namespace
}  // namespace detent::sim::test
