// gemm_f32 and softmax_f32 against plain loops in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/reference.hpp"

namespace detent::ops_test {
namespace {

OpCase make_gemm(Random& random, const detent_gemm_config& c, bool b_is_input) {
  OpCase op;
  op.kernel = "gemm_f32";
  op.inputs.push_back(TestTensor::plain({c.m, c.k}));
  if (random.one_in(3))
    op.inputs[0].strided(static_cast<std::uint32_t>(c.m), static_cast<std::uint64_t>(random.between(0, 5)));
  (b_is_input ? op.inputs : op.weights).push_back(TestTensor::plain({c.k, c.n}));
  TestTensor& b = b_is_input ? op.inputs.back() : op.weights.back();
  if (random.one_in(3)) b.strided(static_cast<std::uint32_t>(c.k), static_cast<std::uint64_t>(random.between(0, 5)));
  if (c.has_bias != 0) op.weights.push_back(TestTensor::plain({c.n}));
  for (TestTensor& t : op.inputs) t.set_random(random, 1.0F);
  for (TestTensor& t : op.weights) t.set_random(random, 1.0F);
  const std::int32_t rows = c.row_end - c.row_begin;
  op.outputs.push_back(TestTensor::plain({rows, c.n}));
  if (random.one_in(3))
    op.outputs[0].strided(static_cast<std::uint32_t>(rows), static_cast<std::uint64_t>(random.between(0, 5)));
  op.set_config(c);
  return op;
}

// One rounding per product, then the activation.
void expect_gemm_matches(const detent_gemm_config& c, const OpCase& op) {
  const std::vector<double> a = op.inputs[0].logical();
  const std::vector<double> b = (op.inputs.size() > 1 ? op.inputs[1] : op.weights[0]).logical();
  const std::vector<double> y = op.outputs[0].logical();
  for (int row = c.row_begin; row < c.row_end; ++row) {
    for (int column = 0; column < c.n; ++column) {
      double sum = c.has_bias != 0 ? op.weights[1].logical()[size(column)] : 0;
      double magnitude = std::fabs(sum);
      for (int k = 0; k < c.k; ++k) {
        const double product = a[size(row * c.k + k)] * b[size(k * c.n + column)];
        sum += product;
        magnitude += std::fabs(product);
      }
      const double expected = activation_reference(c.activation, sum);
      ASSERT_NEAR(y[size((row - c.row_begin) * c.n + column)], expected,
                  (1.1 * (c.k + 1) * magnitude + 8 * std::fabs(expected)) / 16777216.0);
    }
  }
}

}  // namespace

TEST(Gemm, RandomShapesMatchTheReferenceAndBandsTheWhole) {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    detent_gemm_config c = {.m = random.between(1, 13),
                            .n = random.between(1, 150),
                            .k = random.between(1, 40),
                            .has_bias = random.between(0, 1),
                            .activation = random.between(0, 4),
                            .row_begin = 0,
                            .row_end = 0,
                            .reserved = 0};
    c.row_end = c.m;
    OpCase op = make_gemm(random, c, c.has_bias == 0 && random.one_in(2));
    op.run_everywhere();
    expect_gemm_matches(c, op);
    ASSERT_FALSE(HasFailure());
    c.row_begin = random.between(0, c.m - 1);
    c.row_end = random.between(c.row_begin + 1, c.m);
    OpCase band = op;
    band.outputs[0] = TestTensor::plain({c.row_end - c.row_begin, c.n});
    band.set_config(c);
    band.run_everywhere();
    const std::vector<float> whole = op.outputs[0].values();
    ASSERT_EQ(band.outputs[0].values(),
              std::vector<float>(whole.begin() + c.row_begin * c.n, whole.begin() + c.row_end * c.n));
  }
}

// One row by a matrix that is passed over once, with columns that fill no vector; its bits are those of the same row
// among others.
TEST(Gemm, OneRowByALargeMatrixHasTheBitsOfARowAmongOthers) {
  for (const auto& [n, k] : {std::pair{128, 256}, {129, 257}, {143, 258}, {150, 300}, {200, 511}}) {
    SCOPED_TRACE(std::to_string(n) + " columns, " + std::to_string(k) + " products");
    Random random(static_cast<std::uint64_t>(n));
    detent_gemm_config c = {.m = 6,
                            .n = n,
                            .k = k,
                            .has_bias = random.between(0, 1),
                            .activation = random.between(0, 4),
                            .row_begin = 0,
                            .row_end = 6,
                            .reserved = 0};
    OpCase op = make_gemm(random, c, false);
    op.run_everywhere();
    expect_gemm_matches(c, op);
    const std::vector<float> whole = op.outputs[0].values();
    for (int row = 0; row < c.m; ++row) {
      c.row_begin = row;
      c.row_end = row + 1;
      OpCase band = op;
      band.outputs[0] = TestTensor::plain({1, n});
      band.set_config(c);
      band.run_everywhere();
      ASSERT_EQ(band.outputs[0].values(), std::vector<float>(whole.begin() + row * n, whole.begin() + (row + 1) * n));
    }
  }
}

