// Layers of I8: their scales, weights and tables, and that they compute what the F32 layers of the same names compute.
#include "models/builder/quantised.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"
#include "models/builder/split.hpp"
#include "models/core/weights.hpp"

namespace detent::models {
namespace {

template <typename Element>
std::vector<Element> materialised(const Model& model, std::uint32_t tensor) {
  std::vector<std::uint8_t> bytes(model.tensors[tensor].size_bytes);
  materialise_weight(model, tensor, bytes);
  std::vector<Element> elements(bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

Quantised image(Builder& b, std::vector<std::int32_t> dims = {1, 3, 8, 8}) {
  return quantise(b, "image.i8", b.input("image", std::move(dims)), 1.0, 0.577);
}

/// The network of one convolution of an image, and that convolution.
struct OneConv {
  explicit OneConv(const ConvOptions& options, double greatest = 0) {
    Builder b("one");
    y = conv(b, "conv", image(b), options, greatest);
    b.output(dequantise(b, "y", y));
    model = b.finish();
    config = read_config<detent_conv2d_i8_config>(model.ops[1]);
  }
  [[nodiscard]] const Op& op() const { return model.ops[1]; }

  Quantised y;
  Model model;
  detent_conv2d_i8_config config{};
};

std::string refusal(auto build) {
  try {
    Builder b("m");
    build(b);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(QuantisedLayers, WeightsAreTheDrawsOfTheFloatLayerRounded) {
  const OneConv quantised({.out_channels = 20, .kernel = 3});
  Builder b("float");
  b.output(conv(b, "conv", b.input("image", {1, 3, 8, 8}), {.out_channels = 20, .kernel = 3}));
  const Model plain = b.finish();
  const std::vector<std::int8_t> elements = materialised<std::int8_t>(quantised.model, quantised.op().weights[0]);
  const std::vector<float> floats = materialised<float>(plain, plain.ops[0].weights[0]);
  ASSERT_EQ(elements.size(), floats.size());
  const double scale = 3.4642 / 127 / std::sqrt(27.0);
  int greatest = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ASSERT_NEAR(elements[i] * scale, static_cast<double>(floats[i]), scale * 0.501) << i;
    greatest = std::max(greatest, std::abs(int{elements[i]}));
  }
  EXPECT_GT(greatest, 90) << "the range is used";
}

TEST(QuantisedLayers, TheMultiplierIsTheQuotientOfTheScales) {
  const OneConv layer({.out_channels = 20, .kernel = 3});
  const double sum_scale = 1.0 / 127 * 3.4642 / 127 / std::sqrt(27.0);
  const std::vector<std::int32_t> multipliers = materialised<std::int32_t>(layer.model, layer.op().weights[2]);
  ASSERT_EQ(multipliers.size(), 32U);
  for (const std::int32_t multiplier : multipliers) {
    EXPECT_NEAR(std::ldexp(multiplier, -layer.config.result.shift), sum_scale / layer.y.scale, 1e-8);
    EXPECT_GE(multiplier, 1 << 30) << "no bit is wasted";
  }
  const std::vector<std::int32_t> bias = materialised<std::int32_t>(layer.model, layer.op().weights[1]);
  EXPECT_TRUE(std::all_of(bias.begin() + 20, bias.end(), [](std::int32_t value) { return value == 0; }));
  double squares = 0;
  for (const std::int32_t value : bias) squares += value * sum_scale * (value * sum_scale) / 20;
  EXPECT_NEAR(std::sqrt(squares), 0.1, 0.05);
}

TEST(QuantisedLayers, ActivationsAreRangesAndTables) {
  const OneConv none({.out_channels = 16});
  EXPECT_EQ(none.config.result.low, -128);
  EXPECT_EQ(none.op().weights.size(), 3U);
  const OneConv relu({.out_channels = 16, .activation = DETENT_ACT_RELU});
  EXPECT_EQ(relu.config.result.low, 0);
  EXPECT_EQ(relu.config.result.high, 127);
  const OneConv relu6({.out_channels = 16, .activation = DETENT_ACT_RELU6}, 12.7);
  EXPECT_EQ(relu6.config.result.high, 60);
  EXPECT_DOUBLE_EQ(relu6.y.scale, 0.1);
  const OneConv silu({.out_channels = 16, .activation = DETENT_ACT_SILU}, 12.7);
  ASSERT_EQ(silu.op().weights.size(), 4U);
  const std::vector<std::int8_t> table = materialised<std::int8_t>(silu.model, silu.op().weights[3]);
  for (const int t : {-128, -13, 0, 10, 127}) {
    const double x = t * 0.1;
    EXPECT_EQ(table[static_cast<std::size_t>(t + 128)], std::lround(x / (1 + std::exp(-x)) * 10)) << t;
  }
  const OneConv sigmoid({.out_channels = 16, .activation = DETENT_ACT_SIGMOID}, 12.7);
  EXPECT_EQ(materialised<std::int8_t>(sigmoid.model, sigmoid.op().weights[3])[128], 64) << "half of 127, rounded";
}

TEST(QuantisedLayers, SumsHaveAScaleThatHoldsBoth) {
  Builder b("m");
  const Quantised x = conv(b, "a", image(b), {.out_channels = 16});
  const Quantised y = conv(b, "b", image(b), {.out_channels = 16, .gain = 3.0F});
  const Quantised sum = add(b, "sum", x, y, DETENT_ACT_RELU);
  const auto config = read_config<detent_add_i8_config>(b.last_op());
  EXPECT_NEAR(std::ldexp(config.a_multiplier, -config.shift), x.scale / sum.scale, 1e-6);
  EXPECT_NEAR(std::ldexp(config.b_multiplier, -config.shift), y.scale / sum.scale, 1e-6);
  EXPECT_EQ(config.low, 0);
  EXPECT_DOUBLE_EQ(sum.scale, std::hypot(x.scale, y.scale));
}

TEST(QuantisedLayers, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(refusal([](Builder& b) { conv(b, "c", image(b), {.out_channels = 16, .residual = 0}); }),
            "m:c: a convolution of I8 has no residual; add it");
  EXPECT_EQ(refusal([](Builder& b) { dequantise(b, "d", {b.input("x", {1, 4}), 1, 1}); }), "m:d: must read I8");
  EXPECT_EQ(refusal([](Builder& b) { gemm(b, "g", image(b), 4); }), "m:g: gemm must read PLAIN [m,k]");
  EXPECT_EQ(refusal([](Builder& b) { conv(b, "c", image(b), {.out_channels = 16}, 1e30); }),
            "m:c: the scales of its tensors lie too far apart");
  const auto concat_of = [](std::int32_t first_channels, double second_greatest) {
    return refusal([&](Builder& b) {
      const Quantised x = image(b);
      const Quantised first = conv(b, "a", x, {.out_channels = first_channels}, 2);
      concat(b, "both", {first, conv(b, "b", x, {.out_channels = 16}, second_greatest)});
    });
  };
  EXPECT_EQ(concat_of(32, 2), "");
  EXPECT_EQ(concat_of(32, 3), "m:both: the parts of a concat must have one scale");
  EXPECT_EQ(concat_of(20, 2), "m:both: channel offsets of I8 must be multiples of 16");
  EXPECT_EQ(refusal([](Builder& b) {
              const Quantised x = conv(b, "a", image(b), {.out_channels = 16});
              add(b, "sum", x, x, DETENT_ACT_SILU);
            }),
            "m:sum: add_i8 has no table");
}

TEST(QuantisedLayers, ConcatenatedPartsAreViewsOfBytes) {
  Builder b("m");
  const Quantised x = image(b);
  const Quantised first = conv(b, "a", x, {.out_channels = 32}, 2);
  const Quantised second = conv(b, "b", x, {.out_channels = 16}, 2);
  const Quantised both = concat(b, "both", {first, second});
  EXPECT_EQ(b.tensor(both.id).size_bytes, 48U * 64);
  EXPECT_EQ(b.tensor(second.id).alias_of, both.id);
  EXPECT_EQ(b.tensor(second.id).alias_offset_bytes, 32U * 64);
  EXPECT_DOUBLE_EQ(both.scale, first.scale);
}

TEST(QuantisedLayers, ASumMayHaveTheScaleOfItsNeighbours) {
  Builder b("m");
  const Quantised x = conv(b, "a", image(b), {.out_channels = 16}, 10);
  const Quantised y = conv(b, "b", image(b), {.out_channels = 16}, 10);
  const Quantised sum = add(b, "sum", x, y, DETENT_ACT_NONE, 10);
  EXPECT_EQ(sum.scale, x.scale);
  const auto c = read_config<detent_add_i8_config>(b.last_op());
  EXPECT_EQ(c.a_multiplier, 1 << c.shift);
  EXPECT_EQ(c.b_multiplier, 1 << c.shift);
}

TEST(QuantisedLayers, UpsamplingKeepsTheScale) {
  Builder b("m");
  const Quantised x = conv(b, "a", image(b, {1, 3, 6, 5}), {.out_channels = 20});
  const Quantised y = upsample(b, "up", x, 2);
  EXPECT_EQ(y.scale, x.scale);
  EXPECT_EQ(b.tensor(y.id).dims, (std::vector<std::int32_t>{1, 20, 12, 10}));
  EXPECT_EQ(b.tensor(y.id).size_bytes, 2U * 12 * 10 * 16);
}

TEST(QuantisedLayers, ChannelsAreViewsOfBytes) {
  Builder b("m");
  const Quantised x = conv(b, "a", image(b), {.out_channels = 40});
  const Quantised tail = channels(b, "tail", x, 16, 24);
  EXPECT_EQ(tail.scale, x.scale);
  EXPECT_EQ(b.tensor(tail.id).dtype, DETENT_I8);
  EXPECT_EQ(b.tensor(tail.id).alias_of, x.id);
  EXPECT_EQ(b.tensor(tail.id).alias_offset_bytes, 8U * 8 * 16);
  EXPECT_EQ(b.tensor(tail.id).size_bytes, 2U * 8 * 8 * 16);
  EXPECT_THROW(channels(b, "part", x, 8, 16), std::invalid_argument);
}

TEST(QuantisedLayers, BandsAreViewsOfBytes) {
  Builder b("m");
  const Quantised x = conv(b, "first", image(b, {1, 3, 12, 8}), {.out_channels = 20, .kernel = 3});
  const Quantised y = conv(b, "second", x, {.out_channels = 16, .kernel = 3});
  b.output(dequantise(b, "out", max_pool(b, "pool", y, {.kernel = 3, .stride = 1, .pad = 1})));
  Model model = b.finish();
  EXPECT_EQ(split_rows(model, {.bands = 3, .min_flops = 0, .min_bytes = 0}), 3U);
  const auto band = read_config<detent_conv2d_i8_config>(model.ops.at(5));
  EXPECT_EQ(band.conv.in_h, 6);
  EXPECT_EQ(band.conv.out_h, 4);
  EXPECT_EQ(band.conv.pad_top, 0);
  EXPECT_EQ(band.result.shift, read_config<detent_conv2d_i8_config>(model.ops.at(4)).result.shift);
  const Tensor& rows = model.tensors[model.ops[5].inputs[0]];
  EXPECT_EQ(rows.dtype, DETENT_I8);
  EXPECT_EQ(rows.alias_offset_bytes, 3U * 8 * 16);
  EXPECT_EQ(rows.stride_bytes, 12U * 8 * 16);
  EXPECT_EQ(read_config<detent_conv2d_i8_config>(model.ops.at(2)).conv.row_begin, 4) << "a PLAIN image is read whole";
}

}  // namespace detent::models
