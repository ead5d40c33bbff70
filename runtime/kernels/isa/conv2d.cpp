// "conv2d_f32": direct convolution on C16 tensors, output rows cut into register tiles (conv_tile.h).
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/conv_tile.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kMaxTaps = 64;                   // of one call of the tile loops
constexpr int kMaxPatches = 8;                 // gathered taps of one call; with kMaxTaps this bounds the stack: 16 KiB
constexpr ptrdiff_t kChunkBytes = 384 * 1024;  // of input that all output blocks visit before the next: half an L2

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
  return conv;
}

// The taps of one call of the tile loops, with copies of those that reach over the left or right edge.
struct Taps {
  const float *at[kMaxTaps];
  int32_t count;
  int32_t patches;
  float patch[kMaxPatches][kTilePixels * 2 * kBlock];
};

// Copy a tap's pixels, zeros for those outside the row, at the distance that the tile loops expect.
void gather(const Conv &conv, const float *row, ptrdiff_t column, int32_t pixels, float *patch) {
  for (int32_t p = 0; p < pixels; ++p) {
    const ptrdiff_t c = column + p * conv.stride_w;
    float *to = patch + p * conv.step * conv.unit;
    const bool inside = c >= 0 && c < conv.in_w;
    if (conv.unit == 1) {
      *to = inside ? row[c] : 0.0F;
    } else {
      for (int v = 0; v < kParts; ++v) {
        store(to + v * kLanes, inside ? load(row + c * kBlock + v * kLanes) : splat(0.0F));
      }
    }
  }
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

void call(const Conv &conv, const Place &place, Tile &tile, Taps &taps) {
  tile.taps = taps.at;
  tile.tap_count = taps.count;
  conv.tiles[(place.blocks - 1) * kTilePixels + place.pixels - 1](tile);
  tile.weights += taps.count * conv.weight_tap;
  tile.bias = nullptr;
  taps.count = 0;
  taps.patches = 0;
}

// The common case: every tap is read where it is, all input blocks in one call.
void sum_directly(const Conv &conv, const Place &place, const float *x, RowRange rows, Tile &tile, Taps &taps) {
  const ptrdiff_t top = place.row * conv.stride_h - conv.pad_top;
  const ptrdiff_t left = place.column * conv.stride_w - conv.pad_left;
  for (ptrdiff_t kh = rows.begin; kh < rows.end; ++kh) {
    const float *row = x + (top + kh * conv.dilation_h) * conv.in_w * conv.unit;
    for (ptrdiff_t kw = 0; kw < conv.kernel_w; ++kw) {
      const float *pixel = row + (left + kw * conv.dilation_w) * conv.unit;
      for (int32_t c = 0; c < conv.position_taps; ++c) taps.at[taps.count++] = pixel + c * conv.x_channel;
    }
  }
  tile.input_blocks = conv.input_blocks;
  call(conv, place, tile, taps);
}

// One depthwise pixel whose taps may lie outside of the row, where they are 0.
void sum_edge_pixel(const Conv &conv, const Place &place, const float *x, RowRange rows, Tile &tile, Taps &taps) {
  alignas(64) static constexpr float kOutside[kBlock] = {};
  const ptrdiff_t top = place.row * conv.stride_h - conv.pad_top;
  const ptrdiff_t left = place.column * conv.stride_w - conv.pad_left;
  for (ptrdiff_t kh = rows.begin; kh < rows.end; ++kh) {
    const float *row = x + (top + kh * conv.dilation_h) * conv.in_w * conv.unit;
    for (ptrdiff_t kw = 0; kw < conv.kernel_w; ++kw) {
      const ptrdiff_t column = left + kw * conv.dilation_w;
      taps.at[taps.count++] = column >= 0 && column < conv.in_w ? row + column * conv.unit : kOutside;
    }
  }
  tile.input_blocks = 1;
  call(conv, place, tile, taps);
}

// Any geometry: input block by input block, taps in calls of at most kMaxTaps, gathered where they leave the row.
void sum_gathered(const Conv &conv, const Place &place, const float *x, RowRange rows, Tile &tile, Taps &taps) {
  const ptrdiff_t top = place.row * conv.stride_h - conv.pad_top;
  const ptrdiff_t left = place.column * conv.stride_w - conv.pad_left;
  const float *weights = tile.weights;
  tile.input_blocks = 1;
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    tile.weights = weights + block * conv.weight_input_stride;
    for (ptrdiff_t kh = rows.begin; kh < rows.end; ++kh) {
      const float *row = x + block * conv.x_block + (top + kh * conv.dilation_h) * conv.in_w * conv.unit;
      for (ptrdiff_t kw = 0; kw < conv.kernel_w; ++kw) {
        const ptrdiff_t column = left + kw * conv.dilation_w;
        const bool inside =
            conv.step == conv.stride_w && column >= 0 && column + (place.pixels - 1) * conv.stride_w < conv.in_w;
        for (int32_t c = 0; c < conv.position_taps; ++c) {
          if (taps.count == kMaxTaps || taps.patches == kMaxPatches) call(conv, place, tile, taps);
          const float *channel = row + c * conv.x_channel;
          if (!inside) gather(conv, channel, column, place.pixels, taps.patch[taps.patches]);
          taps.at[taps.count++] = inside ? channel + column * conv.unit : taps.patch[taps.patches++];
        }
      }
    }
    if (taps.count > 0 || block == 0) call(conv, place, tile, taps);
  }
}

