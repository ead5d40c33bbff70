#include "models/builder/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "models/builder/builder_internal.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/reorder.hpp"
#include "models/core/dag.hpp"
#include "tests/support/find_edge.hpp"

namespace detent::models {
namespace {

TEST(Builder, ConvolutionHasShapeConfigAndFlops) {
  Builder b("m");
  const auto y = conv(b, "conv", b.input("x", {1, 3, 9, 7}), {.out_channels = 20, .kernel = 3, .stride = 2});
  EXPECT_EQ(b.tensor(y).dims, (std::vector<std::int32_t>{1, 20, 5, 4}));
  EXPECT_EQ(b.tensor(y).size_bytes, 2U * 5 * 4 * 16 * 4);
  const auto config = read_config<detent_conv2d_config>(b.last_op());
  EXPECT_EQ(config.pad_top, 1);
  EXPECT_EQ(config.row_end, 5);
  EXPECT_EQ(b.last_op().flops, 2U * 20 * 5 * 4 * 3 * 9);
}

TEST(Builder, ConcatPartsBecomeViewsOfOneBase) {
  Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 32});
  const auto left = conv(b, "left", x, {.out_channels = 16});
  const auto right = conv(b, "right", x, {.out_channels = 16});
  const auto all = concat(b, "all", {left, right});
  b.output(conv(b, "head", all, {.out_channels = 16}));
  const Model model = b.finish();
  EXPECT_EQ(model.ops.size(), 4U);  // no copy
  EXPECT_EQ(model.tensors[left].alias_of, all);
  EXPECT_EQ(model.tensors[right].alias_of, all);
  EXPECT_EQ(model.tensors[right].alias_offset_bytes, 4U * 4 * 16 * 4);
  EXPECT_TRUE(has_edge(model, "left", "head"));
  EXPECT_TRUE(has_edge(model, "right", "head"));
  EXPECT_FALSE(has_edge(model, "left", "right"));
}

TEST(Builder, HalvesOfOneTensorAreEmbeddedTogether) {
  Builder b("m");
  const auto stem = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 32});
  const auto low = channels(b, "low", stem, 0, 16);
  const auto high = channels(b, "high", stem, 16, 16);
  const auto inner = conv(b, "inner", high, {.out_channels = 16});
  const auto all = concat(b, "all", {low, high, inner});
  b.output(conv(b, "head", all, {.out_channels = 16}));
  const Model model = b.finish();
  EXPECT_EQ(model.ops.size(), 3U);
  EXPECT_EQ(model.tensors[stem].alias_of, all);
  EXPECT_EQ(model.tensors[high].alias_of, all);
  EXPECT_EQ(model.tensors[high].alias_offset_bytes, 1024U);
  EXPECT_EQ(model.tensors[inner].alias_offset_bytes, 2048U);
  EXPECT_TRUE(has_edge(model, "stem", "inner"));
  EXPECT_TRUE(has_edge(model, "stem", "head"));
}

TEST(Builder, ConcatCopiesInputsThatLieElsewhere) {
  Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 16});
  const auto y = conv(b, "other", x, {.out_channels = 16});
  const auto first = concat(b, "first", {x, y});
  const auto second = concat(b, "second", {y, x});
  b.output(binary(b, "sum", DETENT_BINARY_ADD, first, second));
  const Model model = b.finish();
  EXPECT_EQ(model.ops.size(), 5U);
  EXPECT_EQ(model.ops[2].kernel, "copy_f32");
  EXPECT_TRUE(has_edge(model, "second.copy0", "sum"));
}

TEST(Builder, ConcatCopiesInputsOfTheModel) {
  Builder b("m");
  const auto x = b.input("x", {4, 7});
  const auto y = b.input("y", {2, 7});
  b.output(concat(b, "all", {x, y}));
  const Model model = b.finish();
  EXPECT_EQ(std::count_if(model.ops.begin(), model.ops.end(), [](const Op& op) { return op.kernel == "copy_f32"; }), 2);
  EXPECT_EQ(model.tensors[x].alias_of, kNone);
  EXPECT_EQ(model.tensors[y].alias_of, kNone);
}

TEST(Builder, ConcatOfOneTensorTwiceCopies) {
  Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 16});
  const auto twice = concat(b, "twice", {x, x});
  b.output(conv(b, "head", twice, {.out_channels = 16}));
  const Model model = b.finish();
  EXPECT_EQ(std::count_if(model.ops.begin(), model.ops.end(), [](const Op& op) { return op.kernel == "copy_f32"; }), 2);
}

TEST(Builder, ConcatOfOddChannelsGoesThroughPlain) {
  Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 24});
  const auto y = conv(b, "other", x, {.out_channels = 8});
  const auto all = concat(b, "all", {x, y});
  EXPECT_EQ(b.tensor(all).dims[1], 32);
  b.output(all);
  const Model model = b.finish();
  EXPECT_EQ(model.ops.back().kernel, "reorder_f32");
  EXPECT_TRUE(has_edge(model, "all.plain0", "all"));
  EXPECT_TRUE(has_edge(model, "all.plain1", "all"));
}

