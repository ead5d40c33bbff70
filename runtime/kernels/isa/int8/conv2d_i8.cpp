// "conv2d_i8": blocks of 16 output channels by neighbouring pixels, of one row or of several, a few taps at a time. A
// tap is 16 channels of one kernel position, or of a PLAIN input 16 channels of whichever positions. Its pixels are
// gathered as factors (products_i8.h), 0 where they lie outside of the input, and serve several output blocks; weights
// become factors once for all pixels of a tile.
#include <detent/op_config.h>

#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/int8/integers.h"
#include "runtime/kernels/isa/int8/products_i8.h"
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

constexpr int kBlocks = 2;                                                // output blocks that share pixels
constexpr int kPixels = 96 / sizeof(Factor) / kTilePixels * kTilePixels;  // that share weights
constexpr int kTaps = 3;                                                  // added to sums in registers
static_assert(kTaps * kBlock <= kExactProducts);

// Neighbouring pixels of the band, one row after the other, by neighbouring output blocks.
struct Tile {
  int32_t block, blocks;
  ptrdiff_t first;        // pixel, of the band
  ptrdiff_t row, column;  // its place in the whole output
  int32_t pixels;
  int32_t taps;                       // gathered
  const int8_t *taps_weights[kTaps];  // of the first output block
  alignas(64) uint32_t sums[kBlocks][kPixels][kBlock];
  alignas(64) Factor x[kTaps * kPixels][kBlock];
  alignas(64) Factor weights[kTaps][kWeights];  // of one output block
};

// Pixels of a tile in one row of the output.
struct Run {
  ptrdiff_t row, column;  // of the whole output
  int32_t begin, end;     // in the tile
};

template <typename Visit>
DETENT_INLINE void for_runs(const Conv &conv, const Tile &tile, Visit visit) {
  const detent_conv2d_config &c = conv.config;
  ptrdiff_t row = tile.row;
  ptrdiff_t column = tile.column;
  for (int32_t begin = 0; begin < tile.pixels;) {
    const ptrdiff_t left = c.out_w - column;
    const int32_t end = left < tile.pixels - begin ? begin + static_cast<int32_t>(left) : tile.pixels;
    visit(Run{row, column, begin, end});
    begin = end;
    column = 0;
    ++row;
  }
}

// What a kernel position meets of a run: a row of the input, null outside of it, and the first pixel's column there.
struct Position {
  const int8_t *row;
  ptrdiff_t column;
};

Position position_of(const Conv &conv, const Run &run, const int8_t *x, int32_t kh, int32_t kw) {
  const detent_conv2d_config &c = conv.config;
  const ptrdiff_t row = run.row * c.stride_h - c.pad_top + kh * ptrdiff_t{c.dilation_h};
  return {row >= 0 && row < c.in_h ? x + row * c.in_w * conv.x_pixel : nullptr,
          run.column * c.stride_w - c.pad_left + kw * ptrdiff_t{c.dilation_w}};
}

// How many of `pixels` lie in a row of the input, the first of them at `column`, which is not negative.
int32_t pixels_inside(const detent_conv2d_config &c, ptrdiff_t column, int32_t pixels) {
  if (column + (pixels - 1) * ptrdiff_t{c.stride_w} < c.in_w) return pixels;
  return column >= c.in_w ? 0 : static_cast<int32_t>((c.in_w - column - 1) / c.stride_w) + 1;
}

// A kernel position of a run's pixels: put(pixel, address) inside of the input, clear(pixel) outside.
template <typename Put, typename Clear>
DETENT_INLINE void for_pixels(const Conv &conv, const Run &run, Position at, Put put, Clear clear) {
  const ptrdiff_t step = conv.config.stride_w * conv.x_pixel;
  int32_t p = run.begin;
  for (; p < run.end && (at.column < 0 || at.row == nullptr); ++p, at.column += conv.config.stride_w) clear(p);
  const int32_t inside = p + pixels_inside(conv.config, at.column, run.end - p);
  if (p < inside) {
    const int8_t *pixel = at.row + at.column * conv.x_pixel;
    DETENT_UNROLL(4)
    for (; p < inside; ++p, pixel += step) put(p, pixel);
  }
  for (; p < run.end; ++p) clear(p);
}

