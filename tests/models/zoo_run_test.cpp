// Networks of the zoo really executed: outputs are finite and vary, row bands agree with whole ops, and YOLOv8n's boxes
// are those that its logits mean.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/run_native.hpp"
#include "models/builder/split.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

std::vector<float> run(const Model& model) {
  const LoweredModel lowered = lower(model);
  harness::NativeOptions options;
  options.engine.workers = 0;
  options.keep_output = true;
  const harness::Run result = harness::run_native(lowered.desc(), options);
  EXPECT_EQ(result.result.error.status, DETENT_OK);
  std::vector<float> output(result.output.size() / sizeof(float));
  std::memcpy(output.data(), result.output.data(), result.output.size());
  return output;
}

float largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  float difference = a.size() == b.size() ? 0.0F : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference = std::max(difference, std::abs(a[i] - b[i]));
  return difference;
}

TEST(ZooRun, OutputsAreFiniteAndVary) {
  for (const char* name : {"yolov8n:64", "resnet18:64", "mobilenetv2:64", "branchnet", "branchnet_int8"}) {
    const std::vector<float> output = run(make_zoo_model(name));
    EXPECT_TRUE(std::all_of(output.begin(), output.end(), [](float v) { return std::isfinite(v); })) << name;
    EXPECT_GT(std::set<float>(output.begin(), output.end()).size(), output.size() / 4) << name;
  }
}

TEST(ZooRun, TwoDevicesComputeWhatOneDoes) {
  const Model two = make_zoo_model("yolov8n_npu:64");
  const auto is_npu = [](const Op& op) { return op.core_class == "npu"; };
  EXPECT_GT(std::ranges::count_if(two.ops, is_npu), 60);
  EXPECT_LT(std::ranges::count_if(two.ops, is_npu), static_cast<std::ptrdiff_t>(two.ops.size()));
  EXPECT_EQ(run(two), run(make_zoo_model("yolov8n:64")));
}

TEST(ZooRun, ProbabilitiesSumToOne) {
  for (const char* name : {"resnet18:64", "mobilenetv2:64", "branchnet", "branchnet_int8"}) {
    const std::vector<float> output = run(make_zoo_model(name));
    double sum = 0;
    for (const float v : output) sum += static_cast<double>(v);
    EXPECT_NEAR(sum, 1.0, 1e-4) << name;
  }
}

TEST(ZooRun, BandsAgreeWithWholeOps) {
  for (const char* name : {"yolov8n:96", "resnet18:64", "mobilenetv2:64", "branchnet", "branchnet_int8"}) {
    const std::vector<float> whole = run(make_zoo_model(name));
    Model split = build_zoo_model(name);
    ASSERT_GT(split_rows(split, {.bands = 3, .min_flops = 0, .min_bytes = 0}), 10U);
    plan_memory(split);
    float magnitude = 0;
    for (const float v : whole) magnitude = std::max(magnitude, std::abs(v));
    EXPECT_LE(largest_difference(whole, run(split)), magnitude * 1e-4F) << name;
  }
}

// Rows, channels and columns: each band adds up in the order of the whole op.
TEST(ZooRun, BandsHaveTheBitsOfTheWhole) {
  for (const char* name : {"mobilenetv2:64", "resnet18:64"}) {
    const std::vector<float> whole = run(make_zoo_model(name));
    for (const std::uint32_t bands : {2U, 3U, 4U, 7U}) {
      Model split = build_zoo_model(name);
      ASSERT_GT(split_rows(split, {.bands = bands, .min_flops = 0, .min_bytes = 0}), 10U);
      plan_memory(split);
      EXPECT_EQ(run(split), whole) << name << " in " << bands;
    }
  }
}

