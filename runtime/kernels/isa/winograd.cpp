// "conv2d_winograd_f32": 3x3 convolution without stride by F(4x4, 3x3): tiles of 6x6 input pixels become 36 products of
// matrices, tiles by channels, and these 4x4 output pixels (Lavin and Gray 2016). Numbers are transformed 16 channels
// at a time, the products are those of the register tiles (conv_tile.h).
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/conv_tile.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kSide = 4;                  // output pixels of a tile, one way
constexpr int kReach = 6;                 // input pixels
constexpr int kPlaces = kReach * kReach;  // of a transformed tile: as many products of matrices

static_assert(kTileBlocks * kTilePixels * kBlock * kPlaces <= DETENT_WINOGRAD_PRODUCTS);

// One op resolved to addresses, and to strides in floats.
struct Winograd {
  const float *x, *weights, *bias, *residual;  // residual may be null
  float *y;
  ptrdiff_t x_block, residual_block, y_block;  // between channel blocks
  ptrdiff_t x_row;                             // between rows
  ptrdiff_t in_h, in_w;                        // that some output pixel needs
  ptrdiff_t pad_top, pad_left;
  ptrdiff_t row_begin, rows, columns;  // of the output; y and residual start at row_begin
  ptrdiff_t tile_columns, tile_count;
  int32_t input_blocks, output_blocks;
  int32_t last_channels;  // channels of the last output block that are no padding
  int32_t activation;
  float *products;  // [kPlaces][blocks][tiles of a group][16]
  float *tiles;     // transformed input: [input block][kPlaces][capacity][16]
  ptrdiff_t capacity;
};

// Where a tile's output lies, counted from row_begin.
struct Corner {
  ptrdiff_t row, column;
};

Corner corner_of(const Winograd &op, ptrdiff_t tile) {
  return {tile / op.tile_columns * kSide, tile % op.tile_columns * kSide};
}

ptrdiff_t at_most(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

Winograd resolve_winograd(const detent_kernel_args &args) {
  const auto &config = *static_cast<const detent_conv2d_config *>(args.config);
  Winograd op = {};
  op.x = floats(args.inputs[0]);
  op.weights = floats(args.weights[0]);
  op.bias = floats(args.weights[1]);
  op.y = mutable_floats(args.outputs[0]);
  op.x_block = channel_block_stride(*args.inputs[0].tensor);
  op.y_block = channel_block_stride(*args.outputs[0].tensor);
  if (config.has_residual != 0) {
    op.residual = floats(args.inputs[1]);
    op.residual_block = channel_block_stride(*args.inputs[1].tensor);
  }
  op.x_row = ptrdiff_t{config.in_w} * kBlock;
  op.pad_top = config.pad_top;
  op.pad_left = config.pad_left;
  op.row_begin = config.row_begin;
  op.rows = ptrdiff_t{config.row_end} - config.row_begin;
  op.columns = config.out_w;
  // A tile at the lower or right edge sees nothing that no output pixel needs: so a band has the bits of the whole.
  op.in_h = at_most(config.in_h, ptrdiff_t{config.row_end} + 2 - config.pad_top);
  op.in_w = at_most(config.in_w, ptrdiff_t{config.out_w} + 2 - config.pad_left);
  op.tile_columns = (op.columns + kSide - 1) / kSide;
  op.tile_count = (op.rows + kSide - 1) / kSide * op.tile_columns;
  op.input_blocks = ceil_div(config.in_channels, kBlock);
  op.output_blocks = ceil_div(config.out_channels, kBlock);
  op.last_channels = channels_in_block(config.out_channels, op.output_blocks - 1);
  op.activation = config.activation;
  op.products = mutable_floats(args.scratch[0]);
  op.tiles = op.products + DETENT_WINOGRAD_PRODUCTS;
  const uint64_t left = args.scratch[0].tensor->size_bytes / sizeof(float) - DETENT_WINOGRAD_PRODUCTS;
  op.capacity = static_cast<ptrdiff_t>(left / (uint64_t{kPlaces * kBlock} * static_cast<uint64_t>(op.input_blocks)));
  return op;
}

// Six numbers of a row or a column of an input tile, transformed.
DETENT_INLINE void transform_input(const Vec (&d)[kReach], Vec (&to)[kReach]) {
  const Vec even = d[4] - d[2];
  const Vec odd = d[3] - d[1];
  const Vec even4 = fma(splat(-4.0F), d[2], d[4]);
  const Vec odd4 = fma(splat(-4.0F), d[1], d[3]);
  to[0] = fma(splat(4.0F), d[0] - d[2], even);
  to[1] = even4 + odd4;
  to[2] = even4 - odd4;
  to[3] = fma(splat(2.0F), odd, even);
  to[4] = fma(splat(-2.0F), odd, even);
  to[5] = fma(splat(-4.0F), odd, d[5] - d[3]);
}

// Six products to four output numbers.
DETENT_INLINE void transform_output(const Vec (&m)[kReach], Vec (&to)[kSide]) {
  const Vec sum = m[1] + m[2];
  const Vec difference = m[1] - m[2];
  const Vec sum2 = m[3] + m[4];
  const Vec difference2 = m[3] - m[4];
  to[0] = m[0] + sum + sum2;
  to[1] = fma(splat(2.0F), difference2, difference);
  to[2] = fma(splat(4.0F), sum2, sum);
  to[3] = fma(splat(8.0F), difference2, difference) + m[5];
}

// x: the tile's first pixel, rows x_row apart; to: [kPlaces], `place` floats apart.
DETENT_NOINLINE void transform_tile(const float *x, ptrdiff_t x_row, float *to, ptrdiff_t place) {
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    Vec columns[kReach][kReach];  // [column][transformed row]
    DETENT_UNROLL(6)
    for (int c = 0; c < kReach; ++c) {
      Vec d[kReach];
      DETENT_UNROLL(6)
      for (int r = 0; r < kReach; ++r) d[r] = load(x + r * x_row + c * kBlock + lane);
      transform_input(d, columns[c]);
    }
    DETENT_UNROLL(6)
    for (int r = 0; r < kReach; ++r) {
      Vec row[kReach];
      Vec transformed[kReach];
      DETENT_UNROLL(6)
      for (int c = 0; c < kReach; ++c) row[c] = columns[c][r];
      transform_input(row, transformed);
      DETENT_UNROLL(6)
      for (int c = 0; c < kReach; ++c) store(to + (r * kReach + c) * place + lane, transformed[c]);
    }
  }
}

