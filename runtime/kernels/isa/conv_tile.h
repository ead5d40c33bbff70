/* Tile: the register-blocked inner loops of convolution.
 *
 * A tile is up to kTileBlocks blocks of 16 output channels by P neighbouring pixels of one output row, kept in
 * registers while it sums over input channel blocks, then taps, then channels. Each tap (a kernel position) is given as
 * the distance from the tile's first pixel to what it multiplies for that pixel. The order of additions into one output
 * element depends on neither the tile's size nor its place, so row bands and all instruction sets give the same bits.
 * */
#ifndef DETENT_RUNTIME_OPS_ISA_CONV_TILE_H_
#define DETENT_RUNTIME_OPS_ISA_CONV_TILE_H_

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

struct Tile {
  const float *x;        /**< the first pixel, of the first input channel block */
  const ptrdiff_t *taps; /**< [tap_count] floats from x to what each tap multiplies for the first pixel */
  int32_t tap_count;
  int32_t input_blocks;           /**< input channel blocks to sum over */
  ptrdiff_t input_block_stride;   /**< floats between them in x */
  const float *weights;           /**< of the first tap, input block and output block */
  ptrdiff_t weight_input_stride;  /**< floats to the next input block's weights */
  ptrdiff_t weight_output_stride; /**< floats to the next output block's weights */
  const float *bias;              /**< start from it; null: go on from `sums` */
  float *sums;                    /**< [blocks][P][16] out, where y is null */
  float *y;                       /**< the first pixel of the first output block; null: the sums are not final */
  ptrdiff_t y_block;              /**< floats to the next output block's */
  float low, high;                /**< y = sum held within these; a NaN stays one */
  const float *residual;          /**< like y, added to it; may be null */
  ptrdiff_t residual_block;
  ptrdiff_t prefetch;         /**< floats from each pixel to one worth fetching early; 0: none */
  const float *later;         /**< weights of other tiles, worth fetching into the second cache; null: none */
  int32_t later_rows_per_tap; /**< blocks of 16 of them, for each tap of each input block */
};

using TileFn = void (*)(const Tile &tile);

template <int kVecs>
DETENT_INLINE void begin_sums(const Tile &tile, int pixel, int pixels, Vec (&sum)[kVecs]) {
  DETENT_UNROLL(8)
  for (int v = 0; v < kVecs; ++v) {
    const int block = v / kParts;
    const int lane = v % kParts * kLanes;
    sum[v] = load(tile.bias != nullptr ? tile.bias + block * kBlock + lane
                                       : tile.sums + (block * pixels + pixel) * kBlock + lane);
  }
}

template <int kPixels, int kVecs>
DETENT_INLINE void end_sums(const Tile &tile, const Vec (&sum)[kPixels][kVecs]) {
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kVecs; ++v) {
      store(tile.sums + (v / kParts * kPixels + p) * kBlock + v % kParts * kLanes, sum[p][v]);
    }
  }
}

/** kResidual: there is one. */
template <bool kResidual, int kPixels, int kVecs>
DETENT_INLINE void end_output(const Tile &tile, const Vec (&sum)[kPixels][kVecs]) {
  const Vec low = splat(tile.low);
  const Vec high = splat(tile.high);
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kVecs; ++v) {
      const int at = p * kBlock + v % kParts * kLanes;
      Vec value = smaller(high, larger(low, sum[p][v]));
      if constexpr (kResidual) value = value + load(tile.residual + v / kParts * tile.residual_block + at);
      store(tile.y + v / kParts * tile.y_block + at, value);
    }
  }
}

template <int kPixels, int kVecs>
DETENT_INLINE void end_tile(const Tile &tile, const Vec (&sum)[kPixels][kVecs]) {
  if (tile.y == nullptr) return end_sums(tile, sum);
  if (tile.residual == nullptr) return end_output<false>(tile, sum);
  end_output<true>(tile, sum);
}

