// gemm_i8, the pools, add_i8 and what goes between F32 and I8, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "tests/runtime/kernels/int8/integer_case.hpp"

namespace detent::ops_test::int8 {
namespace {

std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

double held(std::int64_t value, std::int64_t low, std::int64_t high) {
  return static_cast<double>(std::min(std::max(value, low), high));
}

detent_gemm_i8_config random_gemm(Random& random) {
  detent_gemm_i8_config config{};
  config.gemm = {.m = random.between(1, 6),
                 .n = random.between(1, 150),
                 .k = random.between(1, 70),
                 .has_bias = 1,
                 .activation = 0,
                 .row_begin = 0,
                 .row_end = 0,
                 .reserved = 0};
  config.gemm.row_begin = random.between(0, config.gemm.m - 1);
  config.gemm.row_end = random.between(config.gemm.row_begin + 1, config.gemm.m);
  config.result = random_requantisation(random, 30, 44);
  return config;
}

IntegerCase gemm_case(Random& random, const detent_gemm_i8_config& config) {
  const detent_gemm_config& c = config.gemm;
  IntegerCase op;
  op.kernel = "gemm_i8";
  op.inputs = {IntegerTensor::plain(DETENT_I8, {c.m, c.k})};
  if (random.one_in(2)) op.inputs[0].strided(static_cast<std::uint32_t>(c.m), 5);
  op.inputs[0].set_random(random, -128, 127);
  op.outputs = {IntegerTensor::plain(DETENT_I8, {c.row_end - c.row_begin, c.n})};
  if (random.one_in(2)) op.outputs[0].strided(static_cast<std::uint32_t>(c.row_end - c.row_begin), 3);
  op.weights = {IntegerTensor::plain(DETENT_I8, {c.k, c.n})};
  if (random.one_in(2)) op.weights[0].strided(static_cast<std::uint32_t>(c.k), 7);
  op.weights[0].set_random(random, -128, 127);
  add_requantising_weights(random, op, config.result, c.n, 40000);
  op.set_config(config);
  return op;
}

detent_pool_config random_pool(Random& random) {
  detent_pool_config c{};
  c.channels = random.between(1, 50);
  const auto choose = [&](int most, std::int32_t& in, std::int32_t& out, std::int32_t& kernel, std::int32_t& stride,
                          std::int32_t& pad) {
    in = random.between(1, most);
    kernel = random.between(1, 5);
    stride = random.between(1, 3);
    pad = random.between(0, kernel - 1);
    out = random.between(1, (in + pad - 1) / stride + 1);
  };
  choose(9, c.in_h, c.out_h, c.kernel_h, c.stride_h, c.pad_top);
  choose(20, c.in_w, c.out_w, c.kernel_w, c.stride_w, c.pad_left);
  c.row_begin = random.between(0, c.out_h - 1);
  c.row_end = random.between(c.row_begin + 1, c.out_h);
  return c;
}

double maximum_at(const detent_pool_config& c, const std::vector<double>& x, int channel, int row, int column) {
  double largest = -INFINITY;
  for (int h = row * c.stride_h - c.pad_top; h < row * c.stride_h - c.pad_top + c.kernel_h; ++h) {
    for (int w = column * c.stride_w - c.pad_left; w < column * c.stride_w - c.pad_left + c.kernel_w; ++w) {
      if (h < 0 || h >= c.in_h || w < 0 || w >= c.in_w) continue;
      largest = std::max(largest, x[size((channel * c.in_h + h) * c.in_w + w)]);
    }
  }
  return largest;
}

// An element-wise op on C16 tensors, or on PLAIN ones whose blocks have different sizes.
IntegerCase elementwise_case(Random& random, const std::string& kernel, std::vector<detent_dtype> inputs,
                             detent_dtype output) {
  const bool c16 = random.one_in(2);
  const std::int32_t channels = random.between(1, 40), h = random.between(1, 5), w = random.between(1, 7);
  const auto make = [&](detent_dtype dtype) {
    if (c16) return IntegerTensor::c16(dtype, channels, h, w).maybe_strided(random);
    IntegerTensor plain = IntegerTensor::plain(dtype, {12, h, w});
    const std::uint32_t blocks[] = {1, 2, 3, 4, 6, 12};
    plain.strided(blocks[random.between(0, 5)], static_cast<std::uint64_t>(random.between(0, 9)));
    return plain;
  };
  IntegerCase op;
  op.kernel = kernel;
  for (const detent_dtype dtype : inputs) op.inputs.push_back(make(dtype));
  op.outputs = {make(output)};
  return op;
}

std::uint64_t elements_of(const IntegerCase& op) { return op.outputs[0].stored_count(); }

void expect_gemm_matches_reference(const detent_gemm_i8_config& config, const IntegerCase& op) {
  const detent_gemm_config& c = config.gemm;
  const std::vector<double> a = op.inputs[0].values(), b = op.weights[0].values(), y = op.outputs[0].values();
  const std::vector<double> bias = op.weights[1].values(), multipliers = op.weights[2].values();
  const std::vector<double> table = op.weights.size() == 4 ? op.weights[3].values() : std::vector<double>{};
  for (int row = c.row_begin; row < c.row_end; ++row) {
    for (int column = 0; column < c.n; ++column) {
      std::int64_t sum = whole(bias[size(column)]);
      for (int k = 0; k < c.k; ++k) sum += whole(a[size(row * c.k + k)]) * whole(b[size(k * c.n + column)]);
      ASSERT_EQ(whole(y[size((row - c.row_begin) * c.n + column)]),
                requantised_reference(sum, whole(multipliers[size(column)]), config.result, table))
          << row << " " << column;
    }
  }
}

}  // namespace

TEST(GemmI8, RandomShapesAndBandsMatchTheReference) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const detent_gemm_i8_config config = random_gemm(random);
    IntegerCase op = gemm_case(random, config);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    expect_gemm_matches_reference(config, op);
    ASSERT_FALSE(HasFailure());
  }
}