// A band of columns: b and y are columns of wider matrices.
TEST(Gemm, ColumnsOfAMatrixHaveTheBitsOfTheWhole) {
  for (const std::array<int, 3>& shape : {std::array{1, 300, 300}, {1, 200, 40}, {3, 150, 20}, {6, 70, 9}, {2, 9, 5}}) {
    const int m = shape[0], n = shape[1], k = shape[2];
    SCOPED_TRACE(std::to_string(m) + " rows, " + std::to_string(n) + " columns, " + std::to_string(k) + " products");
    Random random(static_cast<std::uint64_t>(n));
    detent_gemm_config c = {
        .m = m, .n = n, .k = k, .has_bias = 1, .activation = 0, .row_begin = 0, .row_end = m, .reserved = 0};
    OpCase whole = make_gemm(random, c, false);
    whole.run_everywhere();
    const std::vector<float> b = whole.weights[0].values(), bias = whole.weights[1].values();
    const std::vector<float> y = whole.outputs[0].values();
    for (const std::pair<int, int>& columns : {std::pair{0, n / 2}, {n / 2, n}, {n - 1, n}}) {
      const auto part = [&](const std::vector<float>& matrix) {
        std::vector<float> values;
        for (std::size_t row = 0; row < matrix.size() / size(n); ++row) {
          const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(row) * n;
          values.insert(values.end(), first + columns.first, first + columns.second);
        }
        return values;
      };
      c.n = columns.second - columns.first;
      const auto gap = static_cast<std::uint64_t>(n - c.n);
      OpCase band = whole;
      band.set_config(c);
      band.weights[0] = TestTensor::plain({k, c.n}).strided(static_cast<std::uint32_t>(k), gap);
      band.weights[0].set_values(part(b));
      band.weights[1] = TestTensor::plain({c.n});
      band.weights[1].set_values(part(bias));
      band.outputs[0] = TestTensor::plain({m, c.n}).strided(static_cast<std::uint32_t>(m), gap);
      band.run_everywhere();
      ASSERT_EQ(band.outputs[0].values(), part(y));
    }
  }
}

TEST(Gemm, RowsOfTheMatrixAreEquallyFarApart) {
  Random random(1);
  const detent_gemm_config c = {
      .m = 1, .n = 8, .k = 6, .has_bias = 0, .activation = 0, .row_begin = 0, .row_end = 1, .reserved = 0};
  OpCase op = make_gemm(random, c, false);
  op.weights[0] = TestTensor::plain({6, 8}).strided(6, 3);
  EXPECT_EQ(op.check(), DETENT_OK);
  op.weights[0] = TestTensor::plain({6, 8}).strided(3, 3);
  EXPECT_EQ(op.check(), DETENT_SHAPE);
}

// The bytes between two rows are no part of the tensor, so nothing would see that they are read.
TEST(Gemm, RowsOfTheMatrixBeginAtElements) {
  Random random(1);
  const detent_gemm_config c = {
      .m = 1, .n = 8, .k = 6, .has_bias = 0, .activation = 0, .row_begin = 0, .row_end = 1, .reserved = 0};
  OpCase op = make_gemm(random, c, false);
  op.weights[0] = TestTensor::plain({6, 8}).strided(6, 3);
  detent_tensor& b = op.weights[0].tensor;
  b.stride_bytes += 1;
  b.size_bytes += 5;  // of six rows, five are behind another one
  EXPECT_EQ(op.check(), DETENT_SHAPE);
}

// e^x to 2 ulp, the sum to columns/16 + 4 roundings, the quotient to one.
TEST(Softmax, RandomRowsMatchTheReferenceAndSumToOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const detent_softmax_config c = {random.between(1, 9), random.one_in(3) ? 16 : random.between(1, 100)};
    OpCase op;
    op.kernel = "softmax_f32";
    op.inputs.push_back(TestTensor::plain({c.rows, c.columns}));
    op.outputs.push_back(TestTensor::plain({c.rows, c.columns}).strided(static_cast<std::uint32_t>(c.rows), 3));
    op.inputs[0].set_random(random, 20.0F);
    op.set_config(c);
    op.run_everywhere();
    const std::vector<double> x = op.inputs[0].logical();
    const std::vector<double> y = op.outputs[0].logical();
    for (std::size_t row = 0; row < size(c.rows); ++row) {
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * size(c.columns));
      const double largest = *std::max_element(begin, begin + c.columns);
      double sum = 0;
      for (std::size_t i = 0; i < size(c.columns); ++i) sum += std::exp(x[row * size(c.columns) + i] - largest);
      for (std::size_t i = 0; i < size(c.columns); ++i) {
        const double expected = std::exp(x[row * size(c.columns) + i] - largest) / sum;
        ASSERT_NEAR(y[row * size(c.columns) + i], expected, expected * 24.0 / 8388608.0);
      }
    }
  }
}

// e^-87.3 is a normal number, a third of it is not.
TEST(Softmax, QuotientsBelowTheLeastNormalNumberAreZero) {
  for (const int columns : {5, 16, 37}) {
    OpCase op;
    op.kernel = "softmax_f32";
    op.inputs.push_back(TestTensor::plain({2, columns}));
    op.outputs.push_back(TestTensor::plain({2, columns}));
    std::vector<float> x(size(2 * columns), -87.3F);
    x[0] = x[1] = x[2] = 0.0F;
    x[size(columns)] = 0.0F;
    op.inputs[0].set_values(x);
    op.set_config(detent_softmax_config{2, columns});
    op.run_everywhere();
    const std::vector<float> y = op.outputs[0].values();
    for (int i = 3; i < columns; ++i) ASSERT_EQ(y[size(i)], 0.0F);
    for (int i = 1; i < columns; ++i) ASSERT_GE(y[size(columns + i)], std::numeric_limits<float>::min());
  }
}

}  // namespace detent::ops_test
