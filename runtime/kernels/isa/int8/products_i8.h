/* Sums of products of I8 elements: a strip of neighbouring pixels by a block of 16 output channels in registers, or by
 * two where there are registers for them, 16 input channels at a time.
 *
 * Elements become factors. Where the processor adds the four products of unsigned bytes by signed ones (VNNI), a
 * pixel's factor is its element plus 128 and a weight's is its element: four input channels are added at once, and sums
 * start from -128 times the weights that they meet. Where it multiplies pairs of 16-bit integers and adds the two
 * products, elements become such integers, and two input channels are added at once. Elsewhere they become floats, the
 * widest multipliers that every instruction set has, whose sums are exact up to 2^24 by magnitude. */
#ifndef DETENT_RUNTIME_OPS_ISA_INT8_PRODUCTS_I8_H_
#define DETENT_RUNTIME_OPS_ISA_INT8_PRODUCTS_I8_H_

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kWeights = kBlock * kBlock; /**< of 16 input channels and 16 output channels */
constexpr int kStripBlocks = kTileBlocks; /**< output blocks of a strip */

#if defined(DETENT_OPS_QUADS)
using Factor = uint8_t;
using Sums = Words;
constexpr int kFactorsAtOnce = 4;       /**< input channels that one step adds */
constexpr int kExactProducts = 1 << 16; /**< of a sum of factors: any number, as words wrap */
constexpr int kZero = 128;              /**< factor of a pixel whose element is 0 */

DETENT_INLINE Sums load_factors(const Factor *p) { return load_words(p); }
DETENT_INLINE Sums splat_factors(const Factor *p) { return splat_word(p); }
DETENT_INLINE Sums start_of(const uint32_t *start) { return load_words(start); }
DETENT_INLINE Sums add_products(Sums sums, Sums pixel, Sums weights) { return add_quad_products(sums, pixel, weights); }
DETENT_INLINE void add_to(uint32_t *words, Sums sums) { store_words(words, load_words(words) + sums); }

/** to[i] = the factor of the pixel's element from[i], of a block. */
DETENT_INLINE void widen(const int8_t *from, Factor *to) {
  Elements elements;
  memcpy(&elements, from, sizeof elements);
  elements ^= -128;
  memcpy(to, &elements, sizeof elements);
}
/** The same of `count` elements; the last blocks of 16 may overlap. */
DETENT_INLINE void widen_all(const int8_t *from, ptrdiff_t count, Factor *to) {
  constexpr ptrdiff_t kOnce = sizeof(Words);
  ptrdiff_t i = 0;
  for (; i + kOnce <= count; i += kOnce) store_words(to + i, load_words(from + i) ^ 0x80808080);
  for (; i + kBlock <= count; i += kBlock) widen(from + i, to + i);
  if (i == count) return;
  if (count >= kBlock) return widen(from + count - kBlock, to + count - kBlock);
  for (; i < count; ++i) to[i] = static_cast<Factor>(from[i] + kZero);
}

/** weights: [input channel][output channel], input channels `stride` apart; to: [four of them][output channel][4].
 *  start: [16], less 128 times each output channel's. */
DETENT_INLINE void prepare_weights(const int8_t *weights, ptrdiff_t stride, Factor *to, uint32_t *start) {
  Words sum[kParts] = {};
  DETENT_UNROLL(4)
  for (int i = 0; i < kWeights; i += 4 * kBlock, weights += 4 * stride) {
    store_quads(weights, stride, to + i);
    DETENT_UNROLL(4)
    for (int v = 0; v < kParts; ++v) {
      sum[v] = add_quad_products(sum[v], Words{} + 0x80808080, load_words(to + i + 4 * v * kLanes));
    }
  }
  for (int v = 0; v < kParts; ++v) store_words(start + v * kLanes, load_words(start + v * kLanes) - sum[v]);
}
#elif defined(DETENT_OPS_PAIRS)
using Factor = int16_t;
using Sums = Words;
constexpr int kFactorsAtOnce = 2;
constexpr int kExactProducts = 1 << 16;
constexpr int kZero = 0;

DETENT_INLINE Sums load_factors(const Factor *p) { return load_words(p); }
DETENT_INLINE Sums splat_factors(const Factor *p) { return splat_word(p); }
DETENT_INLINE Sums start_of(const uint32_t * /*start*/) { return Sums{}; }
DETENT_INLINE Sums add_products(Sums sums, Sums a, Sums b) { return sums + pair_products(a, b); }
DETENT_INLINE void add_to(uint32_t *words, Sums sums) { store_words(words, load_words(words) + sums); }

