// conv2d_f32 and conv2d_winograd_f32 against a plain loop in double over random shapes; a split convolution against the
// whole one, by bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <detent/op_config.h>

#include "tests/effort.hpp"
#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/reference.hpp"

namespace detent::ops_test {
namespace {

constexpr double kHalfUlp = 1.0 / 16777216.0;

// A convolution's logical weights and its config.
struct ConvShape {
  detent_conv2d_config config{};
  bool plain = false;
  std::vector<float> weights;  // [OC][IC/groups][KH][KW]
  std::vector<float> bias;     // [OC]

  [[nodiscard]] bool depthwise() const {
    return config.groups > 1 && config.groups == config.in_channels && config.groups == config.out_channels;
  }
};

// As runtime/include/detent/op_config.h says.
std::vector<float> pack_weights(const ConvShape& shape) {
  const detent_conv2d_config& c = shape.config;
  const int in_group = c.in_channels / c.groups;
  const int out_group = c.out_channels / c.groups;
  const int ib = shape.plain ? c.in_channels : 16;
  const int in_blocks = shape.plain ? 1 : (c.in_channels + 15) / 16;
  const int taps = c.kernel_h * c.kernel_w;
  const int rows = shape.depthwise() ? 1 : in_blocks * ib;
  std::vector<float> packed(size((c.out_channels + 15) / 16 * 16) * size(rows * taps), 0.0F);
  for (int o = 0; o < c.out_channels; ++o) {
    for (int i = 0; i < in_group; ++i) {
      const int channel = o / out_group * in_group + i;
      for (int t = 0; t < taps; ++t) {
        const std::size_t at =
            shape.depthwise()
                ? size(o / 16 * taps + t) * 16 + size(o % 16)
                : (size((o / 16 * in_blocks + channel / ib) * taps + t) * size(ib) + size(channel % ib)) * 16 +
                      size(o % 16);
        packed[at] = shape.weights[size((o * in_group + i) * taps + t)];
      }
    }
  }
  return packed;
}

struct Sum {
  double value, magnitude;  // of the products, for the error bound
};

Sum reference_at(const ConvShape& shape, const std::vector<double>& x, int o, int row, int column) {
  const detent_conv2d_config& c = shape.config;
  const int in_group = c.in_channels / c.groups;
  const int first = o / (c.out_channels / c.groups) * in_group;
  Sum sum = {static_cast<double>(shape.bias[size(o)]), std::fabs(static_cast<double>(shape.bias[size(o)]))};
  for (int i = 0; i < in_group; ++i) {
    for (int kh = 0; kh < c.kernel_h; ++kh) {
      for (int kw = 0; kw < c.kernel_w; ++kw) {
        const int h = row * c.stride_h - c.pad_top + kh * c.dilation_h;
        const int w = column * c.stride_w - c.pad_left + kw * c.dilation_w;
        if (h < 0 || h >= c.in_h || w < 0 || w >= c.in_w) continue;
        const double product =
            x[size(((first + i) * c.in_h + h) * c.in_w + w)] *
            static_cast<double>(shape.weights[size(((o * in_group + i) * c.kernel_h + kh) * c.kernel_w + kw)]);
        sum.value += product;
        sum.magnitude += std::fabs(product);
      }
    }
  }
  return sum;
}

// One rounding per product, then the activation (slope at most 1.1, a few roundings of its own) and the residual.
void expect_matches_reference(const ConvShape& shape, OpCase& op) {
  const detent_conv2d_config& c = shape.config;
  const std::vector<double> x = op.inputs[0].logical();
  const std::vector<double> y = op.outputs[0].logical();
  const std::vector<double> residual =
      c.has_residual != 0 ? op.inputs[1].logical() : std::vector<double>(y.size(), 0.0);
  const int rows = c.row_end - c.row_begin;
  const double roundings = c.in_channels / c.groups * c.kernel_h * c.kernel_w + 1;
  for (int o = 0; o < c.out_channels; ++o) {
    for (int r = 0; r < rows; ++r) {
      for (int w = 0; w < c.out_w; ++w) {
        const std::size_t at = size((o * rows + r) * c.out_w + w);
        const Sum sum = reference_at(shape, x, o, c.row_begin + r, w);
        const double expected = activation_reference(c.activation, sum.value) + residual[at];
        const double bound = 1.1 * roundings * kHalfUlp * sum.magnitude +
                             8 * kHalfUlp * (std::fabs(expected) + std::fabs(residual[at])) + 1e-30;
        ASSERT_NEAR(y[at], expected, bound) << "channel " << o << " row " << r << " column " << w;
      }
    }
  }
}

int output_size(int in, int reach, int stride, int pad_sum) { return (in + pad_sum - reach) / stride + 1; }

// One axis: input and output sizes that fit a random kernel, stride, dilation and padding.
struct AxisSizes {
  int in, out, kernel, stride, dilation, pad;
};

AxisSizes random_axis(Random& random, int max_in) {
  for (;;) {
    AxisSizes a = {random.between(1, max_in), 0, random.between(1, 5), random.between(1, 3), random.between(1, 2), 0};
    if (random.one_in(3)) a.kernel = 3;
    if (random.one_in(4)) a.kernel = a.stride = a.dilation = 1;
    const int reach = (a.kernel - 1) * a.dilation + 1;
    a.pad = random.between(0, reach - 1);
    const int pad_end = random.between(0, reach - 1);
    a.out = a.in + a.pad + pad_end >= reach ? output_size(a.in, reach, a.stride, a.pad + pad_end) : 0;
    if (a.out > 0) return a;
  }
}

void choose_channels(Random& random, ConvShape& shape) {
  detent_conv2d_config& c = shape.config;
  c.in_channels = random.between(1, 40);
  c.out_channels = random.between(1, 70);
  c.groups = 1;
  shape.plain = random.one_in(4);
  if (shape.plain) {
    c.in_channels = random.between(1, 4);
  } else if (random.one_in(4)) {
    c.groups = c.out_channels = c.in_channels;  // depthwise
  } else if (random.one_in(4)) {
    c.groups = random.between(2, 4);
    c.in_channels = c.groups * random.between(2, 8);
    c.out_channels = c.groups * random.between(1, 8);
  }
}

ConvShape random_shape(Random& random) {
  ConvShape shape;
  detent_conv2d_config& c = shape.config;
  choose_channels(random, shape);
  const AxisSizes h = random_axis(random, 8);
  const AxisSizes w = random_axis(random, 33);
  c.in_h = h.in, c.out_h = h.out, c.kernel_h = h.kernel, c.stride_h = h.stride, c.dilation_h = h.dilation,
  c.pad_top = h.pad;
  c.in_w = w.in, c.out_w = w.out, c.kernel_w = w.kernel, c.stride_w = w.stride, c.dilation_w = w.dilation,
  c.pad_left = w.pad;
  c.activation = random.between(DETENT_ACT_NONE, DETENT_ACT_SIGMOID);
  c.has_residual = random.between(0, 1);
  c.row_begin = 0;
  c.row_end = c.out_h;
  return shape;
}

void make_weights(Random& random, ConvShape& shape) {
  const detent_conv2d_config& c = shape.config;
  shape.weights.resize(size(c.out_channels) * size(c.in_channels / c.groups * c.kernel_h * c.kernel_w));
  for (float& w : shape.weights) w = random.real(0.5F);
  shape.bias.resize(size(c.out_channels));
  for (float& b : shape.bias) b = random.real(1.0F);
}

OpCase make_case(Random& random, ConvShape& shape) {
  const detent_conv2d_config& c = shape.config;
  OpCase op;
  op.kernel = "conv2d_f32";
  op.inputs.push_back(shape.plain ? TestTensor::plain({1, c.in_channels, c.in_h, c.in_w})
                                  : TestTensor::c16(c.in_channels, c.in_h, c.in_w).maybe_strided(random));
  op.inputs[0].set_random(random, 1.0F);
  const int rows = c.row_end - c.row_begin;
  if (c.has_residual != 0) {
    op.inputs.push_back(TestTensor::c16(c.out_channels, rows, c.out_w).maybe_strided(random));
    op.inputs[1].set_random(random, 1.0F);
  }
  op.outputs.push_back(TestTensor::c16(c.out_channels, rows, c.out_w).maybe_strided(random));
  const std::vector<float> packed = pack_weights(shape);
  op.weights.push_back(TestTensor::plain({static_cast<std::int32_t>(packed.size())}));
  op.weights[0].set_values(packed);
  std::vector<float> bias = shape.bias;
  bias.resize((bias.size() + 15) / 16 * 16, 0.0F);
  op.weights.push_back(TestTensor::plain({static_cast<std::int32_t>(bias.size())}));
  op.weights[1].set_values(bias);
  op.set_config(c);
  return op;
}

std::string describe(const detent_conv2d_config& c, bool plain) {
  std::string text = plain ? "plain" : "c16";
  for (const int v :
       {c.in_channels, c.in_h, c.in_w, c.out_channels, c.out_h, c.out_w, c.kernel_h, c.kernel_w, c.stride_h, c.stride_w,
        c.dilation_h, c.dilation_w, c.pad_top, c.pad_left, c.groups, c.activation}) {
    text += " " + std::to_string(v);
  }
  return text;
}

// Rows [begin, end) of a [C][rows][W] tensor as stored.
std::vector<float> band_of(const TestTensor& whole, int begin, int end) {
  const std::vector<float> all = whole.values();
  const auto row = size(whole.tensor.dims[3]) * 16;
  const auto rows = size(whole.tensor.dims[2]);
  std::vector<float> band;
  for (std::size_t block = 0; block < all.size() / (rows * row); ++block) {
    for (std::size_t i = (block * rows + size(begin)) * row; i < (block * rows + size(end)) * row; ++i)
      band.push_back(all[i]);
  }
  return band;
}

// The band's own op: same input and weights, a strided output view.
void expect_band_equals(Random& random, const OpCase& whole, const detent_conv2d_config& config, int begin, int end) {
  OpCase band = whole;
  detent_conv2d_config c = config;
  c.row_begin = begin;
  c.row_end = end;
  band.set_config(c);
  band.outputs[0] = TestTensor::c16(c.out_channels, end - begin, c.out_w).maybe_strided(random);
  if (c.has_residual != 0) {
    band.inputs[1] = TestTensor::c16(c.out_channels, end - begin, c.out_w).maybe_strided(random);
    band.inputs[1].set_values(band_of(whole.inputs[1], begin, end));
  }
  band.run_everywhere();
  ASSERT_EQ(band.outputs[0].values(), band_of(whole.outputs[0], begin, end)) << "rows " << begin << " to " << end;
}

// The same op by F(4x4, 3x3): its weights, here from the definition, and room for `tiles` of them.
std::vector<float> transform_weights(const ConvShape& shape) {
  constexpr double kG[6][3] = {{1.0 / 4, 0, 0},
                               {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                               {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                               {1.0 / 24, 1.0 / 12, 1.0 / 6},
                               {1.0 / 24, -1.0 / 12, 1.0 / 6},
                               {0, 0, 1}};
  const detent_conv2d_config& c = shape.config;
  const int in_blocks = (c.in_channels + 15) / 16;
  std::vector<float> packed(size((c.out_channels + 15) / 16) * 36 * size(in_blocks) * 256, 0.0F);
  for (int o = 0; o < c.out_channels; ++o) {
    for (int i = 0; i < c.in_channels; ++i) {
      const float* filter = &shape.weights[size(o * c.in_channels + i) * 9];
      for (int p = 0; p < 36; ++p) {
        double sum = 0;
        for (int t = 0; t < 9; ++t) sum += kG[p / 6][t / 3] * static_cast<double>(filter[t]) * kG[p % 6][t % 3];
        packed[size(((o / 16 * 36 + p) * in_blocks + i / 16) * 256 + i % 16 * 16 + o % 16)] = static_cast<float>(sum);
      }
    }
  }
  return packed;
}

OpCase winograd_of(const ConvShape& shape, OpCase op, int tiles) {
  op.kernel = "conv2d_winograd_f32";
  const std::vector<float> weights = transform_weights(shape);
  op.weights[0] = TestTensor::plain({static_cast<std::int32_t>(weights.size())});
  op.weights[0].set_values(weights);
  op.scratch = {TestTensor::plain({DETENT_WINOGRAD_PRODUCTS + tiles * 576 * ((shape.config.in_channels + 15) / 16)})};
  return op;
}

ConvShape random_winograd_shape(Random& random) {
  ConvShape shape;
  detent_conv2d_config& c = shape.config;
  c.in_channels = random.between(1, 24);
  c.out_channels = random.between(1, 40);
  c.kernel_h = c.kernel_w = 3;
  c.stride_h = c.stride_w = c.dilation_h = c.dilation_w = c.groups = 1;
  c.pad_top = random.between(0, 2);
  c.pad_left = random.between(0, 2);
  c.in_h = random.between(3, 14);
  c.in_w = random.between(3, 22);
  c.out_h = c.row_end = random.between(1, c.in_h + c.pad_top);
  c.out_w = random.between(1, c.in_w + c.pad_left);
  c.activation = random.between(DETENT_ACT_NONE, DETENT_ACT_SIGMOID);
  c.has_residual = random.between(0, 1);
  return shape;
}

constexpr double kWinogradError = 32 * kHalfUlp;  // of the largest input by the sum of an output channel's weights

// Of random cases, with 1 for the residual: chosen inputs and weights of one channel reach more (docs/FORMATS.md).
// Inputs lie within 1 by magnitude, so that a channel's weights bound what any pixel of a tile adds; so does what
// rounds in the transformations, where larger numbers cancel.
void expect_winograd_near(const ConvShape& shape, const OpCase& direct, const OpCase& op) {
  const detent_conv2d_config& c = shape.config;
  const std::vector<double> expected = direct.outputs[0].logical();
  const std::vector<double> y = op.outputs[0].logical();
  const std::size_t pixels = size(c.out_h) * size(c.out_w);
  for (int o = 0; o < c.out_channels; ++o) {
    double magnitude = std::fabs(static_cast<double>(shape.bias[size(o)])) + 1;
    for (int t = 0; t < c.in_channels * 9; ++t) {
      magnitude += std::fabs(static_cast<double>(shape.weights[size(o * c.in_channels * 9 + t)]));
    }
    for (std::size_t p = size(o) * pixels; p < size(o + 1) * pixels; ++p) {
      ASSERT_NEAR(y[p], expected[p], kWinogradError * magnitude) << "channel " << o << " pixel " << p % pixels;
    }
  }
}

}  // namespace

TEST(Conv2d, WinogradIsNearTheReferenceAndBandsAndScratchChangeNoBit) {
  for (std::uint64_t seed = 1; seed <= effort(30u); ++seed) {
    Random random(seed);
    ConvShape shape = random_winograd_shape(random);
    make_weights(random, shape);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(shape.config, false));
    OpCase direct = make_case(random, shape);
    OpCase op = winograd_of(shape, direct, random.between(1, 20));
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    direct.run_watched({kernel_of(variants_here()[0], "conv2d_f32")});
    expect_winograd_near(shape, direct, op);
    ASSERT_FALSE(HasFailure());
    OpCase other = winograd_of(shape, direct, random.between(1, 60));
    other.run_watched({kernel_of(variants_here()[0], op.kernel)});
    ASSERT_EQ(other.outputs[0].values(), op.outputs[0].values()) << "another size of scratch";
    if (shape.config.out_h <= 4) continue;
    const int cut = random.between(1, (shape.config.out_h - 1) / 4) * 4;
    expect_band_equals(random, op, shape.config, 0, cut);
    expect_band_equals(random, op, shape.config, cut, shape.config.out_h);
    ASSERT_FALSE(HasFailure());
  }
}

// So a band whose view ends with the rows that it needs has the bits of the whole.
TEST(Conv2d, WinogradSeesNothingThatNoOutputPixelNeeds) {
  Random random(7);
  ConvShape shape = random_winograd_shape(random);
  detent_conv2d_config& c = shape.config;
  c.in_channels = 16;
  c.pad_top = c.pad_left = c.has_residual = 0;
  c.in_h = 14, c.in_w = 18;
  c.out_h = c.row_end = 6, c.out_w = 5;  // 8 rows and 7 columns are needed
  make_weights(random, shape);
  OpCase op = winograd_of(shape, make_case(random, shape), 3);
  op.inputs[0] = TestTensor::c16(c.in_channels, c.in_h, c.in_w);
  op.inputs[0].set_random(random, 1.0F);
  op.run_everywhere();
  const std::vector<float> expected = op.outputs[0].values();
  std::vector<float> x = op.inputs[0].values();
  for (int row = 0; row < c.in_h; ++row) {
    for (int column = 0; column < c.in_w; ++column) {
      if (row < 8 && column < 7) continue;
      std::fill_n(&x[size(row * c.in_w + column) * 16], 16, std::numeric_limits<float>::quiet_NaN());
    }
  }
  op.inputs[0].set_values(x);
  op.run_everywhere();
  EXPECT_EQ(op.outputs[0].values(), expected);
}

TEST(Conv2d, RandomShapesMatchTheReferenceAndBandsMatchTheWholeByBits) {
  for (std::uint64_t seed = 1; seed <= effort(260u); ++seed) {
    Random random(seed);
    ConvShape shape = random_shape(random);
    make_weights(random, shape);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(shape.config, shape.plain));
    OpCase op = make_case(random, shape);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    expect_matches_reference(shape, op);
    ASSERT_FALSE(HasFailure());
    if (shape.config.out_h < 2) continue;
    const int cut = random.between(1, shape.config.out_h - 1);
    expect_band_equals(random, op, shape.config, 0, cut);
    expect_band_equals(random, op, shape.config, cut, shape.config.out_h);
    ASSERT_FALSE(HasFailure());
  }
}

// Input channels of several copies, kernels of a plain image in one call, strips of some of the rows and of all.
TEST(Conv2d, TilesAtEdgesReadCopiesOfAllGeometries) {
  struct Geometry {
    bool plain, depthwise;
    int in_channels, out_channels, in_h, in_w, kernel, stride, dilation, activation;
  };
  const Geometry geometries[] = {
      {false, false, 100, 40, 5, 7, 3, 1, 1, DETENT_ACT_RELU},
      {false, false, 100, 20, 9, 15, 3, 2, 1, DETENT_ACT_NONE},
      {false, false, 70, 33, 6, 29, 5, 1, 1, DETENT_ACT_SILU},
      {false, false, 20, 17, 7, 30, 7, 2, 1, DETENT_ACT_RELU6},
      {true, false, 3, 40, 19, 61, 7, 2, 1, DETENT_ACT_RELU},
      {true, false, 2, 18, 9, 40, 9, 1, 1, DETENT_ACT_NONE},
      {false, true, 40, 40, 31, 14, 3, 1, 1, DETENT_ACT_RELU6},
      {false, true, 20, 20, 40, 57, 3, 2, 1, DETENT_ACT_RELU},
      {false, true, 17, 17, 23, 30, 5, 1, 2, DETENT_ACT_NONE},
      {false, true, 16, 16, 9, 7, 7, 1, 1, DETENT_ACT_SIGMOID},
      {false, true, 16, 16, 13, 33, 3, 3, 1, DETENT_ACT_RELU6},
  };
  std::uint64_t seed = 2000;
  for (const Geometry& g : geometries) {
    Random random(++seed);
    ConvShape shape;
    shape.plain = g.plain;
    detent_conv2d_config& c = shape.config;
    const int reach = (g.kernel - 1) * g.dilation + 1;
    c.in_channels = g.in_channels, c.out_channels = g.out_channels, c.groups = g.depthwise ? g.in_channels : 1;
    c.in_h = g.in_h, c.in_w = g.in_w;
    c.kernel_h = c.kernel_w = g.kernel;
    c.stride_h = c.stride_w = g.stride;
    c.dilation_h = c.dilation_w = g.dilation;
    c.pad_top = c.pad_left = reach / 2;
    c.out_h = c.row_end = output_size(g.in_h, reach, g.stride, reach - 1);
    c.out_w = output_size(g.in_w, reach, g.stride, reach - 1);
    c.activation = g.activation;
    c.has_residual = random.between(0, 1);
    make_weights(random, shape);
    SCOPED_TRACE(describe(c, shape.plain));
    OpCase op = make_case(random, shape);
    op.run_everywhere();
    ASSERT_FALSE(HasFailure());
    expect_matches_reference(shape, op);
    ASSERT_FALSE(HasFailure());
    const int cut = random.between(1, c.out_h - 1);
    expect_band_equals(random, op, c, 0, cut);
    expect_band_equals(random, op, c, cut, c.out_h);
    ASSERT_FALSE(HasFailure());
  }
}

// Larger than one chunk of input, more taps than one call takes, more patches than fit.
TEST(Conv2d, LargeKernelsAndWideDilationGatherTheirTaps) {
  const int kernels[][4] = {{11, 11, 1, 3}, {1, 70, 1, 1}, {3, 3, 9, 1}, {7, 7, 1, 2}, {5, 5, 3, 5}};
  std::uint64_t seed = 1000;
  for (const auto& [kernel_h, kernel_w, dilation, stride] : kernels) {
    Random random(++seed);
    ConvShape shape;
    shape.config = {.in_channels = 3,
                    .in_h = 12,
                    .in_w = 40,
                    .out_channels = 17,
                    .out_h = 0,
                    .out_w = 0,
                    .kernel_h = kernel_h,
                    .kernel_w = kernel_w,
                    .stride_h = 1,
                    .stride_w = stride,
                    .dilation_h = dilation,
                    .dilation_w = dilation,
                    .pad_top = (kernel_h - 1) * dilation / 2,
                    .pad_left = (kernel_w - 1) * dilation / 2,
                    .groups = 1,
                    .activation = DETENT_ACT_SILU,
                    .row_begin = 0,
                    .row_end = 0,
                    .has_residual = 0,
                    .reserved = 0};
    detent_conv2d_config& c = shape.config;
    c.out_h = c.row_end = output_size(c.in_h, (kernel_h - 1) * dilation + 1, 1, 2 * c.pad_top);
    c.out_w = output_size(c.in_w, (kernel_w - 1) * dilation + 1, stride, 2 * c.pad_left + 1);
    for (const bool plain : {false, true}) {
      shape.plain = plain;
      make_weights(random, shape);
      SCOPED_TRACE(describe(c, plain));
      OpCase op = make_case(random, shape);
      op.run_everywhere();
      expect_matches_reference(shape, op);
    }
  }
}

TEST(Conv2d, InputLargerThanAChunkIsVisitedOnce) {
  Random random(5);
  for (const int kernel : {1, 3}) {
    ConvShape shape;
    shape.config = {.in_channels = 32,
                    .in_h = 9,
                    .in_w = 500,
                    .out_channels = 33,
                    .out_h = 9,
                    .out_w = 500,
                    .kernel_h = kernel,
                    .kernel_w = kernel,
                    .stride_h = 1,
                    .stride_w = 1,
                    .dilation_h = 1,
                    .dilation_w = 1,
                    .pad_top = kernel / 2,
                    .pad_left = kernel / 2,
                    .groups = 1,
                    .activation = DETENT_ACT_NONE,
                    .row_begin = 0,
                    .row_end = 9,
                    .has_residual = 0,
                    .reserved = 0};
    make_weights(random, shape);
    OpCase op = make_case(random, shape);
    op.run_everywhere();
    expect_matches_reference(shape, op);
  }
}

}  // namespace detent::ops_test