// Rows one by one, some at once and as many as make a tile; columns that fill several vectors, one, and none; products
// that do not fill a step.
TEST(GemmI8, FewAndManyRowsMatchTheReference) {
  for (const int rows : {1, 2, 3, 4, 7, 8, 9, 60}) {
    for (const auto& [n, k] : {std::pair{16, 1}, {64, 4}, {333, 7}, {259, 66}}) {
      SCOPED_TRACE(std::to_string(rows) + " " + std::to_string(n) + " " + std::to_string(k));
      Random random(static_cast<std::uint64_t>(rows));
      detent_gemm_i8_config config = random_gemm(random);
      config.gemm.m = rows + 1;
      config.gemm.n = n;
      config.gemm.k = k;
      config.gemm.row_begin = 1;
      config.gemm.row_end = rows + 1;
      IntegerCase op = gemm_case(random, config);
      op.run_everywhere();
      ASSERT_FALSE(HasFailure());
      expect_gemm_matches_reference(config, op);
      ASSERT_FALSE(HasFailure());
    }
  }
}

// As of convolutions: the ends of both factors, in whatever form they are multiplied.
TEST(GemmI8, ProductsOfTheEndsAreExact) {
  for (const int rows : {1, 4, 20}) {
    for (const auto& [a, b] : {std::pair{-128, -128}, {-128, 127}, {127, -128}, {127, 127}, {0, -128}, {-128, 0}}) {
      constexpr int kColumns = 300, kProducts = 70;
      detent_gemm_i8_config config{};
      config.gemm = {.m = rows,
                     .n = kColumns,
                     .k = kProducts,
                     .has_bias = 1,
                     .activation = 0,
                     .row_begin = 0,
                     .row_end = rows,
                     .reserved = 0};
      config.result = {.shift = 1, .low = -128, .high = 127, .has_table = 0};
      Random random(1);
      IntegerCase op = gemm_case(random, config);
      op.inputs[0].set_random(random, a, a);
      op.weights[0].set_random(random, b, b);
      op.weights[1].set_values(std::vector<double>(kColumns, 20.0 - kProducts * a * b));
      op.weights[2].set_values(std::vector<double>(kColumns, 1.0));
      op.run_everywhere();
      const std::vector<double> y = op.outputs[0].values();
      EXPECT_EQ(y, std::vector<double>(y.size(), 10.0)) << rows << " rows, " << a << " * " << b;
    }
  }
}

/// Run everywhere, every pixel of the band is that of `expected` (input, channel, row, column).
template <typename Expected>
void expect_pixels(IntegerCase& op, const detent_pool_config& c, const Expected& expected) {
  op.run_everywhere();
  ASSERT_FALSE(testing::Test::HasFailure());
  const std::vector<double> x = op.inputs[0].logical(), y = op.outputs[0].logical();
  std::size_t at = 0;
  for (int channel = 0; channel < c.channels; ++channel) {
    for (int row = c.row_begin; row < c.row_end; ++row) {
      for (int column = 0; column < c.out_w; ++column) {
        ASSERT_EQ(y[at++], expected(x, channel, row, column));
      }
    }
  }
}

