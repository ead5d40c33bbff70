// A class of cores with a memory of its own: who touches which region, and that the network computes what it did.
#include "models/devices/memories.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "harness/run_native.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/core/dag.hpp"
#include "models/devices/assign_core_class.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::models {
namespace {

bool is_in_memory(const Model& model, std::uint32_t tensor) {
  return model.regions[model.tensors[bytes_of(model, TensorId(tensor)).root].region].is_separate;
}

/// Every op of the class is in the memory with all but weights and guards, and no other op is, but for copies, which
/// have one side each.
void expect_sides(const Model& model, const std::string& core_class) {
  for (const Op& op : model.ops) {
    std::vector<std::uint32_t> inputs = op.inputs;
    if (op.guarded != Guarded::kNo) inputs.pop_back();
    if (op.kernel == "copy_blocks") {
      ASSERT_EQ(inputs.size(), 1U) << op.name;
      EXPECT_NE(is_in_memory(model, inputs[0]), is_in_memory(model, op.outputs[0])) << op.name;
      const auto is_of_guard = [&](const Op& writer) {
        const bool writes = std::ranges::count(writer.outputs, inputs[0]) != 0;
        return writes && op.guarded == (writer.is_fallible ? Guarded::kIfFalse : writer.guarded);
      };
      const bool is_input = std::ranges::count(model.inputs, inputs[0]) != 0;
      EXPECT_TRUE(is_input || std::ranges::any_of(model.ops, is_of_guard)) << op.name;
      continue;
    }
    for (const std::vector<std::uint32_t>* tensors : {&std::as_const(inputs), &op.outputs, &op.scratch}) {
      for (const std::uint32_t tensor : *tensors) {
        if (model.tensors[tensor].role == TensorRole::kWeight || model.tensors[tensor].dtype == DETENT_BOOL) continue;
        EXPECT_EQ(is_in_memory(model, tensor), op.core_class == core_class)
            << op.name << " " << model.tensors[tensor].name;
      }
    }
  }
}

std::uint64_t digest_of(const Model& model) {
  const LoweredModel lowered = lower(model);
  const harness::Run run = harness::run_native(lowered.desc(), {.engine = {.workers = 2}});
  EXPECT_EQ(run.result.error.status, DETENT_OK) << harness::describe_error(lowered.desc(), run.result.error);
  return run.digest;
}

Model moved(Model model, const ClassMemory& memory, std::size_t* copies = nullptr) {
  const std::size_t added = add_memory(model, memory);
  if (copies != nullptr) *copies = added;
  plan_memory(model);
  EXPECT_EQ(find_plan_faults(model), std::vector<std::string>{}) << model.name;
  const LoweredModel lowered = lower(model);
  EXPECT_EQ(verify::check_buffer_races(lowered.desc()).outcome, verify::Outcome::kHolds) << model.name;
  const ValueTables values = value_tables(model);
  EXPECT_EQ(verify::check_value_flow(lowered.desc(), &values).outcome, verify::Outcome::kHolds) << model.name;
  return model;
}

TEST(Memories, NetworksComputeTheSameWithOpsOfOneClassInAMemoryOfTheirOwn) {
  for (const char* spec : {"branchnet", "cascade", "refine", "mobilenetv2:64", "resnet18:64", "yolov8n:64"}) {
    const Model before = make_zoo_model(spec, {.accelerator = "npu"});
    const bool has_ops = std::ranges::any_of(before.ops, [](const Op& op) { return op.core_class == "npu"; });
    std::size_t copies = 0;
    const Model after = moved(before, {.core_class = "npu", .copied_by = "npu", .align_bytes = 256}, &copies);
    EXPECT_EQ(copies != 0, has_ops) << spec;
    EXPECT_EQ(after.ops.size(), before.ops.size() + copies) << spec;
    expect_sides(after, "npu");
    EXPECT_EQ(digest_of(after), digest_of(before)) << spec;
    for (const Region& region : after.regions) {
      EXPECT_EQ(region.is_separate, region.name == "npu memory") << region.name;
    }
    for (const Tensor& tensor : after.tensors) {
      const bool is_inside = tensor.alias_of == kNone && after.regions[tensor.region].is_separate;
      EXPECT_TRUE(!is_inside || tensor.offset_bytes % 256 == 0) << tensor.name;
    }
  }
}

TEST(Memories, WhatPassesIsCopiedOnceAndNothingElse) {
  Builder b("net");
  const TensorId x = b.input("x", {1, 16});
  const TensorId first = unary(b, "first", x, DETENT_ACT_RELU);
  b.last_op().core_class = "npu";
  const TensorId second = unary(b, "second", first, DETENT_ACT_SIGMOID);
  b.last_op().core_class = "npu";
  const TensorId third = binary(b, "third", DETENT_BINARY_ADD, second, first);
  b.output(third);
  b.output(unary(b, "fourth", second, DETENT_ACT_SILU));
  Model model = b.finish();
  plan_memory(model);
  const std::uint64_t before = digest_of(model);
  std::size_t copies = 0;
  model = moved(model, {.core_class = "npu", .copied_by = "dma"}, &copies);
  std::vector<std::string> names;
  for (const Op& op : model.ops) names.push_back(op.name + "/" + op.core_class);
  EXPECT_EQ(names, (std::vector<std::string>{"x.to_npu/dma", "first/npu", "first.from_npu/dma", "second/npu",
                                             "second.from_npu/dma", "third/cpu", "fourth/cpu"}));
  EXPECT_EQ(copies, 3U);
  EXPECT_EQ(digest_of(model), before);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Edge& edge : model.edges) edges.emplace(edge.from, edge.to);
  EXPECT_EQ(edges, (std::set<std::pair<std::uint32_t, std::uint32_t>>{
                       {0, 1}, {1, 2}, {1, 3}, {2, 5}, {3, 4}, {4, 5}, {4, 6}}));
}

