#include "models/plan/reuse.hpp"

#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"
#include "models/plan/plan_check.hpp"

namespace detent::models {
namespace {

/// `count` branches of source -> left_i -> right_i -> join, each of two buffers of 64 bytes.
Model branches(int count) {
  Builder b("branches");
  const TensorId source = mix(b, "source", {b.input("x", {64}, DETENT_U8)}, 64);
  std::vector<TensorId> ends;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    ends.push_back(mix(b, "right" + name, {mix(b, "left" + name, {source}, 640)}, 64));
  }
  b.output(mix(b, "join", ends, 64));
  return b.finish();
}

ReusePlanner planner_of(const Model& model) { return {model, std::vector<std::uint64_t>(model.ops.size(), 10)}; }

TEST(ReusePlanner, TheFastestPlanIsThatOfThePlannerAndAddsNoEdge) {
  Model model = branches(3);
  const ReusePlanner planner = planner_of(model);
  EXPECT_EQ(planner.parallel().plan.arena_bytes, plan_memory(model).arena_bytes);
  EXPECT_TRUE(planner.parallel().edges.empty());
  EXPECT_EQ(planner.parallel().model, model);
}

TEST(ReusePlanner, TheSmallestPlanIsTheSerialOneWithItsEdges) {
  Model model = branches(3);
  const ReusePlanner planner = planner_of(model);
  EXPECT_EQ(planner.serial().plan.arena_bytes, plan_memory(model, {.order = PlanOrder::kSerial}).arena_bytes);
  EXPECT_FALSE(planner.serial().edges.empty());
  EXPECT_TRUE(find_plan_faults(planner.serial().model).empty());
  Model without = planner.serial().model;
  without.edges = model.edges;
  EXPECT_FALSE(find_plan_faults(without).empty()) << "the edges are what makes it valid";
}

TEST(ReusePlanner, APlanBetweenOrdersSomeBranchesOnly) {
  const ReusePlanner planner = planner_of(branches(4));
  const std::uint64_t least = planner.serial().plan.arena_bytes, most = planner.parallel().plan.arena_bytes;
  const auto plan = planner.within((least + most) / 2);
  ASSERT_TRUE(plan.has_value());
  EXPECT_LE(plan->plan.arena_bytes, (least + most) / 2);
  EXPECT_TRUE(find_plan_faults(plan->model).empty());
  EXPECT_FALSE(plan->edges.empty());
  EXPECT_LT(plan->edges.size(), planner.serial().edges.size());
}

TEST(ReusePlanner, NoEdgeIsImpliedByOthers) {
  const ReusePlanner planner = planner_of(branches(4));
  const ReusePlan& serial = planner.serial();
  for (const Edge& left_out : serial.edges) {
    Model model = serial.model;
    std::erase(model.edges, left_out);
    EXPECT_FALSE(find_plan_faults(model).empty()) << left_out.from << " -> " << left_out.to;
  }
}

TEST(ReusePlanner, ShortChainsAreJoinedBeforeLongOnes) {
  // Branch 1 is long: its buffers are the last to be shared.
  const Model model = branches(3);
  std::vector<std::uint64_t> op_ps(model.ops.size(), 10);
  for (std::size_t op = 0; op < model.ops.size(); ++op) {
    if (model.ops[op].name == "left2") op_ps[op] = 1000;
  }
  const ReusePlanner planner(model, op_ps);
  const auto plan = planner.within(planner.parallel().plan.arena_bytes - 1);
  ASSERT_TRUE(plan.has_value());
  for (const Edge& edge : plan->edges) EXPECT_NE(model.ops[edge.to].name, "left2");
}

TEST(ReusePlanner, BelowTheSmallestThereIsNoPlan) { EXPECT_FALSE(planner_of(branches(3)).within(640).has_value()); }

}  // namespace
}  // namespace detent::models
