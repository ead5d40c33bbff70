// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "models/builder/builder.hpp"
#include "models/builder/control_flow.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/random_model.hpp"
#include "models/builder/split.hpp"
#include "models/core/dag.hpp"
#include "models/core/model.hpp"
#include "models/core/outcomes.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/emit_c/emit_c.hpp"
#include "models/emit_c/table.hpp"
#include "models/files/graph_buffers.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/graph_kernels.hpp"
#include "models/files/graph_sources.hpp"
#include "models/files/graph_values.hpp"
#include "models/files/op_table.hpp"
#include "models/files/package.hpp"
#include "models/files/package_layout.hpp"
#include "models/lower/lower.hpp"
#include "models/partition/plan.hpp"
#include "models/partition/plan_case.hpp"
#include "models/partition/plan_run.hpp"
#include "models/plan/internal.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/problem/greedy.hpp"
#include "models/plan/problem/parts.hpp"
#include "models/plan/problem/problem.hpp"
#include "models/plan/problem/solve.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(ModelDefaults, PartsOfAModel) {
  const WeightInit init;
  expect_zero(init.kind, init.stream);
  EXPECT_EQ(init.scale, 1);
  EXPECT_EQ(init.groups, 1U);
  const Tensor t;
  EXPECT_EQ(t.role, TensorRole::kActivation);
  EXPECT_EQ(t.dtype, DETENT_F32);
  EXPECT_EQ(t.layout, DETENT_LAYOUT_PLAIN);
  expect_zero(t.size_bytes, t.block_bytes, t.stride_bytes, t.alias_offset_bytes, t.offset_bytes);
  EXPECT_EQ(t.block_count, 1U);
  EXPECT_EQ(t.align_bytes, 64U);
  EXPECT_EQ(t.alias_of, kNone);
  EXPECT_EQ(t.region, kNone);
  const Op op;
  EXPECT_EQ(op.core_class, "cpu");
  EXPECT_EQ(op.footprint, Footprint::kDeclared);
  expect_zero(op.priority, op.in_place, op.flops, Edge{}.from, Edge{}.to, Edge{}.min_ps, Edge{}.max_ps);
  EXPECT_EQ(Region{}.kind, DETENT_REGION_WORKSPACE);
  EXPECT_EQ(Region{}.size_bytes, 0U);
  EXPECT_EQ(Region{}.align_bytes, 64U);
  EXPECT_EQ(Model{}.weight_seed, 1U);
  const ByteSet bytes;
  EXPECT_EQ(bytes.root, kNone);
  EXPECT_EQ(bytes.count, 1U);
  expect_zero(bytes.first, bytes.block, bytes.stride, Access{}.op, Access{}.tensor, Access{}.writes);
}

TEST(ModelDefaults, OptionsOfBuilders) {
  expect_zero(ViewOptions{}.offset_bytes, ViewOptions{}.block_bytes, ViewOptions{}.stride_bytes);
  EXPECT_EQ(ViewOptions{}.block_count, 1U);
  const ConvOptions c;
  expect_zero(c.out_channels, c.activation, c.gain);
  EXPECT_EQ(c.kernel, 1);
  EXPECT_EQ(c.stride, 1);
  EXPECT_EQ(c.pad, -1);
  EXPECT_EQ(c.dilation, 1);
  EXPECT_EQ(c.groups, 1);
  EXPECT_EQ(c.residual, kNone);
  EXPECT_EQ(PoolOptions{}.kernel, 2);
  EXPECT_EQ(PoolOptions{}.stride, 2);
  EXPECT_EQ(PoolOptions{}.pad, 0);
  const RandomOptions r;
  EXPECT_EQ(r.ops, 32U);
  EXPECT_EQ(r.shape, RandomShape::kLayered);
  EXPECT_EQ(r.max_tensor_bytes, 2048U);
  EXPECT_EQ(r.npu_share, 0);
  EXPECT_EQ(PlantedRace{}.kind, RaceKind::kWar);
  expect_zero(PlantedRace{}.first_op, PlantedRace{}.second_op);
  EXPECT_EQ(SplitOptions{}.bands, 2U);
  EXPECT_EQ(SplitOptions{}.min_flops, 4'000'000U);
  EXPECT_EQ(SplitOptions{}.min_bytes, 1'000'000U);
  EXPECT_TRUE(ExpectedVerdict{}.holds);
  expect_zero(ZooOptions{}.split, ZooOptions{}.weight_seed);
}

