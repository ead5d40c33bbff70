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

constexpr int kBlocks = 2;  // output blocks that share pixels
constexpr int kWeightBytes = sizeof(Factor) == 1 ? 9216 : 4608;
constexpr int kBytes = sizeof(Factor) == 1 ? 12800 : 4608;  // of pixels
constexpr int kRoom = kBytes / sizeof(Factor);
constexpr int kTaps = kWeightBytes / sizeof(Factor) / (kStripBlocks * kWeights);  // added to sums in registers
constexpr int kSteps = kTaps * kBlock / kFactorsAtOnce;
// That share weights: a block of them is turned into factors once per tile.
constexpr int kPixels = sizeof(Factor) == 1 ? 10 * kTilePixels : 96 / sizeof(Factor) / kTilePixels * kTilePixels;
static_assert(kTaps * kBlock <= kExactProducts && kPixels * kBlock <= kRoom && kBlocks % kStripBlocks == 0);

// Neighbouring pixels of the band, one row after the other, by neighbouring output blocks.
struct Tile {
  int32_t block, blocks;
  ptrdiff_t first;        // pixel, of the band
  ptrdiff_t row, column;  // its place in the whole output
  int32_t pixels, runs;
  // Gathered: taps, or of a PLAIN input steps, and the factors of x that they take. Of each run of pixels factors lie
  // x_pixel apart, and `x_run` more lie between it and the next.
  int32_t count, used;
  ptrdiff_t x_pixel, x_run;
  int32_t at[kSteps];                  // as in Products
  const int8_t *taps_weights[kTaps];   // of the first output block
  const int8_t *rows[kTaps * kBlock];  // the same by factor, of a PLAIN input; null: 0
  alignas(64) uint32_t sums[kBlocks][kPixels][kBlock];
  alignas(64) Factor x[kRoom];
  alignas(64) Factor weights[kStripBlocks][kTaps * kWeights];
  alignas(64) uint32_t start[kStripBlocks][kBlock];
  // What `weights` and `start` are made of: the first weight, and how many taps or steps. Null: nothing.
  const int8_t *prepared[kStripBlocks];
  int32_t prepared_count[kStripBlocks];
};

