// binary_f32, unary_f32 and copy_f32 against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/reference.hpp"

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

}  // namespace

// One rounding for the operation; the activations add at most 3 ulp (activation_test).
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

TEST(Elementwise, CopyOfAnyTypeKeepsBitsWhateverTheBlocks) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    Operands operands = random_operands(random);
    operands.a.set_random(random, 4.0F);
    OpCase op;
    op.kernel = "copy_blocks";
    op.inputs.push_back(operands.a);
    op.outputs.push_back(operands.y);
    op.inputs[0].tensor.dtype = op.outputs[0].tensor.dtype = static_cast<std::uint8_t>(seed % 9);
    op.run_everywhere();
    ASSERT_EQ(op.outputs[0].values(), operands.a.values());
  }
}

}  // namespace detent::ops_test
