// "reorder_f32": [1,C,H,W] between C16 and PLAIN, with an activation on the way.
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

// 16 pixels of up to 16 channels, turned over through a square that stays in the first cache.
struct Square {
  alignas(64) float at[kBlock][kBlock];
};

int part_of(ptrdiff_t left) { return left < kBlock ? static_cast<int>(left) : kBlock; }

template <int32_t kActivation>
void block_to_rows(const float *block, const RowView<> &rows, uint64_t first, int channels, ptrdiff_t pixels) {
  Square square = {};
  for (ptrdiff_t p = 0; p < pixels; p += kBlock) {
    const int count = part_of(pixels - p);
    for (int i = 0; i < count; ++i) {
      for (int v = 0; v < kParts; ++v) {
        store(square.at[i] + v * kLanes, activate<kActivation>(load(block + (p + i) * kBlock + v * kLanes)));
      }
    }
    for (int c = 0; c < channels; ++c) {
      float *row = rows.row(first + static_cast<uint64_t>(c)) + p;
      if (count == kBlock) {
        for (int i = 0; i < kBlock; ++i) row[i] = square.at[i][c];
      } else {
        for (int i = 0; i < count; ++i) row[i] = square.at[i][c];
      }
    }
  }
}

template <int32_t kActivation>
void rows_to_block(const RowView<> &rows, uint64_t first, int channels, float *block, ptrdiff_t pixels) {
  for (ptrdiff_t p = 0; p < pixels; p += kBlock) {
    Square square = {};
    const int count = part_of(pixels - p);
    for (int c = 0; c < channels; ++c) {
      const float *row = rows.row(first + static_cast<uint64_t>(c)) + p;
      for (int i = 0; i < count; ++i) square.at[i][c] = row[i];
    }
    for (int i = 0; i < count; ++i) {
      for (int v = 0; v < kParts; ++v) {
        const Vec value = activate<kActivation>(load(square.at[i] + v * kLanes));
        store(block + (p + i) * kBlock + v * kLanes, from_bits(bits_of(value) & lane_mask(v * kLanes, channels)));
      }
    }
  }
}

template <int32_t kActivation>
void reorder(const detent_kernel_args &args, const detent_reorder_config &config) {
  const detent_buffer &blocks = config.to_plain != 0 ? args.inputs[0] : args.outputs[0];
  const ptrdiff_t pixels = ptrdiff_t{config.h} * config.w;
  const RowView<> rows(config.to_plain != 0 ? args.outputs[0] : args.inputs[0], static_cast<uint64_t>(pixels));
  const ptrdiff_t stride = channel_block_stride(*blocks.tensor);
  for (int32_t b = 0; b < ceil_div(config.channels, kBlock); ++b) {
    const int channels = channels_in_block(config.channels, b);
    const auto first = static_cast<uint64_t>(b) * kBlock;
    if (config.to_plain != 0) {
      block_to_rows<kActivation>(floats(blocks) + b * stride, rows, first, channels, pixels);
    } else {
      rows_to_block<kActivation>(rows, first, channels, mutable_floats(blocks) + b * stride, pixels);
    }
  }
}

}  // namespace

int32_t run_reorder_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_reorder_config *>(args->config);
  with_activation(config.activation, [&](auto tag) { reorder<decltype(tag)::kActivation>(*args, config); });
  return 0;
}

DETENT_ISA_END
