// The bind-time checks: each accepts a good op and rejects it once any one field is changed; hostile sizes do no harm.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include <detent/op_config.h>

#include "tests/runtime/kernels/hostile_fields.hpp"
#include "tests/runtime/kernels/op_case.hpp"

namespace detent::ops_test {
namespace {

OpCase conv_case() {
  OpCase op;
  op.kernel = "conv2d_f32";
  op.inputs = {TestTensor::c16(20, 8, 9), TestTensor::c16(33, 3, 9)};
  op.weights = {TestTensor::plain({3 * 16 * 32 * 9}), TestTensor::plain({48})};
  op.outputs = {TestTensor::c16(33, 3, 9).strided(3, 32)};
  op.set_config(detent_conv2d_config{.in_channels = 20,
                                     .in_h = 8,
                                     .in_w = 9,
                                     .out_channels = 33,
                                     .out_h = 8,
                                     .out_w = 9,
                                     .kernel_h = 3,
                                     .kernel_w = 3,
                                     .stride_h = 1,
                                     .stride_w = 1,
                                     .dilation_h = 1,
                                     .dilation_w = 1,
                                     .pad_top = 1,
                                     .pad_left = 1,
                                     .groups = 1,
                                     .activation = 3,
                                     .row_begin = 5,
                                     .row_end = 8,
                                     .has_residual = 1,
                                     .reserved = 0});
  return op;
}

OpCase winograd_case() {
  OpCase op = conv_case();
  op.kernel = "conv2d_winograd_f32";
  detent_conv2d_config config{};
  std::memcpy(&config, op.config.data(), sizeof config);
  config.row_begin = 4;
  op.set_config(config);
  op.inputs[1] = TestTensor::c16(33, 4, 9);
  op.weights[0] = TestTensor::plain({3 * 16 * 32 * 36});
  op.outputs = {TestTensor::c16(33, 4, 9).strided(3, 32)};
  op.scratch = {TestTensor::plain({DETENT_WINOGRAD_PRODUCTS + 2 * 576})};
  return op;
}

OpCase pool_case(const std::string& kernel) {
  OpCase op;
  op.kernel = kernel;
  op.inputs = {TestTensor::c16(20, 8, 9)};
  op.outputs = {TestTensor::c16(20, 2, 18)};
  op.set_config(detent_pool_config{.channels = 20,
                                   .in_h = 8,
                                   .in_w = 9,
                                   .out_h = 16,
                                   .out_w = 18,
                                   .kernel_h = 2,
                                   .kernel_w = 2,
                                   .stride_h = 2,
                                   .stride_w = 2,
                                   .pad_top = 0,
                                   .pad_left = 0,
                                   .row_begin = 14,
                                   .row_end = 16,
                                   .reserved = 0});
  if (kernel != "upsample_nearest_f32") {
    op.inputs = {TestTensor::c16(20, 16, 18)};
    op.outputs = {TestTensor::c16(20, 2, 9)};
    op.set_config(detent_pool_config{.channels = 20,
                                     .in_h = 16,
                                     .in_w = 18,
                                     .out_h = 8,
                                     .out_w = 9,
                                     .kernel_h = 2,
                                     .kernel_w = 2,
                                     .stride_h = 2,
                                     .stride_w = 2,
                                     .pad_top = 0,
                                     .pad_left = 0,
                                     .row_begin = 6,
                                     .row_end = 8,
                                     .reserved = 0});
  }
  return op;
}

OpCase binary_case() {
  OpCase op;
  op.kernel = "binary_f32";
  op.inputs = {TestTensor::c16(20, 8, 9), TestTensor::c16(20, 8, 9)};
  op.outputs = {TestTensor::c16(20, 8, 9)};
  op.set_config(detent_elementwise_config{20 * 72, 0, 0});
  return op;
}

OpCase unary_case(const std::string& kernel) {
  OpCase op = binary_case();
  op.kernel = kernel;
  op.inputs.pop_back();
  return op;
}

OpCase softmax_case() {
  OpCase op;
  op.kernel = "softmax_f32";
  op.inputs = {TestTensor::plain({7, 5})};
  op.outputs = {TestTensor::plain({7, 5})};
  op.set_config(detent_softmax_config{7, 5});
  return op;
}

OpCase gemm_case() {
  OpCase op;
  op.kernel = "gemm_f32";
  op.inputs = {TestTensor::plain({7, 5})};
  op.weights = {TestTensor::plain({5, 11}), TestTensor::plain({11})};
  op.outputs = {TestTensor::plain({3, 11})};
  op.set_config(detent_gemm_config{
      .m = 7, .n = 11, .k = 5, .has_bias = 1, .activation = 0, .row_begin = 4, .row_end = 7, .reserved = 0});
  return op;
}

OpCase transpose_case() {
  OpCase op;
  op.kernel = "transpose_f32";
  op.inputs = {TestTensor::plain({2, 3, 5})};
  op.outputs = {TestTensor::plain({5, 2, 3})};
  op.set_config(
      detent_transpose_config{.rank = 3, .dims = {2, 3, 5, 0, 0, 0}, .axes = {2, 0, 1, 0, 0, 0}, .reserved = 0});
  return op;
}

OpCase reorder_case() {
  OpCase op;
  op.kernel = "reorder_f32";
  op.inputs = {TestTensor::c16(20, 8, 9)};
  op.outputs = {TestTensor::plain({1, 20, 8, 9})};
  op.set_config(detent_reorder_config{.channels = 20, .h = 8, .w = 9, .to_plain = 1, .activation = 0, .reserved = 0});
  return op;
}

OpCase average_case() {
  OpCase op;
  op.kernel = "global_avg_pool_f32";
  op.inputs = {TestTensor::c16(20, 8, 9)};
  op.outputs = {TestTensor::plain({1, 20})};
  op.set_config(detent_reorder_config{.channels = 20, .h = 8, .w = 9, .to_plain = 0, .activation = 0, .reserved = 0});
  return op;
}

std::vector<OpCase> all_cases() {
  return {conv_case(),
          winograd_case(),
          pool_case("max_pool_f32"),
          pool_case("avg_pool_f32"),
          pool_case("upsample_nearest_f32"),
          binary_case(),
          unary_case("unary_f32"),
          unary_case("copy_f32"),
          softmax_case(),
          gemm_case(),
          transpose_case(),
          reorder_case(),
          average_case()};
}

const std::vector<TensorMutation> kTensorMutations = tensor_mutations({
    {"dtype", [](detent_tensor& t) { t.dtype = DETENT_I32; }},
    {"block bytes", [](detent_tensor& t) { t.block_bytes -= 4; }},
});

// Fields that a kernel does not read: the operation of unary and copy, and unused axes.
bool is_unused(const OpCase& op, std::size_t offset) {
  if (op.kernel == "unary_f32" || op.kernel == "copy_f32") return offset == offsetof(detent_elementwise_config, op);
  if (op.kernel == "transpose_f32") {
    return (offset >= 16 && offset < 28) || (offset >= 40 && offset < 52);
  }
  if (op.kernel == "global_avg_pool_f32") return offset == offsetof(detent_reorder_config, to_plain);
  return false;
}

}  // namespace

TEST(Check, AcceptsTheGoodCases) {
  for (OpCase& op : all_cases()) EXPECT_EQ(op.check(), DETENT_OK) << op.kernel;
}

TEST(Check, RejectsEachTensorMutation) {
  for (const OpCase& good : all_cases()) {
    OpCase op = good;
    const std::size_t count = tensors_of(op).size();
    for (std::size_t i = 0; i < count; ++i) {
      for (const auto& [name, mutate] : kTensorMutations) {
        OpCase bad = good;
        mutate(tensors_of(bad)[i]->tensor);
        EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel << " tensor " << i << " " << name;
      }
    }
  }
}

TEST(Check, RejectsCopiesBetweenTensorsThatDiffer) {
  OpCase good;
  good.kernel = "copy_blocks";
  good.inputs = {TestTensor::c16(20, 8, 9)};
  good.outputs = {TestTensor::c16(20, 8, 9)};
  EXPECT_EQ(good.check(), DETENT_OK);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto& [name, mutate] : kTensorMutations) {
      OpCase bad = good;
      mutate(tensors_of(bad)[i]->tensor);
      EXPECT_EQ(bad.check(), DETENT_SHAPE) << "tensor " << i << " " << name;
    }
  }
  OpCase bad = good;
  bad.set_config(detent_elementwise_config{20 * 8 * 9, 0, 0});
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
  bad = good;
  bad.weights = {TestTensor::plain({4})};
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
  bad = good;
  bad.inputs.clear();
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
}

