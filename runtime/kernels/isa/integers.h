/* Integers of the int8 kernels (<detent/op_config.h>): exact sums of products, and the step from a sum to an I8
 * element. Sums are unsigned here, so that they wrap. */
#ifndef DETENT_RUNTIME_OPS_ISA_INTEGERS_H_
#define DETENT_RUNTIME_OPS_ISA_INTEGERS_H_

#include <detent/kernel.h>
#include <detent/op_config.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

/** A float holds every integer up to 2^24 by magnitude: so many products of two I8 elements add up without rounding, in
 *  whatever order, and vectors of floats are the widest multipliers that every instruction set has. */
constexpr int kExactProducts = 1 << 10;

/** sums + a * b, where no partial sum has more than kExactProducts products. */
DETENT_INLINE Vec add_products(Vec sums, Vec a, Vec b) {
#if defined(DETENT_OPS_HARDWARE_FMA)
  return fma(a, b, sums);
#else
  return sums + a * b;  // rounds nothing either
#endif
}

DETENT_INLINE Elements load_elements(const int8_t *p) {
  Elements elements;
  memcpy(&elements, p, sizeof elements);
  return elements;
}

/** An I8 element as a factor of sums. */
DETENT_INLINE uint32_t widened_i8(int8_t element) { return static_cast<uint32_t>(int32_t{element}); }

DETENT_INLINE const int8_t *bytes_of(const detent_buffer &buffer) { return static_cast<const int8_t *>(buffer.data); }
DETENT_INLINE int8_t *mutable_bytes_of(const detent_buffer &buffer) { return static_cast<int8_t *>(buffer.data); }
DETENT_INLINE const int32_t *words_of(const detent_buffer &buffer) { return static_cast<const int32_t *>(buffer.data); }

/** round(sum * multiplier / 2^shift), ties to even; 1 <= shift <= 62. */
DETENT_INLINE int64_t rounded_quotient(uint32_t sum, int32_t multiplier, int32_t shift) {
  constexpr uint64_t kOffset = uint64_t{1}
                               << 63;  // the product is at most 2^62 by magnitude: no negative number is left
  const int64_t product = int64_t{static_cast<int32_t>(sum)} * multiplier;
  const uint64_t place = static_cast<uint64_t>(product) + kOffset;
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t is_odd = place >> shift & 1;  // the offset is an even multiple of 2^shift
  return static_cast<int64_t>(((place + (half - 1) + is_odd) >> shift) - (kOffset >> shift));
}

DETENT_INLINE int64_t held(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/** What becomes of the sums of an op's output channels. */
struct Requantiser {
  const int32_t *multipliers;
  const int8_t *table; /**< null: none */
  int32_t shift, low, high;

  /** Of kCount neighbouring channels. */
  template <int kCount>
  void apply(const uint32_t *sums, uint64_t channel, int8_t *y) const {
    const int32_t by = shift;
    const int64_t least = low;
    const int64_t greatest = high;
    const int32_t *factors = multipliers + channel;
    int32_t elements[kCount];
    for (int i = 0; i < kCount; ++i) {
      elements[i] = static_cast<int32_t>(held(rounded_quotient(sums[i], factors[i], by), least, greatest));
    }
    if (table != nullptr) {
      for (int i = 0; i < kCount; ++i) y[i] = table[elements[i] + 128];
    } else {
      for (int i = 0; i < kCount; ++i) y[i] = static_cast<int8_t>(elements[i]);
    }
  }
};

/** Of an op that `requantises`. */
DETENT_INLINE Requantiser requantiser_of(const detent_kernel_args &args, const detent_requantisation &result) {
  return {words_of(args.weights[2]), result.has_table != 0 ? bytes_of(args.weights[3]) : nullptr, result.shift,
          result.low, result.high};
}

}  // namespace
DETENT_ISA_END

#endif
