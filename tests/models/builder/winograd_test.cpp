#include "models/builder/winograd.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/split.hpp"
#include "models/core/weights.hpp"

namespace detent::models {
namespace {

constexpr OpId kConv = 1;

/// A 1x1 convolution of the image, and 3x3 ones behind it.
Model two_layers(std::int32_t height = 12) {
  Builder b("two");
  const auto stem = conv(b, "stem", b.input("x", {1, 3, height, 20}), {.out_channels = 20});
  const auto first = conv(b, "first", stem, {.out_channels = 33, .kernel = 3});
  b.output(conv(b, "second", first, {.out_channels = 16, .kernel = 3, .stride = 2}));
  return b.finish();
}

std::vector<float> weights_of(const Model& model, std::uint32_t tensor) {
  std::vector<std::uint8_t> bytes(model.tensors[tensor].size_bytes);
  materialise_weight(model, TensorId(tensor), bytes);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

/// Every filter of [OC/16][IC/16][9][16][16], transformed, where it belongs in [OC/16][36][IC/16][16][16].
void expect_transformed(const std::vector<float>& direct, const std::vector<float>& transformed,
                        std::size_t in_blocks) {
  ASSERT_EQ(transformed.size(), direct.size() * 4);
  for (std::size_t block = 0; block < direct.size() / 9 / 256; ++block) {
    for (std::size_t lane = 0; lane < 256; ++lane) {
      float filter[9], places[36];
      for (std::size_t tap = 0; tap < 9; ++tap) filter[tap] = direct[(block * 9 + tap) * 256 + lane];
      winograd_filter(filter, places);
      for (std::size_t p = 0; p < 36; ++p) {
        const std::size_t at = (block / in_blocks * 36 + p) * in_blocks + block % in_blocks;
        ASSERT_EQ(transformed[at * 256 + lane], places[p]) << "block " << block << " lane " << lane << " place " << p;
      }
    }
  }
}

TEST(Winograd, AFilterIsTransformedByItsDefinition) {
  const float filter[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  float places[36];
  winograd_filter(filter, places);
  EXPECT_FLOAT_EQ(places[0], 1.0F / 16);   // G's first row picks the first tap, by a quarter each way
  EXPECT_FLOAT_EQ(places[35], 9.0F);       // its last one the last tap
  EXPECT_FLOAT_EQ(places[5], 3.0F / 4);    // first row, last column
  EXPECT_FLOAT_EQ(places[7], 45.0F / 36);  // a sixth of all, twice
  EXPECT_FLOAT_EQ(places[8], 15.0F / 36);  // by columns with the middle one subtracted: 1 - 2 + 3 of each row
  EXPECT_FLOAT_EQ(places[21], (1 + 4 + 12 + 2 * (4 + 10 + 24) + 4 * (7 + 16 + 36)) / 576.0F);
}

TEST(Winograd, DrawnWeightsStayDrawnAndGivenOnesAreTransformed) {
  const Model direct = two_layers();
  Model drawn = direct;
  use_winograd(drawn, {kConv});
  EXPECT_EQ(drawn.tensors[drawn.ops[kConv].weights[0]].init.kind, WeightInit::Kind::kWinograd);
  const std::vector<float> expected = weights_of(drawn, drawn.ops[kConv].weights[0]);
  expect_transformed(weights_of(direct, direct.ops[kConv].weights[0]), expected, 2);
  Model given = direct;
  Tensor& weights = given.tensors[given.ops[kConv].weights[0]];
  std::vector<std::uint8_t> bytes(weights.size_bytes);
  materialise_weight(given, TensorId(given.ops[kConv].weights[0]), bytes);
  weights.init = WeightInit{};
  weights.init.kind = WeightInit::Kind::kBytes;
  weights.init.bytes = bytes;
  use_winograd(given, {kConv});
  EXPECT_EQ(weights_of(given, given.ops[kConv].weights[0]), expected);
}

TEST(Winograd, TheOpHasScratchAndFewerOperations) {
  Model model = two_layers();
  const std::uint64_t direct = model.ops[kConv].flops;
  use_winograd(model, {kConv});
  const Op& op = model.ops[kConv];
  EXPECT_EQ(op.kernel, "conv2d_winograd_f32");
  EXPECT_EQ(winograd_tiles(op), 15U);
  EXPECT_EQ(op.flops, 15U * (2 * 36 * 32 * 48 + 144 * 32 + 100 * 48));
  EXPECT_LT(op.flops, direct);
  ASSERT_EQ(op.scratch.size(), 1U);
  EXPECT_EQ(model.tensors[op.scratch[0]].role, TensorRole::kScratch);
  EXPECT_EQ(model.tensors[op.scratch[0]].size_bytes, 4U * (16128 + 15 * 576 * 2));
}

TEST(Winograd, WeightsThatSomethingElseReadsStay) {
  Model model = two_layers();
  Op other = model.ops[kConv];
  other.name = "other";
  model.ops.push_back(other);
  const std::uint32_t shared = other.weights[0];
  const Model before = model;
  use_winograd(model, {kConv});
  EXPECT_EQ(model.ops.back().weights[0], shared);
  EXPECT_EQ(model.tensors[shared], before.tensors[shared]);
  EXPECT_NE(model.ops[kConv].weights[0], shared);
  expect_transformed(weights_of(before, shared), weights_of(model, model.ops[kConv].weights[0]), 2);
  Model both = before;
  use_winograd(both, {kConv, OpId(static_cast<std::uint32_t>(both.ops.size() - 1))});
  EXPECT_EQ(both.ops[kConv].weights[0], shared);
  EXPECT_EQ(both.ops.back().weights[0], shared);
  EXPECT_NE(both.ops[kConv].scratch[0], both.ops.back().scratch[0]);
}

TEST(Winograd, WhatItCannotComputeSaysWhy) {
  const Model model = two_layers();
  EXPECT_EQ(winograd_fault(model, model.ops[kConv]), nullptr);
  const auto fault_of = [&](const auto& edit) {
    Model other = model;
    edit(other, other.ops[kConv]);
    const char* const fault = winograd_fault(other, other.ops[kConv]);
    return std::string(fault == nullptr ? "" : fault);
  };
  const auto with = [&](const auto& edit) {
    return fault_of([&](Model& /*model*/, Op& op) { edit_config<detent_conv2d_config>(op, edit); });
  };
  EXPECT_EQ(std::string(winograd_fault(model, model.ops[0])), "reads an image that is not C16");
  EXPECT_EQ(std::string(winograd_fault(model, model.ops[2])), "has a stride or a dilation");
  EXPECT_EQ(with([](auto& c) { c.kernel_w = 1; }), "has no 3x3 kernel");
  EXPECT_EQ(with([](auto& c) { c.dilation_h = 2; }), "has a stride or a dilation");
  EXPECT_EQ(with([](auto& c) { c.groups = 2; }), "has groups");
  EXPECT_EQ(with([](auto& c) { c.row_begin = 2; }), "is a band that begins within a tile of 4 rows");
  EXPECT_EQ(with([](auto& c) { c.out_channels = 64; }), "has weights of another size");
  EXPECT_EQ(fault_of([](Model&, Op& op) { op.kernel = "gemm_f32"; }), "is no conv2d_f32");
  EXPECT_EQ(fault_of([](Model&, Op& op) { op.scratch = {0}; }), "has other tensors than a conv2d_f32");
  EXPECT_EQ(fault_of([](Model& m, Op& op) { m.tensors[op.weights[0]].alias_of = 0; }),
            "has weights that are a part of others");
}

TEST(Winograd, BandsAreOfWholeTilesWithScratchOfTheirOwn) {
  Model model = two_layers(18);
  use_winograd(model, {kConv});
  ASSERT_EQ(split_rows(model, {.bands = 2, .min_flops = 0, .min_bytes = 0}), 3U);
  const auto rows = [&](std::size_t op) { return read_config<detent_conv2d_config>(model.ops[op]).out_h; };
  EXPECT_EQ(rows(2), 12);  // 18 rows are 5 tiles: 3 and 2
  EXPECT_EQ(rows(3), 6);
  EXPECT_EQ(rows(4), 5);  // 9 of the strided one
  EXPECT_NE(model.ops[2].scratch[0], model.ops[3].scratch[0]);
  EXPECT_EQ(model.tensors[model.ops[2].scratch[0]].size_bytes, 4U * (16128 + 15 * 576 * 2));
  EXPECT_EQ(model.tensors[model.ops[3].scratch[0]].size_bytes, 4U * (16128 + 10 * 576 * 2));
  Model low = two_layers(7);
  use_winograd(low, {kConv});
  EXPECT_EQ(split_rows(low, {.bands = 2, .min_flops = 0, .min_bytes = 0}), 3U);
  const auto first = read_config<detent_conv2d_config>(low.ops[2]);
  EXPECT_EQ(first.out_h, 7) << "7 rows have one whole tile: bands are of channels";
  EXPECT_EQ(first.out_channels, 32);
}

}  // namespace
}  // namespace detent::models
