// "conv2d_i8": a block of 16 output channels by a few neighbouring pixels at a time, tap by tap. Elements become floats
// once for each tap and tile; what lies outside of the input is 0 there. Float sums are exact (integers.h) and go into
// integer sums before they could round.
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
  detent_conv2d_config config;
};

// A 1x1 convolution without stride or padding sees no rows: its band is one long row of pixels.
void flatten(Conv &conv) {
  detent_conv2d_config &c = conv.config;
  const bool pointwise = c.kernel_h == 1 && c.kernel_w == 1 && c.stride_h == 1 && c.stride_w == 1 && c.pad_top == 0 &&
                         c.pad_left == 0 && c.out_w == c.in_w;
  const int64_t pixels = (int64_t{c.row_end} - c.row_begin) * c.in_w;
  if (!pointwise || c.row_end > c.in_h || pixels > 1 << 30) return;
  conv.x += ptrdiff_t{c.row_begin} * c.in_w * conv.x_pixel;
  c.in_w = c.out_w = static_cast<int32_t>(pixels);
  c.in_h = c.row_end = 1;
  c.row_begin = 0;
}

Conv resolve(const detent_kernel_args &args) {
  const auto &config = *static_cast<const detent_conv2d_i8_config *>(args.config);
  const detent_conv2d_config &c = config.conv;
  const detent_tensor &x = *args.inputs[0].tensor;
  const bool plain = x.layout == DETENT_LAYOUT_PLAIN;
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  const int32_t block_channels = plain ? c.in_channels : kBlock;
  const int32_t input_blocks = plain || depthwise ? 1 : ceil_div(c.in_channels, kBlock);
  const ptrdiff_t weight_tap = depthwise ? kBlock : ptrdiff_t{block_channels} * kBlock;
  Conv conv = {.x = bytes_of(args.inputs[0]),
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
  flatten(conv);
  return conv;
}

constexpr int kBlocks = 2;                            // output blocks that share the conversion of a tap's pixels
constexpr int kStrips = 24 / kTilePixels;             // each held in registers while a tap is added
constexpr int kPixels = kStrips * kTilePixels;        // that share the conversion of a tap's weights
constexpr int kTapsOfPart = kExactProducts / kBlock;  // a tap adds up to 16 products to a sum

// Neighbouring pixels of an output row, of which the first `pixels` exist, by neighbouring output blocks.
struct Tile {
  int32_t block, blocks;
  ptrdiff_t row, column;  // of the whole output
  int32_t pixels;
  int32_t taps;                                         // in `part`, at most kTapsOfPart
  alignas(64) float part[kBlocks][kPixels][kBlock];     // of the sums
  alignas(64) uint32_t sums[kBlocks][kPixels][kBlock];  // bias and earlier parts
  // Of one tap, as stored and as floats: pixels, and of one output block weights [input channel][output channel], or
  // the first row of them.
  alignas(64) int8_t x_bytes[kPixels * kBlock];
  alignas(64) float x[kPixels * kBlock];
  alignas(64) int8_t weight_bytes[kBlock * kBlock];
  alignas(64) float weights[kBlock * kBlock];
};

void finish_part(Tile &tile) {
  for (int32_t b = 0; b < tile.blocks; ++b) {
    for (int p = 0; p < kPixels; ++p) {
      for (int i = 0; i < kBlock; ++i) {
        tile.sums[b][p][i] += static_cast<uint32_t>(static_cast<int32_t>(tile.part[b][p][i]));
        tile.part[b][p][i] = 0.0F;
      }
    }
  }
  tile.taps = 0;
}

// Out of line, like the loops over channels: each alone has registers enough, and its length is known.
DETENT_NOINLINE void widen_pixels(Tile &tile) {
  for (int i = 0; i < kPixels * kBlock; ++i) tile.x[i] = static_cast<float>(tile.x_bytes[i]);
}

DETENT_NOINLINE void widen_weights(Tile &tile) {
  for (int i = 0; i < kBlock * kBlock; ++i) tile.weights[i] = static_cast<float>(tile.weight_bytes[i]);
}

// The tap's pixels of channels [first, first + count) of an input block; 0 outside of the row.
void gather(const Conv &conv, const int8_t *row, ptrdiff_t left, int32_t first, int32_t count, Tile &tile) {
  for (int32_t p = 0; p < tile.pixels; ++p) {
    const ptrdiff_t column = left + p * ptrdiff_t{conv.config.stride_w};
    int8_t *x = tile.x_bytes + p * kBlock;
    if (column < 0 || column >= conv.config.in_w) {
      memset(x, 0, kBlock);
      continue;
    }
    const int8_t *pixel = row + column * conv.x_pixel + first * conv.x_channel;
    if (conv.x_channel == 1) {
      memcpy(x, pixel, kBlock);
    } else {
      for (int32_t c = 0; c < count; ++c) x[c] = pixel[c * conv.x_channel];
    }
  }
  widen_pixels(tile);
}

// part[p] += x[p][c] * weights[c] for kChannels channels and the pixels of a strip of an output block.
template <int kChannels>
DETENT_NOINLINE void add_channels(Tile &tile, int32_t block, int32_t first_pixel, int32_t first_channel) {
  float(*part)[kBlock] = tile.part[block] + first_pixel;
  const float *x = tile.x + first_pixel * kBlock + first_channel;
  const float *w = tile.weights + first_channel * kBlock;
  Vec sums[kTilePixels][kParts];
  DETENT_UNROLL(16)
  for (int p = 0; p < kTilePixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) sums[p][v] = load(part[p] + v * kLanes);
  }
  DETENT_UNROLL(4)
  for (int c = 0; c < kChannels; ++c) {
    Vec weights[kParts];
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) weights[v] = load(w + c * kBlock + v * kLanes);
    DETENT_UNROLL(16)
    for (int p = 0; p < kTilePixels; ++p) {
      const Vec pixel = splat(x[p * kBlock + c]);
      DETENT_UNROLL(8)
      for (int v = 0; v < kParts; ++v) sums[p][v] = add_products(sums[p][v], pixel, weights[v]);
    }
  }
  DETENT_UNROLL(16)
  for (int p = 0; p < kTilePixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) store(part[p] + v * kLanes, sums[p][v]);
  }
}

