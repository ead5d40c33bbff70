// "conv2d_i8": a block of 16 output channels by a few neighbouring pixels at a time, tap by tap. Elements are widened
// once for each tap and tile; what lies outside of the input is 0 in the widened pixels.
#include <detent/op_config.h>

#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/integers.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

// One op resolved to addresses and strides, in elements.
struct Conv {
  const int8_t *x, *weights;
  const int32_t *bias;
  int8_t *y;
  ptrdiff_t x_block, y_block;      // between channel blocks
  ptrdiff_t x_pixel, x_channel;    // 16 and 1 (C16), or 1 and H * W (PLAIN)
  int32_t input_blocks;            // of `block_channels` each; the last ones of a C16 input meet weights of 0
  int32_t block_channels;          // 16, or all of a PLAIN input
  ptrdiff_t weight_tap;            // from one tap of an input block to the next
  ptrdiff_t weight_output_stride;  // from one output block to the next
  bool depthwise;
  Requantiser result;
  const detent_conv2d_config &config;
};

Conv resolve(const detent_kernel_args &args) {
  const auto &config = *static_cast<const detent_conv2d_i8_config *>(args.config);
  const detent_conv2d_config &c = config.conv;
  const detent_tensor &x = *args.inputs[0].tensor;
  const bool plain = x.layout == DETENT_LAYOUT_PLAIN;
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  const int32_t block_channels = plain ? c.in_channels : kBlock;
  const int32_t input_blocks = plain || depthwise ? 1 : ceil_div(c.in_channels, kBlock);
  const ptrdiff_t weight_tap = depthwise ? kBlock : ptrdiff_t{block_channels} * kBlock;
  return {.x = bytes_of(args.inputs[0]),
          .weights = bytes_of(args.weights[0]),
          .bias = words_of(args.weights[1]),
          .y = mutable_bytes_of(args.outputs[0]),
          .x_block = plain ? 0 : channel_block_stride<int8_t>(x),
          .y_block = channel_block_stride<int8_t>(*args.outputs[0].tensor),
          .x_pixel = plain ? 1 : kBlock,
          .x_channel = plain ? ptrdiff_t{c.in_h} * c.in_w : 1,
          .input_blocks = input_blocks,
          .block_channels = block_channels,
          .weight_tap = weight_tap,
          .weight_output_stride = weight_tap * c.kernel_h * c.kernel_w * input_blocks,
          .depthwise = depthwise,
          .result = requantiser_of(args, config.result),
          .config = c};
}

// kTilePixels neighbouring pixels of an output row, of which the first `pixels` exist, by one output block.
struct Tile {
  int32_t block;
  ptrdiff_t row, column;  // of the whole output
  int32_t pixels;
  alignas(64) uint32_t sums[kTilePixels][kBlock];
  alignas(64) uint32_t x[kTilePixels][kBlock];   // of one tap, widened
  alignas(64) uint32_t weights[kBlock][kBlock];  // of one tap: [input channel][output channel], or the first row
};

// The tap's pixels of channels [first, first + count) of an input block; 0 outside of the row.
void gather(const Conv &conv, const int8_t *row, ptrdiff_t left, int32_t first, int32_t count, Tile &tile) {
  for (int32_t p = 0; p < tile.pixels; ++p) {
    const ptrdiff_t column = left + p * ptrdiff_t{conv.config.stride_w};
    if (column < 0 || column >= conv.config.in_w) {
      for (uint32_t &x : tile.x[p]) x = 0;
      continue;
    }
    const int8_t *pixel = row + column * conv.x_pixel + first * conv.x_channel;
    if (conv.x_channel == 1) {
      widen_i8(pixel, kBlock, tile.x[p]);
    } else {
      for (int32_t c = 0; c < count; ++c) tile.x[p][c] = widened_i8(pixel[c * conv.x_channel]);
    }
  }
}

// sums[p] += x[p][c] * weights[c] for kChannels channels.
template <int kChannels>
void add_channels(Tile &tile, int32_t first_channel) {
  Sums sums[kTilePixels][kParts];
  DETENT_UNROLL(16)
  for (int p = 0; p < kTilePixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) sums[p][v] = load_sums(tile.sums[p] + v * kLanes);
  }
  DETENT_UNROLL(4)
  for (int c = 0; c < kChannels; ++c) {
    Sums weights[kParts];
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) weights[v] = load_sums(tile.weights[first_channel + c] + v * kLanes);
    DETENT_UNROLL(16)
    for (int p = 0; p < kTilePixels; ++p) {
      DETENT_UNROLL(8)
      for (int v = 0; v < kParts; ++v) {
        sums[p][v] = add_products(sums[p][v], weights[v], tile.x[p][first_channel + c]);
      }
    }
  }
  DETENT_UNROLL(16)
  for (int p = 0; p < kTilePixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) store_sums(tile.sums[p] + v * kLanes, sums[p][v]);
  }
}