TEST(Check, RejectsMissingAndSurplusTensors) {
  for (const OpCase& good : all_cases()) {
    OpCase bad = good;
    bad.outputs.push_back(bad.outputs[0]);
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
    bad = good;
    bad.inputs.push_back(bad.inputs[0]);
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
    bad = good;
    bad.inputs.clear();
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
    bad = good;
    bad.outputs.clear();
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
    bad = good;
    bad.weights.push_back(TestTensor::plain({3}));
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
  }
}

TEST(Check, RejectsConfigsOfAnotherSize) {
  for (const OpCase& good : all_cases()) {
    OpCase bad = good;
    bad.config.clear();
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
    bad = good;
    bad.config.push_back(0);
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
  }
}

// Each 32-bit field in turn takes hostile values. None may crash the check (sanitizers watch) or be accepted.
TEST(Check, RejectsHostileConfigFields) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  for (const OpCase& good : all_cases()) {
    for (std::size_t offset = 0; offset < good.config.size(); offset += 4) {
      if (is_unused(good, offset)) continue;
      for (const std::int32_t value : {-1, kMin, kMax, kMax - 1, 1 << 30}) {
        EXPECT_TRUE(is_rejected(good, offset, value)) << good.kernel << " config byte " << offset << " = " << value;
      }
    }
  }
}