// A copy of a tile that reaches over an edge, with zeros there.
void patch_tile(const Winograd &op, const float *x, ptrdiff_t top, ptrdiff_t left, float *patch) {
  for (ptrdiff_t r = 0; r < kReach; ++r) {
    for (ptrdiff_t c = 0; c < kReach; ++c, patch += kBlock) {
      const bool inside = top + r >= 0 && top + r < op.in_h && left + c >= 0 && left + c < op.in_w;
      const float *from = x + (top + r) * op.x_row + (left + c) * kBlock;
      for (int lane = 0; lane < kBlock; lane += kLanes) {
        store(patch + lane, inside ? load(from + lane) : splat(0.0F));
      }
    }
  }
}

// Tiles [first, first + count) to op.tiles.
void transform_tiles(const Winograd &op, ptrdiff_t first, ptrdiff_t count) {
  alignas(64) float patch[kPlaces * kBlock];
  const ptrdiff_t place = op.capacity * kBlock;
  for (int32_t block = 0; block < op.input_blocks; ++block) {
    const float *x = op.x + block * op.x_block;
    float *to = op.tiles + block * kPlaces * place;
    for (ptrdiff_t t = 0; t < count; ++t, to += kBlock) {
      const Corner corner = corner_of(op, first + t);
      const ptrdiff_t top = op.row_begin + corner.row - op.pad_top;
      const ptrdiff_t left = corner.column - op.pad_left;
      if (top >= 0 && left >= 0 && top + kReach <= op.in_h && left + kReach <= op.in_w) {
        transform_tile(x + top * op.x_row + left * kBlock, op.x_row, to, place);
      } else {
        patch_tile(op, x, top, left, patch);
        transform_tile(patch, kReach * kBlock, to, place);
      }
    }
  }
}

constexpr TileTable kTileProducts = dense_table<kBlock, kBlock>();

// Neighbouring tiles, the first of them the `first`-th of op.tiles and tile `tile` of the op, by output blocks.
struct Group {
  ptrdiff_t first, tile;
  int32_t count;
  int32_t block, blocks;
};

