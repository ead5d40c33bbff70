#include "models/core/weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"

namespace detent::models {
namespace {

std::vector<float> materialise(const Model& model, std::uint32_t tensor) {
  std::vector<std::uint8_t> bytes(model.tensors[tensor].size_bytes);
  materialise_weight(model, tensor, bytes);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

/// The weight tensor of a convolution from `channels` input channels, in layout C16 unless it reads the image.
struct ConvWeights {
  Model model;
  std::uint32_t weights;
};

ConvWeights conv_weights(std::int32_t channels, const ConvOptions& options) {
  Builder b("m", 7);
  const auto stem = conv(b, "stem", b.input("x", {1, 3, 8, 8}), {.out_channels = channels});
  b.output(conv(b, "conv", stem, options));
  Model model = b.finish();
  const std::uint32_t weights = model.ops.back().weights[0];
  return {std::move(model), weights};
}

TEST(Weights, DrawsHaveMeanZeroAndDeviationOne) {
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = static_cast<double>(weight_draw(1, 2, static_cast<std::uint64_t>(i)));
    ASSERT_LT(std::abs(value), 3.47);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.02);
}

TEST(Weights, StreamsAndSeedsDiffer) {
  EXPECT_NE(weight_draw(1, 1, 0), weight_draw(1, 2, 0));
  EXPECT_NE(weight_draw(1, 1, 0), weight_draw(2, 1, 0));
  EXPECT_NE(weight_draw(1, 1, 0), weight_draw(1, 1, 1));
}

TEST(Weights, DenseConvolutionIsPackedInBlocksOf16) {
  const auto [model, id] = conv_weights(24, {.out_channels = 20, .kernel = 3});
  const Tensor& tensor = model.tensors[id];
  ASSERT_EQ(tensor.dims, (std::vector<std::int32_t>{2, 2, 3, 3, 16, 16}));
  const auto packed = materialise(model, id);
  for (std::size_t oc = 0; oc < 32; ++oc) {
    for (std::size_t ic = 0; ic < 32; ++ic) {
      for (std::size_t tap = 0; tap < 9; ++tap) {
        const std::size_t at = ((((oc / 16) * 2 + ic / 16) * 9 + tap) * 16 + ic % 16) * 16 + oc % 16;
        const float logical = weight_draw(7, tensor.init.stream, (oc * 24 + ic) * 9 + tap) * tensor.init.scale;
        EXPECT_EQ(packed[at], oc < 20 && ic < 24 ? logical : 0.0F) << oc << " " << ic << " " << tap;
      }
    }
  }
}

TEST(Weights, ImageConvolutionBlocksItsFewChannels) {
  Builder b("m", 7);
  b.output(conv(b, "conv", b.input("x", {1, 3, 8, 8}), {.out_channels = 16, .kernel = 3}));
  const Model model = b.finish();
  const std::uint32_t id = model.ops[0].weights[0];
  ASSERT_EQ(model.tensors[id].dims, (std::vector<std::int32_t>{1, 1, 3, 3, 3, 16}));
  const auto packed = materialise(model, id);
  const WeightInit& init = model.tensors[id].init;
  EXPECT_EQ(packed[(4 * 3 + 2) * 16 + 5], weight_draw(7, init.stream, (5 * 3 + 2) * 9 + 4) * init.scale);
}

TEST(Weights, DepthwiseIsPackedWithoutInputChannels) {
  const auto [model, id] = conv_weights(20, {.out_channels = 20, .kernel = 3, .groups = 20});
  ASSERT_EQ(model.tensors[id].dims, (std::vector<std::int32_t>{2, 3, 3, 16}));
  const auto packed = materialise(model, id);
  const WeightInit& init = model.tensors[id].init;
  EXPECT_EQ(packed[(9 + 4) * 16 + 3], weight_draw(7, init.stream, 19 * 9 + 4) * init.scale);
  EXPECT_EQ(packed[(9 + 4) * 16 + 4], 0.0F);
}

TEST(Weights, GroupsAreBlockDiagonal) {
  const auto [model, id] = conv_weights(8, {.out_channels = 4, .kernel = 1, .groups = 2});
  const auto packed = materialise(model, id);
  const WeightInit& init = model.tensors[id].init;
  for (std::size_t oc = 0; oc < 4; ++oc) {
    for (std::size_t ic = 0; ic < 8; ++ic) {
      const bool same_group = oc / 2 == ic / 4;
      const float expected = same_group ? weight_draw(7, init.stream, oc * 4 + ic % 4) * init.scale : 0.0F;
      EXPECT_EQ(packed[ic * 16 + oc], expected) << oc << " " << ic;
    }
  }
}

TEST(Weights, ConstantsAndBytes) {
  Builder b("m");
  const auto x = b.input("x", {2, 2});
  b.output(binary_constant(b, "scaled", DETENT_BINARY_MUL, x, b.constant("c", {2, 2}, {1, 2, 3, 4})));
  Model model = b.finish();
  const std::uint32_t id = model.ops[0].weights[0];
  EXPECT_EQ(materialise(model, id), (std::vector<float>{1, 2, 3, 4}));
  model.tensors[id].init = {.kind = WeightInit::Kind::kConstant, .scale = 0.5F, .bytes = {}, .unpadded_dims = {3}};
  EXPECT_EQ(materialise(model, id), (std::vector<float>{0.5F, 0.5F, 0.5F, 0}));
}

TEST(Weights, B61_WrongSizesAreRefused) {
  auto [model, id] = conv_weights(16, {.out_channels = 16});
  std::vector<std::uint8_t> small(8);
  EXPECT_THROW(materialise_weight(model, id, small), InputError);
  std::vector<std::uint8_t> bytes(model.tensors[id].size_bytes);
  model.tensors[id].init.unpadded_dims = {17, 16, 1, 1};
  EXPECT_THROW(materialise_weight(model, id, bytes), InputError);
  model.tensors[id].init.groups = 0;
  EXPECT_THROW(materialise_weight(model, id, bytes), InputError);
  model.tensors[id].init = {.kind = WeightInit::Kind::kBytes, .bytes = {1, 2, 3}, .unpadded_dims = {}};
  EXPECT_THROW(materialise_weight(model, id, bytes), InputError);
  model.tensors[id].init = {};
  model.tensors[id].dtype = DETENT_F16;
  EXPECT_THROW(materialise_weight(model, id, bytes), InputError);
}

TEST(Weights, IntegersAreTheNearestToTheDraws) {
  Builder b("m", 7);
  WeightInit init;
  init.scale = 50.0F;
  const TensorId i8 = b.weight("w", {1000}, init, DETENT_I8);
  init.scale = 1e6F;
  const TensorId i32 = b.weight("w", {1000}, init, DETENT_I32);
  init.kind = WeightInit::Kind::kConstant;
  init.scale = 2.5F;
  const TensorId tie = b.weight("t", {2}, init, DETENT_I8);
  b.output(unary(b, "y", b.input("x", {1}), DETENT_ACT_RELU));
  const Model model = b.finish();
  std::vector<std::uint8_t> bytes(1000), words(4000), ties(2);
  materialise_weight(model, i8, bytes);
  materialise_weight(model, i32, words);
  materialise_weight(model, tie, ties);
  const std::uint64_t stream = model.tensors[i8].init.stream;
  bool held = false;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double draw = static_cast<double>(weight_draw(7, stream, i));
    const auto element = static_cast<std::int8_t>(bytes[i]);
    ASSERT_NEAR(element, std::clamp(draw * 50, -127.0, 127.0), 0.5001) << i;
    held = held || element == -127;
    std::int32_t word = 0;
    std::memcpy(&word, &words[i * 4], 4);
    ASSERT_NEAR(word, draw * 1e6, 0.7) << i;
  }
  EXPECT_TRUE(held) << "and none is -128";
  EXPECT_EQ(ties, (std::vector<std::uint8_t>{2, 2}));
}

}  // namespace
}  // namespace detent::models
