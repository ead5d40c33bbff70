// "conv2d_f32": direct convolution on C16 tensors, output rows cut into register tiles (conv_tile.h).
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/conv_op.h"
#include "runtime/kernels/isa/conv_tile.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

constexpr ptrdiff_t kChunkBytes = 384 * 1024;  // of input that all output blocks visit before the next: half an L2

// What the tile loops are given beside addresses.
struct Taps {
  ptrdiff_t direct[kMaxTaps];  // of a tile that reads x where it is: row by row of the kernel, column by column
  ptrdiff_t copied[kMaxTaps];  // of one that reads a patch, or pixels gathered tap by tap
  ptrdiff_t strip_top;         // the input's row that a strip begins with
  alignas(64) float patch[kPatchFloats];
};

// Floats between gathered taps, and how many there is room for.
ptrdiff_t gathered_floats(const Conv &conv) { return kTilePixels * conv.step * conv.unit; }
ptrdiff_t gathered_taps(const Conv &conv) {
  const ptrdiff_t room = kPatchFloats / gathered_floats(conv);
  return room < kMaxTaps ? room : kMaxTaps;
}

// A tap that no tile can read where it is, beyond the input's last row or column, is none of `direct`.
void list_taps(const Conv &conv, Taps &taps) {
  if (conv.patch_blocks == 0) {
    for (ptrdiff_t tap = 0; tap < gathered_taps(conv); ++tap) taps.copied[tap] = tap * gathered_floats(conv);
  }
  if (conv.taps > kMaxTaps) return;
  ptrdiff_t tap = 0;
  for (ptrdiff_t kh = 0; kh < conv.kernel_h && kh * conv.dilation_h < conv.in_h; ++kh) {
    for (ptrdiff_t kw = 0; kw < conv.kernel_w; ++kw) {
      for (ptrdiff_t c = 0; c < conv.position_taps; ++c, ++tap) {
        const ptrdiff_t column = kw * conv.dilation_w;
        if (column < conv.in_w) {
          taps.direct[tap] = (kh * conv.dilation_h * conv.in_w + column) * conv.unit + c * conv.x_channel;
        }
        if (conv.patch_blocks > 0) {
          const ptrdiff_t row = conv.depthwise ? kh * conv.dilation_h : kh * conv.position_taps + c;
          taps.copied[tap] = (row * conv.patch_width + column) * conv.unit;
        }
      }
    }
  }
}

// Copy pixels [columns.begin, columns.end) of a row, zeros for those outside of it.
void copy_row(const Conv &conv, const float *row, ColumnRange columns, float *to) {
  const ptrdiff_t begin = columns.begin < 0 ? -columns.begin : 0;
  const ptrdiff_t count = columns.end - columns.begin;
  const ptrdiff_t inside = conv.in_w - columns.begin;
  const ptrdiff_t end = inside < count ? inside : count;
  if (conv.unit == 1) {
    for (ptrdiff_t p = 0; p < count; ++p) to[p] = p >= begin && p < end ? row[columns.begin + p] : 0.0F;
    return;
  }
  ptrdiff_t p = 0;
  const float *from = row + columns.begin * kBlock;
  for (; p < begin && p < count; ++p) {
    for (int v = 0; v < kParts; ++v) store(to + p * kBlock + v * kLanes, splat(0.0F));
  }
  for (; p < end; ++p) {
    for (int v = 0; v < kParts; ++v) store(to + p * kBlock + v * kLanes, load(from + p * kBlock + v * kLanes));
  }
  for (; p < count; ++p) {
    for (int v = 0; v < kParts; ++v) store(to + p * kBlock + v * kLanes, splat(0.0F));
  }
}

// tile.later moves on, to the end of the weights of the output blocks after those of `place`.
void call(const Conv &conv, const Place &place, Tile &tile) {
  conv.tiles[(place.blocks - 1) * kTilePixels + place.pixels - 1](tile);
  if (tile.later == nullptr) return;
  tile.later += ptrdiff_t{tile.input_blocks} * tile.tap_count * tile.later_rows_per_tap * kBlock;
  const float *const end = conv.weights + (place.block + place.blocks) * conv.weight_output_stride + conv.later_floats;
  if (tile.later >= end) tile.later = nullptr;
}

