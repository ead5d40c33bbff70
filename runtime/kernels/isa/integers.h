/* Integers of the int8 kernels: vectors of sums, and the step from a sum to an I8 element (<detent/op_config.h>). Sums
 * are unsigned here, so that they wrap. */
#ifndef DETENT_RUNTIME_OPS_ISA_INTEGERS_H_
#define DETENT_RUNTIME_OPS_ISA_INTEGERS_H_

#include <detent/kernel.h>
#include <detent/op_config.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

/** kLanes sums. */
#if DETENT_COMPILER_GNU
typedef uint32_t Sums __attribute__((vector_size(4 * kLanes)));
typedef uint32_t SumsUnaligned __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

DETENT_INLINE Sums load_sums(const uint32_t *p) { return *reinterpret_cast<const SumsUnaligned *>(p); }
DETENT_INLINE void store_sums(uint32_t *p, Sums sums) { *reinterpret_cast<SumsUnaligned *>(p) = sums; }
DETENT_INLINE Sums add_products(Sums sums, Sums a, uint32_t b) { return sums + a * b; }
DETENT_INLINE Sums add_products(Sums sums, Sums a, Sums b) { return sums + a * b; }
#else
struct Sums {
  uint32_t lane[kLanes];
};

DETENT_INLINE Sums load_sums(const uint32_t *p) {
  Sums sums;
  memcpy(sums.lane, p, sizeof sums.lane);
  return sums;
}
DETENT_INLINE void store_sums(uint32_t *p, Sums sums) { memcpy(p, sums.lane, sizeof sums.lane); }
DETENT_INLINE Sums add_products(Sums sums, Sums a, uint32_t b) {
  for (int i = 0; i < kLanes; ++i) sums.lane[i] += a.lane[i] * b;
  return sums;
}
DETENT_INLINE Sums add_products(Sums sums, Sums a, Sums b) {
  for (int i = 0; i < kLanes; ++i) sums.lane[i] += a.lane[i] * b.lane[i];
  return sums;
}
#endif

/** An I8 element as a factor of sums. */
DETENT_INLINE uint32_t widened_i8(int8_t element) { return static_cast<uint32_t>(int32_t{element}); }

DETENT_INLINE void widen_i8(const int8_t *from, int count, uint32_t *to) {
  for (int i = 0; i < count; ++i) to[i] = widened_i8(from[i]);
}

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

  /** Of `count` neighbouring channels. */
  void apply(const uint32_t *sums, uint64_t channel, int count, int8_t *y) const {
    for (int i = 0; i < count; ++i) {
      y[i] = static_cast<int8_t>(
          held(rounded_quotient(sums[i], multipliers[channel + static_cast<uint64_t>(i)], shift), low, high));
    }
    if (table == nullptr) return;
    for (int i = 0; i < count; ++i) y[i] = table[y[i] + 128];
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