// Pixels of a tile in one row of the output.
struct Run {
  ptrdiff_t row, column;  // of its first pixel, in the whole output
  int32_t begin, end;     // of the tile's pixels
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

// Pixels of a C16 input, stride_w apart: `count` of them; 0 outside of the input.
void gather(const Conv &conv, Position at, int32_t count, Factor *to) {
  const int32_t stride = conv.config.stride_w;
  for (; count > 0 && (at.column < 0 || at.row == nullptr); --count, at.column += stride, to += kBlock) {
    clear(to, kBlock);
  }
  int32_t inside = pixels_inside(conv.config, at.column, count);
  if (inside > 0) {
    count -= inside;
    const int8_t *pixel = at.row + at.column * kBlock;
    if (stride == 1) {
      widen_all(pixel, ptrdiff_t{inside} * kBlock, to);
      to += ptrdiff_t{inside} * kBlock;
      inside = 0;
    }
    DETENT_UNROLL(4)
    for (; inside > 0; --inside, pixel += ptrdiff_t{stride} * kBlock, to += kBlock) widen(pixel, to);
  }
  clear(to, ptrdiff_t{count} * kBlock);
}

// Neighbouring columns of a PLAIN input; 0 outside of it.
void gather_columns(const Conv &conv, Position at, ptrdiff_t count, Factor *to) {
  if (at.row == nullptr) at.column = conv.config.in_w;
  const ptrdiff_t before = at.column >= 0 ? 0 : -at.column < count ? -at.column : count;
  clear(to, before);
  const ptrdiff_t left = conv.config.in_w - at.column - before;
  const ptrdiff_t inside = left < 0 ? 0 : left < count - before ? left : count - before;
  if (inside > 0) widen_all(at.row + at.column + before, inside, to + before);
  clear(to + before + inside, count - before - inside);
}

void sum_depthwise(const Tile &tile, const Products &products, int32_t pixels, uint32_t (*sums)[kBlock]) {
  uint32_t weights[kTaps][kBlock];
  for (int32_t t = 0; t < tile.count; ++t) {
    for (int i = 0; i < kBlock; ++i) weights[t][i] = channel_weight(tile.taps_weights[t][i]);
  }
  for (int32_t p = 0; p < pixels; ++p) {
    add_channels(products.x + p * kBlock, products.at, weights[0], products.count, sums[p]);
  }
}

void prepare_taps(ptrdiff_t offset, int32_t slot, Tile &tile) {
  Factor *to = tile.weights[slot];
  for (int32_t t = 0; t < tile.count; ++t, to += kWeights) {
    prepare_weights(tile.taps_weights[t] + offset, kBlock, to, tile.start[slot]);
  }
}

// The same of a PLAIN input.
void prepare_steps(ptrdiff_t offset, int32_t slot, Tile &tile) {
  const int32_t factors = tile.count * kFactorsAtOnce;
  for (int32_t first = 0; first < factors; first += kBlock) {
    int8_t rows[kBlock][kBlock];
    for (int i = 0; i < kBlock; ++i) {
      const int8_t *row = first + i < factors ? tile.rows[first + i] : nullptr;
      if (row == nullptr) {
        memset(rows[i], 0, kBlock);
      } else {
        memcpy(rows[i], row + offset, kBlock);
      }
    }
    prepare_weights(rows[0], kBlock, tile.weights[slot] + first * kBlock, tile.start[slot]);
  }
}

// Weights of an output block, counted from the tile's first, as factors in its slot, unless they are there: where all
// taps have room at once, the tile before has left them. Neighbouring taps follow from the first one and their number.
void prepare(bool plain, ptrdiff_t offset, int32_t slot, Tile &tile) {
  const int8_t *first = (plain ? tile.rows[0] : tile.taps_weights[0]) + offset;
  if (tile.prepared[slot] == first && tile.prepared_count[slot] == tile.count) return;
  memset(tile.start[slot], 0, sizeof tile.start[slot]);
  if (plain) {
    prepare_steps(offset, slot, tile);
  } else {
    prepare_taps(offset, slot, tile);
  }
  tile.prepared[slot] = first;
  tile.prepared_count[slot] = tile.count;
}

// What is gathered, to the sums of all output blocks; then nothing is.
void add_gathered(const Conv &conv, Tile &tile) {
  const bool plain = conv.x_pixel != kBlock;
  Products products = {.x = nullptr,
                       .x_pixel = tile.x_pixel,
                       .at = tile.at,
                       .weights = tile.weights[0],
                       .weights_block = kTaps * kWeights,
                       .start = tile.start[0],
                       .sums_block = kPixels * kBlock,
                       .count = tile.count,
                       .later = nullptr,
                       .later_block = conv.weight_output_stride};
  const ptrdiff_t ahead = tile.count * conv.weight_tap;  // bytes of weights to those of as many taps later
  for (int32_t b = 0; b < tile.blocks; b += kStripBlocks) {
    const int32_t blocks = tile.blocks - b < kStripBlocks ? tile.blocks - b : kStripBlocks;
    for (int32_t i = 0; i < blocks && !conv.depthwise; ++i) {
      prepare(plain, (b + i) * conv.weight_output_stride, i, tile);
    }
    products.later = plain || conv.depthwise ? nullptr : tile.taps_weights[0] + b * conv.weight_output_stride + ahead;
    ptrdiff_t later_left = ahead;
    const StripFn *fns = plain ? kStrips.steps[blocks - 1] : kStrips.taps[blocks - 1];
    products.x = tile.x;
    for_runs(conv, tile, [&](const Run &run) {
      const int32_t pixels = run.end - run.begin;
      if (conv.depthwise) {
        sum_depthwise(tile, products, pixels, tile.sums[b] + run.begin);
      } else {
        sum_pixels(fns, products, pixels, tile.sums[b][run.begin]);
        if (products.later != nullptr) {
          const ptrdiff_t fetched = ptrdiff_t{strips_of(pixels)} * tile.count * kLine;
          products.later = fetched < later_left ? products.later + fetched : nullptr;
          later_left -= fetched;
        }
      }
      products.x += pixels * tile.x_pixel + tile.x_run;
    });
  }
  tile.count = tile.used = 0;
}

// Taps of a kernel row that read the same pixels.
struct SharedTaps {
  int32_t count;
  int32_t reach;   // pixels past the last one of a run
  int32_t plane;   // factors of all runs, for one remainder of columns by the stride
  int32_t planes;  // at most: such remainders
};

// All taps of a kernel row, if there is room for them, or one.
SharedTaps shared_taps(const Conv &conv, const Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const ptrdiff_t reach = (c.kernel_w - 1) * ptrdiff_t{c.dilation_w} / c.stride_w;
  const ptrdiff_t plane = (tile.pixels + tile.runs * reach) * kBlock;
  const int32_t planes = c.stride_w < c.kernel_w ? c.stride_w : c.kernel_w;
  if (c.kernel_w > kTaps || reach > kRoom || planes * plane > kRoom) return {1, 0, tile.pixels * kBlock, 1};
  return {c.kernel_w, static_cast<int32_t>(reach), static_cast<int32_t>(plane), planes};
}

// Neighbouring taps of a kernel row. Columns with the same remainder by the stride lie side by side.
void gather_taps(const Conv &conv, const int8_t *x, int32_t kh, int32_t kw, const SharedTaps &taps, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  int32_t remainders[kTaps];
  int32_t planes = 0;
  for (int32_t i = 0; i < taps.count; ++i) {
    const int32_t column = i * c.dilation_w;
    int32_t plane = 0;
    while (plane < planes && remainders[plane] != column % c.stride_w) ++plane;
    if (plane == planes) {
      remainders[planes++] = column % c.stride_w;
      Factor *to = tile.x + tile.used + plane * taps.plane;
      for_runs(conv, tile, [&](const Run &run) {
        Position at = position_of(conv, run, x, kh, kw);
        at.column += remainders[plane];
        const int32_t pixels = run.end - run.begin + taps.reach;
        gather(conv, at, pixels, to);
        to += pixels * kBlock;
      });
    }
    tile.at[tile.count++] = tile.used + plane * taps.plane + column / c.stride_w * kBlock;
  }
  tile.used += planes * taps.plane;
}

void sum_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const SharedTaps taps = shared_taps(conv, tile);
  tile.x_pixel = kBlock;
  tile.x_run = ptrdiff_t{taps.reach} * kBlock;
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    const int8_t *x = conv.x + (conv.depthwise ? tile.block : block) * conv.x_block;
    for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
      for (int32_t kw = 0; kw < c.kernel_w; kw += taps.count) {
        if (tile.count + taps.count > kTaps || tile.used + taps.planes * taps.plane > kRoom) add_gathered(conv, tile);
        for (int32_t i = 0; i < taps.count; ++i, weights += conv.weight_tap) {
          tile.taps_weights[tile.count + i] = weights;
        }
        gather_taps(conv, x, kh, kw, taps, tile);
      }
    }
  }
  if (tile.count > 0) add_gathered(conv, tile);
}