TEST(PoolI8, MaximumMatchesTheReferenceInBands) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const detent_pool_config c = random_pool(random);
    IntegerCase op;
    op.kernel = "max_pool_i8";
    op.inputs = {IntegerTensor::c16(DETENT_I8, c.channels, c.in_h, c.in_w).maybe_strided(random)};
    op.inputs[0].set_random(random, -128, random.one_in(2) ? 127 : -120);
    op.outputs = {IntegerTensor::c16(DETENT_I8, c.channels, c.row_end - c.row_begin, c.out_w).maybe_strided(random)};
    op.set_config(c);
    expect_pixels(op, c, [&](const std::vector<double>& x, int channel, int row, int column) {
      return maximum_at(c, x, channel, row, column);
    });
    ASSERT_FALSE(HasFailure());
  }
}

TEST(PoolI8, UpsamplingRepeatsPixelsInBands) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    detent_pool_config c{};
    c.channels = random.between(1, 40);
    c.in_h = random.between(1, 6);
    c.in_w = random.between(1, 6);
    c.kernel_h = c.stride_h = random.between(1, 3);
    c.kernel_w = c.stride_w = random.between(1, 3);
    c.out_h = c.in_h * c.kernel_h;
    c.out_w = c.in_w * c.kernel_w;
    c.row_begin = random.between(0, c.out_h - 1);
    c.row_end = random.between(c.row_begin + 1, c.out_h);
    IntegerCase op;
    op.kernel = "upsample_nearest_i8";
    op.inputs = {IntegerTensor::c16(DETENT_I8, c.channels, c.in_h, c.in_w).maybe_strided(random)};
    op.inputs[0].set_random(random, -128, 127);
    op.outputs = {IntegerTensor::c16(DETENT_I8, c.channels, c.row_end - c.row_begin, c.out_w).maybe_strided(random)};
    op.set_config(c);
    expect_pixels(op, c, [&](const std::vector<double>& x, int channel, int row, int column) {
      return x[size((channel * c.in_h + row / c.kernel_h) * c.in_w + column / c.kernel_w)];
    });
    ASSERT_FALSE(HasFailure());
  }
}

TEST(PoolI8, GlobalAverageIsTheRoundedQuotientOfTheSum) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    detent_global_avg_pool_i8_config config{};
    config.pool.channels = random.between(1, 70);
    config.pool.h = random.between(1, 9);
    config.pool.w = random.between(1, 9);
    config.shift = random.between(1, 62);
    config.multiplier = random.between(-2000000000, 2000000000) / (1 << random.between(0, 20));
    if (config.shift < 35) config.multiplier %= 100;
    IntegerCase op;
    op.kernel = "global_avg_pool_i8";
    op.inputs = {IntegerTensor::c16(DETENT_I8, config.pool.channels, config.pool.h, config.pool.w)};
    op.inputs[0].maybe_strided(random).set_random(random, -128, 127);
    op.outputs = {IntegerTensor::plain(DETENT_I8, {1, config.pool.channels})};
    op.set_config(config);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    const std::vector<double> x = op.inputs[0].logical(), y = op.outputs[0].logical();
    const std::size_t pixels = size(config.pool.h * config.pool.w);
    for (std::size_t channel = 0; channel < y.size(); ++channel) {
      std::int64_t sum = 0;
      for (std::size_t p = 0; p < pixels; ++p) sum += whole(x[channel * pixels + p]);
      ASSERT_EQ(y[channel], held(rounded_reference(sum * config.multiplier, config.shift), -128, 127)) << seed;
    }
  }
}

TEST(ElementwiseI8, SumsMatchTheReference) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    IntegerCase op = elementwise_case(random, "add_i8", {DETENT_I8, DETENT_I8}, DETENT_I8);
    for (IntegerTensor& input : op.inputs) input.set_random(random, -128, random.one_in(3) ? -128 : 127);
    detent_add_i8_config config{};
    config.elements = elements_of(op);
    config.shift = random.between(1, 30);
    const int most = std::min(config.shift, 22);
    config.a_multiplier = random.one_in(5) ? -(1 << 22) : random.between(-(1 << most), 1 << most);
    config.b_multiplier = random.one_in(5) ? -(1 << 22) : random.between(-(1 << most), 1 << most);
    config.low = random.one_in(2) ? 0 : -128;
    config.high = random.between(config.low, 127);
    op.set_config(config);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    const std::vector<double> a = op.inputs[0].logical(), b = op.inputs[1].logical(), y = op.outputs[0].logical();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::int64_t sum = whole(a[i]) * config.a_multiplier + whole(b[i]) * config.b_multiplier;
      ASSERT_EQ(y[i], held(rounded_reference(sum, config.shift), config.low, config.high)) << i;
    }
  }
}