/** weights: [input channel][output channel], input channels `stride` apart; to: [pair of them][output channel][2]. */
DETENT_INLINE void prepare_weights(const int8_t *weights, ptrdiff_t stride, Factor *to, uint32_t * /*start*/) {
  for (int i = 0; i < kWeights; i += 2 * kBlock, weights += 2 * stride) widen_pairs(weights, weights + stride, to + i);
}
#else
using Factor = float;
using Sums = Vec;
constexpr int kFactorsAtOnce = 1;
constexpr int kExactProducts = 1 << 10;
constexpr int kZero = 0;

DETENT_INLINE Sums load_factors(const Factor *p) { return load(p); }
DETENT_INLINE Sums splat_factors(const Factor *p) { return splat(*p); }
DETENT_INLINE Sums start_of(const uint32_t * /*start*/) { return splat(0.0F); }
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

DETENT_INLINE void prepare_weights(const int8_t *weights, ptrdiff_t stride, Factor *to, uint32_t * /*start*/) {
  for (int i = 0; i < kWeights; i += kBlock, weights += stride) widen(weights, to + i);
}
#endif

#if !defined(DETENT_OPS_QUADS)
DETENT_INLINE void widen_all(const int8_t *from, ptrdiff_t count, Factor *to) {
  for (; count >= kBlock; count -= kBlock, from += kBlock, to += kBlock) widen(from, to);
  for (; count > 0; --count) *to++ = static_cast<Factor>(*from++);
}
#endif

/** sums[16] += the products of a pixel's elements by weights, channel by channel, of `count` taps at x + at[tap].
 *  weights: [tap][16], of channel_weight(). */
#if defined(DETENT_OPS_PAIRS)
DETENT_INLINE uint32_t channel_weight(int8_t weight) { return static_cast<uint16_t>(weight); }
DETENT_INLINE void add_channels(const Factor *x, const int32_t *at, const uint32_t *weights, int32_t count,
                                uint32_t *sums) {
  Words sum[kParts];
  DETENT_UNROLL(4)
  for (int v = 0; v < kParts; ++v) sum[v] = load_words(sums + v * kLanes);
  for (int32_t tap = 0; tap < count; ++tap, weights += kBlock) {
    const Factor *pixel = x + at[tap];
    DETENT_UNROLL(4)
    for (int v = 0; v < kParts; ++v) {
      sum[v] += pair_products(load_widened(pixel + v * kLanes) - kZero, load_words(weights + v * kLanes));
    }
  }
  DETENT_UNROLL(4)
  for (int v = 0; v < kParts; ++v) store_words(sums + v * kLanes, sum[v]);
}
#else
DETENT_INLINE uint32_t channel_weight(int8_t weight) { return static_cast<uint32_t>(int32_t{weight}); }
DETENT_INLINE void add_channels(const Factor *x, const int32_t *at, const uint32_t *weights, int32_t count,
                                uint32_t *sums) {
  for (int32_t tap = 0; tap < count; ++tap) {
    for (int i = 0; i < kBlock; ++i) {
      sums[i] += static_cast<uint32_t>(static_cast<int32_t>(x[at[tap] + i])) * weights[tap * kBlock + i];
    }
  }
}
#endif

DETENT_INLINE void clear(Factor *to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<Factor>(kZero);
}

/** What the strips of a tile add: taps of 16 input channels, or single steps of kFactorsAtOnce. */
struct Products {
  const Factor *x;         /**< of the strip's first pixel */
  ptrdiff_t x_pixel;       /**< factors from one pixel to the next; of taps 16 */
  const int32_t *at;       /**< by tap or step: the first pixel's factors, behind `x` */
  const Factor *weights;   /**< [output block][taps][kWeights], or of steps [kFactorsAtOnce * 16], prepared */
  ptrdiff_t weights_block; /**< from one output block to the next */
  const uint32_t *start;   /**< [output block][16], of prepare_weights() */
  ptrdiff_t sums_block;    /**< from the sums of one output block to those of the next */
  int32_t count;           /**< of taps or steps; at most kExactProducts factors of a pixel */
  const int8_t *later;     /**< weights worth fetching early, a line by each tap of each strip; null: none */
  ptrdiff_t later_block;   /**< from those of one output block to the next */
};

constexpr ptrdiff_t kLine = 64; /**< bytes that are fetched at once */

using StripFn = void (*)(const Products &products, uint32_t *sums);

/** Sums of a strip in registers. */
template <int kPixels, int kBlocks>
struct Strip {
  Sums sum[kPixels][kBlocks][kParts];

