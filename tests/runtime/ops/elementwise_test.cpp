// binary_f32, unary_f32 and copy_f32 against plain loops; the accuracy of the activations.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "runtime/ops/config.h"
#include "tests/runtime/ops/op_case.hpp"
#include "tests/runtime/ops/reference.hpp"

namespace detent::ops_test {
namespace {

double combine(std::int32_t op, double a, double b) {
  return op == DETENT_BINARY_ADD ? a + b : op == DETENT_BINARY_SUB ? a - b : a * b;
}

// A PLAIN tensor of `count` elements, in one block or in random equal ones.
TestTensor random_plain(Random& random, std::int32_t count) {
  TestTensor t = TestTensor::plain({count});
  const int blocks = random.between(1, 6);
  if (count % blocks == 0)
    t.strided(static_cast<std::uint32_t>(blocks), static_cast<std::uint64_t>(random.between(0, 7)));
  return t;
}

struct Operands {
  TestTensor a, b, y;
  std::uint64_t elements;
};

Operands random_operands(Random& random) {
  if (random.one_in(2)) {
    const std::int32_t c = random.between(1, 50), h = random.between(1, 6), w = random.between(1, 9);
    const auto make = [&] { return TestTensor::c16(c, h, w).maybe_strided(random); };
    return {make(), make(), make(), static_cast<std::uint64_t>(c) * static_cast<std::uint64_t>(h * w)};
  }
  const std::int32_t count = random.between(1, 60) * random.between(1, 60);
  return {random_plain(random, count), random_plain(random, count), random_plain(random, count),
          static_cast<std::uint64_t>(count)};
}

// Of the largest ulp of the result near x.
double ulps(double value, double expected) {
  const double ulp =
      std::max(std::ldexp(1.0, std::ilogb(expected == 0 ? 1e-37 : expected) - 23), std::ldexp(1.0, -149));
  return std::fabs(value - expected) / ulp;
}

}  // namespace

// One rounding for the operation; the activations add at most 3 ulp (below).
TEST(Elementwise, BinaryMatchesTheReferenceOverBlocksAndScalars) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Operands operands = random_operands(random);
    OpCase op;
    op.kernel = "binary_f32";
    const bool scalar = random.one_in(3);
    if (scalar) operands.b = TestTensor::plain({1});
    operands.a.set_random(random, 4.0F);
    operands.b.set_random(random, 4.0F);
    op.inputs.push_back(operands.a);
    (random.one_in(2) ? op.inputs : op.weights).push_back(operands.b);
    op.outputs.push_back(operands.y);
    const detent_elementwise_config config = {operands.elements, random.between(0, 2), random.between(0, 4)};
    op.set_config(config);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    const std::vector<double> a = operands.a.logical(), b = operands.b.logical(), y = op.outputs[0].logical();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double expected = activation_reference(config.activation, combine(config.op, a[i], b[scalar ? 0 : i]));
      ASSERT_NEAR(y[i], expected, 1e-6 * (1 + std::fabs(expected))) << i;
    }
  }
}

TEST(Elementwise, CopyKeepsBitsAndMayReshape) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    Operands operands = random_operands(random);
    operands.a.set_random(random, 4.0F);
    OpCase op;
    op.kernel = "copy_f32";
    op.inputs.push_back(operands.a);
    op.outputs.push_back(operands.y);
    op.set_config(detent_elementwise_config{operands.elements, 0, 0});
    op.run_everywhere();
    ASSERT_EQ(op.outputs[0].values(), operands.a.values());
  }
  OpCase flat;
  flat.kernel = "copy_f32";
  flat.inputs.push_back(TestTensor::plain({1, 6, 1, 1}));
  flat.outputs.push_back(TestTensor::plain({2, 3}));
  flat.set_config(detent_elementwise_config{6, 0, 0});
  flat.run_everywhere();
}

// The stated bounds: sigmoid and SiLU at most 3 ulp where e^-x neither over- nor underflows, RELUs exact.
TEST(Elementwise, ActivationsStayWithinTheirUlps) {
  constexpr std::int32_t kCount = 40001;
  for (const std::int32_t activation :
       {DETENT_ACT_NONE, DETENT_ACT_RELU, DETENT_ACT_RELU6, DETENT_ACT_SILU, DETENT_ACT_SIGMOID}) {
    OpCase op;
    op.kernel = "unary_f32";
    op.inputs.push_back(TestTensor::plain({kCount}));
    op.outputs.push_back(TestTensor::plain({kCount}));
    std::vector<float> x(kCount);
    for (std::int32_t i = 0; i < kCount; ++i)
      x[static_cast<std::size_t>(i)] = static_cast<float>(i - kCount / 2) * (87.0F / 20000.0F);
    op.inputs[0].set_values(x);
    op.set_config(detent_elementwise_config{kCount, 0, activation});
    op.run_everywhere();
    const std::vector<double> y = op.outputs[0].logical();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, ulps(y[i], activation_reference(activation, static_cast<double>(x[i]))));
    }
    const double bound = activation == DETENT_ACT_SIGMOID || activation == DETENT_ACT_SILU ? 3 : 0;
    EXPECT_LE(worst, bound) << "activation " << activation;
    RecordProperty("worst_ulp_" + std::to_string(activation), std::to_string(worst));
  }
}

TEST(Elementwise, ActivationsOfExtremeValuesSaturate) {
  OpCase op;
  op.kernel = "unary_f32";
  op.inputs.push_back(TestTensor::plain({4}));
  op.outputs.push_back(TestTensor::plain({4}));
  op.inputs[0].set_values({-3e38F, -200.0F, 200.0F, 3e38F});
  op.set_config(detent_elementwise_config{4, 0, DETENT_ACT_SIGMOID});
  op.run_everywhere();
  const std::vector<double> y = op.outputs[0].logical();
  EXPECT_NEAR(y[0], 0.0, 1e-37);
  EXPECT_NEAR(y[1], 0.0, 1e-37);
  EXPECT_EQ(y[2], 1.0);
  EXPECT_EQ(y[3], 1.0);
}

}  // namespace detent::ops_test
