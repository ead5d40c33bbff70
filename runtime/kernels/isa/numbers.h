/* Numbers as tensors hold them, to and from the numbers that operators compute with. Widening is exact, narrowing
 * rounds once, to nearest, ties to even. Branch-free, so that loops over them are vectorised. */
#ifndef DETENT_RUNTIME_OPS_ISA_NUMBERS_H_
#define DETENT_RUNTIME_OPS_ISA_NUMBERS_H_

#include "runtime/kernels/isa/functions.h"

DETENT_ISA_BEGIN
namespace {

/** IEEE 754 binary16. */
struct Half {
  uint16_t bits;
};
/** The upper half of a binary32. */
struct Bfloat {
  uint16_t bits;
};

DETENT_INLINE double widened(double x) { return x; }
DETENT_INLINE double widened(float x) { return x; }
DETENT_INLINE double widened(Bfloat x) { return bits_as<float>(uint32_t{x.bits} << 16); }
DETENT_INLINE double widened(Half x) {
  const uint32_t place = (x.bits & 0x7fffU) << 13;  // exponent and fraction where a float has them, the bias 112 less
  const float finite = bits_as<float>(place) * 0x1p112F;
  const float value = place >= 0x7c00U << 13 ? bits_as<float>(place | 0x7f800000U) : finite;
  return bits_as<float>(bits_as<uint32_t>(value) | (x.bits & 0x8000U) << 16);
}

/** The canonical quiet NaN where x is one. */
DETENT_INLINE double canonical(double x) { return x == x ? x : bits_as<double>(uint64_t{0x7ff8} << 48); }
DETENT_INLINE float canonical(float x) { return x == x ? x : bits_as<float>(uint32_t{0x7fc00000}); }

/** Bits of x as a float, rounded to odd: rounding them again to fewer than 23 bits is rounding x once. NaN: anything.
 */
DETENT_INLINE uint32_t odd_float_bits(double x) {
  const auto nearest = static_cast<float>(x);
  const double back = nearest;
  const uint32_t bits = bits_as<uint32_t>(nearest);
  const uint32_t step = magnitude(back) < magnitude(x) ? 1U : ~0U;
  return back != x && bits % 2 == 0 ? bits + step : bits;
}

template <typename Stored>
Stored narrowed(double x);

template <>
DETENT_INLINE double narrowed<double>(double x) {
  return canonical(x);
}
template <>
DETENT_INLINE float narrowed<float>(double x) {
  return canonical(static_cast<float>(x));
}
template <>
DETENT_INLINE Bfloat narrowed<Bfloat>(double x) {
  const uint32_t bits = odd_float_bits(x);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return {static_cast<uint16_t>(x == x ? rounded : 0x7fc0U)};
}
template <>
DETENT_INLINE Half narrowed<Half>(double x) {
  const uint32_t bits = odd_float_bits(x);
  const uint32_t place = bits & 0x7fffffffU;
  const uint32_t normal = (place + 0xfff + (place >> 13 & 1) - (112U << 23)) >> 13;
  const float one_half = 0.5F;  // has the ulp of a denormal half, 2^-24
  const uint32_t denormal = bits_as<uint32_t>(bits_as<float>(place) + one_half) - bits_as<uint32_t>(one_half);
  const uint32_t small_or_normal = place < 113U << 23 ? denormal : normal;
  const uint32_t finite_or_not = place >= 143U << 23 ? 0x7c00U : small_or_normal;
  const uint32_t value = finite_or_not | (bits >> 16 & 0x8000U);
  return {static_cast<uint16_t>(x == x ? value : 0x7e00U)};
}

}  // namespace
DETENT_ISA_END

#endif
