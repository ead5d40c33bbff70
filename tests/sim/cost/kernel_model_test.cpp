// KernelModel on functions that are known: linear ones exactly, smooth ones nearly, nothing negative, fallbacks named.
#include "sim/cost/kernel_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

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

TEST(OpFeatures, UnknownKernelsHaveFlopsAndBytes) {
  const OpFeatures features = OneOp("fused_by_a_compiler", std::uint64_t{3}).features();
  EXPECT_EQ(features.group, "fused_by_a_compiler");
  EXPECT_EQ(features.work, (std::vector<double>{1.0, 1000.0, 128.0}));
  EXPECT_EQ(features.place.size(), 3U);
}

}  // namespace
}  // namespace detent::sim