// The common case: every tap is read where it is, all input blocks in one call.
void sum_directly(const Conv &conv, const Place &place, RowRange rows, Tile &tile, const Taps &taps) {
  tile.x += (input_row(conv, place, rows.begin) * conv.in_w + input_column(conv, place)) * conv.unit;
  tile.taps = taps.direct;
  tile.tap_count = static_cast<int32_t>((rows.end - rows.begin) * conv.kernel_w * conv.position_taps);
  tile.input_blocks = conv.input_blocks;
  tile.input_block_stride = conv.x_block;
  call(conv, place, tile);
}

// A tile that reaches over the left or right edge reads a copy, zeros there: as many input blocks at a time as fit.
void sum_patched(const Conv &conv, const Place &place, RowRange rows, Tile &tile, Taps &taps) {
  const float *x = tile.x;
  const float *weights = tile.weights;
  float *const y = tile.y;
  const ColumnRange columns = columns_read(conv, place);
  tile.x = taps.patch;
  tile.taps = taps.copied;
  tile.tap_count = static_cast<int32_t>((rows.end - rows.begin) * conv.kernel_w * conv.position_taps);
  tile.input_block_stride = conv.patch_block;
  for (int32_t block = 0; block < conv.input_blocks; block += conv.patch_blocks) {
    const int32_t left_over = conv.input_blocks - block;
    tile.input_blocks = left_over < conv.patch_blocks ? left_over : conv.patch_blocks;
    for (int32_t b = 0; b < tile.input_blocks; ++b) {
      float *to = taps.patch + b * conv.patch_block;
      for (ptrdiff_t kh = rows.begin; kh < rows.end; ++kh) {
        const float *row = x + (block + b) * conv.x_block + input_row(conv, place, kh) * conv.in_w * conv.unit;
        for (int32_t c = 0; c < conv.position_taps; ++c, to += conv.patch_width * conv.unit) {
          copy_row(conv, row + c * conv.x_channel, columns, to);
        }
      }
    }
    tile.weights = weights + block * conv.weight_input_stride;
    tile.y = block + tile.input_blocks == conv.input_blocks ? y : nullptr;
    call(conv, place, tile);
    tile.bias = nullptr;
  }
}

// Depthwise: copy what the tiles of this column in output rows [rows.begin, rows.end) read.
void copy_strip(const Conv &conv, const Place &place, RowRange rows, Taps &taps) {
  const ptrdiff_t top = rows.begin * conv.stride_h - conv.pad_top;
  const ptrdiff_t bottom = (rows.end - 1) * conv.stride_h - conv.pad_top + (conv.kernel_h - 1) * conv.dilation_h + 1;
  taps.strip_top = top < 0 ? 0 : top;
  const float *row = conv.x + place.block * conv.x_block + taps.strip_top * conv.in_w * kBlock;
  float *to = taps.patch;
  for (ptrdiff_t r = taps.strip_top; r < bottom && r < conv.in_h; ++r, row += conv.in_w * kBlock) {
    copy_row(conv, row, columns_read(conv, place), to);
    to += conv.patch_width * kBlock;
  }
}

// Depthwise: a tile of a strip.
void sum_from_strip(const Conv &conv, const Place &place, RowRange rows, Tile &tile, const Taps &taps) {
  tile.x = taps.patch + (input_row(conv, place, rows.begin) - taps.strip_top) * conv.patch_width * kBlock;
  tile.taps = taps.copied;
  tile.tap_count = static_cast<int32_t>((rows.end - rows.begin) * conv.kernel_w);
  tile.input_blocks = 1;
  call(conv, place, tile);
}

// Copy a tap's pixels, zeros for those outside the row, at the distance that the tile loops expect.
void gather(const Conv &conv, const float *row, ptrdiff_t column, int32_t pixels, float *to) {
  for (int32_t p = 0; p < pixels; ++p, column += conv.stride_w, to += conv.step * conv.unit) {
    copy_row(conv, row, {column, column + 1}, to);
  }
}

