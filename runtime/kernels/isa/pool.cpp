// "max_pool_f32", "avg_pool_f32", "upsample_nearest_f32" and "global_avg_pool_f32": a vector of 16 channels at a time.
#include <detent/op_config.h>

#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

// A channel block of each of the two tensors, and the windows between them.
struct Plane {
  const float *x;
  float *y;
  const detent_pool_config &config;
};

struct Span {
  int32_t begin, end;
};

// The part of a window that lies inside the input. Never empty (see the check).
Span clip(int32_t out, int32_t stride, int32_t pad, int32_t kernel, int32_t in) {
  const int32_t begin = out * stride - pad;
  const int32_t end = begin + kernel;
  return {begin < 0 ? 0 : begin, end < in ? end : in};
}

struct Maximum {
  static DETENT_INLINE Vec join(Vec sum, Vec x) { return larger(x, sum); }
  static DETENT_INLINE Vec finish(Vec sum, int32_t /*count*/) { return sum; }
};

struct Mean {
  static DETENT_INLINE Vec join(Vec sum, Vec x) { return sum + x; }
  static DETENT_INLINE Vec finish(Vec sum, int32_t count) { return sum / splat(static_cast<float>(count)); }
};

template <typename Reduce>
void reduce_row(const Plane &plane, int32_t row, float *y) {
  const detent_pool_config &c = plane.config;
  const Span rows = clip(row, c.stride_h, c.pad_top, c.kernel_h, c.in_h);
  for (int32_t column = 0; column < c.out_w; ++column, y += kBlock) {
    const Span columns = clip(column, c.stride_w, c.pad_left, c.kernel_w, c.in_w);
    Vec sum[kParts];
    for (int v = 0; v < kParts; ++v) {
      sum[v] = load(plane.x + (ptrdiff_t{rows.begin} * c.in_w + columns.begin) * kBlock + v * kLanes);
    }
    for (int32_t h = rows.begin; h < rows.end; ++h) {
      const float *x = plane.x + ptrdiff_t{h} * c.in_w * kBlock;
      for (int32_t w = columns.begin + (h == rows.begin ? 1 : 0); w < columns.end; ++w) {
        for (int v = 0; v < kParts; ++v) {
          sum[v] = Reduce::join(sum[v], load(x + ptrdiff_t{w} * kBlock + v * kLanes));
        }
      }
    }
    const int32_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
    for (int v = 0; v < kParts; ++v) store(y + v * kLanes, Reduce::finish(sum[v], count));
  }
}

// Repeats each pixel of one input row kernel_w times.
void repeat_row(const Plane &plane, int32_t row, float *y) {
  const detent_pool_config &c = plane.config;
  const float *x = plane.x + ptrdiff_t{row / c.kernel_h} * c.in_w * kBlock;
  for (int32_t w = 0; w < c.in_w; ++w, x += kBlock) {
    for (int32_t repeat = 0; repeat < c.kernel_w; ++repeat, y += kBlock) {
      for (int v = 0; v < kParts; ++v) store(y + v * kLanes, load(x + v * kLanes));
    }
  }
}

template <typename RowFn>
int32_t for_rows(const detent_kernel_args &args, RowFn row_fn) {
  const auto &config = *static_cast<const detent_pool_config *>(args.config);
  const ptrdiff_t x_block = channel_block_stride(*args.inputs[0].tensor);
  const ptrdiff_t y_block = channel_block_stride(*args.outputs[0].tensor);
  for (int32_t block = 0; block < ceil_div(config.channels, kBlock); ++block) {
    const Plane plane = {floats(args.inputs[0]) + block * x_block, mutable_floats(args.outputs[0]) + block * y_block,
                         config};
    for (int32_t row = config.row_begin; row < config.row_end; ++row) {
      row_fn(plane, row, plane.y + ptrdiff_t{row - config.row_begin} * config.out_w * kBlock);
    }
  }
  return 0;
}

}  // namespace

int32_t run_max_pool_f32(const detent_kernel_args *args) { return for_rows(*args, reduce_row<Maximum>); }

int32_t run_avg_pool_f32(const detent_kernel_args *args) { return for_rows(*args, reduce_row<Mean>); }

int32_t run_upsample_nearest_f32(const detent_kernel_args *args) { return for_rows(*args, repeat_row); }

int32_t run_global_avg_pool_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_reorder_config *>(args->config);
  const ptrdiff_t x_block = channel_block_stride(*args->inputs[0].tensor);
  const ptrdiff_t pixels = ptrdiff_t{config.h} * config.w;
  for (int32_t block = 0; block < ceil_div(config.channels, kBlock); ++block) {
    const float *x = floats(args->inputs[0]) + block * x_block;
    Vec sum[kParts] = {};
    for (ptrdiff_t p = 0; p < pixels; ++p, x += kBlock) {
      for (int v = 0; v < kParts; ++v) sum[v] += load(x + v * kLanes);
    }
    alignas(64) float mean[kBlock];
    for (int v = 0; v < kParts; ++v) store(mean + v * kLanes, sum[v] / splat(static_cast<float>(pixels)));
    const int channels = channels_in_block(config.channels, block);
    memcpy(mutable_floats(args->outputs[0]) + ptrdiff_t{block} * kBlock, mean, static_cast<size_t>(channels) * 4);
  }
  return 0;
}

DETENT_ISA_END