// Sizes that must agree with the tensors: one more or one less is wrong too.
TEST(Check, RejectsSizesThatDisagreeWithTheTensors) {
  const auto expect_off_by_one = [](const OpCase& good, std::initializer_list<std::size_t> offsets) {
    for (const std::size_t offset : offsets) {
      std::int32_t value = 0;
      std::memcpy(&value, good.config.data() + offset, 4);
      EXPECT_TRUE(is_rejected(good, offset, value + 1)) << good.kernel << " " << offset;
      EXPECT_TRUE(is_rejected(good, offset, value - 1)) << good.kernel << " " << offset;
    }
  };
  using Conv = detent_conv2d_config;
  expect_off_by_one(conv_case(), {offsetof(Conv, in_channels), offsetof(Conv, in_h), offsetof(Conv, in_w),
                                  offsetof(Conv, out_channels), offsetof(Conv, out_w), offsetof(Conv, kernel_h),
                                  offsetof(Conv, kernel_w), offsetof(Conv, row_begin), offsetof(Conv, row_end),
                                  offsetof(Conv, has_residual), offsetof(Conv, reserved)});
  expect_off_by_one(winograd_case(), {offsetof(Conv, in_channels), offsetof(Conv, in_h), offsetof(Conv, in_w),
                                      offsetof(Conv, out_channels), offsetof(Conv, out_w), offsetof(Conv, kernel_h),
                                      offsetof(Conv, kernel_w), offsetof(Conv, row_begin), offsetof(Conv, row_end),
                                      offsetof(Conv, has_residual), offsetof(Conv, reserved)});
  using Pool = detent_pool_config;
  for (const char* kernel : {"max_pool_f32", "avg_pool_f32", "upsample_nearest_f32"}) {
    expect_off_by_one(pool_case(kernel), {offsetof(Pool, channels), offsetof(Pool, in_h), offsetof(Pool, in_w),
                                          offsetof(Pool, out_w), offsetof(Pool, row_begin), offsetof(Pool, reserved)});
  }
  expect_off_by_one(softmax_case(), {0, 4});
  using Gemm = detent_gemm_config;
  expect_off_by_one(gemm_case(), {offsetof(Gemm, m), offsetof(Gemm, n), offsetof(Gemm, k), offsetof(Gemm, has_bias),
                                  offsetof(Gemm, row_begin), offsetof(Gemm, row_end), offsetof(Gemm, reserved)});
  using Reorder = detent_reorder_config;
  expect_off_by_one(reorder_case(), {offsetof(Reorder, channels), offsetof(Reorder, h), offsetof(Reorder, w),
                                     offsetof(Reorder, reserved)});
  expect_off_by_one(average_case(), {offsetof(Reorder, channels), offsetof(Reorder, h), offsetof(Reorder, w)});
  expect_off_by_one(transpose_case(), {0, 4, 8, 12, 28, 32, 36});
}