  DETENT_INLINE void start(const Products &products) {
    DETENT_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) {
      DETENT_UNROLL(2)
      for (int b = 0; b < kBlocks; ++b) {
        DETENT_UNROLL(8)
        for (int v = 0; v < kParts; ++v) sum[p][b][v] = start_of(products.start + b * kBlock + v * kLanes);
      }
    }
  }

  /** kFactorsAtOnce input channels of each pixel, by the weights at `w`. */
  DETENT_INLINE void add(const Factor *x, ptrdiff_t x_pixel, const Factor *w, ptrdiff_t weights_block) {
    Sums weights[kBlocks][kParts];
    DETENT_UNROLL(2)
    for (int b = 0; b < kBlocks; ++b) {
      DETENT_UNROLL(8)
      for (int v = 0; v < kParts; ++v)
        weights[b][v] = load_factors(w + b * weights_block + v * kLanes * kFactorsAtOnce);
    }
    DETENT_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) {
      const Sums pixel = splat_factors(x + p * x_pixel);
      DETENT_UNROLL(2)
      for (int b = 0; b < kBlocks; ++b) {
        DETENT_UNROLL(8)
        for (int v = 0; v < kParts; ++v) sum[p][b][v] = add_products(sum[p][b][v], pixel, weights[b][v]);
      }
    }
  }

  /** sums: [output block][..][kPixels][16]. */
  DETENT_INLINE void add_to_all(const Products &products, uint32_t *sums) {
    DETENT_UNROLL(2)
    for (int b = 0; b < kBlocks; ++b, sums += products.sums_block) {
      DETENT_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) {
        DETENT_UNROLL(8)
        for (int v = 0; v < kParts; ++v) add_to(sums + p * kBlock + v * kLanes, sum[p][b][v]);
      }
    }
  }
};

template <int kPixels, int kBlocks>
DETENT_NOINLINE void sum_taps(const Products &products, uint32_t *sums) {
  Strip<kPixels, kBlocks> strip;
  strip.start(products);
  const Factor *w = products.weights;
  const ptrdiff_t weights_block = products.weights_block;
  const int8_t *later = products.later;
  for (int32_t tap = 0; tap < products.count; ++tap) {
    const Factor *x = products.x + products.at[tap];
    if (later != nullptr) {
      for (int b = 0; b < kBlocks; ++b) prefetch(later + b * products.later_block);
      later += kLine;
    }
    DETENT_UNROLL(4)
    for (int c = 0; c < kBlock; c += kFactorsAtOnce, w += kFactorsAtOnce * kBlock) {
      strip.add(x + c, kBlock, w, weights_block);
    }
  }
  strip.add_to_all(products, sums);
}

template <int kPixels, int kBlocks>
DETENT_NOINLINE void sum_steps(const Products &products, uint32_t *sums) {
  Strip<kPixels, kBlocks> strip;
  strip.start(products);
  const Factor *w = products.weights;
  for (int32_t step = 0; step < products.count; ++step, w += kFactorsAtOnce * kBlock) {
    strip.add(products.x + products.at[step], products.x_pixel, w, products.weights_block);
  }
  strip.add_to_all(products, sums);
}

struct StripTable {
  StripFn taps[kStripBlocks][kTilePixels];
  StripFn steps[kStripBlocks][kTilePixels];
};

template <int kPixels>
constexpr void fill_strips(StripTable &table) {
  table.taps[0][kPixels - 1] = sum_taps<kPixels, 1>;
  table.taps[kStripBlocks - 1][kPixels - 1] = sum_taps<kPixels, kStripBlocks>;
  table.steps[0][kPixels - 1] = sum_steps<kPixels, 1>;
  table.steps[kStripBlocks - 1][kPixels - 1] = sum_steps<kPixels, kStripBlocks>;
  if constexpr (kPixels > 1) fill_strips<kPixels - 1>(table);
}

constexpr StripTable strip_table() {
  StripTable table = {};
  fill_strips<kTilePixels>(table);
  return table;
}

constexpr StripTable kStrips = strip_table();

DETENT_INLINE int32_t strips_of(int32_t pixels) { return (pixels + kTilePixels - 1) / kTilePixels; }

/** sums[p] += for `pixels` of them, in strips whose widths differ by at most one. fns: by width less 1. */
DETENT_INLINE void sum_pixels(const StripFn *fns, Products products, int32_t pixels, uint32_t *sums) {
  for (int32_t strips = strips_of(pixels); strips > 0; --strips) {
    const int32_t width = (pixels + strips - 1) / strips;
    fns[width - 1](products, sums);
    products.x += width * products.x_pixel;
    if (products.later != nullptr) products.later += products.count * kLine;
    sums += width * kBlock;
    pixels -= width;
  }
}

}  // namespace
DETENT_ISA_END

#endif
