/* Vec: the widest float vector of the instruction set this file is compiled for, and fused multiply-add on it.
 *
 * Included only by sources that are compiled once per instruction set, each in its own namespace DETENT_OPS_ISA. All of
 * it has internal linkage: a function shared by name could be taken from the wide set's object and fault on a small
 * core. fma() rounds once everywhere, by hardware or by arithmetic, so every set computes the same bits. */
#ifndef DETENT_RUNTIME_OPS_ISA_VEC_H_
#define DETENT_RUNTIME_OPS_ISA_VEC_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if !defined(DETENT_OPS_ISA)
#error "compile with -DDETENT_OPS_ISA=<name of the instruction set>"
#endif

#define DETENT_ISA_BEGIN namespace detent::ops::DETENT_OPS_ISA {
#define DETENT_ISA_END }
#define DETENT_INLINE inline __attribute__((always_inline))

DETENT_ISA_BEGIN
namespace {

constexpr int kBlock = 16; /**< channels of a C16 block */

#if defined(__AVX512F__)
constexpr int kLanes = 16;
constexpr int kTileBlocks = 2; /**< 2 x 14 accumulators, 2 weights, 1 pixel of 32 registers */
constexpr int kTilePixels = 14;
#elif defined(__AVX2__) && defined(__FMA__)
constexpr int kLanes = 8;
constexpr int kTileBlocks = 1; /**< 2 x 6 accumulators, 2 weights, 1 pixel of 16 registers */
constexpr int kTilePixels = 6;
#elif defined(__aarch64__)
constexpr int kLanes = 4;
constexpr int kTileBlocks = 1; /**< 4 x 6 accumulators, 4 weights, 1 pixel of 32 registers */
constexpr int kTilePixels = 6;
#else
constexpr int kLanes = 4;
constexpr int kTileBlocks = 1;
constexpr int kTilePixels = 2;
#endif
constexpr int kParts = kBlock / kLanes; /**< vectors of a C16 block */

typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef int32_t VecBits __attribute__((vector_size(4 * kLanes)));
typedef float VecUnaligned __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

DETENT_INLINE Vec load(const float *p) { return *reinterpret_cast<const VecUnaligned *>(p); }
DETENT_INLINE void store(float *p, Vec v) { *reinterpret_cast<VecUnaligned *>(p) = v; }

static_assert(__FLT_EVAL_METHOD__ == 0, "float arithmetic must round to float");

#if defined(__FMA__) || defined(__FP_FAST_FMAF)
DETENT_INLINE float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
/** a * b + c rounded once. The product is exact in double; the sum is rounded to odd, so that rounding it again to
 *  float (24 <= 53 / 2 - 2 bits) is right. After Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
 *  2008. */
DETENT_INLINE float fma1(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  int64_t bits = 0;
  int64_t error_bits = 0;
  memcpy(&bits, &sum, sizeof bits);
  memcpy(&error_bits, &error, sizeof error_bits);
  const bool inexact = (error < 0.0) | (error > 0.0);
  const int64_t to_odd = (bits ^ error_bits) < 0 ? -1 : 1;
  bits += inexact && (bits & 1) == 0 ? to_odd : 0;
  double odd = 0.0;
  memcpy(&odd, &bits, sizeof odd);
  return static_cast<float>(odd);
}
#endif

#if defined(__AVX512F__)
DETENT_INLINE Vec splat(float x) { return _mm512_set1_ps(x); }
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
#elif defined(__AVX2__) && defined(__FMA__)
DETENT_INLINE Vec splat(float x) { return _mm256_set1_ps(x); }
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
#else
DETENT_INLINE Vec splat(float x) { return Vec{x, x, x, x}; }
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) {
  Vec r = c;
  for (int i = 0; i < kLanes; ++i) r[i] = fma1(a[i], b[i], c[i]);
  return r;
}
#endif

DETENT_INLINE VecBits bits_of(Vec v) { return reinterpret_cast<VecBits>(v); }
DETENT_INLINE Vec from_bits(VecBits v) { return reinterpret_cast<Vec>(v); }

/** The larger; `b` where they compare as neither. */
DETENT_INLINE Vec larger(Vec a, Vec b) { return a > b ? a : b; }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return a < b ? a : b; }

}  // namespace
DETENT_ISA_END

#endif
