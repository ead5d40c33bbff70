/* Integers of the int8 kernels (<detent/op_config.h>): the step from a sum to an I8 element. Sums are unsigned here, so
 * that they wrap. */
#ifndef DETENT_RUNTIME_OPS_ISA_INT8_INTEGERS_H_
#define DETENT_RUNTIME_OPS_ISA_INT8_INTEGERS_H_

#include <detent/kernel.h>
#include <detent/op_config.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

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

template <typename Integer, typename Limit>
DETENT_INLINE Integer held(Integer value, Limit low, Limit high) {
  return value < low ? low : value > high ? high : value;
}

/** From here on a shift leaves 32 bits of a product, of whose lower half it matters only whether it is 0. */
constexpr int32_t kLeastLongShift = 34;

#if defined(DETENT_OPS_UPPER_PRODUCTS)
/** The quotient of such a shift, held to the range, of as many sums as Words has. */
struct LongShift {
  VecBits shift, below_half, low, high;

  DETENT_INLINE Words apply(Words sum, Words multiplier) const {
    const Words lower = sum * multiplier;
    const Words is_above = lower > 1 ? Words{} + 1 : lower;  // 0 or 1
    const auto place = reinterpret_cast<VecBits>(upper_products(sum, multiplier) | is_above);
    const VecBits rounded = (place + below_half + (place >> shift & 1)) >> shift;
    const VecBits above = rounded < low ? low : rounded;
    return reinterpret_cast<Words>(above > high ? high : above);
  }
};

DETENT_INLINE LongShift long_shift_of(const detent_requantisation &by) {
  const int32_t shift = by.shift - 32;
  return {VecBits{} + shift, VecBits{} + ((1 << (shift - 1)) - 1), VecBits{} + by.low, VecBits{} + by.high};
}

DETENT_INLINE void round_by_long_shift(const detent_requantisation &by, const int32_t *multipliers, uint32_t *sums) {
  const LongShift quotient = long_shift_of(by);
  for (int v = 0; v < kBlock; v += kLanes) {
    store_words(sums + v, quotient.apply(load_words(sums + v), load_words(multipliers + v)));
  }
}
#else
DETENT_INLINE void round_by_long_shift(const detent_requantisation &by, const int32_t *multipliers, uint32_t *sums) {
  const int32_t shift = by.shift - 32;
  const int32_t below_half = (1 << (shift - 1)) - 1;
  const int32_t low = by.low;
  const int32_t high = by.high;
  for (int i = 0; i < kBlock; ++i) {
    const int64_t product = int64_t{static_cast<int32_t>(sums[i])} * multipliers[i];  // at most 2^62 by magnitude
    const int32_t is_above = static_cast<uint32_t>(product) != 0 ? 1 : 0;
    const int32_t place = static_cast<int32_t>(product >> 32) | is_above;
    sums[i] = static_cast<uint32_t>(held((place + below_half + (place >> shift & 1)) >> shift, low, high));
  }
}
#endif

DETENT_INLINE void round_by_any_shift(const detent_requantisation &by, const int32_t *multipliers, uint32_t *sums) {
  const int32_t shift = by.shift;
  const int64_t low = by.low;
  const int64_t high = by.high;
  for (int i = 0; i < kBlock; ++i) {
    sums[i] = static_cast<uint32_t>(held(rounded_quotient(sums[i], multipliers[i], shift), low, high));
  }
}

/** What becomes of the sums of an op's output channels. */
struct Requantiser {
  const int32_t *multipliers;
  const int8_t *table; /**< null: none */
  detent_requantisation by;

  /** Of 16 neighbouring channels, from sums[pixels][16] to y[pixels][16]; the sums do not last. */
  DETENT_NOINLINE void apply(const int32_t *factors, ptrdiff_t pixels, uint32_t *sums, int8_t *y) const {
    const detent_requantisation quotient = by;
#if defined(DETENT_OPS_BYTE_TABLE)
    if (quotient.shift >= kLeastLongShift && table != nullptr) return look_up_long(factors, pixels, sums, y);
    if (quotient.shift >= kLeastLongShift) return round_long(factors, pixels, sums, y);
#endif
    if (quotient.shift >= kLeastLongShift) {
      for (ptrdiff_t p = 0; p < pixels; ++p) round_by_long_shift(quotient, factors, sums + p * kBlock);
    } else {
      for (ptrdiff_t p = 0; p < pixels; ++p) round_by_any_shift(quotient, factors, sums + p * kBlock);
    }
    if (table != nullptr) {
      look_up(table + 128, pixels, sums, y);
    } else {
      for (ptrdiff_t i = 0; i < pixels * kBlock; ++i) y[i] = static_cast<int8_t>(sums[i]);
    }
  }

#if defined(DETENT_OPS_BYTE_TABLE)
  DETENT_INLINE void round_long(const int32_t *factors, ptrdiff_t pixels, const uint32_t *sums, int8_t *y) const {
    const LongShift quotient = long_shift_of(by);
    const Words multiplier = load_words(factors);
    DETENT_UNROLL(4)
    for (ptrdiff_t p = 0; p < pixels; ++p) {
      store_low_bytes(quotient.apply(load_words(sums + p * kBlock), multiplier), y + p * kBlock);
    }
  }

  DETENT_INLINE void look_up_long(const int32_t *factors, ptrdiff_t pixels, const uint32_t *sums, int8_t *y) const {
    const LongShift quotient = long_shift_of(by);
    const ByteTable bytes = load_table(table);
    const Words multiplier = load_words(factors);
    DETENT_UNROLL(2)
    for (ptrdiff_t p = 0; p < pixels; ++p) {
      look_up_block(bytes, quotient.apply(load_words(sums + p * kBlock), multiplier) + 128, y + p * kBlock);
    }
  }

  /** @param zero  of the table: the element that 0 becomes */
  static DETENT_INLINE void look_up(const int8_t *zero, ptrdiff_t pixels, const uint32_t *elements, int8_t *y) {
    const ByteTable table = load_table(zero - 128);
    for (ptrdiff_t p = 0; p < pixels; ++p) {
      look_up_block(table, load_words(elements + p * kBlock) + 128, y + p * kBlock);
    }
  }
#else
  /** @param zero  of the table: the element that 0 becomes */
  static DETENT_INLINE void look_up(const int8_t *zero, ptrdiff_t pixels, const uint32_t *elements, int8_t *y) {
    DETENT_UNROLL(8)
    for (ptrdiff_t i = 0; i < pixels * kBlock; ++i) y[i] = zero[static_cast<int32_t>(elements[i])];
  }
#endif
};

/** Of an op that `requantises`. */
DETENT_INLINE Requantiser requantiser_of(const detent_kernel_args &args, const detent_requantisation &result) {
  return {words_of(args.weights[2]), result.has_table != 0 ? bytes_of(args.weights[3]) : nullptr, result};
}

}  // namespace
DETENT_ISA_END

#endif
