// Activations over the whole range of floats against double, alone and fused into every kernel that fuses them, with
// the same bits from every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <detent/op_config.h>

#include "tests/effort.hpp"
#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/reference.hpp"

namespace detent::ops_test {
namespace {

constexpr std::int32_t kActivations[] = {DETENT_ACT_NONE, DETENT_ACT_RELU, DETENT_ACT_RELU6, DETENT_ACT_SILU,
                                         DETENT_ACT_SIGMOID};

/// Both signs of every exponent with `mantissas` mantissas each, 0, denormals and infinities included; no NaN.
std::vector<float> sweep(std::uint32_t mantissas) {
  std::vector<float> values;
  for (std::uint32_t head = 0; head < 512; ++head) {
    const bool is_infinity = head % 256 == 255;
    for (std::uint32_t i = 0; i < (is_infinity ? 1 : mantissas); ++i) {
      const std::uint32_t spread = i == 0 ? 0 : i + 1 == mantissas ? 0x7fffffU : i * (0x800000U / mantissas) + i;
      values.push_back(std::bit_cast<float>(head << 23U | spread));
    }
  }
  return values;
}

/// Distance in steps between floats near the expected value; denormals in theirs.
double ulps(double value, double expected) {
  if (value == expected) return 0;
  if (!std::isfinite(value) || !std::isfinite(expected) || expected == 0) return INFINITY;
  return std::fabs(value - expected) / std::ldexp(1.0, std::max(std::ilogb(expected) - 23, -149));
}

/// SiLU and sigmoid at most 3 ulp off, the others exact, the sign of zeros too. @param x  what the activation is given
void expect_activated(std::int32_t activation, const std::vector<float>& x, const std::vector<float>& y) {
  ASSERT_EQ(x.size(), y.size());
  const double limit = activation == DETENT_ACT_SIGMOID || activation == DETENT_ACT_SILU ? 3 : 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto given = static_cast<double>(x[i]);
    const double expected =
        with_zero_for_denormals(activation_reference(activation, given), given, static_cast<double>(y[i]));
    ASSERT_LE(ulps(static_cast<double>(y[i]), expected), limit)
        << "activation " << activation << " of " << x[i] << ": " << y[i] << " instead of " << expected;
    ASSERT_EQ(std::signbit(y[i]), std::signbit(expected)) << "activation " << activation << " of " << x[i];
  }
}

TestTensor plain_of(const std::vector<float>& values, std::vector<std::int32_t> dims) {
  TestTensor tensor = TestTensor::plain(std::move(dims));
  tensor.set_values(values);
  return tensor;
}

TestTensor ones(std::vector<std::int32_t> dims) {
  TestTensor tensor = TestTensor::plain(std::move(dims));
  tensor.set_values(std::vector<float>(tensor.stored_count(), 1.0F));
  return tensor;
}

TestTensor zeros(std::vector<std::int32_t> dims) { return TestTensor::plain(std::move(dims)); }

/// x + 0, as a sum that begins with a bias of 0 gives it: -0 becomes 0.
std::vector<float> plus_zero(std::vector<float> x) {
  for (float& value : x) value += 0.0F;
  return x;
}

detent_conv2d_config pointwise(std::int32_t in_channels, std::int32_t width, std::int32_t groups,
                               std::int32_t activation) {
  detent_conv2d_config c = {};
  c.in_channels = in_channels;
  c.out_channels = 16;
  c.in_h = c.out_h = c.row_end = 1;
  c.in_w = c.out_w = width;
  c.kernel_h = c.kernel_w = c.stride_h = c.stride_w = c.dilation_h = c.dilation_w = 1;
  c.groups = groups;
  c.activation = activation;
  return c;
}

}  // namespace