// Columns that a kernel row of a PLAIN input reads: so many taps, in steps that begin `columns` taps apart, as a step
// adds kFactorsAtOnce neighbouring columns.
struct KernelColumns {
  int32_t taps, steps, per_step;
  int32_t reach;  // columns past the first one of a run's last pixel
};

// All of the kernel row, or as many as a quarter of the room holds.
KernelColumns kernel_columns(const detent_conv2d_config &c) {
  const int32_t per_step = (kFactorsAtOnce - 1) / c.dilation_w + 1;
  const int32_t most_taps = (kRoom / 4 - kFactorsAtOnce) / c.dilation_w + 1;
  const int32_t most_steps = most_taps / per_step < kSteps ? most_taps / per_step : kSteps;
  int32_t steps = ceil_div(c.kernel_w, per_step);
  if (steps > most_steps) steps = most_steps > 0 ? most_steps : 1;
  return {steps * per_step, steps, per_step, (steps - 1) * per_step * c.dilation_w + kFactorsAtOnce - 1};
}

// Pixels of a tile of a PLAIN input: the columns of one kernel row have room whatever the runs are.
int32_t most_plain_pixels(const detent_conv2d_config &c) {
  const ptrdiff_t most = kRoom / (ptrdiff_t{c.stride_w} + kernel_columns(c).reach + 1);
  return most < 1 ? 1 : most < kPixels ? static_cast<int32_t>(most) : kPixels;
}

