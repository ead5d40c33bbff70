// The numbers of operators: half types correctly rounded on every input, floats and doubles within what
// <detent/operator.h> says, the same bits from every instruction set.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "base/random.hpp"
// The functions of the instruction sets once more, for this file.
#define DETENT_OPS_ISA operator_test
#include "runtime/kernels/isa/functions.h"
#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/operator_case.hpp"

namespace detent::ops_test {
namespace {

/// Bits of every size and sign, and numbers near 0 where the functions bend.
std::vector<std::uint64_t> sample(std::int32_t dtype, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t mask = dtype == DETENT_F64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes_of(dtype) * 8) - 1;
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t drawn = random.next();
    const auto near = static_cast<long double>(static_cast<std::int64_t>(drawn)) * (i % 4 == 1 ? 0x1p-60L : 0x1p-53L);
    bits.push_back(i % 2 == 0 ? drawn & mask : rounded(dtype, near));
  }
  return bits;
}

std::string place(std::int32_t elementwise, std::uint64_t a) {
  return std::string(detent_elementwise_name(elementwise)) + " of bits " + std::to_string(a);
}

class Operators : public ::testing::TestWithParam<std::int32_t> {};

/// Beyond the 53 bits of double a sum needs more than long double has; reference() then rounds twice.
bool is_exact_in_reference(std::int32_t elementwise) {
  return elementwise != DETENT_EW_ADD && elementwise != DETENT_EW_SUB;
}

TEST_P(Operators, EveryHalfIsCorrectlyRounded) {
  const std::int32_t elementwise = GetParam();
  const std::vector<double> params = params_of(elementwise);
  for (const std::int32_t dtype : {DETENT_F16, DETENT_BF16}) {
    std::vector<std::uint64_t> a;
    for (std::uint64_t i = 0; i < 65536; ++i) a.push_back(i);
    const std::vector<std::uint64_t> b = sample(dtype, a.size(), 3);
    const std::vector<std::uint64_t> y = calculated(elementwise, dtype, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const long double wanted = reference(elementwise, value_of(dtype, a[i]), value_of(dtype, b[i]), params.data());
      ASSERT_EQ(y[i], rounded(dtype, wanted)) << place(elementwise, a[i]) << " and " << b[i] << ", type " << dtype;
    }
  }
}

/// How far from the exact value, in steps of the type. NaN, infinities and the sign of 0 are as they must be.
long double error_of(std::int32_t elementwise, std::int32_t dtype, std::uint64_t a, std::uint64_t b, std::uint64_t y) {
  const std::vector<double> params = params_of(elementwise);
  const long double wanted = reference(elementwise, value_of(dtype, a), value_of(dtype, b), params.data());
  const long double got = value_of(dtype, y);
  if (std::isnan(wanted) || std::isnan(got)) {
    EXPECT_EQ(y, rounded(dtype, wanted)) << place(elementwise, a);
    return 0;
  }
  EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << place(elementwise, a);
  if (std::isinf(got) || std::isinf(value_of(dtype, rounded(dtype, wanted)))) {
    EXPECT_EQ(y, rounded(dtype, wanted)) << place(elementwise, a);
    return 0;
  }
  return std::abs(got - wanted) / step_at(dtype, wanted);
}

long double worst_error(std::int32_t elementwise, std::int32_t dtype, std::size_t count) {
  const std::vector<std::uint64_t> a = sample(dtype, count, 5);
  const std::vector<std::uint64_t> b = sample(dtype, count, 7);
  const std::vector<std::uint64_t> y = calculated(elementwise, dtype, a, b);
  long double worst = 0;
  for (std::size_t i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    worst = std::max(worst, error_of(elementwise, dtype, a[i], b[i], y[i]));
  }
  return worst;
}

