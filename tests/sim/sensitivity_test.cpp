// Sensitivity on graphs whose answer is known: chains, ops in the shadow of others, a scheduling anomaly.
#include "sim/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

Sensitivity sensitivity_of(const Graph& graph, const Platform& platform, const SensitivityOptions& how = {}) {
  const GraphDesc tables(graph, false);
  SimOptions options;
  options.runs = 5;
  options.timing_only = true;
  const SimResult result = simulate(tables.desc(), platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return measure_sensitivity(tables.desc(), platform, options, result, how);
}

const CostEffect* effect_of(const Sensitivity& sensitivity, std::uint32_t op) {
  const auto place =
      std::ranges::find_if(sensitivity.effects, [op](const CostEffect& e) { return e.is_op && e.op == op; });
  return place == sensitivity.effects.end() ? nullptr : &*place;
}

const CostEffect* effect_of(const Sensitivity& sensitivity, const std::string& cost) {
  const auto place =
      std::ranges::find_if(sensitivity.effects, [&](const CostEffect& e) { return !e.is_op && e.cost == cost; });
  return place == sensitivity.effects.end() ? nullptr : &*place;
}

Graph graph_of(const std::vector<std::uint64_t>& times_ps) {
  Graph graph(times_ps.size());
  for (std::size_t i = 0; i < graph.size(); ++i) graph[i].best_ps = graph[i].worst_ps = times_ps[i];
  return graph;
}

TEST(Sensitivity, AChainDependsOnEachOpByItsShare) {
  Graph graph = graph_of({1'000, 3'000, 6'000});
  graph[0].successors = {1};
  graph[1].successors = {2};
  const Sensitivity found = sensitivity_of(graph, plain_platform({{"cpu", 2}}));
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.max_ps, 10'000U);
  for (const CostEffect& effect : found.effects) {  // clock and peak of the cores do not matter to given times
    EXPECT_EQ(effect.change_ps != 0, effect.is_op) << effect.cost;
  }
  EXPECT_EQ(found.effects[0].op, 2U);
  EXPECT_NEAR(found.effects[0].elasticity, 0.6, 1e-9);
  EXPECT_NEAR(effect_of(found, 0)->elasticity, 0.1, 1e-9);
  EXPECT_EQ(effect_of(found, 1)->change_ps, 30);
  EXPECT_EQ(found.ops_tried, 3U);
}

TEST(Sensitivity, AnOpInTheShadowOfAnotherDoesNotMatter) {
  const Sensitivity found = sensitivity_of(graph_of({10'000, 4'000}), plain_platform({{"cpu", 2}}));
  EXPECT_NEAR(effect_of(found, 0)->elasticity, 1, 1e-9);
  EXPECT_EQ(effect_of(found, 1)->change_ps, 0);
}

/// Graham's example of 1969: 9 ops on 3 cores, taken in list order; T9 waits for T1, T5 to T8 for T4. 12 units for the
/// times 3 2 2 2 4 4 4 4 9.
Graph graham(const std::vector<std::uint64_t>& times_ps) {
  Graph graph = graph_of(times_ps);
  graph[0].successors = {8};
  graph[3].successors = {4, 5, 6, 7};
  return graph;
}

TEST(Sensitivity, AnomaliesOfGrahamsGraphAreNamed) {
  const Platform cores = plain_platform({{"cpu", 3}});
  EXPECT_EQ(sensitivity_of(graham({3000, 2000, 2000, 2000, 4000, 4000, 4000, 4000, 9000}), cores).max_ps, 12'000U);
  // Every op is a unit shorter (T4 a little more, so that it ends before T1), and the schedule is longer.
  const Sensitivity found =
      sensitivity_of(graham({2000, 1000, 1000, 990, 3000, 3000, 3000, 3000, 8000}), cores, {.step = 0.5});
  EXPECT_EQ(found.max_ps, 12'990U);
  const CostEffect* slower_t4 = effect_of(found, 3);  // then T9 begins with the end of T1
  ASSERT_NE(slower_t4, nullptr);
  EXPECT_EQ(slower_t4->change_ps, -2'990);
  EXPECT_TRUE(slower_t4->anomalous());
  EXPECT_LT(slower_t4->elasticity, 0);
  EXPECT_EQ(slower_t4->shorter, 5U);
}

TEST(Sensitivity, EveryParameterThatCostsIsTried) {
  Platform platform = find_platform("quad_npu");
  platform.loads.push_back({"tick", "cpu", 0, 1'000'000'000, 10'000'000, 0, 0});
  platform.loads.push_back({"full", "cpu", 1, 1'000'000, 990'000, 0, 100});  // has no room for more
  const Sensitivity found = sensitivity_of(graph_of({1'000'000, 1'000'000}), platform);
  for (const char* cost :
       {"overheads.dispatch_ps", "overheads.queue_ps", "overheads.lock_ps", "overheads.wake_ps", "overheads.log_ps",
        "memory.dram_bytes_per_s", "cpu.clock_hz", "cpu.flops_per_cycle", "npu.clock_hz", "load.tick"}) {
    EXPECT_NE(effect_of(found, cost), nullptr) << cost;
  }
  EXPECT_EQ(effect_of(found, "load.full"), nullptr);
  EXPECT_EQ(effect_of(found, "overheads.migrate_ps"), nullptr) << "costs nothing on this platform";
  EXPECT_GT(effect_of(found, "overheads.dispatch_ps")->change_ps, 0);
  EXPECT_TRUE(std::ranges::is_sorted(found.effects, std::ranges::greater{}, &CostEffect::elasticity));
}

TEST(Sensitivity, SmallBudgetTakesTheBlockingChainFirstWithANote) {
  Graph graph = graph_of({100, 5'000, 200, 4'000});  // 0 -> 2 -> 3 takes 4300, 1 alone 5000
  graph[0].successors = {2};
  graph[2].successors = {3};
  const Sensitivity found =
      sensitivity_of(graph, plain_platform({{"cpu", 2}}), {.step = 0.01, .budget_op_runs = 4 * 9 * 2});
  EXPECT_EQ(found.ops, 4U);
  EXPECT_EQ(found.ops_tried, 2U);
  EXPECT_NE(effect_of(found, 1), nullptr);
  EXPECT_NE(effect_of(found, 3), nullptr) << "the longest of the others";
}

TEST(Sensitivity, BlockingChainGoesThroughEdgesAndSlots) {
  Graph graph(4);
  graph[0].successors = {2};
  const GraphDesc tables(graph, false);
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 0}, {1, 1, 0, 30, 0}, {2, 0, 10, 20, 0}, {3, 1, 30, 50, 0}};
  EXPECT_EQ(blocking_chain(tables.desc(), trace), (std::vector<std::uint32_t>{3, 1}));
  trace.spans = {{0, 0, 0, 10, 0}, {1, 1, 0, 5, 0}, {2, 1, 10, 60, 0}, {3, 0, 10, 12, 0}};
  EXPECT_EQ(blocking_chain(tables.desc(), trace), (std::vector<std::uint32_t>{2, 0}));
  EXPECT_TRUE(blocking_chain(tables.desc(), {}).empty());
}

TEST(Sensitivity, InvalidStepsAreRefused) {
  for (const double step : {0.0, -0.1, 1.5}) {
    EXPECT_THROW(sensitivity_of(graph_of({10}), plain_platform({{"cpu", 1}}), {.step = step}), std::invalid_argument);
  }
}

TEST(Sensitivity, OpsOfASlowerRunKeepTheirDraws) {
  Graph graph = graph_of({1'000'000});
  graph[0].worst_ps = 2'000'000;
  const Sensitivity found = sensitivity_of(graph, plain_platform({{"cpu", 1}}));
  EXPECT_NEAR(effect_of(found, 0)->elasticity, 1, 1e-3);
}

}  // namespace
}  // namespace detent::sim::test
