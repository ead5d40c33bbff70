// KernelModel on functions that are known: linear ones exactly, smooth ones nearly, nothing negative, fallbacks named.
#include "sim/cost/kernel_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <detent/op_config.h>

namespace detent::sim {
namespace {

/// An op of kind "k a" with `n` units of one work and m of another.
OpFeatures features(double n, double m, const std::string& group = "k a") {
  return {"k", group, {1.0, n, m}, {std::log2(n), std::log2(m)}};
}

TEST(KernelModel, ALinearFunctionIsFoundExactly) {
  KernelModel model;
  for (double n = 1; n <= 4096; n *= 4) {
    for (double m = 1; m <= 4096; m *= 4) model.add(features(n, m), 1000 + 30 * n + 7 * m);
  }
  model.fit();
  EXPECT_EQ(model.sample_count(), 49U);
  for (double n = 3; n < 3000; n *= 2.3) {
    const double m = 2000 / n;
    const double expected = 1000 + 30 * n + 7 * m;
    EXPECT_NEAR(model.predict_ps(features(n, m)) / expected, 1.0, 0.02) << n;
  }
  const std::vector<double> found = model.coefficients("k a");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[1], 30, 1.0);
  EXPECT_NEAR(found[2], 7, 0.5);
}

TEST(KernelModel, ASmoothFunctionIsInterpolatedBetweenSamples) {
  const auto time = [](double n) { return 100 * std::pow(n, 1.3); };
  KernelModel model;
  for (double n = 1; n <= 65536; n *= 2) model.add(features(n, 1), time(n));
  model.fit();
  for (double n = 3; n < 40000; n *= 2) {
    EXPECT_NEAR(model.predict_ps(features(n, 1)) / time(n), 1.0, 0.15) << n;
  }
}

TEST(KernelModel, CoefficientsAreNeverNegative) {
  KernelModel model;
  for (double n = 1; n <= 64; n *= 2) model.add(features(n, n), 5000 / n);
  model.fit();
  for (const double c : model.coefficients("k a")) EXPECT_GE(c, 0.0);
  EXPECT_GT(model.predict_ps(features(1000, 1000)), 0.0);
  EXPECT_TRUE(model.coefficients("k b").empty());
}

TEST(KernelModel, BasisNamesWhatAPredictionRestsOn) {
  KernelModel model;
  model.add(features(8, 8), 100);
  model.add(features(64, 64), 800);
  model.add(features(64, 64), 0);  // a time that was not measured
  model.fit();
  EXPECT_EQ(model.sample_count(), 2U);
  EXPECT_STREQ(model.basis(features(8, 8)), "exact");
  EXPECT_STREQ(model.basis(features(9, 8)), "near");
  EXPECT_STREQ(model.basis(features(8, 8, "k b")), "kernel");
  OpFeatures other = features(8, 8, "z");
  other.kernel = "z";
  EXPECT_STREQ(model.basis(other), "all");
  EXPECT_NEAR(model.predict_ps(features(8, 8)), 100, 5);
  EXPECT_GT(model.predict_ps(other), 0.0);
  EXPECT_GT(model.predict_ps(features(8, 8, "k b")), 0.0);
}

/// With nothing but a constant the least squares of relative errors have a closed form; eight samples on a line, of
/// which the six nearest count.
TEST(KernelModel, PredictionsByHand) {
  const std::vector<double> at{0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.1, 2.8}, times{100, 130, 90, 200, 170, 400, 50, 900};
  const auto op = [](double x, const std::string& group) { return OpFeatures{"k", group, {1.0, 0, 0}, {x}}; };
  KernelModel model;
  double inverse = 0, squares = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    model.add(op(at[i], "g"), times[i]);
    inverse += 1 / times[i];
    squares += 1 / (times[i] * times[i]);
  }
  model.fit();
  const double base = inverse / squares;
  EXPECT_NEAR(model.coefficients("g").at(0), base, 1e-9 * base);
  for (const double x : {0.05, 0.3, 0.7}) {
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const double near = 1 / ((at[i] - x) * (at[i] - x) + 0.02);
      sum += near * near * std::log(times[i] / base);
      weights += near * near;
    }
    const double expected = base * std::exp(sum / weights);
    EXPECT_NEAR(model.predict_ps(op(x, "g")), expected, 1e-9 * expected) << x;
  }
}