// sums[p] += x[p] * weights, channel by channel.
void add_depthwise(Tile &tile) {
  for (int p = 0; p < kTilePixels; ++p) {
    for (int v = 0; v < kParts; ++v) {
      const Sums x = load_sums(tile.x[p] + v * kLanes);
      const Sums weights = load_sums(tile.weights[0] + v * kLanes);
      store_sums(tile.sums[p] + v * kLanes, add_products(load_sums(tile.sums[p] + v * kLanes), x, weights));
    }
  }
}

// A tap of an input block; a PLAIN one may have more channels than a tile holds.
void add_tap(const Conv &conv, const int8_t *row, ptrdiff_t left, const int8_t *weights, Tile &tile) {
  if (conv.depthwise) {
    gather(conv, row, left, 0, kBlock, tile);
    widen_i8(weights, kBlock, tile.weights[0]);
    return add_depthwise(tile);
  }
  for (int32_t first = 0; first < conv.block_channels; first += kBlock) {
    const int32_t count = conv.block_channels - first < kBlock ? conv.block_channels - first : kBlock;
    gather(conv, row, left, first, count, tile);
    const int8_t *from = weights + ptrdiff_t{first} * kBlock;
    if (count == kBlock) {
      widen_i8(from, kBlock * kBlock, tile.weights[0]);
      add_channels<kBlock>(tile, 0);
    } else {
      widen_i8(from, count * kBlock, tile.weights[0]);
      for (int32_t c = 0; c < count; ++c) add_channels<1>(tile, c);
    }
  }
}

void sum_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const ptrdiff_t top = tile.row * c.stride_h - c.pad_top;
  const ptrdiff_t left = tile.column * c.stride_w - c.pad_left;
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    const int8_t *x = conv.x + (conv.depthwise ? tile.block : block) * conv.x_block;
    for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
      const ptrdiff_t row = top + kh * ptrdiff_t{c.dilation_h};
      const bool inside = row >= 0 && row < c.in_h;
      for (int32_t kw = 0; kw < c.kernel_w; ++kw, weights += conv.weight_tap) {
        if (!inside) continue;
        add_tap(conv, x + row * c.in_w * conv.x_pixel, left + kw * ptrdiff_t{c.dilation_w}, weights, tile);
      }
    }
  }
}

void run_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const int32_t *bias = conv.bias + ptrdiff_t{tile.block} * kBlock;
  for (int p = 0; p < kTilePixels; ++p) {
    for (int i = 0; i < kBlock; ++i) tile.sums[p][i] = static_cast<uint32_t>(bias[i]);
  }
  sum_tile(conv, tile);
  const int channels = channels_in_block(c.out_channels, tile.block);
  int8_t *y = conv.y + tile.block * conv.y_block + ((tile.row - c.row_begin) * c.out_w + tile.column) * kBlock;
  for (int32_t p = 0; p < tile.pixels; ++p, y += kBlock) {
    conv.result.apply(tile.sums[p], static_cast<uint64_t>(tile.block) * kBlock, kBlock, y);
    for (int i = channels; i < kBlock; ++i) y[i] = 0;
  }
}

}  // namespace

int32_t run_conv2d_i8(const detent_kernel_args *args) {
  const Conv conv = resolve(*args);
  const detent_conv2d_config &c = conv.config;
  Tile tile = {};
  for (tile.block = 0; tile.block < ceil_div(c.out_channels, kBlock); ++tile.block) {
    for (tile.row = c.row_begin; tile.row < c.row_end; ++tile.row) {
      for (tile.column = 0; tile.column < c.out_w; tile.column += kTilePixels) {
        const ptrdiff_t left = c.out_w - tile.column;
        tile.pixels = left < kTilePixels ? static_cast<int32_t>(left) : kTilePixels;
        run_tile(conv, tile);
      }
    }
  }
  return 0;
}

DETENT_ISA_END
