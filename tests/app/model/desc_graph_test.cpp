// Any Desc as an op graph whose values say what its tensors said.
#include "app/model/desc_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "app/model/graph.hpp"
#include "app/static/static_checks.hpp"
#include "models/core/decisions.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/verify/random_plan.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/static/structure.hpp"

namespace detent::app {
namespace {

using verify::FlowFault;
using verify::testing::RandomPlan;

/// (reader, op in the way) of a report; what one op writes over itself is left out.
std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const verify::ValueFlowReport& report) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const verify::ValueViolation& violation : report.listed) {
    if (violation.fault != FlowFault::kClash) pairs.emplace(violation.reader, violation.in_the_way);
  }
  return pairs;
}

verify::ValueFlowReport judged(const models::Model& graph) {
  const models::LoweredModel lowered = models::lower(graph);
  const ValueTables values = models::value_tables(graph);
  return verify::find_value_violations(lowered.desc(), &values);
}

TEST(DescGraph, EveryModelOfTheZooKeepsItsVerdictsAsAGraphFile) {
  for (const models::ZooEntry& entry : models::zoo()) {
    const LoadedModel loaded = load(entry.name, {.weights = false});
    const StaticAnswer typed = check_static_laws(loaded.desc(), &loaded.values);
    if (!typed.flow) continue;
    if (models::has_computed_decisions(loaded.model)) {
      EXPECT_THROW(graph_of(entry.name, {}), std::invalid_argument);
      continue;
    }
    const models::Model graph = models::parse_graph(graph_of(entry.name, {}).text, "graph.json");
    const models::LoweredModel lowered = models::lower(graph);
    const ValueTables values = models::value_tables(graph);
    const StaticAnswer again = check_static_laws(lowered.desc(), &values);
    ASSERT_TRUE(again.flow) << entry.name;
    EXPECT_EQ(again.races->races.pairs, typed.races->races.pairs) << entry.name;
    EXPECT_LE(again.flow->reads, typed.flow->reads) << entry.name << ": one read of what one op wrote in parts";
    EXPECT_GE(2 * again.flow->reads, typed.flow->reads) << entry.name;
    EXPECT_EQ(again.flow->outputs, typed.flow->outputs) << entry.name;
    EXPECT_EQ(pairs_of(*again.flow), pairs_of(*typed.flow)) << entry.name;
  }
}

TEST(DescGraph, TablesWithoutAModelAreJudgedAsTheyAre) {
  verify::testing::ReusePlan plan;
  plan.tensors[2].offset_bytes = 64;  // act2 lies over act1, which its op reads: in place, but not declared
  plan.ops[1].priority = -3;
  plan.ops[1].commute_group = DETENT_NONE;
  plan.refresh();
  const models::Model graph = to_graph(plan.desc, nullptr);
  ASSERT_EQ(graph.ops.size(), 3U);
  EXPECT_EQ(graph.ops[1].priority, -3);
  EXPECT_EQ(graph.edges.size(), 2U);
  EXPECT_EQ(graph.value_names.size(), 2U);
  const std::string text = models::format_graph(graph);
  EXPECT_NE(text.find("detent.graph/2"), std::string::npos);
  EXPECT_EQ(models::format_graph(models::parse_graph(text, "again.json")), text);
  EXPECT_EQ(pairs_of(judged(graph)), pairs_of(verify::find_value_violations(plan.desc, nullptr)));
}

TEST(DescGraph, RandomTablesKeepTheirReadersAndTheirOpsInTheWay) {
  std::uint64_t violated = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    verify::testing::Random random{seed};
    const RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {});
    const auto typed = pairs_of(verify::find_value_violations(plan.desc, nullptr));
    ASSERT_EQ(pairs_of(judged(to_graph(plan.desc, nullptr))), typed) << seed;
    violated += typed.empty() ? 0U : 1U;
  }
  EXPECT_GT(violated, 50U);
}

TEST(DescGraph, MutexesGroupsTimesAndGuardsStay) {
  verify::testing::GraphSpec spec = verify::testing::make_ops(3);
  spec.ops[0].writes = {{0, 0, 8}};
  spec.ops[1].reads = {{0, 0, 8}};
  spec.mutex_count = 2;
  spec.ops[1].mutexes = {1};
  spec.edges = {{0, 1}};
  verify::testing::DescTables tables(spec);
  tables.ops[2].commute_group = 7;
  tables.refresh();
  ValueTables values;
  values.names = {"x"};
  values.tensor_values = {{0}, {0}};
  values.decisions = {{"c", 0, {"then"}}};
  values.guards = {{}, {{0, 0}}};
  const models::Model graph = to_graph(tables.desc, &values);
  EXPECT_EQ(graph.ops[1].mutexes.size(), 1U);
  EXPECT_EQ(graph.ops[2].commutes, "group7");
  EXPECT_EQ(graph.ops[1].guards.size(), 1U);
  EXPECT_EQ(graph.decisions.size(), 1U);
  EXPECT_EQ(graph.value_names, (std::vector<std::string>{"x"}));
  ASSERT_EQ(graph.ops[1].inputs.size(), 1U);
  EXPECT_EQ(graph.tensors[graph.ops[1].inputs[0]].values, (std::vector<std::uint32_t>{0}));
}

}  // namespace
}  // namespace detent::app