// Padding channels hold 0 even where 0 lies outside of the range.
TEST(ElementwiseI8, PaddingStaysZeroWhateverTheRange) {
  IntegerCase op;
  op.kernel = "add_i8";
  op.inputs = {IntegerTensor::c16(DETENT_I8, 3, 2, 2), IntegerTensor::c16(DETENT_I8, 3, 2, 2)};
  op.outputs = {IntegerTensor::c16(DETENT_I8, 3, 2, 2)};
  op.set_config(detent_add_i8_config{
      .elements = 12, .a_multiplier = 1, .b_multiplier = 1, .shift = 1, .low = 7, .high = 9, .reserved = 0});
  op.run_everywhere();
  EXPECT_EQ(op.outputs[0].logical(), std::vector<double>(12, 7.0));
}

TEST(ElementwiseI8, QuantisingRoundsOnceAndHoldsWhatIsTooLarge) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    IntegerCase op = elementwise_case(random, "quantize_f32_i8", {DETENT_F32}, DETENT_I8);
    std::vector<double> x(op.inputs[0].stored_count());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float any = random.one_in(2) ? random.real(2.0F) : static_cast<float>(random.between(-300, 300)) / 200.0F;
      x[i] = op.inputs[0].pads(i) ? 0.0 : static_cast<double>(any);
    }
    op.inputs[0].set_values(x);
    const float factor = random.one_in(2) ? 100.0F : 63.7F;
    op.set_config(detent_quantize_config{.elements = elements_of(op), .factor = factor, .reserved = 0});
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    const std::vector<double> from = op.inputs[0].logical(), y = op.outputs[0].logical();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto product = static_cast<double>(static_cast<float>(from[i]) * factor);
      ASSERT_EQ(y[i], std::min(std::max(std::nearbyint(product), -128.0), 127.0)) << from[i];
    }
  }
}

TEST(ElementwiseI8, QuantisingDefinesWhatIsNoNumberOfTheRange) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<double, double>> cases = {
      {infinity, 127}, {-infinity, -128}, {nan, 0},     {-0.0, 0},      {0.5, 0},        {1.5, 2},       {2.5, 2},
      {-0.5, 0},       {-1.5, -2},        {126.5, 126}, {127.5, 127},   {127.4, 127},    {-127.5, -128}, {-128.5, -128},
      {3e38, 127},     {-3e38, -128},     {1e-45, 0},   {0.5000001, 1}, {-0.5000001, -1}};
  IntegerCase op;
  op.kernel = "quantize_f32_i8";
  op.inputs = {IntegerTensor::plain(DETENT_F32, {static_cast<std::int32_t>(cases.size())})};
  op.outputs = {IntegerTensor::plain(DETENT_I8, {static_cast<std::int32_t>(cases.size())})};
  std::vector<double> x;
  for (const auto& [from, to] : cases) x.push_back(from);
  op.inputs[0].set_values(x);
  op.set_config(detent_quantize_config{.elements = cases.size(), .factor = 1.0F, .reserved = 0});
  op.run_everywhere();
  const std::vector<double> y = op.outputs[0].values();
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(y[i], cases[i].second) << cases[i].first;
}

TEST(ElementwiseI8, DequantisingIsOneProduct) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    IntegerCase op = elementwise_case(random, "dequantize_i8_f32", {DETENT_I8}, DETENT_F32);
    op.inputs[0].set_random(random, -128, 127);
    const float factor = 0.001F + std::fabs(random.real(1.0F));
    op.set_config(detent_quantize_config{.elements = elements_of(op), .factor = factor, .reserved = 0});
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    const std::vector<double> x = op.inputs[0].logical(), y = op.outputs[0].logical();
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_EQ(y[i], static_cast<double>(static_cast<float>(x[i]) * factor)) << seed;
    }
  }
}

}  // namespace detent::ops_test::int8