// 16 channels.
void gather(const Conv &conv, const Run &run, Position at, Factor (*to)[kBlock]) {
  for_pixels(
      conv, run, at, [&](int32_t p, const int8_t *pixel) { widen(pixel, to[p]); },
      [&](int32_t p) { memset(to[p], 0, sizeof to[p]); });
}

// One channel of a PLAIN input.
void gather_channel(const Conv &conv, const Run &run, Position at, Factor *to) {
  for_pixels(
      conv, run, at, [&](int32_t p, const int8_t *pixel) { to[p * kBlock] = static_cast<Factor>(*pixel); },
      [&](int32_t p) { to[p * kBlock] = 0; });
}

// sums += x * weights, channel by channel.
void sum_depthwise(const Products &products, int32_t pixels, uint32_t *sums) {
  for (int32_t p = 0; p < pixels; ++p, sums += kBlock) {
    for (int32_t t = 0; t < products.taps; ++t) {
      const Factor *x = products.x + t * products.x_tap + p * kBlock;
      const Factor *weights = products.weights + t * kWeights;
      for (int i = 0; i < kBlock; ++i) sums[i] += static_cast<uint32_t>(static_cast<int32_t>(x[i] * weights[i]));
    }
  }
}

// Gathered pixels, the first at tile.x[at], and the next tap's `tap` further on.
struct Gathered {
  int32_t at, pixels, tap;
  int32_t first;  // whose sums they add to
};

void add_pixels(const Conv &conv, int32_t block, const Gathered &gathered, Tile &tile) {
  const Products products = {tile.x[gathered.at], ptrdiff_t{gathered.tap} * kBlock, tile.weights[0], tile.taps};
  uint32_t *sums = tile.sums[block][gathered.first];
  if (conv.depthwise) {
    sum_depthwise(products, gathered.pixels, sums);
  } else {
    sum_pixels(products, gathered.pixels, sums);
  }
}

void prepare_taps(const Conv &conv, int32_t block, Tile &tile) {
  for (int32_t t = 0; t < tile.taps; ++t) {
    const int8_t *weights = tile.taps_weights[t] + block * conv.weight_output_stride;
    if (conv.depthwise) {
      widen(weights, tile.weights[t]);
    } else {
      prepare_weights(weights, kBlock, tile.weights[t]);
    }
  }
}

void add_taps(const Conv &conv, Tile &tile) {
  for (int32_t b = 0; b < tile.blocks; ++b) {
    prepare_taps(conv, b, tile);
    add_pixels(conv, b, {0, tile.pixels, kPixels, 0}, tile);
  }
  tile.taps = 0;
}

// One tap after the other.
void sum_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    const int8_t *x = conv.x + (conv.depthwise ? tile.block : block) * conv.x_block;
    for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
      for (int32_t kw = 0; kw < c.kernel_w; ++kw, weights += conv.weight_tap) {
        Factor(*to)[kBlock] = tile.x + tile.taps * kPixels;
        for_runs(conv, tile, [&](const Run &run) { gather(conv, run, position_of(conv, run, x, kh, kw), to); });
        tile.taps_weights[tile.taps++] = weights;
        if (tile.taps == kTaps) add_taps(conv, tile);
      }
    }
  }
  if (tile.taps > 0) add_taps(conv, tile);
}

// Do the taps of a kernel row read the same pixels, which have room beside each other with those that they reach?
bool taps_share_pixels(const Conv &conv, const Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  if (c.stride_w != 1 || c.kernel_w == 1 || c.kernel_w > kTaps || c.dilation_w > kPixels) return false;
  int32_t runs = 0;
  for_runs(conv, tile, [&](const Run & /*run*/) { ++runs; });
  return tile.pixels + runs * (c.kernel_w - 1) * c.dilation_w <= kTaps * kPixels;
}

