/* Activations on vectors; SiLU and sigmoid are at most 3 ulp off (measured 2.2). Only +, *, /, fma and comparisons: the
 * same bits from every instruction set, no libm. */
#ifndef DETENT_RUNTIME_OPS_ISA_ACTIVATE_H_
#define DETENT_RUNTIME_OPS_ISA_ACTIVATE_H_

#include "runtime/ops/config.h"
#include "runtime/ops/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

/** e^x, at most 2 ulp off on [-87.3, 88]; beyond, the value at the nearer end. NaN stays NaN.
 *  Range reduction by powers of two and a polynomial of degree 6 (coefficients: Cephes expf). */
DETENT_INLINE Vec exponential(Vec x) {
  x = larger(splat(-87.3F), smaller(splat(88.0F), x));
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
  return from_bits(bits_of(p) + ((bits_of(shifted) - bits_of(magic)) << 23));
}

template <int32_t kActivation>
DETENT_INLINE Vec activate(Vec x) {
  const Vec zero = splat(0.0F);
  if constexpr (kActivation == DETENT_ACT_RELU) return x < zero ? zero : x;
  if constexpr (kActivation == DETENT_ACT_RELU6) return smaller(splat(6.0F), x < zero ? zero : x);
  if constexpr (kActivation == DETENT_ACT_SILU) return x / (splat(1.0F) + exponential(zero - x));
  if constexpr (kActivation == DETENT_ACT_SIGMOID) return splat(1.0F) / (splat(1.0F) + exponential(zero - x));
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