/// A squared distance below 1e-9 is the same place.
TEST(KernelModel, OpsAtOnePlaceAreExact) {
  const auto op = [](double x) { return OpFeatures{"k", "g", {1.0, 0, 0}, {x}}; };
  KernelModel model;
  model.add(op(0), 100);
  model.fit();
  EXPECT_STREQ(model.basis(op(3.1e-5)), "exact");
  EXPECT_STREQ(model.basis(op(3.2e-5)), "near");
}

/// A kind that was never measured has flops and bytes alone, those of its kernel's other kinds; another kernel all.
TEST(KernelModel, CoarsePredictionsByHand) {
  const auto op = [](const char* kernel, const char* group, double flops) {
    return OpFeatures{kernel, group, {1.0, flops, 0, 77}, {5, 6, 7}};
  };
  KernelModel model;
  model.add(op("k", "k a", 1000), 5000);
  model.add(op("k", "k b", 3000), 15000);
  model.fit();
  EXPECT_NEAR(model.predict_ps(op("k", "k c", 2000)), 10000, 1) << "5 ps a flop";
  EXPECT_NEAR(model.predict_ps(op("z", "z", 8000)), 40000, 4);
}

TEST(KernelModel, NoSamplesAndLateSamplesAreRefused) {
  KernelModel model;
  EXPECT_THROW(model.fit(), std::invalid_argument);
  model.add(features(1, 1), 10);
  model.fit();
  EXPECT_THROW(model.add(features(1, 1), 10), std::invalid_argument);
}

/// A Desc with one op of `kernel` and that exec config.
template <typename Config>
class OneOp {
 public:
  OneOp(const char* kernel, const Config& config) : kernel_(kernel), config_(config) {
    op_.name = "op";
    op_.config_size = sizeof(Config);
    desc_.ops = &op_;
    desc_.op_count = 1;
    desc_.kernels = &kernel_;
    desc_.kernel_count = 1;
    desc_.config_bytes = reinterpret_cast<const std::uint8_t*>(&config_);
    desc_.config_byte_count = sizeof(Config);
    desc_.costs = &cost_;
  }
  OneOp(const OneOp&) = delete;
  OneOp& operator=(const OneOp&) = delete;
  [[nodiscard]] OpFeatures features() const { return op_features(desc_, 0); }

 private:
  const char* kernel_;
  alignas(8) Config config_;
  detent_op op_{};
  detent_op_cost cost_{0, 0, 1000, 64, 64};
  detent_desc desc_{};
};

detent_conv2d_config convolution(std::int32_t channels, std::int32_t kernel, std::int32_t stride, std::int32_t groups) {
  detent_conv2d_config c{};
  c.in_channels = c.out_channels = channels;
  c.in_h = c.in_w = 28 * stride;
  c.out_h = c.out_w = c.row_end = 28;
  c.kernel_h = c.kernel_w = kernel;
  c.stride_h = c.stride_w = stride;
  c.groups = groups;
  return c;
}

TEST(OpFeatures, KindsOfConvolutionAreGroupsOfTheirOwn) {
  const auto group = [](const detent_conv2d_config& c) { return OneOp("conv2d_f32", c).features().group; };
  EXPECT_EQ(group(convolution(64, 3, 1, 1)), "conv2d_f32 spatial");
  EXPECT_EQ(group(convolution(64, 3, 2, 1)), "conv2d_f32 spatial strided");
  EXPECT_EQ(group(convolution(64, 1, 1, 1)), "conv2d_f32 pointwise");
  EXPECT_EQ(group(convolution(3, 7, 2, 1)), "conv2d_f32 image strided");
  EXPECT_EQ(group(convolution(64, 3, 2, 64)), "conv2d_f32 depthwise");
  detent_conv2d_i8_config int8{};
  int8.conv = convolution(64, 3, 2, 64);
  EXPECT_EQ(OneOp("conv2d_i8", int8).features().group, "conv2d_i8 depthwise");
  EXPECT_EQ(OneOp("conv2d_i8", int8).features().work, OneOp("conv2d_f32", int8.conv).features().work);
}

