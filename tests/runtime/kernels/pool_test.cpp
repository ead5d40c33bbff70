// Pooling, upsampling and global average against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"

namespace detent::ops_test {
namespace {

struct PoolShape {
  std::string kernel;
  detent_pool_config config{};
};

void choose_axis(Random& random, int max_in, std::int32_t& in, std::int32_t& out, std::int32_t& kernel,
                 std::int32_t& stride, std::int32_t& pad) {
  in = random.between(1, max_in);
  kernel = random.between(1, 5);
  stride = random.between(1, 3);
  pad = random.between(0, kernel - 1);
  out = (in + pad - 1) / stride + 1;  // as many windows as start inside
  out = random.between(1, out);
}

PoolShape random_pool(Random& random) {
  PoolShape shape;
  detent_pool_config& c = shape.config;
  c.channels = random.between(1, 50);
  choose_axis(random, 9, c.in_h, c.out_h, c.kernel_h, c.stride_h, c.pad_top);
  choose_axis(random, 20, c.in_w, c.out_w, c.kernel_w, c.stride_w, c.pad_left);
  shape.kernel = random.one_in(2) ? "max_pool_f32" : "avg_pool_f32";
  if (random.one_in(3)) {
    shape.kernel = "upsample_nearest_f32";
    c.stride_h = c.kernel_h = random.between(1, 3);
    c.stride_w = c.kernel_w = random.between(1, 3);
    c.pad_top = c.pad_left = 0;
    c.out_h = c.in_h * c.kernel_h;
    c.out_w = c.in_w * c.kernel_w;
  }
  c.row_begin = random.between(0, c.out_h - 1);
  c.row_end = random.between(c.row_begin + 1, c.out_h);
  return shape;
}

double reference_at(const PoolShape& shape, const std::vector<double>& x, int channel, int row, int column) {
  const detent_pool_config& c = shape.config;
  const auto at = [&](int h, int w) { return x[size((channel * c.in_h + h) * c.in_w + w)]; };
  if (shape.kernel == "upsample_nearest_f32") return at(row / c.kernel_h, column / c.kernel_w);
  double largest = -INFINITY;
  double sum = 0;
  int count = 0;
  for (int h = row * c.stride_h - c.pad_top; h < row * c.stride_h - c.pad_top + c.kernel_h; ++h) {
    for (int w = column * c.stride_w - c.pad_left; w < column * c.stride_w - c.pad_left + c.kernel_w; ++w) {
      if (h < 0 || h >= c.in_h || w < 0 || w >= c.in_w) continue;
      largest = std::max(largest, at(h, w));
      sum += at(h, w);
      ++count;
    }
  }
  return shape.kernel == "max_pool_f32" ? largest : sum / count;
}

}  // namespace

// Maximum and repetition are exact; a mean rounds once per addend of magnitude at most 1.
TEST(Pool, RandomShapesAndBandsMatchTheReference) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const PoolShape shape = random_pool(random);
    const detent_pool_config& c = shape.config;
    OpCase op;
    op.kernel = shape.kernel;
    op.inputs.push_back(TestTensor::c16(c.channels, c.in_h, c.in_w).maybe_strided(random));
    op.inputs[0].set_random(random, 1.0F);
    op.outputs.push_back(TestTensor::c16(c.channels, c.row_end - c.row_begin, c.out_w).maybe_strided(random));
    op.set_config(c);
    op.run_everywhere();
    const std::vector<double> x = op.inputs[0].logical();
    const std::vector<double> y = op.outputs[0].logical();
    const double bound = shape.kernel == "avg_pool_f32" ? 26.0 / 16777216.0 : 0.0;
    std::size_t i = 0;
    for (int channel = 0; channel < c.channels; ++channel) {
      for (int row = c.row_begin; row < c.row_end; ++row) {
        for (int column = 0; column < c.out_w; ++column) {
          ASSERT_NEAR(y[i++], reference_at(shape, x, channel, row, column), bound) << shape.kernel;
        }
      }
    }
  }
}

TEST(Pool, GlobalAverageIsTheMeanOfEachChannel) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const detent_reorder_config config = {.channels = random.between(1, 70),
                                          .h = random.between(1, 9),
                                          .w = random.between(1, 9),
                                          .to_plain = 0,
                                          .activation = 0,
                                          .reserved = 0};
    OpCase op;
    op.kernel = "global_avg_pool_f32";
    op.inputs.push_back(TestTensor::c16(config.channels, config.h, config.w).maybe_strided(random));
    op.inputs[0].set_random(random, 1.0F);
    op.outputs.push_back(TestTensor::plain({1, config.channels}));
    op.set_config(config);
    op.run_everywhere();
    const std::vector<double> x = op.inputs[0].logical();
    const std::vector<double> y = op.outputs[0].logical();
    const std::size_t pixels = size(config.h * config.w);
    for (std::size_t channel = 0; channel < y.size(); ++channel) {
      double sum = 0;
      for (std::size_t p = 0; p < pixels; ++p) sum += x[channel * pixels + p];
      ASSERT_NEAR(y[channel], sum / static_cast<double>(pixels), static_cast<double>(pixels) / 16777216.0);
    }
  }
}

}  // namespace detent::ops_test
