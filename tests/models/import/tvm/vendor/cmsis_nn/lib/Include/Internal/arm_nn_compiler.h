#ifndef STAND_IN_ARM_NN_COMPILER_H
#define STAND_IN_ARM_NN_COMPILER_H
#if defined(__ARMCC_VERSION) && (__ARMCC_VERSION >= 6010050)
#define __STATIC_FORCEINLINE static __forceinline
#elif defined(__ICCARM__)
#define __STATIC_FORCEINLINE _Pragma("inline=forced") static inline
#elif defined(__GNUC__)
#define __STATIC_FORCEINLINE __attribute__((always_inline)) static inline
#else
#error Unknown compiler
#endif
#if ((__ARM_FEATURE_MVE & 3) == 3) || (__ARM_FEATURE_MVE & 1)
#include <arm_mve.h>
#define ARM_MATH_MVEI 1
#endif
#endif