TEST(OpFeatures, WorkOfAConvolutionCountsItsMultiplyAdds) {
  const OpFeatures features = OneOp("conv2d_f32", convolution(64, 3, 1, 1)).features();
  EXPECT_EQ(features.work.at(3), 28.0 * 28 * 9 * 64 * 4);  // pixels, taps, input channels, output blocks
  EXPECT_EQ(features.work.at(9), 9.0 * 64 * 64 * 4);       // bytes of weights
}

TEST(OpFeatures, EachKernelHasItsOwnKindOfWork) {
  detent_pool_config pool{};
  pool.channels = 32;
  pool.out_h = pool.out_w = pool.row_end = 10;
  pool.kernel_h = pool.kernel_w = 3;
  EXPECT_EQ(OneOp("max_pool_f32", pool).features().work.at(4), 10.0 * 10 * 2 * 9);
  detent_gemm_config gemm{};
  gemm.m = gemm.row_end = 1;
  gemm.n = 100;
  gemm.k = 512;
  EXPECT_EQ(OneOp("gemm_f32", gemm).features().group, "gemm_f32 row");
  gemm.m = gemm.row_end = 400;
  gemm.n = 1;
  EXPECT_EQ(OneOp("gemm_f32", gemm).features().group, "gemm_f32 column");
  EXPECT_EQ(OneOp("softmax_f32", detent_softmax_config{8, 16}).features().work.at(4), 8.0);
  detent_elementwise_config unary{};
  unary.activation = DETENT_ACT_SIGMOID;
  EXPECT_EQ(OneOp("unary_f32", unary).features().group, "unary_f32 0 4");
  EXPECT_EQ(OneOp("binary_f32", unary).features().group, "binary_f32");
}

/// 28 x 28 pixels; a row of 28 is two tiles of 14 columns, each for two of the four blocks of output channels.
TEST(OpFeatures, WorkOfASpatialConvolutionByHand) {
  detent_conv2d_config config = convolution(64, 3, 1, 1);
  const double tiles = 28 * 2 * 2, depth = 9 * 64;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work,
            (std::vector<double>{1, 1000, 128, 784 * depth * 4, tiles, tiles * depth, 784 * 4, 0,
                                 28 * 2 * 2 * depth,  // both ends of a row, for each pair of output blocks
                                 depth * 4 * 16 * 4}));
  config.activation = DETENT_ACT_SILU;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(7), 784 * 4);
  config.activation = DETENT_ACT_SIGMOID;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(7), 784 * 4);
  config.activation = DETENT_ACT_RELU6;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(7), 0);
  config = convolution(64, 3, 1, 1);
  config.in_w = config.out_w = 14;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(4), 28 * 2) << "one tile a row";
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(8), 28 * 2 * depth) << "which is both of its ends";
  config.in_w = config.out_w = 15;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(4), 28 * 2 * 2);
  config = convolution(64, 3, 1, 1);
  config.row_begin = 20;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().work.at(6), 8 * 28 * 4) << "a band of eight rows";
}

/// A band of one by one windows is one row of 784 pixels: 56 tiles.
TEST(OpFeatures, WorkOfAPointwiseConvolutionByHand) {
  const OpFeatures features = OneOp("conv2d_f32", convolution(40, 1, 1, 1)).features();
  EXPECT_EQ(features.work,
            (std::vector<double>{1, 1000, 128, 784.0 * 48 * 3, 56 * 2, 56 * 2 * 48, 784 * 3, 0, 0, 48.0 * 3 * 16 * 4}))
      << "40 channels are three blocks of 16";
  EXPECT_EQ(OneOp("conv2d_f32", convolution(40, 1, 2, 1)).features().work.at(4), 28 * 2 * 2) << "strided: by rows";
}

