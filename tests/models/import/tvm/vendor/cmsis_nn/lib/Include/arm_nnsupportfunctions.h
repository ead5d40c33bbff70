#ifndef STAND_IN_ARM_NNSUPPORTFUNCTIONS_H
#define STAND_IN_ARM_NNSUPPORTFUNCTIONS_H
#include "Internal/arm_nn_compiler.h"
#include <stdint.h>
#define LEFT_SHIFT(_shift) (_shift > 0 ? _shift : 0)
#define RIGHT_SHIFT(_shift) (_shift > 0 ? 0 : -_shift)
#define MAX(A, B) ((A) > (B) ? (A) : (B))
#define MIN(A, B) ((A) < (B) ? (A) : (B))
/* A power of two scales the sum; the real library multiplies by a fixed-point number, too. */
__STATIC_FORCEINLINE int32_t arm_nn_requantize(const int32_t val, const int32_t multiplier, const int32_t shift) {
  return ((val * (1 << LEFT_SHIFT(shift))) * multiplier) >> RIGHT_SHIFT(shift);
}
#endif