// Depthwise: pixels whose taps all lie inside of the row read them where they are; of the others each adds those that
// do.
void sum_depthwise(const Conv &conv, const Place &place, const float *x, RowRange rows, Tile &tile, Taps &taps) {
  const ptrdiff_t last_tap = (conv.kernel_w - 1) * conv.dilation_w;
  const float *weights = tile.weights;
  float *sums = tile.sums;
  for (int32_t begin = 0; begin < place.pixels;) {
    const ptrdiff_t left = (place.column + begin) * conv.stride_w - conv.pad_left;
    Place part = {place.block, 1, place.row, place.column + begin, 1};
    tile.weights = weights;
    tile.sums = sums + begin * kBlock;
    tile.bias = conv.bias + place.block * kBlock;
    if (left >= 0 && left + last_tap < conv.in_w) {
      const auto more = static_cast<int32_t>((conv.in_w - 1 - left - last_tap) / conv.stride_w);
      part.pixels = place.pixels - begin <= more ? place.pixels - begin : more + 1;
      sum_directly(conv, part, x, rows, tile, taps);
    } else {
      sum_edge_pixel(conv, part, x, rows, tile, taps);
    }
    begin += part.pixels;
  }
  tile.sums = sums;
}

void zero_padding_channels(float *y, int32_t pixels, int32_t channels) {
  for (int32_t p = 0; p < pixels; ++p) {
    for (int c = channels; c < kBlock; ++c) y[p * kBlock + c] = 0.0F;
  }
}

template <int32_t kActivation>
void finish(const Conv &conv, const Place &place, const float *sums) {
  const ptrdiff_t offset = ((place.row - conv.row_begin) * conv.out_w + place.column) * kBlock;
  const int32_t count = place.pixels * kBlock;
  for (int32_t b = 0; b < place.blocks; ++b, sums += count) {
    float *y = conv.y + (place.block + b) * conv.y_block + offset;
    if (conv.residual != nullptr) {
      const float *residual = conv.residual + (place.block + b) * conv.residual_block + offset;
      for (int32_t i = 0; i < count; i += kLanes) {
        store(y + i, activate<kActivation>(load(sums + i)) + load(residual + i));
      }
    } else {
      for (int32_t i = 0; i < count; i += kLanes) store(y + i, activate<kActivation>(load(sums + i)));
    }
    if (place.block + b + 1 == conv.output_blocks && conv.last_channels < kBlock) {
      zero_padding_channels(y, place.pixels, conv.last_channels);
    }
  }
}