// Any geometry: each tap's pixels are gathered, as many of a kernel row in one call as there is room for.
void sum_gathered(const Conv &conv, const Place &place, RowRange rows, Tile &tile, Taps &taps) {
  const ptrdiff_t room = gathered_taps(conv);
  const float *x = tile.x;
  const float *weights = tile.weights;
  float *const y = tile.y;
  tile.x = taps.patch;
  tile.taps = taps.copied;
  tile.input_blocks = 1;
  tile.y = nullptr;
  tile.tap_count = 0;
  const auto sum = [&] {
    call(conv, place, tile);
    tile.weights += tile.tap_count * conv.weight_tap;
    tile.bias = nullptr;
    tile.tap_count = 0;
  };
  for (int32_t block = 0; block < conv.input_blocks; ++block) {
    tile.weights = weights + block * conv.weight_input_stride;
    for (ptrdiff_t kh = rows.begin; kh < rows.end; ++kh) {
      const float *row = x + block * conv.x_block + input_row(conv, place, kh) * conv.in_w * conv.unit;
      for (ptrdiff_t kw = 0; kw < conv.kernel_w; ++kw) {
        for (int32_t c = 0; c < conv.position_taps; ++c) {
          if (tile.tap_count == room) sum();
          gather(conv, row + c * conv.x_channel, input_column(conv, place) + kw * conv.dilation_w, place.pixels,
                 taps.patch + taps.copied[tile.tap_count]);
          ++tile.tap_count;
        }
      }
    }
    if (block + 1 == conv.input_blocks) tile.y = y;
    sum();
  }
}

void zero_padding_channels(float *y, int32_t pixels, int32_t channels) {
  for (int32_t p = 0; p < pixels; ++p) {
    for (int c = channels; c < kBlock; ++c) y[p * kBlock + c] = 0.0F;
  }
}

// SiLU and sigmoid, which the tile loops leave to this.
template <int32_t kActivation>
void finish(const Place &place, const Tile &tile, const float *sums, float *y) {
  const int32_t count = place.pixels * kBlock;
  for (int32_t b = 0; b < place.blocks; ++b, sums += count, y += tile.y_block) {
    if (tile.residual != nullptr) {
      const float *residual = tile.residual + b * tile.residual_block;
      for (int32_t i = 0; i < count; i += kLanes) {
        store(y + i, activate<kActivation>(load(sums + i)) + load(residual + i));
      }
    } else {
      for (int32_t i = 0; i < count; i += kLanes) store(y + i, activate<kActivation>(load(sums + i)));
    }
  }
}

// Does the activation do no more than hold a sum within `low` and `high`, as the tile loops can?
bool is_held(const Conv &conv) { return conv.low < conv.high; }

// What all tiles of the op have in common.
void begin_tiles(const Conv &conv, Tile &tile) {
  tile.weight_input_stride = conv.weight_input_stride;
  tile.weight_output_stride = conv.weight_output_stride;
  tile.y_block = conv.y_block;
  tile.low = conv.low;
  tile.high = conv.high;
  tile.residual_block = conv.residual_block;
}