void multiply(const Winograd &op, const Group &group) {
  alignas(64) static constexpr float kZeros[kTileBlocks * kBlock] = {};
  const ptrdiff_t place = op.capacity * kBlock;
  const ptrdiff_t weight_place = ptrdiff_t{op.input_blocks} * kBlock * kBlock;
  const TileFn product = kTileProducts.fns[group.blocks - 1][group.count - 1];
  Tile tile = {};
  tile.tap_count = 1;
  tile.input_blocks = op.input_blocks;
  tile.input_block_stride = kPlaces * place;
  tile.weight_input_stride = kBlock * kBlock;
  tile.weight_output_stride = kPlaces * weight_place;
  tile.bias = kZeros;
  tile.weights = op.weights + group.block * tile.weight_output_stride;
  tile.sums = op.products;
  const ptrdiff_t tap = 0;
  tile.taps = &tap;
  tile.x = op.tiles + group.first * kBlock;
  for (int p = 0; p < kPlaces; ++p, tile.x += place) {
    product(tile);
    tile.weights += weight_place;
    tile.sums += group.blocks * group.count * kBlock;
  }
}

// Output pixels of a tile that exist, and where its residual and its output begin.
struct Window {
  ptrdiff_t rows, columns, row_stride;
  const float *residual;  // may be null
  float *y;
  int32_t channels;
};

// products: the tile's, `place` floats apart.
template <int32_t kActivation>
DETENT_INLINE void finish_tile(const float *products, ptrdiff_t place, const float *bias, const Window &window) {
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    Vec columns[kReach][kSide];
    DETENT_UNROLL(6)
    for (int c = 0; c < kReach; ++c) {
      Vec m[kReach];
      DETENT_UNROLL(6)
      for (int r = 0; r < kReach; ++r) m[r] = load(products + (r * kReach + c) * place + lane);
      transform_output(m, columns[c]);
    }
    const Vec offset = load(bias + lane);
    const VecBits exists = lane_mask(lane, window.channels);
    DETENT_UNROLL(4)
    for (int r = 0; r < kSide; ++r) {
      if (r >= window.rows) break;
      Vec row[kReach];
      Vec sums[kSide];
      DETENT_UNROLL(6)
      for (int c = 0; c < kReach; ++c) row[c] = columns[c][r];
      transform_output(row, sums);
      DETENT_UNROLL(4)
      for (int c = 0; c < kSide; ++c) {
        if (c >= window.columns) break;
        const ptrdiff_t at = r * window.row_stride + c * kBlock + lane;
        Vec value = activate<kActivation>(sums[c] + offset);
        if (window.residual != nullptr) value = value + load(window.residual + at);
        store(window.y + at, select(exists, value, splat(0.0F)));
      }
    }
  }
}

template <int32_t kActivation>
void finish_group(const Winograd &op, const Group &group) {
  const ptrdiff_t place = ptrdiff_t{group.blocks} * group.count * kBlock;
  for (int32_t b = 0; b < group.blocks; ++b) {
    const int32_t block = group.block + b;
    for (int32_t t = 0; t < group.count; ++t) {
      const Corner corner = corner_of(op, group.tile + t);
      const ptrdiff_t at = (corner.row * op.columns + corner.column) * kBlock;
      const Window window = {
          .rows = at_most(kSide, op.rows - corner.row),
          .columns = at_most(kSide, op.columns - corner.column),
          .row_stride = op.columns * kBlock,
          .residual = op.residual == nullptr ? nullptr : op.residual + block * op.residual_block + at,
          .y = op.y + block * op.y_block + at,
          .channels = block + 1 == op.output_blocks ? op.last_channels : kBlock};
      finish_tile<kActivation>(op.products + (ptrdiff_t{b} * group.count + t) * kBlock, place, op.bias + block * kBlock,
                               window);
    }
  }
}

}  // namespace

int32_t run_conv2d_winograd_f32(const detent_kernel_args *args) {
  const Winograd op = resolve_winograd(*args);
  for (ptrdiff_t first = 0; first < op.tile_count; first += op.capacity) {
    const ptrdiff_t count = at_most(op.capacity, op.tile_count - first);
    transform_tiles(op, first, count);
    for (int32_t block = 0; block < op.output_blocks; block += kTileBlocks) {
      Group group = {.first = 0, .tile = first, .count = 0, .block = block, .blocks = kTileBlocks};
      if (op.output_blocks - block < kTileBlocks) group.blocks = op.output_blocks - block;
      for (ptrdiff_t groups = (count + kTilePixels - 1) / kTilePixels; groups > 0; --groups) {
        group.count = static_cast<int32_t>((count - group.first + groups - 1) / groups);
        multiply(op, group);
        with_activation(op.activation, [&](auto tag) { finish_group<decltype(tag)::kActivation>(op, group); });
        group.first += group.count;
        group.tile += group.count;
      }
    }
  }
  return 0;
}

DETENT_ISA_END