TEST(ModelDefaults, Plans) {
  EXPECT_EQ(Handover::kAnywhere, INT64_MAX);
  EXPECT_EQ(Handover{}.op, kNone);
  EXPECT_EQ(Handover{}.from, kNone);
  EXPECT_EQ(Handover{}.to, kNone);
  EXPECT_EQ(PlanOptions{}.order, PlanOrder::kParallel);
  EXPECT_EQ(PlanOptions{}.align_bytes, 64U);
  EXPECT_EQ(PlanOptions{}.rounds, 4000U);
  EXPECT_EQ(PlanOptions{}.pairwise_tensors, 24'576U);
  EXPECT_EQ(PlanOptions{}.window_tensors, 8192U);
  EXPECT_FALSE(PlanOptions{}.quick);
  EXPECT_FALSE(ZooOptions{}.leaves_places);
  EXPECT_EQ(Placement{}.tensor, kNone);
  EXPECT_EQ(Placement{}.region, kNone);
  EXPECT_EQ(MemoryPlan{}.order, PlanOrder::kParallel);
  expect_zero(Handover{}.most_displacement_bytes, PlanOptions{}.capacity_bytes, Placement{}.offset_bytes,
              Placement{}.size_bytes, MemoryPlan{}.arena_bytes, MemoryPlan{}.lower_bound_bytes,
              MemoryPlan{}.unshared_bytes);
  EXPECT_EQ(planner::Item{}.tensor, kNone);
  EXPECT_EQ(planner::Sharing{}.op, kNone);
  EXPECT_EQ(planner::Sharing{}.from, kNone);
  EXPECT_EQ(planner::Sharing{}.to, kNone);
  expect_zero(planner::Item{}.size_bytes, planner::Item{}.rounded_bytes, planner::Sharing{}.most_bytes,
              planner::Layout{}.height_bytes, planner::LowerBound{}.bytes);
}

TEST(ModelDefaults, EmittedFiles) {
  EXPECT_TRUE(EmitOptions{}.builtin_kernels);
  EXPECT_TRUE(LowerOptions{}.weights);
  expect_zero(EmitOptions{}.arena_bytes, EmitOptions{}.port_bytes, EmitOptions{}.arena_workers,
              EmitOptions{}.log_records, EmitOptions{}.log_bytes);
  EXPECT_FALSE(EmitOptions{}.default_workers.has_value());
}

TEST(ModelDefaults, ValuesOfBuilder) { expect_value(Loop{}.max_iterations, 1); }

TEST(ModelDefaults, ValuesOfCore) {
  expect_zero(Op{}.is_fallible);
  expect_value(Op{}.guarded, Guarded::kNo);
  expect_value(Combinations{}.is_whole, true);
}

TEST(ModelDefaults, ValuesOfPartition) {
  expect_zero(partition::ExecStep{}.device, partition::ExecStep{}.model, partition::IfStep{}.model,
              partition::IfStep{}.op, partition::IfStep{}.then_model, partition::IfStep{}.else_model,
              partition::IfStep{}.then_step, partition::IfStep{}.else_step, partition::WhileStep{}.model,
              partition::WhileStep{}.op, partition::WhileStep{}.cond_model, partition::WhileStep{}.body_model,
              partition::WhileStep{}.cond_step, partition::WhileStep{}.body_step, partition::WhileStep{}.exit_step,
              partition::GotoStep{}.target, partition::DeviceChoice{}.model, partition::DeviceChoice{}.op,
              partition::DeviceChoice{}.device, partition::DeviceChoice{}.is_unknown_size, partition::Plan{}.device,
              partition::PlanOperand{}.value, partition::PlanOp{}.place, partition::PlanDevice{}.does_most,
              partition::PlanDevice{}.does_all, partition::PlanRun{}.is_fenced);
  expect_value(partition::Plan{}.code, partition::ResultCode::kNoError);
  expect_value(partition::Plan{}.kind, partition::PlanKind::kError);
  expect_value(partition::PlanOperand{}.life, partition::Life::kTemporary);
  expect_value(partition::PlanOperand{}.is_size_known, true);
  expect_value(partition::PlanDevice{}.performance, 1);
  expect_value(partition::PlanCase{}.partitioning, partition::Partitioning::kWithFallback);
  expect_value(partition::PlanCase{}.max_iterations, 10'000);
  expect_value(partition::PlanResult{}.code, partition::ResultCode::kNoError);
}

TEST(ModelDefaults, ValuesOfPlanProblem) {
  expect_zero(packing::PartPlacement{}.height, packing::Item{}.first_section, packing::Item{}.end_section,
              packing::Item{}.size, packing::Item{}.lifetime, packing::Part{}.sections, packing::Buffer{}.lower,
              packing::Buffer{}.upper, packing::SolveOptions{}.capacity_bytes, packing::SolveOptions{}.max_nodes,
              packing::Solution{}.is_placed, packing::Solution{}.is_proven, packing::Solution{}.height_bytes,
              packing::Solution{}.lower_bound_bytes, packing::Solution{}.nodes, packing::Solution{}.max_nodes);
  expect_value(packing::Item{}.align, 1);
  expect_value(packing::Parts{}.unit_bytes, 1);
}

TEST(ModelDefaults, ValuesOfOps) {
  expect_zero(Op{}.watchdog_ps, Op{}.replaces, Op{}.flops, Region{}.is_separate, FallbackOn{}.slower,
              FallbackOn{}.watchdog_ps);
}

TEST(ModelDefaults, Limits) {
  expect_value(kMaxGraphOps, 2'000'000);
  expect_value(kMaxGraphTimePs, 4'611'686'018'427'387'904U);
  expect_value(kMaxGraphBuffers, 1'000'000);
  expect_value(kMaxBufferBytes, 2'147'483'647);
  expect_value(kMaxBufferAlign, 4096);
  expect_value(kMaxGraphParams, 256);
  expect_value(kMaxGraphSourceBytes, 16'777'216);
  expect_value(kMaxGraphSourcesBytes, 67'108'864);
  expect_value(kMaxGraphSources, 1000);
  expect_value(kMaxListedValues, 16);
  expect_value(kMaxOpGuards, 16);
  expect_value(kMaxTableEdges, 8'000'000);
  expect_value(partition::kMaxTouchedOperands, 20'000'000);
  expect_value(packing::kMaxBuffers, 20'000);
  expect_value(packing::kMaxSearchedBuffers, 2'048);
  expect_value(packing::kMaxProblemBytes, 67'108'864);
  expect_value(packing::kMaxTotalBytes, 1'152'921'504'606'846'976U);
  expect_value(packing::kMaxAlignBytes, 1'073'741'824);
}

TEST(ModelDefaults, NumbersOfThePackage) {
  expect_value(kPackageVersion, 2);
  expect_value(kMaxPackageBytes, 4'294'967'296U);
  expect_value(package::kHeaderBytes, 32);
  expect_value(package::kSectionEntryBytes, 32);
  expect_value(package::kHeaderSummedBytes, 24);
  expect_value(package::kSectionAlign, 8);
  expect_value(package::kFixedSections, 12);
  expect_value(package::kRegionIsSeparate, 1);
  expect_value(package::kFootprintShift, 3);
  expect_value(package::kGuardedShift, 7);
}

}  // namespace
}  // namespace detent::models