/** Dense convolution. kChannels: per tap 16 channels in a row (C16), or 1 (PLAIN: each channel is a tap of its own).
 *  kStep: floats from one pixel's input to the next pixel's. */
template <int kBlocks, int kPixels, int kChannels, int kStep>
void sum_tile(const Tile &tile) {
  constexpr int kVecs = kBlocks * kParts;
  Vec sum[kPixels][kVecs];
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) begin_sums<kVecs>(tile, p, kPixels, sum[p]);
  const float *later = tile.later;
  for (int32_t block = 0; block < tile.input_blocks; ++block) {
    const float *w = tile.weights + block * tile.weight_input_stride;
    const float *input = tile.x + block * tile.input_block_stride;
    for (int32_t tap = 0; tap < tile.tap_count; ++tap) {
      const float *x = input + tile.taps[tap];
      if (later != nullptr) {
        for (int32_t row = 0; row < tile.later_rows_per_tap; ++row, later += kBlock) prefetch_later(later);
      }
      if (tile.prefetch != 0) {
        DETENT_UNROLL(16)
        for (int p = 0; p < kPixels; ++p) prefetch(x + tile.prefetch + p * kStep);
      }
      DETENT_UNROLL(4)
      for (int c = 0; c < kChannels; ++c) {
        Vec weight[kVecs];
        DETENT_UNROLL(8)
        for (int v = 0; v < kVecs; ++v) {
          weight[v] = load(w + v / kParts * tile.weight_output_stride + v % kParts * kLanes);
        }
        DETENT_UNROLL(16)
        for (int p = 0; p < kPixels; ++p) {
          const Vec pixel = splat(x[p * kStep + c]);
          DETENT_UNROLL(8)
          for (int v = 0; v < kVecs; ++v) sum[p][v] = fma(pixel, weight[v], sum[p][v]);
        }
        w += kBlock;
      }
    }
  }
  end_tile(tile, sum);
}

/** Depthwise convolution: channel by channel, one block. */
template <int kPixels, int kStep>
void sum_depthwise_tile(const Tile &tile) {
  Vec sum[kPixels][kParts];
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) begin_sums<kParts>(tile, p, kPixels, sum[p]);
  const float *w = tile.weights;
  for (int32_t tap = 0; tap < tile.tap_count; ++tap, w += kBlock) {
    const float *x = tile.x + tile.taps[tap];
    DETENT_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) {
      DETENT_UNROLL(8)
      for (int v = 0; v < kParts; ++v) {
        sum[p][v] = fma(load(x + p * kStep + v * kLanes), load(w + v * kLanes), sum[p][v]);
      }
    }
  }
  end_tile(tile, sum);
}

/** The widths of a tile, 1 to kTilePixels, as a list of types. */
template <int... kPixels>
struct PixelList {};
template <int kCount, int... kPixels>
struct PixelsUpTo : PixelsUpTo<kCount - 1, kCount, kPixels...> {};
template <int... kPixels>
struct PixelsUpTo<0, kPixels...> {
  using List = PixelList<kPixels...>;
};
using AllPixels = PixelsUpTo<kTilePixels>::List;

/** Tile loops by output blocks and pixels, each less 1. */
struct TileTable {
  TileFn fns[kTileBlocks][kTilePixels];
};

template <int kBlocks, int kChannels, int kStep, int... kPixels>
constexpr void fill_dense(TileTable &table, PixelList<kPixels...> /*pixels*/) {
  ((table.fns[kBlocks - 1][kPixels - 1] = sum_tile<kBlocks, kPixels, kChannels, kStep>), ...);
}

static_assert(kTileBlocks <= 2);
/** Of sum_tile. */
template <int kChannels, int kStep>
constexpr TileTable dense_table() {
  TileTable table = {};
  fill_dense<1, kChannels, kStep>(table, AllPixels{});
  if constexpr (kTileBlocks > 1) fill_dense<kTileBlocks, kChannels, kStep>(table, AllPixels{});
  return table;
}

}  // namespace
DETENT_ISA_END

#endif