// The weights of the next step: of kernel columns from kw on, where they are read.
void take_step(const Conv &conv, const int8_t *weights, int32_t kw, int32_t at, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const int32_t first = tile.count * kFactorsAtOnce;
  for (int32_t i = 0; i < kFactorsAtOnce; ++i) {
    const int32_t column = kw + i / c.dilation_w;
    const bool is_read = i % c.dilation_w == 0 && column < c.kernel_w;
    tile.rows[first + i] = is_read ? weights + column * conv.weight_tap : nullptr;
  }
  tile.at[tile.count++] = at;
}

// A kernel row of one input channel after the other.
void sum_plain_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const KernelColumns columns = kernel_columns(c);
  tile.x_pixel = c.stride_w;
  tile.x_run = ptrdiff_t{columns.reach} + 1 - c.stride_w;
  const auto row_factors = static_cast<int32_t>(tile.pixels * tile.x_pixel + tile.runs * tile.x_run);
  const int8_t *weights = conv.weights + tile.block * conv.weight_output_stride;
  for (int32_t kh = 0; kh < c.kernel_h; ++kh, weights += c.kernel_w * conv.weight_tap) {
    for (int32_t channel = 0; channel < c.in_channels; ++channel) {
      for (int32_t kw = 0; kw < c.kernel_w; kw += columns.taps) {
        if (tile.count + columns.steps > kSteps || tile.used + row_factors > kRoom) add_gathered(conv, tile);
        Factor *to = tile.x + tile.used;
        for_runs(conv, tile, [&](const Run &run) {
          const ptrdiff_t count = (run.end - run.begin) * tile.x_pixel + tile.x_run;
          gather_columns(conv, position_of(conv, run, conv.x + channel * conv.x_channel, kh, kw), count, to);
          to += count;
        });
        for (int32_t i = 0; i < columns.steps; ++i) {
          const int32_t taps = i * columns.per_step;
          take_step(conv, weights + ptrdiff_t{channel} * kBlock, kw + taps, tile.used + taps * c.dilation_w, tile);
        }
        tile.used += row_factors;
      }
    }
  }
  add_gathered(conv, tile);
}

// Of pixels of a block of which `channels` exist, the others.
void clear_padding_of(int channels, int32_t pixels, int8_t *y) {
  if (channels == kBlock) return;
  for (int32_t p = 0; p < pixels; ++p, y += kBlock) {
    for (int i = channels; i < kBlock; ++i) y[i] = 0;
  }
}

void run_tile(const Conv &conv, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t *bias = conv.bias + ptrdiff_t{tile.block + b} * kBlock;
    for (int32_t p = 0; p < tile.pixels; ++p) memcpy(tile.sums[b][p], bias, sizeof tile.sums[b][p]);
  }
  tile.runs = 0;
  for_runs(conv, tile, [&](const Run & /*run*/) { ++tile.runs; });
  if (conv.x_pixel != kBlock) {
    sum_plain_tile(conv, tile);
  } else {
    sum_tile(conv, tile);
  }
  for (int32_t b = 0; b < tile.blocks; ++b) {
    const int32_t block = tile.block + b;
    const int channels = channels_in_block(c.out_channels, block);
    int8_t *y = conv.y + block * conv.y_block + tile.first * kBlock;
    conv.result.apply(conv.result.multipliers + ptrdiff_t{block} * kBlock, tile.pixels, tile.sums[b][0], y);
    clear_padding_of(channels, tile.pixels, y);
  }
}