TEST(Memories, ModelOutputsOfTheClassAreCopiedOut) {
  Builder b("net");
  const TensorId y = unary(b, "only", b.input("x", {1, 16}), DETENT_ACT_RELU);
  b.last_op().core_class = "npu";
  b.output(y);
  Model model = b.finish();
  plan_memory(model);
  const std::uint64_t before = digest_of(model);
  model = moved(model, {.core_class = "npu", .copied_by = "cpu"});
  ASSERT_EQ(model.ops.size(), 3U);
  EXPECT_EQ(model.ops[2].name, "only.from_npu");
  EXPECT_FALSE(is_in_memory(model, model.outputs[0]));
  EXPECT_EQ(digest_of(model), before);
}

TEST(Memories, PartsThatBothSidesWriteAreCopiedByParts) {
  Builder b("net");
  const TensorId image = b.input("image", {1, 3, 16, 16});
  std::vector<TensorId> parts;
  for (const char* name : {"left", "right", "middle"}) {
    parts.push_back(conv(b, name, image, {.out_channels = 16, .kernel = 3}));
    if (std::string(name) != "middle") b.last_op().core_class = "npu";
  }
  const TensorId all = concat(b, "all", parts);
  const TensorId head = conv(b, "head", all, {.out_channels = 16});
  b.last_op().core_class = "npu";
  b.output(global_avg_pool(b, "pool", head));
  b.output(global_avg_pool(b, "pool of all", all));
  Model model = b.finish();
  plan_memory(model);
  const std::uint64_t before = digest_of(model);
  model = moved(model, {.core_class = "npu", .copied_by = "npu"});
  expect_sides(model, "npu");
  EXPECT_EQ(digest_of(model), before);
}

TEST(Memories, AnOpInPlaceIsCopiedBackAfterIt) {
  Builder b("net");
  const TensorId x = unary(b, "make", b.input("x", {1, 16}), DETENT_ACT_SIGMOID);
  const TensorId kept = unary(b, "before", x, DETENT_ACT_SILU);
  unary(b, "in place", x, DETENT_ACT_SILU, x);
  b.last_op().core_class = "npu";
  b.last_op().in_place = true;
  b.output(binary(b, "after", DETENT_BINARY_SUB, x, kept));
  Model model = b.finish();
  plan_memory(model);
  const std::uint64_t before = digest_of(model);
  model = moved(model, {.core_class = "npu", .copied_by = "npu"});
  expect_sides(model, "npu");
  EXPECT_EQ(digest_of(model), before);
}

/// Sums of two earlier values; about half of them on the NPU, each with a fallback on the CPU, or the other way round.
Model sums_that_may_fail(std::uint64_t seed) {
  RandomSource random(seed);
  Builder b("sums");
  std::vector<TensorId> made = {b.input("x", {1, 16})};
  for (int i = 0; i < 8; ++i) {
    const TensorId left = made[random.below64(made.size())], right = made[random.below64(made.size())];
    made.push_back(binary(b, "op" + std::to_string(i), DETENT_BINARY_ADD, left, right));
    b.last_op().core_class = random.below(2) == 0 ? "npu" : "cpu";
  }
  b.output(made.back());
  b.output(made[made.size() - 2]);
  Model model = b.finish();
  plan_memory(model);
  std::vector<FallbackOn> wanted(model.ops.size());
  for (std::size_t op = 0; op < wanted.size(); ++op) {
    const char* const other = model.ops[op].core_class == "npu" ? "cpu" : "npu";
    if (random.below(3) != 0) wanted[op] = {.core_class = other, .slower = 2};
  }
  add_fallbacks(model, wanted);
  return model;
}