// Probabilities lie within two hundredths of those of the F32 network with the same seed; and integers are exact:
// bands give the bits of the whole.
TEST(ZooRun, TheInt8NetworkAgreesWithTheFloatOne) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<float> plain = run(make_zoo_model("branchnet", {.weight_seed = seed}));
    const std::vector<float> quantised = run(make_zoo_model("branchnet_int8", {.weight_seed = seed}));
    EXPECT_LT(largest_difference(plain, quantised), 0.02F) << seed;
    Model split = build_zoo_model("branchnet_int8");
    split.weight_seed = seed;
    ASSERT_GT(split_rows(split, {.bands = 3, .min_flops = 0, .min_bytes = 0}), 10U);
    plan_memory(split);
    EXPECT_EQ(run(split), quantised) << seed;
  }
}

TEST(ZooRun, BandsOfInt8NetworksHaveTheBitsOfTheWhole) {
  for (const char* name : {"yolov8n_int8:96", "resnet18_int8:64", "mobilenetv2_int8:64"}) {
    const std::vector<float> whole = run(make_zoo_model(name));
    EXPECT_TRUE(std::ranges::all_of(whole, [](float v) { return std::isfinite(v); })) << name;
    EXPECT_GT(std::set<float>(whole.begin(), whole.end()).size(), 20U) << name;
    Model split = build_zoo_model(name);
    ASSERT_GT(split_rows(split, {.bands = 3, .min_flops = 0, .min_bytes = 0}), 10U);
    plan_memory(split);
    EXPECT_EQ(run(split), whole) << name;
  }
}

// The value of channel c at cell i of a dense C16 image of `cells` cells.
double at(const std::vector<float>& image, std::size_t cells, std::size_t c, std::size_t i) {
  return static_cast<double>(image[((c / 16) * cells + i) * 16 + c % 16]);
}

// Expected distance of one side of the box: softmax over 16 bins, then the mean bin.
double distance(const std::vector<float>& logits, std::size_t cells, std::size_t side, std::size_t i) {
  double sum = 0, mean = 0;
  for (std::size_t bin = 0; bin < 16; ++bin) {
    const double weight = std::exp(at(logits, cells, side * 16 + bin, i));
    sum += weight;
    mean += weight * static_cast<double>(bin);
  }
  return mean / sum;
}

std::vector<float> slice(const std::vector<float>& all, std::size_t first, std::size_t count) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

TEST(ZooRun, Yolov8nBoxesAreWhatItsLogitsMean) {
  Model model = build_zoo_model("yolov8n:64");
  for (const char* name : {"detect.p4.box.2", "detect.p4.cls.2"}) {  // keep the logits of one scale as outputs too
    for (std::uint32_t id = 0; id < model.tensors.size(); ++id) {
      if (model.tensors[id].name != name) continue;
      model.tensors[id].role = TensorRole::kOutput;
      model.outputs.push_back(id);
    }
  }
  plan_memory(model);
  const std::vector<float> all = run(model);
  constexpr std::size_t kAnchors = 64 + 16 + 4, kCells = 16, kFirst = 64;
  const std::vector<float> box = slice(all, 84 * kAnchors, 64 * kCells);
  const std::vector<float> classes = slice(all, 84 * kAnchors + 64 * kCells, 80 * kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    const auto value = [&](std::size_t row) { return static_cast<double>(all[row * kAnchors + kFirst + i]); };
    const double x = static_cast<double>(i % 4) + 0.5, y = static_cast<double>(i / 4) + 0.5;
    const double left = x - distance(box, kCells, 0, i), top = y - distance(box, kCells, 1, i);
    const double right = x + distance(box, kCells, 2, i), bottom = y + distance(box, kCells, 3, i);
    EXPECT_NEAR(value(0), (left + right) / 2 * 16, 1e-3);
    EXPECT_NEAR(value(1), (top + bottom) / 2 * 16, 1e-3);
    EXPECT_NEAR(value(2), (right - left) * 16, 1e-3);
    EXPECT_NEAR(value(3), (bottom - top) * 16, 1e-3);
    for (std::size_t c = 0; c < 80; ++c) {
      EXPECT_NEAR(value(4 + c), 1 / (1 + std::exp(-at(classes, kCells, c, i))), 1e-5);
    }
  }
}

}  // namespace
}  // namespace detent::models
