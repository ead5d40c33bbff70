#include "models/zoo/zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/plan/plan_check.hpp"

namespace detent::models {
namespace {

std::size_t count_kernel(const Model& model, const std::string& kernel) {
  return static_cast<std::size_t>(
      std::count_if(model.ops.begin(), model.ops.end(), [&](const Op& op) { return op.kernel == kernel; }));
}

TEST(Zoo, Yolov8nIsThePublishedNetwork) {
  const Model model = make_zoo_model("yolov8n");
  EXPECT_EQ(model.ops.size(), 94U);
  EXPECT_EQ(count_kernel(model, "conv2d_f32"), 63U);
  EXPECT_EQ(count_kernel(model, "max_pool_f32"), 3U);
  EXPECT_EQ(count_kernel(model, "upsample_nearest_f32"), 2U);
  EXPECT_EQ(count_kernel(model, "copy_f32"), 0U);  // concat and split are views
  EXPECT_EQ(parameter_count(model), 3'151'904U);
  EXPECT_NEAR(static_cast<double>(total_flops(model)), 8.74e9, 0.03e9);
  ASSERT_EQ(model.outputs.size(), 1U);
  EXPECT_EQ(model.tensors[model.outputs[0]].dims, (std::vector<std::int32_t>{1, 84, 8400}));
}

TEST(Zoo, Yolov8nTakesAnyMultipleOf32) {
  for (const char* spec : {"yolov8n:32", "yolov8n:96", "yolov8n:416"}) {
    const Model model = make_zoo_model(spec);
    EXPECT_EQ(model.ops.size(), 94U);
    EXPECT_TRUE(find_plan_faults(model).empty()) << spec;
  }
  EXPECT_EQ(make_zoo_model("yolov8n:32").tensors[make_zoo_model("yolov8n:32").outputs[0]].dims[2], 21);
  EXPECT_THROW((void)make_zoo_model("yolov8n:100"), InputError);
  EXPECT_THROW((void)make_zoo_model("yolov8n:0"), InputError);
}

TEST(Zoo, Yolov8nPlanMeetsItsLowerBound) {
  Model model = build_zoo_model("yolov8n");
  const MemoryPlan plan = plan_memory(model);
  EXPECT_LE(plan.arena_bytes, plan.lower_bound_bytes + plan.lower_bound_bytes / 50);
  EXPECT_LT(plan.arena_bytes * 5, plan.unshared_bytes);
}

TEST(Zoo, ClassifiersHaveTheirPublishedSizes) {
  const Model resnet = make_zoo_model("resnet18");
  EXPECT_EQ(parameter_count(resnet), 11'684'712U);  // torchvision's 11,689,512 with batch norms folded
  EXPECT_NEAR(static_cast<double>(total_flops(resnet)), 3.63e9, 0.02e9);
  const Model mobilenet = make_zoo_model("mobilenetv2");
  EXPECT_EQ(parameter_count(mobilenet), 3'487'816U);  // 3,504,872
  EXPECT_NEAR(static_cast<double>(total_flops(mobilenet)), 0.60e9, 0.01e9);
}

TEST(Zoo, CalibrationModelIsOneChainOfEveryKindOfLayer) {
  const Model model = make_zoo_model("calibration:4");
  std::set<std::string> kernels;
  for (const Op& op : model.ops) kernels.insert(op.kernel);
  for (const char* kernel : {"conv2d_f32", "max_pool_f32", "upsample_nearest_f32", "global_avg_pool_f32", "gemm_f32",
                             "softmax_f32", "binary_f32", "unary_f32", "copy_f32", "reorder_f32"}) {
    EXPECT_TRUE(kernels.contains(kernel)) << kernel;
  }
  std::size_t steps = 0;
  for (const Edge& edge : model.edges) steps += edge.to == edge.from + 1 ? 1 : 0;
  EXPECT_EQ(steps, model.ops.size() - 1);
  EXPECT_THROW((void)make_zoo_model("calibration:0"), InputError);
  EXPECT_THROW((void)make_zoo_model("calibration:12"), InputError);
}

TEST(Zoo, GoodModelsHaveValidPlans) {
  for (const ZooEntry& entry : zoo()) {
    if (!entry.expected.holds) continue;
    const Model model = make_zoo_model(entry.name);
    EXPECT_EQ(model.name, entry.name);
    EXPECT_TRUE(find_plan_faults(model).empty()) << entry.name;
  }
}

TEST(Zoo, SplitModelsHaveValidPlansAndTheSameWork) {
  for (const char* name : {"yolov8n:320", "resnet18", "mobilenetv2"}) {
    const Model whole = make_zoo_model(name);
    const Model split = make_zoo_model(name, {.split = 3});
    EXPECT_GT(split.ops.size(), whole.ops.size() + 30);
    EXPECT_TRUE(find_plan_faults(split).empty()) << name;
    const auto ratio = static_cast<double>(total_flops(split)) / static_cast<double>(total_flops(whole));
    EXPECT_NEAR(ratio, 1.0, 1e-6);
  }
}

TEST(Zoo, ParametersScaleTheGraphs) {
  EXPECT_EQ(make_zoo_model("chain:1000").ops.size(), 1000U);
  EXPECT_EQ(make_zoo_model("wide:100").ops.size(), 102U);
  EXPECT_EQ(make_zoo_model("wide:600").ops.size(), 604U);  // the join is a tree of 512 at most
  EXPECT_EQ(make_zoo_model("diamond:5").ops.size(), 7U);
  EXPECT_EQ(make_zoo_model("random:7:200").ops.size(), 200U);
  EXPECT_EQ(make_zoo_model("erdos:7").ops.size(), 64U);
}

TEST(Zoo, NpuTakesConvolutionsAndMatrixProducts) {
  const Model model = make_zoo_model("yolov8n:64", {.accelerator = "npu"});
  for (const Op& op : model.ops) {
    EXPECT_EQ(op.core_class == "npu", op.kernel == "conv2d_f32" || op.kernel == "gemm_f32") << op.name;
  }
  const Model mixed = make_zoo_model("branchnet");
  std::set<std::string> classes;
  for (const Op& op : mixed.ops) classes.insert(op.core_class);
  EXPECT_EQ(classes, (std::set<std::string>{"cpu", "npu"}));
}

TEST(Zoo, TheInt8NetworkHasTheOpsAndParametersOfTheFloatOne) {
  const Model plain = make_zoo_model("branchnet:4"), quantised = make_zoo_model("branchnet_int8:4");
  EXPECT_EQ(quantised.ops.size(), plain.ops.size() + 2) << "quantising the image, dequantising the logits";
  EXPECT_EQ(parameter_count(quantised), parameter_count(plain));
  for (const Op& op : quantised.ops) {
    const bool is_float = op.name == "image.i8" || op.name == "logits" || op.name == "softmax";
    EXPECT_EQ(op.kernel.ends_with("_i8"), !is_float || op.name == "image.i8") << op.name;
    EXPECT_TRUE(op.core_class == "cpu" || op.kernel == "conv2d_i8" || op.kernel == "gemm_i8") << op.name;
  }
  Model moved = build_zoo_model("branchnet_int8:4");
  prepare_model(moved, {.accelerator = "gpu"});
  for (const Op& op : moved.ops) {
    EXPECT_EQ(op.core_class == "gpu", op.kernel == "conv2d_i8" || op.kernel == "gemm_i8") << op.name;
  }
}

// Integers from the image on: what is F32 turns the image into I8, and comes behind the logits.
TEST(Zoo, Int8NetworksHaveTheParametersOfTheFloatOnes) {
  for (const std::string name : {"yolov8n", "resnet18", "mobilenetv2"}) {
    const Model plain = make_zoo_model(name), quantised = make_zoo_model(name + "_int8");
    EXPECT_EQ(parameter_count(quantised), parameter_count(plain)) << name;
    EXPECT_EQ(count_kernel(quantised, "conv2d_i8"), count_kernel(plain, "conv2d_f32")) << name;
    EXPECT_EQ(count_kernel(quantised, "conv2d_f32"), 0U) << name;
    EXPECT_EQ(count_kernel(quantised, "quantize_f32_i8"), 1U) << name;
    EXPECT_EQ(count_kernel(quantised, "dequantize_i8_f32"), name == "yolov8n" ? 6U : 1U) << name;
    EXPECT_EQ(count_kernel(quantised, "copy_f32"), 0U) << name;
    EXPECT_TRUE(find_plan_faults(quantised).empty()) << name;
  }
  EXPECT_EQ(count_kernel(make_zoo_model("yolov8n_int8:64"), "upsample_nearest_i8"), 2U);
  EXPECT_THROW((void)make_zoo_model("yolov8n_int8:100"), InputError);
}

TEST(Zoo, PreparationKeepsPlansThatModelsComeWith) {
  for (const char* name : {"bad_cycle", "bad_overlap", "bad_duplicate_edge"}) {
    const Model plain = make_zoo_model(name);
    const Model prepared = make_zoo_model(name, {.split = 4, .accelerator = "npu"});
    EXPECT_EQ(plain.edges.size(), prepared.edges.size()) << name;
    for (std::size_t i = 0; i < plain.tensors.size(); ++i) {
      EXPECT_EQ(plain.tensors[i].offset_bytes, prepared.tensors[i].offset_bytes) << name;
    }
  }
  Model planned = make_zoo_model("resnet18:64");
  prepare_model(planned, {.split = 2});
  EXPECT_TRUE(find_plan_faults(planned).empty());
}

TEST(Zoo, WrongSpecsSayWhatIsRight) {
  const auto message = [](const char* spec) -> std::string {
    try {
      static_cast<void>(make_zoo_model(spec));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("yolo"),
            "yolo: no such model in the zoo; use one of yolov8n, yolov8n_npu, resnet18, mobilenetv2, yolov8n_int8, "
            "resnet18_int8, mobilenetv2_int8, branchnet, branchnet_int8, "
            "calibration, cascade, refine, fallback, diamond, chain, wide, random, erdos, series_parallel, "
            "bad_reuse_war, bad_reuse_waw, "
            "bad_cycle, bad_duplicate_edge, bad_overlap, bad_out_of_arena, bad_branch, bad_retry");
  EXPECT_EQ(message("cascade:7"), "cascade:size: must lie between 8 and 1024");
  EXPECT_EQ(message("refine:65"), "refine:bound: must lie between 1 and 64");
  EXPECT_EQ(message("chain:x"), "chain:x: parameters do not fit; use chain[:OPS]");
  EXPECT_EQ(message("chain:1:2"), "chain:1:2: parameters do not fit; use chain[:OPS]");
  EXPECT_EQ(message("chain:"), "chain:: parameters do not fit; use chain[:OPS]");
  EXPECT_EQ(message("chain:0"), "chain:parameter: must lie between 1 and 2000000");
  EXPECT_EQ(message("mobilenetv2:31"), "mobilenetv2:size: must lie between 32 and 4096");
  EXPECT_EQ(message("mobilenetv2:32"), "");
  EXPECT_EQ(message("mobilenetv2:4096"), "");
  EXPECT_EQ(message("mobilenetv2:4097"), "mobilenetv2:size: must lie between 32 and 4096");
  EXPECT_EQ(message("branchnet:0"), "branchnet:branches: must lie between 1 and 64");
  EXPECT_EQ(message("branchnet:64"), "");
  EXPECT_EQ(message("branchnet:65"), "branchnet:branches: must lie between 1 and 64");
  EXPECT_EQ(message("branchnet_int8:0"), "branchnet_int8:branches: must lie between 1 and 64");
  EXPECT_EQ(message("branchnet_int8:64"), "");
  EXPECT_EQ(message("branchnet_int8:65"), "branchnet_int8:branches: must lie between 1 and 64");
  EXPECT_EQ(message("bad_cycle:1"), "bad_cycle:1: parameters do not fit; use bad_cycle");
  EXPECT_EQ(message(""),
            ": no such model in the zoo; use one of yolov8n, yolov8n_npu, resnet18, mobilenetv2, yolov8n_int8, "
            "resnet18_int8, mobilenetv2_int8, branchnet, branchnet_int8, "
            "calibration, cascade, refine, fallback, diamond, chain, wide, random, erdos, series_parallel, "
            "bad_reuse_war, bad_reuse_waw, "
            "bad_cycle, "
            "bad_duplicate_edge, bad_overlap, bad_out_of_arena, bad_branch, bad_retry");
  EXPECT_EQ(find_zoo_entry("yolo"), nullptr);
}

TEST(Zoo, NamesOfOpsAreUnique) {
  for (const char* name : {"yolov8n:64", "resnet18:64", "mobilenetv2:64", "yolov8n_int8:64", "resnet18_int8:64",
                           "mobilenetv2_int8:64", "branchnet", "branchnet_int8", "wide:600"}) {
    const Model model = build_zoo_model(name);
    std::set<std::string> names;
    for (const Op& op : model.ops) EXPECT_TRUE(names.insert(op.name).second) << name << " " << op.name;
  }
}

}  // namespace
}  // namespace detent::models