void run_tile(const Conv &conv, const Place &place, RowRange rows, Tile &tile, Taps &taps) {
  alignas(64) float sums[kTileBlocks * kTilePixels * kBlock];
  const ptrdiff_t offset = ((place.row - conv.row_begin) * conv.out_w + place.column) * kBlock;
  float *const y = conv.y + place.block * conv.y_block + offset;
  tile.x = conv.depthwise ? conv.x + place.block * conv.x_block : conv.x;
  tile.weights = conv.weights + place.block * conv.weight_output_stride +
                 rows.begin * conv.kernel_w * conv.position_taps * conv.weight_tap;
  tile.bias = conv.bias + place.block * kBlock;
  tile.sums = sums;
  tile.y = is_held(conv) ? y : nullptr;
  tile.residual = conv.residual != nullptr ? conv.residual + place.block * conv.residual_block + offset : nullptr;
  // One tap has no reuse to hide behind: its input would come from far away just when it is needed.
  tile.prefetch = conv.kernel_h * conv.kernel_w == 1 && !conv.depthwise ? place.pixels * conv.stride_w * conv.unit : 0;
  if (conv.taps <= kMaxTaps && reads_directly(conv, place)) {
    sum_directly(conv, place, rows, tile, taps);
  } else if (conv.patch_blocks == 0) {
    sum_gathered(conv, place, rows, tile, taps);
  } else if (conv.depthwise) {
    sum_from_strip(conv, place, rows, tile, taps);
  } else {
    sum_patched(conv, place, rows, tile, taps);
  }
  if (!is_held(conv)) {
    with_activation(conv.activation, [&](auto tag) { finish<decltype(tag)::kActivation>(place, tile, sums, y); });
  }
  if (place.block + place.blocks == conv.output_blocks && conv.last_channels < kBlock) {
    zero_padding_channels(y + (place.blocks - 1) * conv.y_block, place.pixels, conv.last_channels);
  }
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

void place_tile(const RowTiling &tiling, ptrdiff_t tile, Place &place) {
  place.column = tiling.begin(tile);
  place.pixels = static_cast<int32_t>(tiling.begin(tile + 1) - place.column);
}

// Each of `tiles` tiles fetches its share of the weights of the output blocks after those of `place`.
void begin_fetching(const Conv &conv, const Place &place, ptrdiff_t tiles, Tile &tile) {
  tile.later = nullptr;
  if (conv.later_floats == 0 || place.block + place.blocks >= conv.output_blocks) return;
  const ptrdiff_t rows = conv.tile_blocks * (conv.weight_tap / kBlock);  // for each tap of each input block
  tile.later = conv.weights + (place.block + place.blocks) * conv.weight_output_stride;
  tile.later_rows_per_tap = static_cast<int32_t>((rows + tiles - 1) / tiles);
}

// Depthwise: tiles that reach over an edge, column by column, from strips; then the others.
void run_strips(const Conv &conv, const RowTiling &tiling, int32_t block, RowRange rows, RowRange tiles, Tile &tile,
                Taps &taps) {
  Place place = {block, 1, rows.begin, 0, 0};
  for (ptrdiff_t t = tiles.begin; t < tiles.end; ++t) {
    place_tile(tiling, t, place);
    if (reads_directly(conv, place)) continue;
    copy_strip(conv, place, rows, taps);
    for (place.row = rows.begin; place.row < rows.end; ++place.row) {
      run_tile(conv, place, kernel_rows(conv, place.row), tile, taps);
    }
  }
  for (place.row = rows.begin; place.row < rows.end; ++place.row) {
    const RowRange kernel = kernel_rows(conv, place.row);
    for (ptrdiff_t t = tiles.begin; t < tiles.end; ++t) {
      place_tile(tiling, t, place);
      if (reads_directly(conv, place)) run_tile(conv, place, kernel, tile, taps);
    }
  }
}

// Rows and tiles [first, end) for every output block in turn: each block's weights stay near while it visits them.
void run_chunk(const Conv &conv, const RowTiling &tiling, RowRange rows, RowRange tiles, Tile &tile, Taps &taps) {
  for (int32_t block = 0; block < conv.output_blocks; block += conv.tile_blocks) {
    const int32_t left = conv.output_blocks - block;
    Place place = {block, left < conv.tile_blocks ? left : conv.tile_blocks, 0, 0, 0};
    if (conv.depthwise && conv.patch_blocks > 0) {
      for (ptrdiff_t row = rows.begin; row < rows.end; row += conv.strip_rows) {
        const ptrdiff_t row_end = row + conv.strip_rows < rows.end ? row + conv.strip_rows : rows.end;
        run_strips(conv, tiling, block, {row, row_end}, tiles, tile, taps);
      }
      continue;
    }
    begin_fetching(conv, place, (rows.end - rows.begin) * (tiles.end - tiles.begin), tile);
    for (place.row = rows.begin; place.row < rows.end; ++place.row) {
      const RowRange kernel = kernel_rows(conv, place.row);
      for (ptrdiff_t t = tiles.begin; t < tiles.end; ++t) {
        place_tile(tiling, t, place);
        run_tile(conv, place, kernel, tile, taps);
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
  Tile tile = {};
  begin_tiles(conv, tile);
  Taps taps;
  list_taps(conv, taps);
  for (ptrdiff_t row = conv.row_begin; row < conv.row_end; row += row_step) {
    const ptrdiff_t row_end = row + row_step < conv.row_end ? row + row_step : conv.row_end;
    for (ptrdiff_t t = 0; t < tiling.count; t += tile_step) {
      const ptrdiff_t tile_end = t + tile_step < tiling.count ? t + tile_step : tiling.count;
      run_chunk(conv, tiling, {row, row_end}, {t, tile_end}, tile, taps);
    }
  }
  return 0;
}

DETENT_ISA_END
