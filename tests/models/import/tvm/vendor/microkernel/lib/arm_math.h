#pragma once
#include <stdint.h>
#define __STATIC_FORCEINLINE static inline __attribute__((always_inline))
#if defined(__ARM_FEATURE_DSP)
#include <arm_acle.h>
#else
__STATIC_FORCEINLINE int32_t __SMLAD(uint32_t a, uint32_t b, int32_t sum) {
  const uint32_t low = (uint32_t)((int16_t)a * (int16_t)b), high = (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
  return (int32_t)((uint32_t)sum + low + high);
}
__STATIC_FORCEINLINE uint32_t __SXTB16(uint32_t a) {
  return (uint32_t)(uint16_t)(int8_t)a | ((uint32_t)(uint16_t)(int8_t)(a >> 16) << 16);
}
#endif