// part[p] += x[p] * weights, channel by channel.
void add_depthwise(const int8_t *from, Tile &tile) {
  float weights[kBlock];
  for (int i = 0; i < kBlock; ++i) weights[i] = static_cast<float>(from[i]);
  for (int32_t p = 0; p < tile.pixels; ++p) {
    for (int v = 0; v < kParts; ++v) {
      float *part = tile.part[0][p] + v * kLanes;
      store(part, add_products(load(part), load(tile.x + p * kBlock + v * kLanes), load(weights + v * kLanes)));
    }
  }
}

// `count` input channels of a tap, at most 16.
void add_dense(const int8_t *from, int32_t count, int32_t block, Tile &tile) {
  memcpy(tile.weight_bytes, from, static_cast<size_t>(count) * kBlock);
  widen_weights(tile);
  for (int32_t first = 0; first < tile.pixels; first += kTilePixels) {
    if (count == kBlock) {
      add_channels<kBlock>(tile, block, first, 0);
    } else {
      for (int32_t c = 0; c < count; ++c) add_channels<1>(tile, block, first, c);
    }
  }
}

// A tap of an input block; a PLAIN one may have more channels than a tile holds.
void add_tap(const Conv &conv, const int8_t *row, ptrdiff_t left, const int8_t *weights, Tile &tile) {
  for (int32_t first = 0; first < conv.block_channels; first += kBlock) {
    const int32_t count = conv.block_channels - first < kBlock ? conv.block_channels - first : kBlock;
    if (tile.taps == kTapsOfPart) finish_part(tile);
    ++tile.taps;
    gather(conv, row, left, first, count, tile);
    if (conv.depthwise) {
      add_depthwise(weights, tile);
      continue;
    }
    for (int32_t b = 0; b < tile.blocks; ++b) {
      add_dense(weights + b * conv.weight_output_stride + ptrdiff_t{first} * kBlock, count, b, tile);
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
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t *bias = conv.bias + ptrdiff_t{tile.block + b} * kBlock;
    for (int p = 0; p < kPixels; ++p) memcpy(tile.sums[b][p], bias, sizeof tile.sums[b][p]);
  }
  sum_tile(conv, tile);
  finish_part(tile);
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t block = tile.block + b;
    const int channels = channels_in_block(c.out_channels, block);
    int8_t *y = conv.y + block * conv.y_block + ((tile.row - c.row_begin) * c.out_w + tile.column) * kBlock;
    for (int32_t p = 0; p < tile.pixels; ++p, y += kBlock) {
      conv.result.apply<kBlock>(tile.sums[b][p], static_cast<uint64_t>(block) * kBlock, y);
      for (int i = channels; i < kBlock; ++i) y[i] = 0;
    }
  }
}

}  // namespace

int32_t run_conv2d_i8(const detent_kernel_args *args) {
  const Conv conv = resolve(*args);
  const detent_conv2d_config &c = conv.config;
  const int32_t output_blocks = ceil_div(c.out_channels, kBlock);
  const int32_t step = conv.depthwise ? 1 : kBlocks;
  Tile tile = {};
  for (tile.block = 0; tile.block < output_blocks; tile.block += step) {
    tile.blocks = output_blocks - tile.block < step ? output_blocks - tile.block : step;
    for (tile.row = c.row_begin; tile.row < c.row_end; ++tile.row) {
      for (tile.column = 0; tile.column < c.out_w; tile.column += kPixels) {
        const ptrdiff_t left = c.out_w - tile.column;
        tile.pixels = left < kPixels ? static_cast<int32_t>(left) : kPixels;
        run_tile(conv, tile);
      }
    }
  }
  return 0;
}

DETENT_ISA_END
