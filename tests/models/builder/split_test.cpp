#include "models/builder/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/builder/layers.hpp"
#include "models/core/dag.hpp"
#include "tests/support/find_edge.hpp"

namespace detent::models {
namespace {

constexpr SplitOptions kAlways{.bands = 3, .min_flops = 0, .min_bytes = 0};

Model two_convs() {
  Builder b("two");
  const auto x = conv(b, "first", b.input("x", {1, 3, 12, 8}), {.out_channels = 20, .kernel = 3});
  b.output(conv(b, "second", x, {.out_channels = 16, .kernel = 3}));
  return b.finish();
}

TEST(Split, BandsCoverTheOutputOnce) {
  Model model = two_convs();
  const std::uint64_t flops = total_flops(model);
  EXPECT_EQ(split_rows(model, kAlways), 2U);
  ASSERT_EQ(model.ops.size(), 6U);
  std::uint64_t bytes = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const ByteSet set = bytes_of(model, model.ops[a].outputs[0]);
    bytes += set.block * set.count;
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(bytes_overlap(set, bytes_of(model, model.ops[b].outputs[0])));
  }
  EXPECT_EQ(bytes, 2U * 12 * 8 * 16 * 4);
  EXPECT_EQ(total_flops(model), flops);
}

TEST(Split, NeighbouringLayersMeetOnlyWhereTheirRowsDo) {
  Model model = two_convs();
  split_rows(model, kAlways);
  EXPECT_TRUE(has_edge(model, "first#0", "second#0"));
  EXPECT_TRUE(has_edge(model, "first#1", "second#0"));  // the halo row
  EXPECT_FALSE(has_edge(model, "first#2", "second#0"));
  EXPECT_FALSE(has_edge(model, "first#0", "second#2"));
}

TEST(Split, BandOfAConvolutionKeepsPaddingAtTheEdgesOnly) {
  Model model = two_convs();
  split_rows(model, kAlways);
  const auto top = read_config<detent_conv2d_config>(model.ops[3]);
  const auto middle = read_config<detent_conv2d_config>(model.ops[4]);
  EXPECT_EQ(top.pad_top, 1);
  EXPECT_EQ(top.in_h, 5);
  EXPECT_EQ(middle.pad_top, 0);
  EXPECT_EQ(middle.in_h, 6);
  EXPECT_EQ(middle.out_h, 4);
  const Tensor& x = model.tensors[model.ops[4].inputs[0]];
  EXPECT_EQ(x.dims, (std::vector<std::int32_t>{1, 20, 6, 8}));
  EXPECT_EQ(x.block_count, 2U);
  EXPECT_EQ(x.alias_offset_bytes, 3U * 8 * 64);
}

TEST(Split, PlainImagesAreReadWhole) {
  Model model = two_convs();
  split_rows(model, kAlways);
  const auto band = read_config<detent_conv2d_config>(model.ops[1]);
  EXPECT_EQ(band.in_h, 12);
  EXPECT_EQ(band.row_begin, 4);
  EXPECT_EQ(band.row_end, 8);
  EXPECT_EQ(model.tensors[model.ops[1].inputs[0]].role, TensorRole::kInput);
}

TEST(Split, UpsampleBandsMayStartInsideAnInputRow) {
  Builder b("up");
  const auto x = conv(b, "conv", b.input("x", {1, 3, 5, 4}), {.out_channels = 16});
  b.output(upsample(b, "up", x, 2));
  Model model = b.finish();
  split_rows(model, {.bands = 4, .min_flops = 0, .min_bytes = 0});
  const auto band = read_config<detent_pool_config>(model.ops.at(5));  // rows 3 to 5 of 10
  EXPECT_EQ(band.row_begin, 1);
  EXPECT_EQ(band.row_end, 4);
  EXPECT_EQ(band.in_h, 2);
  EXPECT_EQ(band.out_h, 4);
}

TEST(Split, SmallOrShallowOpsStayWhole) {
  Model light = two_convs();
  EXPECT_EQ(split_rows(light, {.bands = 3}), 0U);
  Model shallow = two_convs();
  EXPECT_EQ(split_rows(shallow, {.bands = 13, .min_flops = 0, .min_bytes = 0}), 0U);
  EXPECT_EQ(split_rows(shallow, {.bands = 1, .min_flops = 0}), 0U);
  EXPECT_THROW(split_rows(shallow, {.bands = 0}), std::invalid_argument);
  EXPECT_THROW(split_rows(shallow, {.bands = 65}), std::invalid_argument);
}

// Seven rows of 1x1, depthwise and 1x1 convolutions, a global pool and a product: the end of a classifier.
Model deep_end() {
  Builder b("deep");
  auto x = conv(b, "stem", b.input("x", {1, 3, 7, 4}), {.out_channels = 64});
  x = conv(b, "expand", x, {.out_channels = 160, .activation = DETENT_ACT_RELU6});
  x = conv(b, "depthwise", x, {.out_channels = 160, .kernel = 3, .groups = 160});
  x = conv(b, "project", x, {.out_channels = 88});
  b.output(gemm(b, "fc", global_avg_pool(b, "pool", x), 200));
  return b.finish();
}

const Op& op_named(const Model& model, const std::string& name) {
  return *std::ranges::find(model.ops, name, &Op::name);
}

TEST(Split, FewRowsAreCutByChannels) {
  Model model = deep_end();
  const std::uint64_t flops = total_flops(model);
  EXPECT_EQ(split_rows(model, {.bands = 2, .min_flops = 0, .min_bytes = 0}), 5U);
  EXPECT_EQ(total_flops(model), flops);
  const Op& second = op_named(model, "project#1");
  const auto config = read_config<detent_conv2d_config>(second);
  EXPECT_EQ(config.out_channels, 40) << "the last band has what is left of the last block";
  EXPECT_EQ(config.in_channels, 160);
  EXPECT_EQ(config.row_end, 7);
  const ByteSet weights = bytes_of(model, second.weights[0]);
  EXPECT_EQ(model.tensors[weights.root].name, "project.weight");
  EXPECT_EQ(weights.first, 3U * 10 * 16 * 16 * 4);
  EXPECT_EQ(weights.block, 3U * 10 * 16 * 16 * 4);
  EXPECT_EQ(bytes_of(model, second.weights[1]).first, 48U * 4);
  EXPECT_EQ(model.tensors[second.weights[1]].dims, (std::vector<std::int32_t>{48}));
  const ByteSet y = bytes_of(model, second.outputs[0]);
  EXPECT_EQ(y.first, 3U * 7 * 4 * 16 * 4);
  EXPECT_EQ(y.block, 3U * 7 * 4 * 16 * 4);
}

TEST(Split, DepthwiseBandsWaitForTheirOwnChannelsOnly) {
  Model model = deep_end();
  split_rows(model, {.bands = 2, .min_flops = 0, .min_bytes = 0});
  EXPECT_TRUE(has_edge(model, "expand#1", "depthwise#1"));
  EXPECT_FALSE(has_edge(model, "expand#0", "depthwise#1"));
  EXPECT_TRUE(has_edge(model, "depthwise#0", "project#1"));
  const auto config = read_config<detent_conv2d_config>(op_named(model, "depthwise#1"));
  EXPECT_EQ(config.groups, 80);
  EXPECT_EQ(config.in_channels, 80);
}

TEST(Split, RowsThatAreEvenlySharedAreCutByRows) {
  Model model = deep_end();
  split_rows(model, {.bands = 7, .min_flops = 0, .min_bytes = 0});
  EXPECT_EQ(model.tensors[op_named(model, "expand#6").outputs[0]].dims, (std::vector<std::int32_t>{1, 160, 1, 4}));
}

TEST(Split, ProductsAreCutByColumns) {
  Model model = deep_end();
  split_rows(model, {.bands = 3, .min_flops = 0, .min_bytes = 0});
  const Op& second = op_named(model, "fc#1");
  EXPECT_EQ(read_config<detent_gemm_config>(second).n, 64);
  EXPECT_EQ(read_config<detent_gemm_config>(op_named(model, "fc#0")).n, 128);
  EXPECT_EQ(read_config<detent_gemm_config>(op_named(model, "fc#2")).n, 8);
  const ByteSet b = bytes_of(model, second.weights[0]);
  EXPECT_EQ(model.tensors[b.root].name, "fc.weight");
  EXPECT_EQ(b.first, 128U * 4);
  EXPECT_EQ(b.block, 64U * 4);
  EXPECT_EQ(b.stride, 200U * 4);
  EXPECT_EQ(b.count, 88U);
  EXPECT_EQ(bytes_of(model, second.weights[1]).first, 128U * 4);
  EXPECT_EQ(model.tensors[second.weights[0]].role, TensorRole::kWeight);
  EXPECT_EQ(bytes_of(model, second.outputs[0]).first, 128U * 4);
  Model many = deep_end();
  split_rows(many, {.bands = 4, .min_flops = 0, .min_bytes = 0});
  EXPECT_EQ(op_named(many, "fc").weights.size(), 2U) << "fewer than 64 columns for each";
}

TEST(Split, TimesAreShared) {
  Model model = two_convs();
  model.ops[0].time_ps = {1200, 2400};
  split_rows(model, kAlways);
  EXPECT_EQ(model.ops[0].time_ps, (std::pair<std::uint64_t, std::uint64_t>{400, 801}));
}

}  // namespace
}  // namespace detent::models
