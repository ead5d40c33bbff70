// What the elements of I8 tensors stand for, beside what the builder knew when it made the multipliers.
#include "bench/networks/onnx/scales.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/quantised.hpp"
#include "tests/support/error_text.hpp"

namespace detent::bench {
namespace {

using models::Builder;
using models::Quantised;

Quantised image(Builder& b) { return quantise(b, "image.i8", b.input("image", {1, 3, 8, 8}), 1.0, 0.5); }

TEST(Scales, OfTheImageAndOfTheLogitsAreFactors) {
  Builder b("m");
  const Quantised x = image(b);
  const Quantised y = conv(b, "a", x, {.out_channels = 16});
  b.output(dequantise(b, "y", y));
  const models::Model model = b.finish();
  const Scales scales(model);
  EXPECT_NEAR(scales.of(x.id).scale / x.scale, 1, 1e-6);
  EXPECT_NEAR(scales.of(y.id).scale / y.scale, 1, 1e-6);
  EXPECT_EQ(scales.of(y.id).zero, 128);
}

TEST(Scales, FollowFromSumsAndAveragesInBothDirections) {
  Builder b("m");
  const Quantised x = image(b);
  const Quantised left = conv(b, "left", x, {.out_channels = 16}), right = conv(b, "right", x, {.out_channels = 16}, 3);
  const Quantised sum = add(b, "sum", left, right, DETENT_ACT_RELU);
  const Quantised pooled = max_pool(b, "pool", sum, {.kernel = 2, .stride = 2});
  const Quantised mean = global_avg_pool(b, "mean", pooled);
  b.output(dequantise(b, "y", mean));
  const models::Model model = b.finish();
  const Scales scales(model);
  for (const Quantised& each : {left, right, sum, pooled, mean}) {
    EXPECT_NEAR(scales.of(each.id).scale / each.scale, 1, 1e-5);
  }
  EXPECT_EQ(scales.of(left.id).zero, 128);
  EXPECT_EQ(scales.of(sum.id).zero, 0);
  EXPECT_EQ(scales.of(pooled.id).zero, 0);
  EXPECT_EQ(scales.of(mean.id).zero, 0);
}

TEST(Scales, ATableSaysWhichSiluItIs) {
  for (const double greatest : {0.5, 2.0, 10.0}) {
    Builder b("m");
    const Quantised y = conv(b, "a", image(b), {.out_channels = 16, .activation = DETENT_ACT_SILU}, greatest);
    b.output(dequantise(b, "y", gemm(b, "fc", global_avg_pool(b, "mean", y), 4)));
    const models::Model model = b.finish();
    EXPECT_NEAR(Scales(model).of(y.id).scale / y.scale, 1, 0.02) << greatest;
  }
}

TEST(Scales, AnotherTableIsRefused) {
  Builder b("m");
  const Quantised y = conv(b, "a", image(b), {.out_channels = 16, .activation = DETENT_ACT_SIGMOID});
  b.output(dequantise(b, "y", y));
  const models::Model model = b.finish();
  EXPECT_EQ(error_text([&] { return Scales(model).of(y.id).scale; }),
            "m:op a: a table that is not SiLU's has no counterpart in ONNX here");
}

}  // namespace
}  // namespace detent::bench
