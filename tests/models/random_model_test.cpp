#include "models/builder/random_model.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "models/core/dag.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"

namespace detent::models {
namespace {

constexpr RandomShape kShapes[] = {RandomShape::kLayered, RandomShape::kErdos, RandomShape::kSeriesParallel};

TEST(RandomModel, IdsAreTopologicalAndEveryOpWritesOnce) {
  for (const RandomShape shape : kShapes) {
    const Model model = make_random_model({.seed = 4, .ops = 100, .shape = shape});
    EXPECT_EQ(model.ops.size(), 100U);
    for (const Edge& edge : model.edges) EXPECT_LT(edge.from, edge.to);
    for (const Op& op : model.ops) {
      EXPECT_EQ(op.outputs.size(), 1U);
      EXPECT_FALSE(op.inputs.empty());
      EXPECT_LE(op.time_ps->first, op.time_ps->second);
    }
    EXPECT_FALSE(model.outputs.empty());
  }
}

TEST(RandomModel, SeedDecidesEverything) {
  const Model a = make_random_model({.seed = 4, .ops = 50});
  const Model b = make_random_model({.seed = 4, .ops = 50});
  const Model c = make_random_model({.seed = 5, .ops = 50});
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) EXPECT_EQ(a.edges[i].to, b.edges[i].to);
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < 50; ++i) difference += a.ops[i].time_ps != c.ops[i].time_ps ? 1 : 0;
  EXPECT_GT(difference, 40U);
}

TEST(RandomModel, SeriesParallelHasOneSourceAndOneSink) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = make_random_model({.seed = seed, .ops = 30, .shape = RandomShape::kSeriesParallel});
    std::vector<int> in(30, 0), out(30, 0);
    for (const Edge& edge : model.edges) {
      ++out[edge.from];
      ++in[edge.to];
    }
    EXPECT_EQ(std::count(in.begin(), in.end(), 0), 1);
    EXPECT_EQ(std::count(out.begin(), out.end(), 0), 1);
  }
}

TEST(RandomModel, SharePicksTheClass) {
  const Model model = make_random_model({.seed = 1, .ops = 200, .npu_share = 0.5});
  const auto npu =
      std::count_if(model.ops.begin(), model.ops.end(), [](const Op& op) { return op.core_class == "npu"; });
  EXPECT_GT(npu, 60);
  EXPECT_LT(npu, 140);
}

TEST(RandomModel, OneOpAndNone) {
  for (const RandomShape shape : kShapes) EXPECT_EQ(make_random_model({.ops = 1, .shape = shape}).ops.size(), 1U);
  EXPECT_THROW(make_random_model({.ops = 0}), std::invalid_argument);
  EXPECT_THROW(make_random_model({.max_tensor_bytes = 8}), std::invalid_argument);
}

TEST(PlantedRace, BreaksThePlanForExactlyOneSharedPair) {
  int planted = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const RaceKind kind : {RaceKind::kWar, RaceKind::kWaw}) {
      Model model = make_random_model({.seed = seed, .ops = 40, .shape = kShapes[seed % 3]});
      plan_memory(model);
      const auto race = plant_race(model, kind, seed);
      EXPECT_EQ(find_plan_faults(model).size(), race ? 1U : 0U);
      if (!race) continue;
      ++planted;
      EXPECT_LT(race->first_op, race->second_op);
      EXPECT_TRUE(find_plan_faults(model, PlanOrder::kSerial).empty());
    }
  }
  EXPECT_GT(planted, 40);
}

TEST(PlantedRace, AChainOffersNoPair) {
  Model model = make_random_model({.ops = 1});
  plan_memory(model);
  EXPECT_FALSE(plant_race(model, RaceKind::kWar, 1));
  EXPECT_FALSE(plant_race(model, RaceKind::kWaw, 1));
}

}  // namespace
}  // namespace detent::models