TEST(Activation, AloneOverAllExponents) {
  const std::vector<float> x = sweep(effort(400U));
  for (const std::int32_t activation : kActivations) {
    OpCase op;
    op.kernel = "unary_f32";
    op.inputs.push_back(plain_of(x, {static_cast<std::int32_t>(x.size())}));
    op.outputs.push_back(zeros({static_cast<std::int32_t>(x.size())}));
    op.set_config(detent_elementwise_config{x.size(), 0, activation});
    op.run_everywhere();
    expect_activated(activation, x, op.outputs[0].values());
  }
}

TEST(Activation, FusedIntoBinaryOverAllExponents) {
  const std::vector<float> x = sweep(effort(70U));
  for (const std::int32_t activation : kActivations) {
    OpCase op;
    op.kernel = "binary_f32";
    op.inputs.push_back(plain_of(x, {static_cast<std::int32_t>(x.size())}));
    op.weights.push_back(ones({1}));
    op.outputs.push_back(zeros({static_cast<std::int32_t>(x.size())}));
    op.set_config(detent_elementwise_config{x.size(), DETENT_BINARY_MUL, activation});
    op.run_everywhere();
    expect_activated(activation, x, op.outputs[0].values());
  }
}

TEST(Activation, FusedIntoGemmOverAllExponents) {
  const std::vector<float> x = sweep(effort(70U));  // one row: wide tiles, single vectors and a tail
  const auto n = static_cast<std::int32_t>(x.size());
  for (const std::int32_t activation : kActivations) {
    OpCase op;
    op.kernel = "gemm_f32";
    op.inputs.push_back(ones({5, 1}));
    op.weights.push_back(plain_of(x, {1, n}));
    op.weights.push_back(zeros({n}));
    op.outputs.push_back(zeros({5, n}));
    op.set_config(detent_gemm_config{
        .m = 5, .n = n, .k = 1, .has_bias = 1, .activation = activation, .row_begin = 0, .row_end = 5, .reserved = 0});
    op.run_everywhere();
    const std::vector<float> y = op.outputs[0].values();
    for (std::size_t row = 0; row < 5; ++row) {
      const auto begin = y.begin() + static_cast<std::ptrdiff_t>(row * x.size());
      expect_activated(activation, plus_zero(x), {begin, begin + n});
    }
  }
}

TEST(Activation, FusedIntoConv2dOverAllExponents) {
  const std::vector<float> x = sweep(effort(20U));
  const auto width = static_cast<std::int32_t>(x.size());
  for (const std::int32_t activation : kActivations) {
    OpCase op;
    op.kernel = "conv2d_f32";
    op.inputs.push_back(plain_of(x, {1, 1, 1, width}));
    op.weights.push_back(ones({1, 1, 1, 1, 1, 16}));
    op.weights.push_back(zeros({16}));
    op.outputs.push_back(TestTensor::c16(16, 1, width));
    op.set_config(pointwise(1, width, 1, activation));
    op.run_everywhere();
    const std::vector<float> y = op.outputs[0].values();
    std::vector<float> repeated;
    for (const float value : plus_zero(x)) repeated.insert(repeated.end(), 16, value);
    expect_activated(activation, repeated, y);
  }
}

TEST(Activation, FusedIntoDepthwiseConv2dOverAllExponents) {
  std::vector<float> x = sweep(effort(70U));
  x.resize(x.size() / 16 * 16);
  const auto width = static_cast<std::int32_t>(x.size() / 16);
  for (const std::int32_t activation : kActivations) {
    OpCase op;
    op.kernel = "conv2d_f32";
    op.inputs.push_back(TestTensor::c16(16, 1, width));
    op.inputs[0].set_values(x);
    op.weights.push_back(ones({1, 1, 1, 16}));
    op.weights.push_back(zeros({16}));
    op.outputs.push_back(TestTensor::c16(16, 1, width));
    op.set_config(pointwise(16, width, 16, activation));
    op.run_everywhere();
    expect_activated(activation, plus_zero(x), op.outputs[0].values());
  }
}

