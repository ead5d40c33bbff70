/* Sums of products of I8 elements: a strip of neighbouring pixels by a block of 16 output channels in registers, 16
 * input channels at a time.
 *
 * Where the processor multiplies pairs of 16-bit integers and adds the two products, elements become such integers, and
 * two input channels are added at once. Elsewhere they become floats, the widest multipliers that every instruction set
 * has, whose sums are exact up to 2^24 by magnitude. */
#ifndef DETENT_RUNTIME_OPS_ISA_INT8_PRODUCTS_I8_H_
#define DETENT_RUNTIME_OPS_ISA_INT8_PRODUCTS_I8_H_

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kWeights = kBlock * kBlock; /**< of 16 input channels and 16 output channels */

#if defined(DETENT_OPS_PAIRS)
using Factor = int16_t;
using Sums = Words;
constexpr int kFactorsAtOnce = 2;       /**< input channels that one step adds */
constexpr int kExactProducts = 1 << 16; /**< of a sum of factors: any number, as words wrap */

DETENT_INLINE Sums load_factors(const Factor *p) { return load_words(p); }
DETENT_INLINE Sums splat_factors(const Factor *p) { return splat_word(p); }
DETENT_INLINE Sums add_products(Sums sums, Sums a, Sums b) { return sums + pair_products(a, b); }
DETENT_INLINE void add_to(uint32_t *words, Sums sums) { store_words(words, load_words(words) + sums); }

/** weights: [input channel][output channel], input channels `stride` apart; to: [pair of them][output channel][2]. */
DETENT_INLINE void prepare_weights(const int8_t *weights, ptrdiff_t stride, Factor *to) {
  for (int i = 0; i < kWeights; i += 2 * kBlock, weights += 2 * stride) widen_pairs(weights, weights + stride, to + i);
}
#else
using Factor = float;
using Sums = Vec;
constexpr int kFactorsAtOnce = 1;
constexpr int kExactProducts = 1 << 10;

DETENT_INLINE Sums load_factors(const Factor *p) { return load(p); }
DETENT_INLINE Sums splat_factors(const Factor *p) { return splat(*p); }
DETENT_INLINE Sums add_products(Sums sums, Sums a, Sums b) {
#if defined(DETENT_OPS_HARDWARE_FMA)
  return fma(a, b, sums);
#else
  return sums + a * b;  // rounds nothing either
#endif
}
DETENT_INLINE void add_to(uint32_t *words, Sums sums) {
  float lanes[kLanes];
  store(lanes, sums);
  for (int i = 0; i < kLanes; ++i) words[i] += static_cast<uint32_t>(static_cast<int32_t>(lanes[i]));
}

DETENT_INLINE void widen(const int8_t *from, Factor *to) {
  int8_t elements[kBlock];
  memcpy(elements, from, sizeof elements);
  for (int i = 0; i < kBlock; ++i) to[i] = static_cast<Factor>(elements[i]);
}

DETENT_INLINE void prepare_weights(const int8_t *weights, ptrdiff_t stride, Factor *to) {
  for (int i = 0; i < kWeights; i += kBlock, weights += stride) widen(weights, to + i);
}
#endif

/** What the strips of a tile add: `taps` times 16 input channels. */
struct Products {
  const Factor *x;       /**< [taps][..][16], of the strip's first pixel */
  ptrdiff_t x_tap;       /**< from one tap to the next */
  const Factor *weights; /**< [taps][kWeights], prepared */
  int32_t taps;          /**< at most kExactProducts / kBlock */
};

using StripFn = void (*)(const Products &products, uint32_t *sums);

/** sums: [kPixels][16]. */
template <int kPixels>
DETENT_NOINLINE void sum_strip(const Products &products, uint32_t *sums) {
  Sums sum[kPixels][kParts];
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) sum[p][v] = Sums{};
  }
  const Factor *w = products.weights;
  for (int32_t tap = 0; tap < products.taps; ++tap) {
    const Factor *x = products.x + tap * products.x_tap;
    DETENT_UNROLL(4)
    for (int c = 0; c < kBlock; c += kFactorsAtOnce, w += kFactorsAtOnce * kBlock) {
      Sums weights[kParts];
      DETENT_UNROLL(8)
      for (int v = 0; v < kParts; ++v) weights[v] = load_factors(w + v * kLanes * kFactorsAtOnce);
      DETENT_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) {
        const Sums pixel = splat_factors(x + p * kBlock + c);
        DETENT_UNROLL(8)
        for (int v = 0; v < kParts; ++v) sum[p][v] = add_products(sum[p][v], pixel, weights[v]);
      }
    }
  }
  DETENT_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kParts; ++v) add_to(sums + p * kBlock + v * kLanes, sum[p][v]);
  }
}

struct StripTable {
  StripFn fns[kTilePixels];
};

template <int kPixels>
constexpr void fill_strips(StripTable &table) {
  table.fns[kPixels - 1] = sum_strip<kPixels>;
  if constexpr (kPixels > 1) fill_strips<kPixels - 1>(table);
}

constexpr StripTable strip_table() {
  StripTable table = {};
  fill_strips<kTilePixels>(table);
  return table;
}

constexpr StripTable kStrips = strip_table();

/** sums[p] += for `pixels` of them, in strips whose widths differ by at most one. */
DETENT_INLINE void sum_pixels(Products products, int32_t pixels, uint32_t *sums) {
  for (int32_t strips = (pixels + kTilePixels - 1) / kTilePixels; strips > 0; --strips) {
    const int32_t width = (pixels + strips - 1) / strips;
    kStrips.fns[width - 1](products, sums);
    products.x += width * kBlock;
    sums += width * kBlock;
    pixels -= width;
  }
}

}  // namespace
DETENT_ISA_END

#endif
