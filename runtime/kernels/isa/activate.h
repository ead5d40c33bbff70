/* Activations on vectors. Over all floats, infinities and denormals included: NONE, RELU and RELU6 are exact, SiLU and
 * sigmoid at most 3 ulp off (of the result; denormal results in steps of 2^-149), SiLU(-inf) is -0, sigmoid(-inf) is 0,
 * and a NaN gives a NaN. Only +, *, /, fma and comparisons: the same bits from every instruction set, no libm.
 *
 * Of x below -87, results below the least normal number are 0: some processors take a hundred times as long for each
 * operation on a denormal number, and what reads the result would take them, so that its time would depend on data. */
#ifndef DETENT_RUNTIME_OPS_ISA_ACTIVATE_H_
#define DETENT_RUNTIME_OPS_ISA_ACTIVATE_H_

#include <detent/op_config.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

/** e^x = mantissa * 2^exponent, the mantissa near [0.7, 1.42] and at most 2 ulp off for |x| <= 126; both are undefined
 *  for a NaN. Range reduction by powers of two and a polynomial of degree 6 (coefficients: Cephes expf). */
struct Exponential {
  Vec mantissa;
  VecBits exponent;
};

DETENT_INLINE Exponential reduce_exponential(Vec x) {
  const Vec magic = splat(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  const Vec shifted = fma(x, splat(1.44269504F), magic);
  const Vec n = shifted - magic;
  Vec r = fma(n, splat(-0.693359375F), x);
  r = fma(n, splat(2.12194440e-4F), r);
  Vec p = fma(splat(1.9875691500e-4F), r, splat(1.3981999507e-3F));
  p = fma(p, r, splat(8.3334519073e-3F));
  p = fma(p, r, splat(4.1665795894e-2F));
  p = fma(p, r, splat(1.6666665459e-1F));
  p = fma(p, r, splat(5.0000001201e-1F));
  p = fma(p, r * r, r) + splat(1.0F);
  return {p, bits_of(shifted) - bits_of(magic)};
}

/** e^x, at most 2 ulp off on [-87.3, most]; beyond, the value at the nearer end; of a NaN that at `most`, which is at
 *  most 88. */
DETENT_INLINE Vec exponential_within(Vec x, float most) {
  const Exponential e = reduce_exponential(larger(smaller(x, splat(most)), splat(-87.3F)));
  return from_bits(bits_of(e.mantissa) + (e.exponent << 23));
}

/** factor * e^x for x < -87, 0 with the factor's sign where that is less than the least normal number. Computed 2^100
 *  times as large, so that no step gives a denormal number. factor in [1, 126] by magnitude. Lanes of other x hold
 *  anything. Out of line: hardly ever called. */
DETENT_NOINLINE inline Vec scaled_exponential_below(Vec factor, Vec x) {
  const Exponential e = reduce_exponential(larger(smaller(x, splat(0.0F)), splat(-126.0F)));  // 126 * e^-126: 0
  constexpr int32_t kScale = -100;
  const Vec power = from_bits(bits_of(splat(1.0F)) + ((e.exponent - kScale) << 23));
  const Vec scaled = factor * e.mantissa * power;
  const float least = 0x1p-26F;  // 2^-126, scaled
  const Vec held = select(scaled > splat(-least), factor * splat(0.0F), scaled);
  return select(scaled < splat(least), held, scaled) * splat(0x1p-100F);
}

constexpr float kLeast = -87.3F; /**< below, e^x may be denormal */
/** Below, 1 + e^-x overflows or is near it, and 1 + e^x is 1. */
constexpr float kTail = -88.0F;

/** e^x for x <= 0, at most 3 ulp off, 0 where it is less than the least normal number; NaN stays NaN. */
DETENT_INLINE Vec exponential(Vec x) {
  Vec y = exponential_within(x, 88.0F);
  if (is_unlikely(any_below_or_nan(x, kLeast))) {
    y = select(x < splat(kLeast), scaled_exponential_below(splat(1.0F), x), y);
    y = select(x == x, y, x);
  }
  return y;
}

DETENT_INLINE Vec silu(Vec x) {
  Vec y = x / (splat(1.0F) + exponential_within(splat(0.0F) - x, -kTail));  // of a NaN a NaN, for x is divided
  if (is_unlikely(any_below_or_nan(x, kTail))) {
    y = select(x < splat(kTail), scaled_exponential_below(larger(splat(-126.0F), x), x), y);
  }
  return y;
}

DETENT_INLINE Vec sigmoid(Vec x) {
  Vec y = splat(1.0F) / (splat(1.0F) + exponential_within(splat(0.0F) - x, -kLeast));
  if (is_unlikely(any_below_or_nan(x, kLeast))) {
    y = select(x < splat(kLeast), scaled_exponential_below(splat(1.0F), x), y);
    y = select(x == x, y, x);
  }
  return y;
}

template <int32_t kActivation>
DETENT_INLINE Vec activate(Vec x) {
  const Vec zero = splat(0.0F);
  if constexpr (kActivation == DETENT_ACT_RELU) return larger(zero, x);
  if constexpr (kActivation == DETENT_ACT_RELU6) return smaller(splat(6.0F), larger(zero, x));
  if constexpr (kActivation == DETENT_ACT_SILU) return silu(x);
  if constexpr (kActivation == DETENT_ACT_SIGMOID) return sigmoid(x);
  return x;
}

template <int32_t kValue>
struct ActivationTag {
  static constexpr int32_t kActivation = kValue;
};

/** Calls body(tag) where decltype(tag)::kActivation is the activation as a compile-time value. */
template <typename Body>
DETENT_INLINE void with_activation(int32_t activation, const Body &body) {
  if (activation == DETENT_ACT_RELU) return body(ActivationTag<DETENT_ACT_RELU>{});
  if (activation == DETENT_ACT_RELU6) return body(ActivationTag<DETENT_ACT_RELU6>{});
  if (activation == DETENT_ACT_SILU) return body(ActivationTag<DETENT_ACT_SILU>{});
  if (activation == DETENT_ACT_SIGMOID) return body(ActivationTag<DETENT_ACT_SIGMOID>{});
  return body(ActivationTag<DETENT_ACT_NONE>{});
}

/** Lanes [0, count) of a vector of a block: all ones, the others zero. */
DETENT_INLINE VecBits lane_mask(int first_lane, int count) {
  VecBits mask = {};
  for (int i = 0; i < kLanes; ++i) mask[i] = first_lane + i < count ? -1 : 0;
  return mask;
}

}  // namespace
DETENT_ISA_END

#endif