// What F(4x4, 3x3) does not compute, bands that begin within a tile, too little scratch or none.
TEST(Check, WinogradIsRefusedWhatItCannotCompute) {
  const OpCase good = winograd_case();
  ASSERT_EQ(OpCase(good).check(), DETENT_OK);
  using Conv = detent_conv2d_config;
  EXPECT_TRUE(is_rejected(good, offsetof(Conv, groups), 2));
  EXPECT_TRUE(is_rejected(good, offsetof(Conv, dilation_h), 2));
  EXPECT_TRUE(is_rejected(good, offsetof(Conv, stride_w), 2));
  OpCase bad = good;
  bad.scratch = {TestTensor::plain({DETENT_WINOGRAD_PRODUCTS + 2 * 576 - 1})};
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
  bad.scratch.clear();
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
  bad.scratch = {good.scratch[0], good.scratch[0]};
  EXPECT_EQ(bad.check(), DETENT_SHAPE);
  OpCase inside = good;  // rows 5 to 8, all shapes fitting
  detent_conv2d_config config{};
  std::memcpy(&config, inside.config.data(), sizeof config);
  config.row_begin = 5;
  inside.set_config(config);
  inside.inputs[1] = TestTensor::c16(33, 3, 9);
  inside.outputs = {TestTensor::c16(33, 3, 9)};
  EXPECT_EQ(inside.check(), DETENT_SHAPE);
  OpCase image = good;  // PLAIN, with weights of as many elements
  image.inputs[0] = TestTensor::plain({1, 20, 8, 9});
  EXPECT_EQ(image.check(), DETENT_SHAPE);
}

// Depthwise weights are packed otherwise: the dense size is wrong for them, and a PLAIN input has no such kernel.
TEST(Check, DepthwiseConvolutionsNeedTheirOwnPacking) {
  OpCase op;
  op.kernel = "conv2d_f32";
  op.inputs = {TestTensor::c16(20, 8, 9)};
  op.outputs = {TestTensor::c16(20, 8, 9)};
  op.weights = {TestTensor::plain({2 * 9 * 16}), TestTensor::plain({32})};
  detent_conv2d_config c = {.in_channels = 20,
                            .in_h = 8,
                            .in_w = 9,
                            .out_channels = 20,
                            .out_h = 8,
                            .out_w = 9,
                            .kernel_h = 3,
                            .kernel_w = 3,
                            .stride_h = 1,
                            .stride_w = 1,
                            .dilation_h = 1,
                            .dilation_w = 1,
                            .pad_top = 1,
                            .pad_left = 1,
                            .groups = 20,
                            .activation = 0,
                            .row_begin = 0,
                            .row_end = 8,
                            .has_residual = 0,
                            .reserved = 0};
  op.set_config(c);
  EXPECT_EQ(op.check(), DETENT_OK);
  op.inputs = {TestTensor::plain({1, 20, 8, 9})};
  EXPECT_EQ(op.check(), DETENT_SHAPE);
  op.inputs = {TestTensor::c16(20, 8, 9)};
  c.groups = 1;
  op.set_config(c);
  EXPECT_EQ(op.check(), DETENT_SHAPE);
  c.groups = 3;
  op.set_config(c);
  EXPECT_EQ(op.check(), DETENT_SHAPE);
}

}  // namespace detent::ops_test
