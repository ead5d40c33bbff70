// conv2d_i8 against plain loops in 64 bits over random shapes and extreme values; a band against the whole.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "tests/effort.hpp"
#include "tests/runtime/kernels/int8/integer_case.hpp"

namespace detent::ops_test::int8 {
namespace {

struct Shape {
  detent_conv2d_i8_config config{};
  bool plain = false;
  std::vector<double> weights{};  // [OC][IC/groups][KH][KW]

  [[nodiscard]] bool depthwise() const {
    const detent_conv2d_config& c = config.conv;
    return c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  }
};

// As runtime/include/detent/op_config.h says: [OC/16][IC/ib][KH][KW][ib][16], or [C/16][KH][KW][16].
std::vector<double> packed(const Shape& shape) {
  const detent_conv2d_config& c = shape.config.conv;
  const int in_group = c.in_channels / c.groups, out_group = c.out_channels / c.groups;
  const int ib = shape.plain ? c.in_channels : 16;
  const int in_blocks = shape.plain ? 1 : (c.in_channels + 15) / 16;
  const int taps = c.kernel_h * c.kernel_w;
  const int rows = shape.depthwise() ? 1 : in_blocks * ib;
  std::vector<double> result(size((c.out_channels + 15) / 16 * 16) * size(rows * taps), 0.0);
  for (int o = 0; o < c.out_channels; ++o) {
    for (int i = 0; i < in_group; ++i) {
      const int channel = o / out_group * in_group + i;
      for (int t = 0; t < taps; ++t) {
        const int row = shape.depthwise() ? o / 16 * taps + t
                                          : ((o / 16 * in_blocks + channel / ib) * taps + t) * ib + channel % ib;
        result[size(row * 16 + o % 16)] = shape.weights[size((o * in_group + i) * taps + t)];
      }
    }
  }
  return result;
}

std::int64_t sum_at(const Shape& shape, const std::vector<double>& x, int o, int row, int column) {
  const detent_conv2d_config& c = shape.config.conv;
  const int in_group = c.in_channels / c.groups;
  const int first = o / (c.out_channels / c.groups) * in_group;
  std::int64_t sum = 0;
  for (int i = 0; i < in_group; ++i) {
    for (int kh = 0; kh < c.kernel_h; ++kh) {
      for (int kw = 0; kw < c.kernel_w; ++kw) {
        const int h = row * c.stride_h - c.pad_top + kh * c.dilation_h;
        const int w = column * c.stride_w - c.pad_left + kw * c.dilation_w;
        if (h < 0 || h >= c.in_h || w < 0 || w >= c.in_w) continue;
        sum += static_cast<std::int64_t>(x[size(((first + i) * c.in_h + h) * c.in_w + w)]) *
               static_cast<std::int64_t>(shape.weights[size(((o * in_group + i) * c.kernel_h + kh) * c.kernel_w + kw)]);
      }
    }
  }
  return sum;
}

void expect_matches_reference(const Shape& shape, const IntegerCase& op) {
  const detent_conv2d_config& c = shape.config.conv;
  const std::vector<double> x = op.inputs[0].logical(), y = op.outputs[0].logical();
  const std::vector<double> bias = op.weights[1].values(), multipliers = op.weights[2].values();
  const std::vector<double> table = op.weights.size() == 4 ? op.weights[3].values() : std::vector<double>{};
  std::size_t at = 0;
  for (int o = 0; o < c.out_channels; ++o) {
    for (int row = c.row_begin; row < c.row_end; ++row) {
      for (int column = 0; column < c.out_w; ++column, ++at) {
        const std::int64_t sum = static_cast<std::int64_t>(bias[size(o)]) + sum_at(shape, x, o, row, column);
        const std::int64_t expected =
            requantised_reference(sum, static_cast<std::int64_t>(multipliers[size(o)]), shape.config.result, table);
        ASSERT_EQ(static_cast<std::int64_t>(y[at]), expected)
            << "channel " << o << " row " << row << " column " << column << " sum " << sum;
      }
    }
  }
}

void choose_axis(Random& random, int max_in, std::int32_t& in, std::int32_t& out, std::int32_t& kernel,
                 std::int32_t& stride, std::int32_t& dilation, std::int32_t& pad) {
  for (out = 0; out <= 0;) {
    in = random.between(1, max_in);
    kernel = random.one_in(3) ? 3 : random.between(1, 5);
    stride = random.between(1, 3);
    dilation = random.between(1, 2);
    const int reach = (kernel - 1) * dilation + 1;
    pad = random.between(0, reach - 1);
    const int spare = in + pad + random.between(0, reach - 1) - reach;
    out = spare < 0 ? 0 : spare / stride + 1;
  }
}

Shape random_shape(Random& random) {
  Shape shape;
  detent_conv2d_config& c = shape.config.conv;
  c.in_channels = random.between(1, 40);
  c.out_channels = random.between(1, 50);
  c.groups = 1;
  shape.plain = random.one_in(3);
  if (shape.plain) {
    c.in_channels = random.between(1, 20);
  } else if (random.one_in(3)) {
    c.groups = c.out_channels = c.in_channels;
  } else if (random.one_in(4)) {
    c.groups = random.between(2, 4);
    c.in_channels = c.groups * random.between(2, 8);
    c.out_channels = c.groups * random.between(1, 8);
  }
  choose_axis(random, 8, c.in_h, c.out_h, c.kernel_h, c.stride_h, c.dilation_h, c.pad_top);
  choose_axis(random, 20, c.in_w, c.out_w, c.kernel_w, c.stride_w, c.dilation_w, c.pad_left);
  c.row_end = c.out_h;
  shape.config.result = random_requantisation(random, 30, 44);
  return shape;
}

IntegerTensor output_of(const Shape& shape) {
  const detent_conv2d_config& c = shape.config.conv;
  return IntegerTensor::c16(DETENT_I8, c.out_channels, c.row_end - c.row_begin, c.out_w);
}

IntegerCase make_case(Random& random, Shape& shape, std::int64_t low, std::int64_t high, std::int64_t bias_limit) {
  const detent_conv2d_config& c = shape.config.conv;
  shape.weights.resize(size(c.out_channels) * size(c.in_channels / c.groups * c.kernel_h * c.kernel_w));
  for (double& weight : shape.weights) weight = random.between(static_cast<int>(low), static_cast<int>(high));
  IntegerCase op;
  op.kernel = "conv2d_i8";
  op.inputs = {shape.plain ? IntegerTensor::plain(DETENT_I8, {1, c.in_channels, c.in_h, c.in_w})
                           : IntegerTensor::c16(DETENT_I8, c.in_channels, c.in_h, c.in_w).maybe_strided(random)};
  op.inputs[0].set_random(random, low, high);
  op.outputs = {output_of(shape).maybe_strided(random)};
  const std::vector<double> weights = packed(shape);
  op.weights = {IntegerTensor::plain(DETENT_I8, {static_cast<std::int32_t>(weights.size())})};
  op.weights[0].set_values(weights);
  add_requantising_weights(random, op, shape.config.result, (c.out_channels + 15) / 16 * 16, bias_limit);
  op.set_config(shape.config);
  return op;
}

// Rows [begin, end) of a C16 tensor, logical.
std::vector<double> rows_of(const IntegerTensor& whole, int begin, int end) {
  const std::vector<double> all = whole.logical();
  const auto rows = whole.tensor.dims[2], columns = whole.tensor.dims[3];
  std::vector<double> band;
  for (int channel = 0; channel < whole.tensor.dims[1]; ++channel) {
    for (int i = begin * columns; i < end * columns; ++i) band.push_back(all[size(channel * rows * columns + i)]);
  }
  return band;
}

// A 3x3 convolution of 16 channels on 3x3 pixels, all elements `x`, all weights `w`.
IntegerCase uniform_case(Shape& shape, double x, double w, double bias, double multiplier) {
  shape.config.conv = {.in_channels = 16,
                       .in_h = 3,
                       .in_w = 3,
                       .out_channels = 3,
                       .out_h = 3,
                       .out_w = 3,
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
                       .row_begin = 0,
                       .row_end = 3,
                       .has_residual = 0,
                       .reserved = 0};
  shape.config.result.has_table = 0;
  Random random(1);
  IntegerCase op = make_case(random, shape, 0, 0, 0);
  op.inputs[0].set_values(std::vector<double>(op.inputs[0].stored_count(), x));
  for (double& weight : shape.weights) weight = w;
  op.weights[0].set_values(packed(shape));
  op.weights[1].set_values(std::vector<double>(16, bias));
  op.weights[2].set_values(std::vector<double>(16, multiplier));
  return op;
}

}  // namespace

TEST(Conv2dI8, RandomShapesMatchTheReferenceAndBandsMatchTheWhole) {
  for (std::uint64_t seed = 1; seed <= effort(300U); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Shape shape = random_shape(random);
    IntegerCase op = make_case(random, shape, -128, 127, 40000);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    expect_matches_reference(shape, op);
    ASSERT_FALSE(HasFailure());
    if (shape.config.conv.out_h < 2) continue;
    const int cut = random.between(1, shape.config.conv.out_h - 1);
    for (const auto& [begin, end] : {std::pair{0, cut}, std::pair{cut, shape.config.conv.out_h}}) {
      Shape part = shape;
      part.config.conv.row_begin = begin;
      part.config.conv.row_end = end;
      IntegerCase band = op;
      band.set_config(part.config);
      band.outputs = {output_of(part).maybe_strided(random)};
      band.run_everywhere();
      ASSERT_EQ(band.outputs[0].logical(), rows_of(op.outputs[0], begin, end)) << "rows " << begin << " to " << end;
    }
  }
}

// A bias near the ends of an I32 makes sums wrap; multipliers and shifts at their ends.
TEST(Conv2dI8, SumsWrapAndExtremeMultipliersAndShiftsAreExact) {
  constexpr double kMost = 2147483647.0, kLeast = -2147483648.0;
  for (const double x : {-128.0, 127.0}) {
    for (const double w : {-128.0, 127.0}) {
      for (const double bias : {0.0, kMost, kLeast}) {
        for (const double multiplier : {1.0, -1.0, 0.0, kMost, kLeast}) {
          for (const std::int32_t shift : {1, 31, 45, 62}) {
            Shape shape;
            shape.config.result = {.shift = shift, .low = -128, .high = 127, .has_table = 0};
            IntegerCase op = uniform_case(shape, x, w, bias, multiplier);
            SCOPED_TRACE(std::to_string(x) + " " + std::to_string(w) + " " + std::to_string(bias) + " " +
                         std::to_string(multiplier) + " " + std::to_string(shift));
            op.run_everywhere();
            ASSERT_FALSE(HasFailure());
            expect_matches_reference(shape, op);
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

// 1.5 and 2.5 become 2, -0.5 becomes 0: each from a sum of 9 * 16 products in the middle of the image.
TEST(Conv2dI8, TiesGoToTheEvenNeighbour) {
  for (const auto& [bias, expected] : {std::pair{3.0, 2.0}, {5.0, 2.0}, {7.0, 4.0}, {-1.0, 0.0}, {-3.0, -2.0}}) {
    Shape shape;
    shape.config.result = {.shift = 1, .low = -128, .high = 127, .has_table = 0};
    IntegerCase op = uniform_case(shape, 0, 1, bias, 1);
    op.run_everywhere();
    EXPECT_EQ(op.outputs[0].logical()[4], expected) << bias;
  }
}

// The same by shifts that leave 32 bits of the product: 24, 40 and 56 sixteenths; then the least bit above or below a
// tie.
TEST(Conv2dI8, OnlyTiesOfLongShiftsGoToTheEvenNeighbour) {
  struct Quotient {
    double bias, multiplier_less_2_to_30, expected;
  };
  for (const Quotient& q : {Quotient{24, 0, 2},
                            {40, 0, 2},
                            {56, 0, 4},
                            {-8, 0, 0},
                            {-24, 0, -2},
                            {40, 1, 3},
                            {24, -1, 1},
                            {-8, 1, -1},
                            {-24, -1, -1}}) {
    Shape shape;
    shape.config.result = {.shift = 34, .low = -128, .high = 127, .has_table = 0};
    IntegerCase op = uniform_case(shape, 0, 1, q.bias, 1073741824.0 + q.multiplier_less_2_to_30);
    op.run_everywhere();
    EXPECT_EQ(op.outputs[0].logical()[4], q.expected) << q.bias << " " << q.multiplier_less_2_to_30;
  }
}

// 2304 products of 127 * 127 are more than a float holds exactly: the sum is 6 above the bias that takes it away.
TEST(Conv2dI8, LongSumsAreExact) {
  Shape shape;
  shape.config.result = {.shift = 1, .low = -128, .high = 127, .has_table = 0};
  static_cast<void>(uniform_case(shape, 0, 0, 0, 1));
  shape.config.conv.in_channels = 256;
  Random random(1);
  IntegerCase op = make_case(random, shape, 127, 127, 0);
  op.weights[1].set_values(std::vector<double>(16, 6.0 - 2304 * 127 * 127));
  op.weights[2].set_values(std::vector<double>(16, 1));
  op.run_everywhere();
  expect_matches_reference(shape, op);
  EXPECT_EQ(op.outputs[0].logical()[4], 3.0) << "in the middle, where all taps lie inside";
}

// One kernel row over one row of pixels, and what comes beside it in rows.
struct Axis {
  std::int32_t in_w, kernel, stride, dilation, pad;
};

Shape row_shape(const Axis& axis, bool plain) {
  Shape shape;
  shape.plain = plain;
  detent_conv2d_config& c = shape.config.conv;
  c.in_channels = plain ? 3 : 20;
  c.out_channels = 40;
  c.groups = 1;
  c.in_h = c.out_h = c.row_end = 2;
  c.kernel_h = c.stride_h = c.dilation_h = 1;
  c.in_w = axis.in_w;
  c.kernel_w = axis.kernel;
  c.stride_w = axis.stride;
  c.dilation_w = axis.dilation;
  c.pad_left = axis.pad;
  const int reach = (axis.kernel - 1) * axis.dilation + 1;
  c.out_w = (axis.in_w + 2 * axis.pad - reach) / axis.stride + 1;
  shape.config.result = {.shift = 40, .low = -128, .high = 127, .has_table = 1};
  return shape;
}

// Kernels and strides that share gathered pixels and that do not, rows longer than a tile, kernel rows that leave no
// room for others, or have none themselves.
TEST(Conv2dI8, RowsOfAnyKernelAndStrideMatchTheReference) {
  for (const bool plain : {true, false}) {
    for (const Axis& axis :
         {Axis{200, 3, 2, 1, 1}, Axis{131, 7, 2, 1, 3}, Axis{129, 3, 1, 1, 1}, Axis{160, 5, 3, 2, 4},
          Axis{150, 11, 4, 3, 9}, Axis{640, 16, 16, 1, 0}, Axis{900, 2, 300, 5, 5}, Axis{400, 130, 40, 1, 64},
          Axis{900, 4, 1, 270, 40}, Axis{30, 1, 7, 1, 0}, Axis{9, 9, 1, 2, 8}, Axis{2, 2, 5000, 1, 1}}) {
      SCOPED_TRACE(std::to_string(axis.in_w) + " kernel " + std::to_string(axis.kernel) + " stride " +
                   std::to_string(axis.stride) + (plain ? " plain" : ""));
      Shape shape = row_shape(axis, plain);
      Random random(7);
      IntegerCase op = make_case(random, shape, -128, 127, 40000);
      op.run_everywhere();
      ASSERT_FALSE(HasFailure());
      expect_matches_reference(shape, op);
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Depthwise: kernel rows of one to four columns and of more, strides, several kernel rows over the same rows of the
// input, rows longer than what is gathered at once, bands.
TEST(Conv2dI8, DepthwiseRowsOfAnyKernelAndStrideMatchTheReference) {
  for (const Axis& axis : {Axis{300, 3, 1, 1, 1}, Axis{301, 3, 2, 1, 1}, Axis{9, 2, 1, 1, 0}, Axis{30, 4, 3, 1, 2},
                           Axis{40, 5, 1, 1, 2}, Axis{160, 9, 2, 1, 8}, Axis{7, 3, 1, 1, 2}, Axis{1, 1, 1, 1, 0}}) {
    for (const int rows : {1, 2, 3, 5}) {
      SCOPED_TRACE(std::to_string(axis.in_w) + " kernel " + std::to_string(axis.kernel) + " x " + std::to_string(rows) +
                   " stride " + std::to_string(axis.stride));
      Shape shape = row_shape(axis, false);
      detent_conv2d_config& c = shape.config.conv;
      c.groups = c.out_channels = c.in_channels;
      c.kernel_h = rows;
      c.stride_h = axis.stride < 3 ? axis.stride : 2;
      c.pad_top = rows / 2;
      c.in_h = 8;
      c.out_h = (c.in_h + 2 * c.pad_top - rows) / c.stride_h + 1;
      c.row_begin = 1;
      c.row_end = c.out_h;
      Random random(11);
      IntegerCase op = make_case(random, shape, -128, 127, 40000);
      op.run_everywhere();
      ASSERT_FALSE(HasFailure());
      expect_matches_reference(shape, op);
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Where a product of bytes is taken apart into an unsigned and a signed factor, the ends of both show: whatever the
// sign of each factor, in the middle and where pixels lie outside.
TEST(Conv2dI8, ProductsOfTheEndsAreExact) {
  for (const bool plain : {true, false}) {
    for (const auto& [x, w] : {std::pair{-128, -128}, {-128, 127}, {127, -128}, {127, 127}, {0, -128}, {-128, 0}}) {
      Shape shape = row_shape({70, 3, 1, 1, 1}, plain);
      shape.config.result = {.shift = 1, .low = -128, .high = 127, .has_table = 0};
      Random random(1);
      IntegerCase op = make_case(random, shape, 0, 0, 0);
      const int channels = shape.config.conv.in_channels;
      shape.weights.assign(shape.weights.size(), w);
      op.weights[0].set_values(packed(shape));
      op.inputs[0].set_random(random, x, x);
      op.weights[1].set_values(std::vector<double>(48, 20.0 - 3.0 * channels * x * w));
      op.weights[2].set_values(std::vector<double>(48, 1));
      op.run_everywhere();
      ASSERT_FALSE(HasFailure());
      expect_matches_reference(shape, op);
      ASSERT_FALSE(HasFailure());
      EXPECT_EQ(op.outputs[0].logical()[1], 10.0) << x << " * " << w;
    }
  }
}

// The first and the last element of the table, and the padding channels that it must not reach.
TEST(Conv2dI8, TheTableTakesEveryElement) {
  Shape shape;
  shape.config.result = {.shift = 1, .low = -128, .high = 127, .has_table = 1};
  for (const int wanted : {-128, -1, 0, 127}) {
    IntegerCase op = uniform_case(shape, 0, 1, 2.0 * wanted, 1);
    shape.config.result.has_table = 1;
    op.set_config(shape.config);
    std::vector<double> table(256);
    for (int i = 0; i < 256; ++i) table[size(i)] = 127 - i;
    op.weights.push_back(IntegerTensor::plain(DETENT_I8, {256}));
    op.weights.back().set_values(table);
    op.run_everywhere();
    EXPECT_EQ(op.outputs[0].logical()[0], -1.0 - wanted);
  }
}

}  // namespace detent::ops_test::int8
