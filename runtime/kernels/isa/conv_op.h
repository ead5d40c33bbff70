/* One op of "conv2d_f32" resolved to addresses and strides, and where the taps of a tile lie in its input. */
#ifndef DETENT_RUNTIME_OPS_ISA_CONV_OP_H_
#define DETENT_RUNTIME_OPS_ISA_CONV_OP_H_

#include <detent/op_config.h>

#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/conv_tile.h"

DETENT_ISA_BEGIN
namespace {

constexpr ptrdiff_t kMaxTaps = 160;       // of one call of the tile loops
constexpr ptrdiff_t kPatchFloats = 3072;  // copied for one call; with kMaxTaps this bounds the stack: 18 KiB

// One op resolved to addresses, and to strides in floats.
struct Conv {
  const float *x, *weights, *bias, *residual;  // residual may be null
  float *y;
  ptrdiff_t x_block, residual_block, y_block;  // between channel blocks
  ptrdiff_t x_channel;                         // PLAIN: between channels
  ptrdiff_t in_h, in_w, out_w;
  ptrdiff_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
  ptrdiff_t row_begin, row_end;  // of the whole output; y and residual start at row_begin
  ptrdiff_t unit;                // floats of one pixel in x: 16 (C16) or 1 (PLAIN)
  ptrdiff_t step;                // from a tile's pixel to the next, in pixels of x: stride_w, or 1 when gathered
  int32_t position_taps;         // taps per kernel position: 1 (C16) or the input channels (PLAIN)
  int32_t input_blocks, output_blocks;
  int32_t last_channels;  // channels of the last output block that are no padding
  int32_t activation;
  int32_t tile_blocks;  // output blocks per tile, at most
  bool depthwise;
  ptrdiff_t weight_tap, weight_input_stride, weight_output_stride;
  const TileFn *tiles;  // [tile_blocks][kTilePixels]
  float low, high;      // what an activation other than SiLU and sigmoid holds a sum within
  // A patch: for each input block, kernel row and (PLAIN) channel the pixels that a tile's kernel row meets; of a
  // depthwise convolution, a strip: the same of as many neighbouring rows as fit.
  ptrdiff_t patch_width;   // pixels, at most
  ptrdiff_t patch_block;   // floats
  int32_t patch_blocks;    // input blocks that one call can copy; 0: one does not fit, or the kernel has too many taps
  ptrdiff_t strip_rows;    // of the output, that a strip is enough for
  ptrdiff_t taps;          // of the whole kernel
  ptrdiff_t later_floats;  // of weights of the next tile_blocks output blocks, fetched early; 0: none are
};

// Where a tile lies: output blocks, row, first column.
struct Place {
  int32_t block, blocks;
  ptrdiff_t row, column;
  int32_t pixels;
};

template <int kStep, int... kPixels>
constexpr TileTable depthwise_table(PixelList<kPixels...> /*pixels*/) {
  TileTable table = {};
  ((table.fns[0][kPixels - 1] = sum_depthwise_tile<kPixels, kStep>), ...);
  return table;
}

constexpr TileTable kC16Tiles[2] = {dense_table<16, 16>(), dense_table<16, 32>()};
constexpr TileTable kPlainTiles[2] = {dense_table<1, 1>(), dense_table<1, 2>()};
constexpr TileTable kDepthwiseTiles[2] = {depthwise_table<16>(AllPixels{}), depthwise_table<32>(AllPixels{})};

void resolve_input(const detent_kernel_args &args, const detent_conv2d_config &config, Conv &conv) {
  const detent_tensor &x = *args.inputs[0].tensor;
  const bool plain = x.layout == DETENT_LAYOUT_PLAIN;
  const ptrdiff_t positions = conv.kernel_h * conv.kernel_w;
  conv.depthwise = config.groups > 1 && config.groups == config.in_channels && config.groups == config.out_channels;
  conv.unit = plain ? 1 : kBlock;
  conv.step = config.stride_w <= 2 ? config.stride_w : 1;
  conv.x_block = plain ? 0 : channel_block_stride(x);
  conv.x_channel = conv.in_h * conv.in_w;
  conv.position_taps = plain ? config.in_channels : 1;
  conv.input_blocks = plain || conv.depthwise ? 1 : ceil_div(config.in_channels, kBlock);
  conv.weight_tap = plain || conv.depthwise ? kBlock : kBlock * kBlock;
  conv.weight_input_stride = positions * conv.position_taps * conv.weight_tap;
  conv.weight_output_stride = conv.input_blocks * conv.weight_input_stride;
  const TileTable *tables = conv.depthwise ? kDepthwiseTiles : plain ? kPlainTiles : kC16Tiles;
  conv.tiles = tables[conv.step - 1].fns[0];
  conv.tile_blocks = conv.depthwise ? 1 : kTileBlocks;
  conv.later_floats = conv.depthwise ? 0 : conv.tile_blocks * conv.weight_output_stride;
}

// Patches are for the tile loops' own step and for kernels whose taps are listed.
void resolve_patches(Conv &conv) {
  const ptrdiff_t pixels = conv.out_w < kTilePixels ? conv.out_w : kTilePixels;
  const ptrdiff_t rows =
      conv.depthwise ? (conv.kernel_h - 1) * conv.dilation_h + 1 : conv.kernel_h * conv.position_taps;
  conv.taps = conv.kernel_h * conv.kernel_w * conv.position_taps;
  if (conv.step != conv.stride_w || conv.taps > kMaxTaps) return;
  conv.patch_width = (pixels - 1) * conv.stride_w + (conv.kernel_w - 1) * conv.dilation_w + 1;
  if (conv.patch_width > kPatchFloats || rows > kPatchFloats) return;
  conv.patch_block = rows * conv.patch_width * conv.unit;
  conv.patch_blocks = static_cast<int32_t>(kPatchFloats / conv.patch_block);
  conv.strip_rows = (kPatchFloats / (conv.patch_width * conv.unit) - rows) / conv.stride_h + 1;
}

void resolve_activation(Conv &conv) {
  const bool is_relu = conv.activation == DETENT_ACT_RELU || conv.activation == DETENT_ACT_RELU6;
  const bool is_held = is_relu || conv.activation == DETENT_ACT_NONE;
  const uint32_t infinity_bits = 0x7f800000;
  float infinity = 0.0F;
  memcpy(&infinity, &infinity_bits, sizeof infinity);
  conv.low = is_relu ? 0.0F : -infinity;
  conv.high = conv.activation == DETENT_ACT_RELU6 ? 6.0F : infinity;
  if (!is_held) conv.high = conv.low;
}

// A 1x1 convolution without stride or padding sees no rows: its band is one long row of pixels.
void flatten(Conv &conv) {
  const bool pointwise = conv.kernel_h == 1 && conv.kernel_w == 1 && conv.stride_h == 1 && conv.stride_w == 1 &&
                         conv.pad_top == 0 && conv.pad_left == 0 && conv.out_w == conv.in_w;
  if (!pointwise || conv.row_end > conv.in_h) return;
  conv.x += conv.row_begin * conv.in_w * conv.unit;
  conv.in_w *= conv.row_end - conv.row_begin;
  conv.out_w = conv.in_w;
  conv.in_h = 1;
  conv.row_begin = 0;
  conv.row_end = 1;
}

Conv resolve_conv(const detent_kernel_args &args) {
  const auto &config = *static_cast<const detent_conv2d_config *>(args.config);
  Conv conv = {};
  conv.x = floats(args.inputs[0]);
  conv.weights = floats(args.weights[0]);
  conv.bias = floats(args.weights[1]);
  conv.y = mutable_floats(args.outputs[0]);
  conv.y_block = channel_block_stride(*args.outputs[0].tensor);
  if (config.has_residual != 0) {
    conv.residual = floats(args.inputs[1]);
    conv.residual_block = channel_block_stride(*args.inputs[1].tensor);
  }
  conv.in_h = config.in_h;
  conv.in_w = config.in_w;
  conv.out_w = config.out_w;
  conv.kernel_h = config.kernel_h;
  conv.kernel_w = config.kernel_w;
  conv.stride_h = config.stride_h;
  conv.stride_w = config.stride_w;
  conv.dilation_h = config.dilation_h;
  conv.dilation_w = config.dilation_w;
  conv.pad_top = config.pad_top;
  conv.pad_left = config.pad_left;
  conv.row_begin = config.row_begin;
  conv.row_end = config.row_end;
  conv.output_blocks = ceil_div(config.out_channels, kBlock);
  conv.last_channels = channels_in_block(config.out_channels, conv.output_blocks - 1);
  conv.activation = config.activation;
  resolve_input(args, config, conv);
  flatten(conv);
  resolve_patches(conv);
  resolve_activation(conv);
  return conv;
}

struct RowRange {
  ptrdiff_t begin, end;
};

// Kernel rows that meet the input; the others multiply padding and are left out.
RowRange kernel_rows(const Conv &conv, ptrdiff_t row) {
  const ptrdiff_t top = row * conv.stride_h - conv.pad_top;
  RowRange range = {0, conv.kernel_h};
  while (range.begin < range.end && top + range.begin * conv.dilation_h < 0) ++range.begin;
  while (range.end > range.begin && top + (range.end - 1) * conv.dilation_h >= conv.in_h) --range.end;
  return range;
}

// All pixels and all kernel columns of the tile lie inside the input's row, at the tile loops' own step.
bool reads_directly(const Conv &conv, const Place &place) {
  const ptrdiff_t left = place.column * conv.stride_w - conv.pad_left;
  const ptrdiff_t right = left + (place.pixels - 1) * conv.stride_w + (conv.kernel_w - 1) * conv.dilation_w;
  return conv.step == conv.stride_w && left >= 0 && right < conv.in_w;
}

struct ColumnRange {
  ptrdiff_t begin, end;
};

// The input's row and column that the first tap of kernel row `kernel_row` meets.
ptrdiff_t input_row(const Conv &conv, const Place &place, ptrdiff_t kernel_row) {
  return place.row * conv.stride_h - conv.pad_top + kernel_row * conv.dilation_h;
}
ptrdiff_t input_column(const Conv &conv, const Place &place) { return place.column * conv.stride_w - conv.pad_left; }

// Those of the input that a tile reads.
ColumnRange columns_read(const Conv &conv, const Place &place) {
  const ptrdiff_t left = input_column(conv, place);
  return {left, left + (place.pixels - 1) * conv.stride_w + (conv.kernel_w - 1) * conv.dilation_w + 1};
}

}  // namespace
DETENT_ISA_END

#endif