#if defined(DETENT_OPS_QUADS)
// A depthwise convolution whose kernel rows are read four columns at a time, as quads of factors: rows of the input are
// gathered once, and serve the output rows that they meet.
constexpr int kRows = 8;          // of a kernel
constexpr int kKernelQuads = 16;  // four columns of a kernel row each

int32_t quads_of_row(const detent_conv2d_config &c) { return ceil_div(c.kernel_w, 4); }

// Of a row that is gathered: those that `columns` of the output meet, and what the last quad reads past them.
ptrdiff_t gathered_pixels(const detent_conv2d_config &c, ptrdiff_t columns) {
  return (columns - 1) * c.stride_w + 4 * ptrdiff_t{quads_of_row(c)};
}

bool reads_quads(const Conv &conv) {
  const detent_conv2d_config &c = conv.config;
  return conv.depthwise && conv.x_pixel == kBlock && c.dilation_h == 1 && c.dilation_w == 1 && c.kernel_h <= kRows &&
         c.kernel_w <= 4 * kKernelQuads && c.kernel_h * quads_of_row(c) <= kKernelQuads &&
         gathered_pixels(c, 1) * c.kernel_h * kBlock <= kRoom;
}

struct QuadRows {
  const Factor *at[kKernelQuads];  // of each quad: those of the first pixel
  ptrdiff_t step;                  // factors from one pixel to the next
  const uint32_t *weights;         // [quad][16], four columns in each word
  const uint32_t *start;           // [16]
};

// sums[pixels][16] = what the quads add up to. kQuads: how many, 0 for `count` of them.
template <int kQuads>
DETENT_NOINLINE void sum_quads(const QuadRows &rows, int32_t count, int32_t pixels, uint32_t (*sums)[kBlock]) {
  const int32_t quads = kQuads > 0 ? kQuads : count;
  for (int v = 0; v < kParts; ++v) {
    const Words start = load_words(rows.start + v * kLanes);
    for (int32_t p = 0; p < pixels; ++p) {
      Words sum = start;
      DETENT_UNROLL(4)
      for (int32_t q = 0; q < quads; ++q) {
        const Words weights = load_words(rows.weights + q * kBlock + v * kLanes);
        sum = add_quad_products(sum, load_quads(rows.at[q] + p * rows.step, v), weights);
      }
      store_words(sums[p] + v * kLanes, sum);
    }
  }
}

// Columns that are 0 fill the last quad of each kernel row; sums start from the bias, less 128 times the weights.
void prepare_quads(const Conv &conv, int32_t block, uint32_t (*quads)[kBlock], uint32_t *start) {
  const detent_conv2d_config &c = conv.config;
  const int8_t *weights = conv.weights + block * conv.weight_output_stride;
  memcpy(start, conv.bias + ptrdiff_t{block} * kBlock, kBlock * sizeof *start);
  for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
    for (int32_t kw = 0; kw < c.kernel_w; kw += 4, ++quads) {
      int8_t columns[4 * kBlock] = {};
      const int32_t count = c.kernel_w - kw < 4 ? c.kernel_w - kw : 4;
      memcpy(columns, weights, static_cast<size_t>(count) * kBlock);
      for (int i = 0; i < 4 * kBlock; ++i) start[i % kBlock] -= 128 * widened_i8(columns[i]);
      store_quads(columns, kBlock, reinterpret_cast<uint8_t *>(*quads));
      weights += count * ptrdiff_t{kBlock};
    }
  }
}