TEST_P(Operators, FloatsAreCorrectlyRoundedButForSilu) {
  const long double limit = GetParam() == DETENT_EW_SILU ? 4.0L : is_exact_in_reference(GetParam()) ? 0.5L : 0.5001L;
  // Doubles narrowed to float are wrong where they lie within 2^-26 of a half step: not once in a sample.
  EXPECT_LE(worst_error(GetParam(), DETENT_F32, 50'000), limit + 1e-6L);
}

TEST_P(Operators, DoublesAreWithinTheirSteps) {
  const std::int32_t elementwise = GetParam();
  if (elementwise == DETENT_EW_GELU_TANH) {  // its tail: absolute
    const std::vector<std::uint64_t> a = sample(DETENT_F64, 50'000, 5);
    const std::vector<std::uint64_t> y = calculated(elementwise, DETENT_F64, a, a);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const long double wanted = reference(elementwise, value_of(DETENT_F64, a[i]), 0, nullptr);
      if (std::isnan(wanted) || std::isinf(wanted)) continue;
      EXPECT_LE(std::abs(value_of(DETENT_F64, y[i]) - wanted), 2.3e-16L * (1 + std::abs(wanted)) * 2);
    }
    return;
  }
  const bool is_series = elementwise == DETENT_EW_SILU || elementwise == DETENT_EW_SIGMOID ||
                         elementwise == DETENT_EW_TANH || elementwise == DETENT_EW_GELU || elementwise == DETENT_EW_EXP;
  const long double limit = elementwise == DETENT_EW_GELU ? 8 : elementwise == DETENT_EW_EXP ? 1.2L : 4;
  EXPECT_LE(worst_error(elementwise, DETENT_F64, 50'000), is_series ? limit : 0.501L);
}

TEST_P(Operators, EveryInstructionSetGivesTheSameBits) {
  for (const std::int32_t dtype : kOperatorTypes) {
    constexpr std::size_t kElements = 4099;
    const std::vector<std::uint64_t> a = sample(dtype, kElements, 11);
    const std::vector<std::uint64_t> b = sample(dtype, kElements, 13);
    const detent_operator op = dense_operator(GetParam(), dtype, kElements);
    std::vector<std::uint64_t> x(kElements);
    std::vector<std::uint64_t> z(kElements);
    for (std::size_t i = 0; i < kElements; ++i) {
      set_element(x.data(), dtype, static_cast<std::int64_t>(i), a[i]);
      set_element(z.data(), dtype, static_cast<std::int64_t>(i), b[i]);
    }
    std::vector<std::vector<std::uint64_t>> results;
    for (const ops::Variant& variant : variants_with("elementwise")) {
      std::vector<std::uint64_t> y(kElements);
      const detent_buffer output = {y.data(), nullptr};
      const detent_buffer inputs[] = {{x.data(), nullptr}, {z.data(), nullptr}};
      detent_kernel_args args = {};
      args.inputs = inputs;
      args.outputs = &output;
      args.input_count = op.input_count;
      args.output_count = 1;
      args.config = &op;
      args.config_size = sizeof op;
      EXPECT_EQ(kernel_of(variant, "elementwise").run(&args), 0);
      results.push_back(std::move(y));
    }
    for (const std::vector<std::uint64_t>& result : results) EXPECT_EQ(result, results.front()) << "type " << dtype;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Operators, ::testing::Range(1, static_cast<int>(DETENT_EW_CLIP) + 1),
                         [](const auto& of) { return std::string(detent_elementwise_name(of.param)); });

TEST(OperatorNumbers, SiluAtItsEnds) {
  const auto silu = [](std::int32_t dtype, long double x) {
    return calculated(DETENT_EW_SILU, dtype, {rounded(dtype, x)}, {}).front();
  };
  for (const std::int32_t dtype : kOperatorTypes) {
    EXPECT_EQ(silu(dtype, -INFINITY), rounded(dtype, -0.0L));
    EXPECT_EQ(silu(dtype, INFINITY), rounded(dtype, INFINITY));
    EXPECT_EQ(silu(dtype, NAN), rounded(dtype, NAN));
    EXPECT_EQ(silu(dtype, 0.0L), rounded(dtype, 0.0L));
    EXPECT_EQ(silu(dtype, -0.0L), rounded(dtype, -0.0L));
    EXPECT_EQ(silu(dtype, -50000.0L), rounded(dtype, -0.0L));
  }
}

TEST(OperatorNumbers, EveryNanBecomesTheCanonicalOne) {
  for (std::int32_t at = 1; detent_elementwise_name(at) != nullptr; ++at) {
    for (const std::int32_t dtype : kOperatorTypes) {
      const std::uint64_t sign = std::uint64_t{1} << (bytes_of(dtype) * 8 - 1);
      const std::uint64_t nan = rounded(dtype, NAN) | sign | 5;
      const std::uint64_t one = rounded(dtype, 1.0L);
      EXPECT_EQ(calculated(at, dtype, {nan, one}, {one, nan}).front(), rounded(dtype, NAN)) << place(at, nan);
      if (detent_elementwise_inputs(at) == 2) {
        EXPECT_EQ(calculated(at, dtype, {nan, one}, {one, nan}).back(), rounded(dtype, NAN)) << place(at, nan);
      }
    }
  }
}

// What processors without the instruction take.
TEST(OperatorNumbers, SquareRootByDigitsIsTheInstructions) {
  Random random(17);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::abs(std::bit_cast<double>(random.next()));
    if (!(x > 0) || std::isinf(x)) continue;
    ASSERT_EQ(ops::operator_test::square_root_by_digits(x), std::sqrt(x)) << x;
  }
  for (const double x : {0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022, 1.0, 2.0, 4.0, 0x1.fffffffffffffp0}) {
    EXPECT_EQ(ops::operator_test::square_root_by_digits(x), std::sqrt(x)) << x;
  }
}

}  // namespace
}  // namespace detent::ops_test
