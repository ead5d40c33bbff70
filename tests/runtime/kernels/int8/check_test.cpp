// The bind-time checks of the int8 kernels: each accepts a good op and rejects it once any one field is changed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <detent/op_config.h>

#include "tests/runtime/kernels/hostile_fields.hpp"
#include "tests/runtime/kernels/int8/integer_case.hpp"

namespace detent::ops_test::int8 {
namespace {

IntegerTensor i8(std::vector<std::int32_t> dims) { return IntegerTensor::plain(DETENT_I8, std::move(dims)); }
IntegerTensor i32(std::int32_t count) { return IntegerTensor::plain(DETENT_I32, {count}); }

constexpr detent_requantisation kResult = {.shift = 40, .low = -128, .high = 127, .has_table = 1};

IntegerCase conv_case() {
  IntegerCase op;
  op.kernel = "conv2d_i8";
  op.inputs = {IntegerTensor::c16(DETENT_I8, 20, 8, 9)};
  op.weights = {i8({3 * 16 * 32 * 9}), i32(48), i32(48), i8({256})};
  op.outputs = {IntegerTensor::c16(DETENT_I8, 33, 3, 9).strided(3, 32)};
  op.set_config(detent_conv2d_i8_config{.conv = {.in_channels = 20,
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
                                                 .activation = 0,
                                                 .row_begin = 5,
                                                 .row_end = 8,
                                                 .has_residual = 0,
                                                 .reserved = 0},
                                        .result = kResult});
  return op;
}

IntegerCase gemm_case() {
  IntegerCase op;
  op.kernel = "gemm_i8";
  op.inputs = {i8({7, 5})};
  op.weights = {i8({5, 11}), i32(11), i32(11), i8({256})};
  op.outputs = {i8({3, 11})};
  op.set_config(detent_gemm_i8_config{
      .gemm = {.m = 7, .n = 11, .k = 5, .has_bias = 1, .activation = 0, .row_begin = 4, .row_end = 7, .reserved = 0},
      .result = kResult});
  return op;
}

IntegerCase pool_case() {
  IntegerCase op;
  op.kernel = "max_pool_i8";
  op.inputs = {IntegerTensor::c16(DETENT_I8, 20, 16, 18)};
  op.outputs = {IntegerTensor::c16(DETENT_I8, 20, 2, 9)};
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
  return op;
}

IntegerCase average_case() {
  IntegerCase op;
  op.kernel = "global_avg_pool_i8";
  op.inputs = {IntegerTensor::c16(DETENT_I8, 20, 8, 9)};
  op.outputs = {i8({1, 20})};
  op.set_config(detent_global_avg_pool_i8_config{
      .pool = {.channels = 20, .h = 8, .w = 9, .to_plain = 0, .activation = 0, .reserved = 0},
      .multiplier = 1 << 20,
      .shift = 26});
  return op;
}

IntegerCase add_case() {
  IntegerCase op;
  op.kernel = "add_i8";
  op.inputs = {IntegerTensor::c16(DETENT_I8, 20, 8, 9), IntegerTensor::c16(DETENT_I8, 20, 8, 9)};
  op.outputs = {IntegerTensor::c16(DETENT_I8, 20, 8, 9)};
  op.set_config(detent_add_i8_config{.elements = 20 * 72,
                                     .a_multiplier = 1 << 22,
                                     .b_multiplier = -(1 << 22),
                                     .shift = 22,
                                     .low = -128,
                                     .high = 127,
                                     .reserved = 0});
  return op;
}

IntegerCase conversion_case(bool quantises) {
  IntegerCase op;
  op.kernel = quantises ? "quantize_f32_i8" : "dequantize_i8_f32";
  op.inputs = {IntegerTensor::c16(quantises ? DETENT_F32 : DETENT_I8, 20, 8, 9)};
  op.outputs = {IntegerTensor::c16(quantises ? DETENT_I8 : DETENT_F32, 20, 8, 9)};
  op.set_config(detent_quantize_config{.elements = 20 * 72, .factor = 2.0F, .reserved = 0});
  return op;
}

std::vector<IntegerCase> all_cases() {
  return {conv_case(), gemm_case(),           pool_case(),           average_case(),
          add_case(),  conversion_case(true), conversion_case(false)};
}

const std::vector<TensorMutation> kTensorMutations = tensor_mutations({
    {"dtype U8", [](detent_tensor& t) { t.dtype = DETENT_U8; }},
    {"dtype F16", [](detent_tensor& t) { t.dtype = DETENT_F16; }},
    {"the other dtype", [](detent_tensor& t) { t.dtype = t.dtype == DETENT_I8 ? DETENT_F32 : DETENT_I8; }},
    {"block bytes", [](detent_tensor& t) { t.block_bytes -= 1; }},
});

// What may hold any number: a multiplier, and what global_avg_pool_i8 does not read.
bool takes_any(const IntegerCase& op, std::size_t offset) {
  using Average = detent_global_avg_pool_i8_config;
  return op.kernel == "global_avg_pool_i8" &&
         (offset == offsetof(Average, multiplier) || offset == offsetof(detent_reorder_config, to_plain));
}

bool is_multiplier(const IntegerCase& op, std::size_t offset) {
  using Add = detent_add_i8_config;
  return op.kernel == "add_i8" && (offset == offsetof(Add, a_multiplier) || offset == offsetof(Add, b_multiplier));
}

}  // namespace

TEST(Int8Check, AcceptsTheGoodCases) {
  for (IntegerCase& op : all_cases()) EXPECT_EQ(op.check(), DETENT_OK) << op.kernel;
}

TEST(Int8Check, RejectsEachTensorMutation) {
  for (const IntegerCase& good : all_cases()) {
    IntegerCase op = good;
    for (std::size_t i = 0; i < tensors_of(op).size(); ++i) {
      for (const auto& [name, mutate] : kTensorMutations) {
        IntegerCase bad = good;
        mutate(tensors_of(bad)[i]->tensor);
        EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel << " tensor " << i << " " << name;
      }
    }
  }
}

TEST(Int8Check, RejectsMissingAndSurplusTensors) {
  const auto expect_rejected = [](const IntegerCase& good, auto change) {
    IntegerCase bad = good;
    change(bad);
    EXPECT_EQ(bad.check(), DETENT_SHAPE) << good.kernel;
  };
  for (const IntegerCase& good : all_cases()) {
    expect_rejected(good, [](IntegerCase& op) { op.inputs.push_back(op.inputs[0]); });
    expect_rejected(good, [](IntegerCase& op) { op.outputs.push_back(op.outputs[0]); });
    expect_rejected(good, [](IntegerCase& op) { op.inputs.clear(); });
    expect_rejected(good, [](IntegerCase& op) { op.outputs.clear(); });
    expect_rejected(good, [](IntegerCase& op) { op.weights.push_back(i8({256})); });
    expect_rejected(good, [](IntegerCase& op) { op.config.clear(); });
    expect_rejected(good, [](IntegerCase& op) { op.config.push_back(0); });
    if (good.weights.empty()) continue;
    expect_rejected(good, [](IntegerCase& op) { op.weights.pop_back(); });
    expect_rejected(good, [](IntegerCase& op) { op.weights.clear(); });
    expect_rejected(good, [](IntegerCase& op) { op.weights[3] = i8({255}); });
  }
}

TEST(Int8Check, RejectsHostileConfigFields) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  for (const IntegerCase& good : all_cases()) {
    const bool converts = good.kernel == "quantize_f32_i8" || good.kernel == "dequantize_i8_f32";
    for (std::size_t offset = 0; offset < good.config.size(); offset += 4) {
      if (takes_any(good, offset) || (converts && offset == offsetof(detent_quantize_config, factor))) continue;
      for (const std::int32_t value : {-129, kMin, kMax, kMax - 1, 1 << 30}) {
        if (value == -129 && is_multiplier(good, offset)) continue;
        EXPECT_TRUE(is_rejected(good, offset, value)) << good.kernel << " config byte " << offset << " = " << value;
      }
    }
  }
}