TEST(Builder, ChannelsThatAreNotAlignedAreCopied) {
  Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 48});
  const auto part = channels(b, "part", x, 8, 20);
  EXPECT_EQ(b.tensor(part).dims, (std::vector<std::int32_t>{1, 20, 4, 4}));
  EXPECT_EQ(b.tensor(part).alias_of, kNone);
  EXPECT_THROW(channels(b, "out", x, 40, 16), std::invalid_argument);
}

TEST(Builder, ReadersDependOnTheWritersOfTheirBytesOnly) {
  Builder b("m");
  const auto x = b.input("x", {2, 8});
  const auto base = b.buffer("base", {4, 8});
  const auto view = [&](const std::string& name, std::int32_t row, std::int32_t rows) {
    const auto row_bytes = std::uint64_t{32};
    return b.view(name, base,
                  {.dims = {rows, 8},
                   .offset_bytes = static_cast<std::uint64_t>(row) * row_bytes,
                   .block_bytes = static_cast<std::uint64_t>(rows) * row_bytes});
  };
  b.copy("top", x, view("rows01", 0, 2));
  b.copy("bottom", x, view("rows23", 2, 2));
  b.output(b.copy("reads_top", view("row1", 1, 1)));
  b.output(b.copy("reads_both", view("rows12", 1, 2)));
  const Model model = b.finish();
  EXPECT_TRUE(has_edge(model, "top", "reads_top"));
  EXPECT_FALSE(has_edge(model, "bottom", "reads_top"));
  EXPECT_TRUE(has_edge(model, "top", "reads_both"));
  EXPECT_TRUE(has_edge(model, "bottom", "reads_both"));
  EXPECT_FALSE(has_edge(model, "top", "bottom"));
}

TEST(Builder, LaterWritersFollowReadersAndWriters) {
  Builder b("m");
  const auto x = b.input("x", {8});
  const auto base = b.buffer("base", {8});
  b.copy("first", x, base);
  b.output(b.copy("reader", base));
  b.copy("second", x, base);
  b.output(base);
  const Model model = b.finish();
  EXPECT_TRUE(has_edge(model, "first", "reader"));
  EXPECT_TRUE(has_edge(model, "first", "second"));
  EXPECT_TRUE(has_edge(model, "reader", "second"));
}

TEST(Builder, AnInputThatIsAnOutputIsCopied) {
  Builder b("m");
  b.output(b.input("x", {4}));
  const Model model = b.finish();
  ASSERT_EQ(model.ops.size(), 1U);
  EXPECT_EQ(model.tensors[model.outputs[0]].role, TensorRole::kOutput);
}

TEST(Builder, RefusesShapesThatDoNotFit) {
  Builder b("m");
  const auto image = b.input("x", {1, 3, 4, 4});
  const auto x = conv(b, "stem", image, {.out_channels = 20});
  EXPECT_THROW(conv(b, "groups", x, {.out_channels = 20, .groups = 3}), std::invalid_argument);
  EXPECT_THROW(conv(b, "residual", x, {.out_channels = 16, .residual = x}), std::invalid_argument);
  EXPECT_THROW(conv(b, "huge", x, {.out_channels = 4, .kernel = 9, .pad = 0}), std::invalid_argument);
  EXPECT_THROW(b.reshape("padded", x, {20, 16}), std::invalid_argument);
  EXPECT_THROW(max_pool(b, "plain", image, {}), std::invalid_argument);
  EXPECT_THROW(to_c16(b, "again", x), std::invalid_argument);
  EXPECT_THROW(gemm(b, "gemm", image, 4), std::invalid_argument);
  EXPECT_THROW(transpose(b, "axes", image, {0, 1, 1, 2}), std::invalid_argument);
  EXPECT_THROW(b.input("zero", {1, 0}), std::invalid_argument);
  EXPECT_THROW(concat(b, "none", {}), std::invalid_argument);
  EXPECT_THROW(b.view("outside", image, {.dims = {64}, .offset_bytes = 4, .block_bytes = 192}), std::invalid_argument);
}

TEST(ByteSets, StridedOverlapIsExact) {
  const auto overlap_slowly = [](const ByteSet& a, const ByteSet& b) {
    for (std::uint64_t i = 0; i < a.count; ++i) {
      for (std::uint64_t j = 0; j < b.count; ++j) {
        const std::uint64_t p = a.first + i * a.stride, q = b.first + j * b.stride;
        if (p < q + b.block && q < p + a.block) return true;
      }
    }
    return false;
  };
  for (std::uint64_t first = 0; first < 24; ++first) {
    for (std::uint64_t stride = 3; stride < 9; ++stride) {
      for (std::uint64_t count = 1; count < 5; ++count) {
        const ByteSet a{0, 6, 2, 7, 3};
        const ByteSet b{0, first, 2, stride, count};
        EXPECT_EQ(bytes_overlap(a, b), overlap_slowly(a, b)) << first << " " << stride << " " << count;
        EXPECT_EQ(bytes_overlap(b, a), bytes_overlap(a, b));
      }
    }
  }
  EXPECT_FALSE(bytes_overlap({0, 0, 8, 0, 1}, {1, 0, 8, 0, 1}));
}

}  // namespace
}  // namespace detent::models