TEST(OpFeatures, WorkOfDepthwiseAndImageConvolutionsByHand) {
  EXPECT_EQ(OneOp("conv2d_f32", convolution(64, 3, 1, 64)).features().work,
            (std::vector<double>{1, 1000, 128, 784 * 9 * 4, 28 * 2 * 4, 28 * 2 * 4 * 9, 784 * 4, 0, 28 * 2 * 2 * 9,
                                 9 * 4 * 16 * 4}))
      << "a tile for each block of channels";
  EXPECT_EQ(OneOp("conv2d_f32", convolution(15, 3, 1, 1)).features().work.at(3), 784 * 9 * 15) << "an image: no blocks";
  EXPECT_EQ(OneOp("conv2d_f32", convolution(15, 3, 1, 1)).features().group, "conv2d_f32 image");
  EXPECT_EQ(OneOp("conv2d_f32", convolution(16, 3, 1, 1)).features().work.at(3), 784 * 9 * 16);
  EXPECT_EQ(OneOp("conv2d_f32", convolution(16, 3, 1, 1)).features().group, "conv2d_f32 spatial");
  EXPECT_EQ(OneOp("conv2d_f32", convolution(8, 3, 1, 2)).features().group, "conv2d_f32 spatial") << "groups: no image";
  detent_conv2d_config config = convolution(8, 3, 1, 8);
  config.out_channels = 16;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().group, "conv2d_f32 spatial") << "two outputs of each channel";
  EXPECT_EQ(OneOp("conv2d_f32", convolution(64, 1, 2, 1)).features().group, "conv2d_f32 pointwise strided");
  config = convolution(64, 1, 1, 1);
  config.kernel_w = 3;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().group, "conv2d_f32 spatial") << "a row of three taps";
}

TEST(OpFeatures, PlacesAreLogarithmsByHand) {
  detent_conv2d_config config = convolution(64, 4, 2, 1);
  config.out_channels = 16;
  config.out_w = 32;
  config.row_end = 8;
  config.has_residual = 1;
  config.activation = DETENT_ACT_SILU;
  EXPECT_EQ(OneOp("conv2d_f32", config).features().place,
            (std::vector<double>{0.5 * 6, 0.5 * 4, 5, 0.35 * 8, 2.0 * 2, 1, 0.5, 0.25}));
  detent_pool_config pool{};
  pool.channels = 32;
  pool.out_h = pool.row_end = 4;
  pool.out_w = 8;
  pool.kernel_h = pool.kernel_w = 4;
  pool.stride_h = pool.stride_w = 2;
  const OpFeatures pooled = OneOp("avg_pool_f32", pool).features();
  EXPECT_EQ(pooled.work, (std::vector<double>{1, 1000, 128, 64, 64 * 16}));
  EXPECT_EQ(pooled.place, (std::vector<double>{2 * 2, 1 * 2, 6, 0.5 * 3}));
  EXPECT_EQ(OneOp("max_pool_i8", pool).features().work, pooled.work);
  pool.row_begin = 3;
  EXPECT_EQ(OneOp("max_pool_f32", pool).features().work.at(3), 16) << "one row";
}

TEST(OpFeatures, MatricesAndRowsByHand) {
  detent_gemm_config gemm{};
  gemm.m = gemm.row_end = 8;
  gemm.row_begin = 4;
  gemm.n = 32;
  gemm.k = 40;
  const OpFeatures features = OneOp("gemm_f32", gemm).features();
  EXPECT_EQ(features.group, "gemm_f32");
  EXPECT_EQ(features.work, (std::vector<double>{1, 1000, 128, 4 * 32 * 3, 4 * 2 * 40, 4 * 32}));
  EXPECT_EQ(features.place, (std::vector<double>{2, 5, std::log2(40.0)}));
  detent_gemm_i8_config int8{};
  int8.gemm = gemm;
  EXPECT_EQ(OneOp("gemm_i8", int8).features().work, features.work);
  gemm.row_begin = 5;
  EXPECT_EQ(OneOp("gemm_f32", gemm).features().group, "gemm_f32 row") << "three rows";
  gemm.n = 1;
  EXPECT_EQ(OneOp("gemm_f32", gemm).features().group, "gemm_f32 column");
  const OpFeatures rows = OneOp("softmax_f32", detent_softmax_config{8, 32}).features();
  EXPECT_EQ(rows.work, (std::vector<double>{1, 1000, 128, 8, 8 * 2}));
  EXPECT_EQ(rows.place, (std::vector<double>{3, 2 * 5}));
}

TEST(OpFeatures, UnknownKernelsHaveFlopsAndBytes) {
  const OpFeatures features = OneOp("fused_by_a_compiler", std::uint64_t{3}).features();
  EXPECT_EQ(features.group, "fused_by_a_compiler");
  EXPECT_EQ(features.work, (std::vector<double>{1.0, 1000.0, 128.0}));
  EXPECT_EQ(features.place, (std::vector<double>{std::log2(1000.0), 7, 0.5 * std::log2(1e18)}));
}

}  // namespace
}  // namespace detent::sim