TEST(Int8Check, RejectsWhatIsOutOfARange) {
  constexpr std::size_t kConv = offsetof(detent_conv2d_i8_config, result);
  constexpr std::size_t kGemm = offsetof(detent_gemm_i8_config, result);
  for (const auto& [good, at] : {std::pair{conv_case(), kConv}, std::pair{gemm_case(), kGemm}}) {
    for (const std::int32_t shift : {0, 63, 64, -1}) EXPECT_TRUE(is_rejected(good, at, shift)) << shift;
    for (const std::int32_t shift : {1, 62}) EXPECT_FALSE(is_rejected(good, at, shift)) << shift;
    EXPECT_TRUE(is_rejected(good, at + 4, -129));
    EXPECT_TRUE(is_rejected(good, at + 4, 128)) << "low above high";
    EXPECT_TRUE(is_rejected(good, at + 8, 128));
    EXPECT_FALSE(is_rejected(good, at + 8, -128)) << "one element alone";
    EXPECT_TRUE(is_rejected(good, at + 12, 2));
    EXPECT_TRUE(is_rejected(good, at + 12, 0)) << "a weight too many";
  }
  EXPECT_TRUE(is_rejected(conv_case(), offsetof(detent_conv2d_config, activation), DETENT_ACT_RELU));
  EXPECT_TRUE(is_rejected(conv_case(), offsetof(detent_conv2d_config, has_residual), 1));
  EXPECT_TRUE(is_rejected(gemm_case(), offsetof(detent_gemm_config, activation), DETENT_ACT_RELU));
  EXPECT_TRUE(is_rejected(gemm_case(), offsetof(detent_gemm_config, has_bias), 0));
  for (const std::int32_t shift : {0, 31, 62}) {
    EXPECT_TRUE(is_rejected(add_case(), offsetof(detent_add_i8_config, shift), shift));
  }
  for (const std::int32_t multiplier : {(1 << 22) + 1, -(1 << 22) - 1}) {
    EXPECT_TRUE(is_rejected(add_case(), offsetof(detent_add_i8_config, a_multiplier), multiplier));
    EXPECT_TRUE(is_rejected(add_case(), offsetof(detent_add_i8_config, b_multiplier), multiplier));
  }
  for (const std::int32_t shift : {0, 63}) {
    EXPECT_TRUE(is_rejected(average_case(), offsetof(detent_global_avg_pool_i8_config, shift), shift));
  }
}

