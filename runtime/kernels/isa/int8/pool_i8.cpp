// "max_pool_i8", "upsample_nearest_i8" and "global_avg_pool_i8": 16 channels at a time.
#include <detent/op_config.h>

#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/int8/integers.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

struct Span {
  int32_t begin, end;
};

// The part of a window that lies inside the input. Never empty (see the check).
Span clip(int32_t out, int32_t stride, int32_t pad, int32_t kernel, int32_t in) {
  const int32_t begin = out * stride - pad;
  const int32_t end = begin + kernel;
  return {begin < 0 ? 0 : begin, end < in ? end : in};
}

void maximum_of(const detent_pool_config &c, const int8_t *x, Span rows, Span columns, int8_t *y) {
  Elements largest = load_elements(x + (ptrdiff_t{rows.begin} * c.in_w + columns.begin) * kBlock);
  for (int32_t h = rows.begin; h < rows.end; ++h) {
    const int8_t *pixel = x + (ptrdiff_t{h} * c.in_w + columns.begin) * kBlock;
    for (int32_t w = columns.begin; w < columns.end; ++w, pixel += kBlock) {
      largest = larger_elements(load_elements(pixel), largest);
    }
  }
  memcpy(y, &largest, sizeof largest);
}

// Repeats each pixel of an input row `times` times.
void repeat_pixels(const int8_t *x, int32_t pixels, int32_t times, int8_t *y) {
  for (int32_t w = 0; w < pixels; ++w, x += kBlock) {
    const Elements pixel = load_elements(x);
    for (int32_t repeat = 0; repeat < times; ++repeat, y += kBlock) memcpy(y, &pixel, sizeof pixel);
  }
}

/// Every row of every block of channels of the band.
/// @param compute  of (shapes, the block's pixels, row, first pixel of the row to write)
template <typename Compute>
int32_t write_rows(const detent_kernel_args *args, const Compute &compute) {
  const auto &c = *static_cast<const detent_pool_config *>(args->config);
  const ptrdiff_t x_block = channel_block_stride<int8_t>(*args->inputs[0].tensor);
  const ptrdiff_t y_block = channel_block_stride<int8_t>(*args->outputs[0].tensor);
  for (int32_t block = 0; block < ceil_div(c.channels, kBlock); ++block) {
    const int8_t *x = bytes_of(args->inputs[0]) + block * x_block;
    int8_t *y = mutable_bytes_of(args->outputs[0]) + block * y_block;
    for (int32_t row = c.row_begin; row < c.row_end; ++row, y += ptrdiff_t{c.out_w} * kBlock) compute(c, x, row, y);
  }
  clear_padding<int8_t>(args->outputs[0]);
  return 0;
}

}  // namespace

int32_t run_max_pool_i8(const detent_kernel_args *args) {
  return write_rows(args, [](const detent_pool_config &c, const int8_t *x, int32_t row, int8_t *y) {
    const Span rows = clip(row, c.stride_h, c.pad_top, c.kernel_h, c.in_h);
    for (int32_t column = 0; column < c.out_w; ++column, y += kBlock) {
      maximum_of(c, x, rows, clip(column, c.stride_w, c.pad_left, c.kernel_w, c.in_w), y);
    }
  });
}

int32_t run_upsample_nearest_i8(const detent_kernel_args *args) {
  return write_rows(args, [](const detent_pool_config &c, const int8_t *x, int32_t row, int8_t *y) {
    repeat_pixels(x + ptrdiff_t{row / c.kernel_h} * c.in_w * kBlock, c.in_w, c.kernel_w, y);
  });
}

int32_t run_global_avg_pool_i8(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_global_avg_pool_i8_config *>(args->config);
  const ptrdiff_t x_block = channel_block_stride<int8_t>(*args->inputs[0].tensor);
  const ptrdiff_t pixels = ptrdiff_t{config.pool.h} * config.pool.w;
  for (int32_t block = 0; block < ceil_div(config.pool.channels, kBlock); ++block) {
    const int8_t *x = bytes_of(args->inputs[0]) + block * x_block;
    uint32_t sums[kBlock] = {};
    for (ptrdiff_t p = 0; p < pixels; ++p, x += kBlock) {
      for (int i = 0; i < kBlock; ++i) sums[i] += widened_i8(x[i]);
    }
    int8_t *y = mutable_bytes_of(args->outputs[0]) + ptrdiff_t{block} * kBlock;
    for (int i = 0; i < channels_in_block(config.pool.channels, block); ++i) {
      y[i] = static_cast<int8_t>(held(rounded_quotient(sums[i], config.multiplier, config.shift), -128, 127));
    }
  }
  return 0;
}

DETENT_ISA_END