// One block of channels, columns [first, first + columns) of all rows of the band.
void run_quad_columns(const Conv &conv, int32_t block, ptrdiff_t first, int32_t columns, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  Conv unit = conv;  // gathers neighbouring columns
  unit.config.stride_w = 1;
  alignas(64) uint32_t quads[kKernelQuads][kBlock];
  prepare_quads(conv, block, quads, tile.start[0]);
  QuadRows rows = {.at = {}, .step = ptrdiff_t{c.stride_w} * kBlock, .weights = quads[0], .start = tile.start[0]};
  const ptrdiff_t pixels = gathered_pixels(c, columns);
  const int8_t *x = conv.x + block * conv.x_block;
  const ptrdiff_t row_pixels = ptrdiff_t{c.in_w} * kBlock;
  const int channels = channels_in_block(c.out_channels, block);
  ptrdiff_t held[kRows];  // rows of the input, padded at the top, that are gathered
  for (ptrdiff_t &row : held) row = -1;
  for (ptrdiff_t row = c.row_begin; row < c.row_end; ++row) {
    int32_t count = 0;
    for (int32_t kh = 0; kh < c.kernel_h; ++kh) {
      const ptrdiff_t needed = row * c.stride_h + kh;
      const ptrdiff_t place = needed % c.kernel_h;
      Factor *gathered = tile.x + place * pixels * kBlock;
      if (held[place] != needed) {
        const ptrdiff_t from = needed - c.pad_top;
        const Position at = {from >= 0 && from < c.in_h ? x + from * row_pixels : nullptr,
                             first * c.stride_w - c.pad_left};
        gather(unit, at, static_cast<int32_t>(pixels), gathered);
        held[place] = needed;
      }
      for (int32_t q = 0; q < quads_of_row(c); ++q) rows.at[count++] = gathered + q * 4 * kBlock;
    }
    if (count == 3) {
      sum_quads<3>(rows, count, columns, tile.sums[0]);
    } else {
      sum_quads<0>(rows, count, columns, tile.sums[0]);
    }
    int8_t *y = conv.y + block * conv.y_block + ((row - c.row_begin) * c.out_w + first) * kBlock;
    conv.result.apply(conv.result.multipliers + ptrdiff_t{block} * kBlock, columns, tile.sums[0][0], y);
    clear_padding_of(channels, columns, y);
  }
}

void run_quad_block(const Conv &conv, int32_t block, Tile &tile) {
  const detent_conv2d_config &c = conv.config;
  const ptrdiff_t room = kRoom / kBlock / c.kernel_h - 4 * ptrdiff_t{quads_of_row(c)};
  const ptrdiff_t fit = room / c.stride_w + 1;
  const ptrdiff_t most = fit < kPixels ? fit : kPixels;
  for (ptrdiff_t first = 0; first < c.out_w; first += most) {
    const ptrdiff_t left = c.out_w - first;
    run_quad_columns(conv, block, first, static_cast<int32_t>(left < most ? left : most), tile);
  }
}
#endif

}  // namespace

int32_t run_conv2d_i8(const detent_kernel_args *args) {
  const Conv conv = resolve(*args);
  const detent_conv2d_config &c = conv.config;
  const int32_t output_blocks = ceil_div(c.out_channels, kBlock);
  const int32_t step = conv.depthwise ? 1 : kBlocks;
  const int32_t most = conv.x_pixel == kBlock ? kPixels : most_plain_pixels(c);
  const ptrdiff_t pixels = (ptrdiff_t{c.row_end} - c.row_begin) * c.out_w;
  Tile tile;
  tile.count = tile.used = 0;
  for (const int8_t *&prepared : tile.prepared) prepared = nullptr;
#if defined(DETENT_OPS_QUADS)
  if (reads_quads(conv)) {
    for (int32_t block = 0; block < output_blocks; ++block) run_quad_block(conv, block, tile);
    return 0;
  }
#endif
  for (tile.block = 0; tile.block < output_blocks; tile.block += step) {
    tile.blocks = output_blocks - tile.block < step ? output_blocks - tile.block : step;
    for (tile.first = 0; tile.first < pixels; tile.first += most) {
      tile.row = c.row_begin + tile.first / c.out_w;
      tile.column = tile.first % c.out_w;
      const ptrdiff_t left = pixels - tile.first;
      tile.pixels = left < most ? static_cast<int32_t>(left) : most;
      run_tile(conv, tile);
    }
  }
  return 0;
}

DETENT_ISA_END