void run_tile(const Conv &conv, const Place &place, RowRange rows, Taps &taps) {
  alignas(64) float sums[kTileBlocks * kTilePixels * kBlock];
  Tile tile = {};
  tile.input_block_stride = conv.x_block;
  tile.weights = conv.weights + place.block * conv.weight_output_stride +
                 rows.begin * conv.kernel_w * conv.position_taps * conv.weight_tap;
  tile.weight_input_stride = conv.weight_input_stride;
  tile.weight_output_stride = conv.weight_output_stride;
  tile.bias = conv.bias + place.block * kBlock;
  tile.sums = sums;
  // One tap has no reuse to hide behind: its input would come from far away just when it is needed.
  tile.prefetch = conv.kernel_h * conv.kernel_w == 1 && !conv.depthwise ? place.pixels * conv.stride_w * conv.unit : 0;
  const float *x = conv.depthwise ? conv.x + place.block * conv.x_block : conv.x;
  const ptrdiff_t tap_count = (rows.end - rows.begin) * conv.kernel_w * conv.position_taps;
  const bool fits = tap_count <= kMaxTaps;
  if (fits && reads_directly(conv, place)) {
    sum_directly(conv, place, x, rows, tile, taps);
  } else if (fits && conv.depthwise && conv.step == conv.stride_w) {
    sum_depthwise(conv, place, x, rows, tile, taps);
  } else {
    sum_gathered(conv, place, x, rows, tile, taps);
  }
  with_activation(conv.activation, [&](auto tag) { finish<decltype(tag)::kActivation>(conv, place, sums); });
}

// A row is cut into `count` tiles whose widths differ by at most one.
struct RowTiling {
  ptrdiff_t count, width, wide;  // the first `wide` tiles have width + 1

  [[nodiscard]] ptrdiff_t begin(ptrdiff_t tile) const { return tile * width + (tile < wide ? tile : wide); }
};

RowTiling tile_row(ptrdiff_t columns) {
  const ptrdiff_t count = (columns + kTilePixels - 1) / kTilePixels;
  return {count, columns / count, columns % count};
}

// Rows and tiles [first, end) for every output block in turn: each block's weights stay near while it visits them.
void run_chunk(const Conv &conv, const RowTiling &tiling, RowRange rows, RowRange tiles, Taps &taps) {
  for (int32_t block = 0; block < conv.output_blocks; block += conv.tile_blocks) {
    const int32_t left = conv.output_blocks - block;
    const int32_t blocks = left < conv.tile_blocks ? left : conv.tile_blocks;
    for (ptrdiff_t row = rows.begin; row < rows.end; ++row) {
      const RowRange kernel = kernel_rows(conv, row);
      for (ptrdiff_t t = tiles.begin; t < tiles.end; ++t) {
        const ptrdiff_t column = tiling.begin(t);
        run_tile(conv, {block, blocks, row, column, static_cast<int32_t>(tiling.begin(t + 1) - column)}, kernel, taps);
      }
    }
  }
}

// How many of `total` pieces of `bytes` each make a chunk.
ptrdiff_t pieces_per_chunk(ptrdiff_t total, ptrdiff_t bytes) {
  const ptrdiff_t pieces = bytes > 0 ? kChunkBytes / bytes : total;
  return pieces < 1 ? 1 : pieces < total ? pieces : total;
}

}  // namespace

int32_t run_conv2d_f32(const detent_kernel_args *args) {
  const Conv conv = resolve_conv(*args);
  const RowTiling tiling = tile_row(conv.out_w);
  const ptrdiff_t rows_per_row = conv.stride_h < conv.in_h ? conv.stride_h : conv.in_h;
  const ptrdiff_t row_bytes = rows_per_row * conv.in_w * conv.unit * conv.position_taps * conv.input_blocks * 4;
  const ptrdiff_t row_step = pieces_per_chunk(conv.row_end - conv.row_begin, row_bytes);
  const ptrdiff_t tile_step = pieces_per_chunk(tiling.count, row_bytes / tiling.count);
  Taps taps;
  taps.count = 0;
  taps.patches = 0;
  for (ptrdiff_t row = conv.row_begin; row < conv.row_end; row += row_step) {
    const ptrdiff_t row_end = row + row_step < conv.row_end ? row + row_step : conv.row_end;
    for (ptrdiff_t t = 0; t < tiling.count; t += tile_step) {
      const ptrdiff_t tile_end = t + tile_step < tiling.count ? t + tile_step : tiling.count;
      run_chunk(conv, tiling, {row, row_end}, {t, tile_end}, taps);
    }
  }
  return 0;
}

DETENT_ISA_END