TEST(Memories, WhatFailsIsNotCopiedAndItsFallbackIs) {
  std::size_t runs = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model before = sums_that_may_fail(seed);
    const Model after = moved(before, {.core_class = "npu", .copied_by = "npu"});
    expect_sides(after, "npu");
    const std::uint64_t digest = digest_of(before);
    const LoweredModel lowered = lower(after);
    for (std::uint32_t set = 0; set < 16; ++set) {
      harness::NativeOptions options;
      options.engine.mode = static_cast<detent_mode>(set % 4);
      options.engine.workers = options.engine.mode == DETENT_MODE_SERIAL ? 0 : 2;
      std::uint32_t fallible = 0;
      for (std::uint32_t op = 0; op < after.ops.size(); ++op) {
        if (after.ops[op].is_fallible && (set >> fallible++ % 4 & 1U) != 0)
          options.faults.failing_ops.push_back({.op = op, .code = 7});
      }
      const harness::Run run = harness::run_native(lowered.desc(), options);
      ASSERT_EQ(run.result.error.status, DETENT_OK) << harness::describe_error(lowered.desc(), run.result.error);
      EXPECT_EQ(run.digest, digest) << "set " << set;
      runs += options.faults.failing_ops.empty() ? 0U : 1U;
    }
  }
  EXPECT_GT(runs, 200U);
}

TEST(Memories, FallbacksAreFoundBehindCopies) {
  Builder b("net");
  const TensorId x = b.input("x", {1, 16});
  const TensorId y = unary(b, "first", x, DETENT_ACT_RELU);
  b.last_op().core_class = "npu";
  const TensorId z = unary(b, "second", y, DETENT_ACT_SIGMOID);
  b.last_op().core_class = "npu";
  b.output(z);
  Model model = b.finish();
  plan_memory(model);
  add_fallbacks(model, {{.core_class = "cpu", .slower = 2}, {}});
  model = moved(model, {.core_class = "npu", .copied_by = "npu"});
  std::vector<std::string> names;
  for (const Op& op : model.ops) names.push_back(op.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x.to_npu", "first", "first.fallback", "first.to_npu", "second",
                                             "second.from_npu"}));
  EXPECT_EQ(failing_op_of(model, 2), 1U);
  EXPECT_EQ(failing_op_of(model, 3), kNone) << "it copies what the fallback has computed";
  model.ops[1].kernel = model.ops[2].kernel = model.ops[3].kernel;
  EXPECT_EQ(failing_op_of(model, 2), 1U);
  EXPECT_EQ(failing_op_of(model, 3), kNone) << "also where the op that fails is a copy itself";
  EXPECT_TRUE(model.ops[3].replaces);
  EXPECT_EQ(model.ops[3].guarded, Guarded::kIfTrue);
}

TEST(Memories, APlanMadeAnewKeepsThem) {
  Model model = moved(make_zoo_model("branchnet"), {.core_class = "npu", .copied_by = "npu"});
  const Model before = model;
  plan_memory(model, {.order = PlanOrder::kSerial});
  expect_sides(model, "npu");
  plan_memory(model);
  EXPECT_EQ(model, before);
}

TEST(Memories, WhatCannotBeMovedIsSaid) {
  EXPECT_EQ(memory_fault(make_zoo_model("branchnet")), nullptr);
  EXPECT_EQ(memory_fault(make_zoo_model("fallback")), nullptr) << "ops that may fail";
  Model model = make_zoo_model("branchnet");
  const std::vector<std::uint32_t> outputs = std::exchange(model.ops[0].outputs, {0, 1, 2});
  model.ops[0].is_fallible = true;
  EXPECT_NE(std::string(memory_fault(model)).find("several results that may fail"), std::string::npos);
  model.ops[0].outputs = outputs;
  model.ops[0].is_fallible = false;
  model.ops[0].commutes = "sum";
  EXPECT_STREQ(memory_fault(model), "has ops that commute, so that nobody knows after which of them to copy");
  model.ops[0].commutes.clear();
  model.tensors[0].role = TensorRole::kRange;
  EXPECT_STREQ(memory_fault(model), "has bare byte ranges, which lie where the graph says");
  model.schedules.push_back({});
  EXPECT_STREQ(memory_fault(model), "carries static schedules, whose lists have no copies");
  Model none = make_zoo_model("resnet18:32");
  EXPECT_EQ(add_memory(none, {.core_class = "npu", .copied_by = "npu"}), 0U);
  EXPECT_EQ(none, make_zoo_model("resnet18:32"));
}

}  // namespace
}  // namespace detent::models