// A kernel row after the other, where taps_share_pixels().
void sum_rows(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const int32_t reach = (c.kernel_w - 1) * c.dilation_w;
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    const int8_t *x = conv.x + (conv.depthwise ? tile.block : block) * conv.x_block;
    for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
      for (tile.taps = 0; tile.taps < c.kernel_w; weights += conv.weight_tap) tile.taps_weights[tile.taps++] = weights;
      int32_t before = 0;
      for_runs(conv, tile, [&](const Run &run) {
        gather(conv, {run.row, run.column, run.begin, run.end + reach}, position_of(conv, run, x, kh, 0),
               tile.x + before);
        before += reach;
      });
      for (int32_t b = 0; b < tile.blocks; ++b) {
        prepare_taps(conv, b, tile);
        before = 0;
        for_runs(conv, tile, [&](const Run &run) {
          add_pixels(conv, b, {run.begin + before, run.end - run.begin, c.dilation_w, run.begin}, tile);
          before += reach;
        });
      }
    }
  }
  tile.taps = 0;
}

// The kernel positions and channels of a PLAIN input in the order of their weights, 16 of them as a tap.
void sum_plain_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const int64_t rows = int64_t{c.kernel_h} * c.kernel_w * c.in_channels;
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  int32_t kh = 0;
  int32_t kw = 0;
  int32_t channel = 0;
  int8_t last[kWeights];
  for (int64_t first = 0; first < rows; first += kBlock, weights += kWeights) {
    const int count = rows - first < kBlock ? static_cast<int>(rows - first) : kBlock;
    if (count < kBlock) memset(tile.x, 0, sizeof tile.x[0] * kPixels);
    for (int i = 0; i < count; ++i) {
      const int8_t *x = conv.x + channel * conv.x_channel;
      for_runs(conv, tile,
               [&](const Run &run) { gather_channel(conv, run, position_of(conv, run, x, kh, kw), tile.x[0] + i); });
      if (++channel < c.in_channels) continue;
      channel = 0;
      if (++kw < c.kernel_w) continue;
      kw = 0;
      ++kh;
    }
    for (int32_t b = 0; b < tile.blocks; ++b) {
      const int8_t *from = weights + b * conv.weight_output_stride;
      if (count < kBlock) {
        memset(last, 0, sizeof last);
        memcpy(last, from, static_cast<size_t>(count) * kBlock);
        from = last;
      }
      prepare_weights(from, kBlock, tile.weights[0]);
      sum_pixels({tile.x[0], 0, tile.weights[0], 1}, tile.pixels, tile.sums[b][0]);
    }
  }
}

void run_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t *bias = conv.bias + ptrdiff_t{tile.block + b} * kBlock;
    for (int32_t p = 0; p < tile.pixels; ++p) memcpy(tile.sums[b][p], bias, sizeof tile.sums[b][p]);
  }
  if (conv.x_pixel != kBlock) {
    sum_plain_tile(conv, tile);
  } else if (taps_share_pixels(conv, tile)) {
    sum_rows(conv, tile);
  } else {
    sum_tile(conv, tile);
  }
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t block = tile.block + b;
    const int channels = channels_in_block(c.out_channels, block);
    int8_t *y = conv.y + block * conv.y_block + tile.first * kBlock;
    conv.result.apply(conv.result.multipliers + ptrdiff_t{block} * kBlock, tile.pixels, tile.sums[b][0], y);
    if (channels == kBlock) continue;
    for (int32_t p = 0; p < tile.pixels; ++p, y += kBlock) {
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
  const ptrdiff_t pixels = (ptrdiff_t{c.row_end} - c.row_begin) * c.out_w;
  Tile tile;
  tile.taps = 0;
  for (tile.block = 0; tile.block < output_blocks; tile.block += step) {
    tile.blocks = output_blocks - tile.block < step ? output_blocks - tile.block : step;
    for (tile.first = 0; tile.first < pixels; tile.first += kPixels) {
      tile.row = c.row_begin + tile.first / c.out_w;
      tile.column = tile.first % c.out_w;
      const ptrdiff_t left = pixels - tile.first;
      tile.pixels = left < kPixels ? static_cast<int32_t>(left) : kPixels;
      run_tile(conv, tile);
    }
  }
  return 0;
}

DETENT_ISA_END
