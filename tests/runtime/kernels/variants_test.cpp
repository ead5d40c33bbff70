// The instruction sets: one table each with the same names; fused multiply-add rounds once even where it is emulated.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"

namespace detent::ops_test {

TEST(Variants, EveryTableHoldsTheSameKernels) {
  const detent_kernel_table& first = *ops::variant(0).table;
  EXPECT_GE(first.count, 14U);
  for (std::uint32_t v = 0; v < ops::variant_count(); ++v) {
    const detent_kernel_table& table = *ops::variant(v).table;
    ASSERT_EQ(table.count, first.count);
    for (std::uint32_t i = 0; i < table.count; ++i) {
      EXPECT_STREQ(table.kernels[i].name, first.kernels[i].name);
      EXPECT_NE(table.kernels[i].run, nullptr);
      EXPECT_EQ(table.kernels[i].check, first.kernels[i].check);
    }
  }
}

TEST(Variants, BuiltinKernelsAreTheBestThatRunHere) {
  EXPECT_EQ(detent_builtin_kernels(), variants_here().front().table);
  EXPECT_TRUE(ops::variant_runs_here(ops::variant_count() - 1));
  EXPECT_FALSE(ops::variant_runs_here(ops::variant_count()));
}

namespace {

// A 1x1x1 product through gemm is one fma(a, b, c).
void expect_fused(float a, float b, float c) {
  OpCase op;
  op.kernel = "gemm_f32";
  op.inputs.push_back(TestTensor::plain({1, 1}));
  op.weights.push_back(TestTensor::plain({1, 1}));
  op.weights.push_back(TestTensor::plain({1}));
  op.outputs.push_back(TestTensor::plain({1, 1}));
  op.inputs[0].set_values({a});
  op.weights[0].set_values({b});
  op.weights[1].set_values({c});
  op.set_config(detent_gemm_config{
      .m = 1, .n = 1, .k = 1, .has_bias = 1, .activation = 0, .row_begin = 0, .row_end = 1, .reserved = 0});
  op.run_everywhere();
  const float expected = std::fma(a, b, c);
  const float actual = op.outputs[0].values()[0];
  ASSERT_EQ(std::memcmp(&actual, &expected, 4), 0)
      << a << " * " << b << " + " << c << ": " << actual << " not " << expected;
}

}  // namespace

// Compare with the C library's over hard cases (cancellation, halfway sums, denormals, infinities).
TEST(Variants, FusedMultiplyAddRoundsOnce) {
  constexpr int kDraws = 4000;
  Random random(11);
  for (int i = 0; i < kDraws; ++i) {
    const auto draw = [&] { return std::ldexp(random.real(1.0F), random.between(-70, 60)); };
    const float a = draw();
    const float b = draw();
    float c = draw();
    if (random.one_in(2)) c = -static_cast<float>(static_cast<double>(a) * static_cast<double>(b));
    if (random.one_in(4)) c = std::ldexp(c, random.between(-30, 30));
    if (random.one_in(40)) c = INFINITY;
    expect_fused(a, b, c);
    ASSERT_FALSE(HasFailure());
  }
}

// a * b is half a step of c, but for a part so small that the sum in double loses it: rounded to double first, the sum
// lies halfway between two floats and goes to the even one, which is the wrong one.
TEST(Variants, SumsBesideAHalfwayPointAreNotRoundedTwice) {
  const float below = 1.0F - 0x1p-23F;  // times 1 + 2^-23: 1 - 2^-46
  const float above = 1.0F + 0x1p-23F;
  for (const float sign : {1.0F, -1.0F}) {
    for (int exponent = -100; exponent <= 100; exponent += 25) {
      const auto scaled = [&](float x) { return std::ldexp(x, exponent); };
      expect_fused(scaled(sign * above * 0x1p-12F), below * 0x1p-12F, scaled(sign * above));   // just short of half
      expect_fused(scaled(-sign * above * 0x1p-12F), below * 0x1p-12F, scaled(sign * above));  // the same downwards
      expect_fused(scaled(sign * 0x1p-24F), 1.0F, scaled(sign * above));                       // half: to even
      expect_fused(scaled(sign * above * 0x1p-24F), 1.0F, scaled(sign * 1.0F));                // more than half
      ASSERT_FALSE(HasFailure());
    }
  }
}

}  // namespace detent::ops_test