TEST(Int8Check, AFactorIsAFiniteNumberAboveZero) {
  for (const bool quantises : {true, false}) {
    for (const float factor :
         {0.0F, -1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      IntegerCase op = conversion_case(quantises);
      op.set_config(detent_quantize_config{.elements = 20 * 72, .factor = factor, .reserved = 0});
      EXPECT_EQ(op.check(), DETENT_SHAPE) << factor;
    }
    for (const float factor : {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()}) {
      IntegerCase op = conversion_case(quantises);
      op.set_config(detent_quantize_config{.elements = 20 * 72, .factor = factor, .reserved = 0});
      EXPECT_EQ(op.check(), DETENT_OK) << factor;
    }
  }
}

// 2^24 pixels of -128 sum up to the least I32; one more is refused.
TEST(Int8Check, AGlobalAverageHasAtMostTwoToThe24Pixels) {
  for (const auto& [w, status] : {std::pair{1 << 14, DETENT_OK}, std::pair{(1 << 14) + 1, DETENT_SHAPE}}) {
    IntegerCase op = average_case();
    detent_tensor& x = op.inputs[0].tensor;
    x.dims[2] = 1 << 10;
    x.dims[3] = w;
    x.size_bytes = x.block_bytes = 32ULL * static_cast<std::uint64_t>(x.dims[2]) * static_cast<std::uint64_t>(w);
    op.set_config(detent_global_avg_pool_i8_config{
        .pool = {.channels = 20, .h = x.dims[2], .w = w, .to_plain = 0, .activation = 0, .reserved = 0},
        .multiplier = 1,
        .shift = 26});
    EXPECT_EQ(op.check(), status);
  }
}

}  // namespace detent::ops_test::int8