TEST(Activation, FusedIntoReorderOverAllExponents) {
  std::vector<float> x = sweep(effort(70U));
  x.resize(x.size() / 16 * 16);
  const auto width = static_cast<std::int32_t>(x.size() / 16);
  for (const std::int32_t activation : kActivations) {
    for (const std::int32_t to_plain : {0, 1}) {
      OpCase op;
      op.kernel = "reorder_f32";
      TestTensor blocked = TestTensor::c16(16, 1, width);
      TestTensor flat = TestTensor::plain({1, 16, 1, width});
      (to_plain == 1 ? blocked : flat).set_values(x);
      op.inputs.push_back(to_plain == 1 ? blocked : flat);
      op.outputs.push_back(to_plain == 1 ? flat : blocked);
      op.set_config(detent_reorder_config{16, 1, width, to_plain, activation, 0});
      op.run_everywhere();
      const std::vector<double> given = op.inputs[0].logical(), made = op.outputs[0].logical();
      expect_activated(activation, {given.begin(), given.end()}, {made.begin(), made.end()});
    }
  }
}

/// Payloads and signs differ; that it is a NaN must not be lost, in any lane.
TEST(Activation, NanStaysNan) {
  for (const std::uint32_t bits : {0x7fc00000U, 0x7fc00001U, 0x7fffffffU, 0xffc00000U, 0xffc00055U, 0x7f800001U}) {
    for (const std::int32_t activation : kActivations) {
      for (std::size_t at = 0; at < 19; ++at) {
        std::vector<float> x(19, 0.5F);
        std::memcpy(&x[at], &bits, 4);
        for (const ops::Variant& variant : variants_with("unary_f32")) {
          OpCase op;
          op.kernel = "unary_f32";
          op.inputs.push_back(plain_of(x, {19}));
          op.outputs.push_back(zeros({19}));
          op.set_config(detent_elementwise_config{19, 0, activation});
          op.run_watched({kernel_of(variant, op.kernel)});
          const std::vector<float> y = op.outputs[0].values();
          for (std::size_t i = 0; i < y.size(); ++i) {
            ASSERT_EQ(std::isnan(y[i]), i == at) << variant.name << " activation " << activation << " lane " << i;
          }
        }
      }
    }
  }
}

/// Elements far below the maximum are 0 where they would be denormal; -inf is a mask.
TEST(Activation, SoftmaxReachesZero) {
  const std::vector<float> x = {0,      -80,       -87.2F, -87.4F, -88, -95, -103, -104,     -200,
                                -3e38F, -INFINITY, -1,     -2,     -3,  -4,  0,    -INFINITY};
  OpCase op;
  op.kernel = "softmax_f32";
  const auto columns = static_cast<std::int32_t>(x.size());
  op.inputs.push_back(plain_of(x, {1, columns}));
  op.outputs.push_back(zeros({1, columns}));
  op.set_config(detent_softmax_config{1, columns});
  op.run_everywhere();
  double sum = 0;
  for (const float value : x) sum += std::exp(static_cast<double>(value));
  const std::vector<float> y = op.outputs[0].values();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double quotient = std::exp(static_cast<double>(x[i])) / sum;
    const double expected = quotient < static_cast<double>(FLT_MIN) ? 0 : quotient;
    EXPECT_LE(ulps(static_cast<double>(y[i]), expected), 6) << x[i];
  }
  EXPECT_EQ(y[10], 0.0F);
}

TEST(Activation, SoftmaxOfANanIsNan) {
  for (const std::uint32_t bits : {0x7fc00000U, 0x7fc00001U, 0xffc00001U}) {
    std::vector<float> x(21, 0.5F);
    std::memcpy(&x[7], &bits, 4);
    for (const ops::Variant& variant : variants_with("softmax_f32")) {
      OpCase op;
      op.kernel = "softmax_f32";
      op.inputs.push_back(plain_of(x, {1, 21}));
      op.outputs.push_back(zeros({1, 21}));
      op.set_config(detent_softmax_config{1, 21});
      op.run_watched({kernel_of(variant, op.kernel)});
      for (const float value : op.outputs[0].values()) ASSERT_TRUE(std::isnan(value)) << variant.name;
    }
  }
}

}  // namespace detent::ops_test
