#pragma once
#include <stdint.h>
#include <string.h>
#define CSOURCE_CAT(a, b) a##_##b
#define CSOURCE_NAME(id, part) CSOURCE_CAT(id, part)
#define CSOURCE_ARGS(...) __VA_ARGS__
#define CSOURCE_BINARY_OP_1D(p_ID_, p_OP_, p_DIM1_, p_DTYPE)                            \
  static void CSOURCE_NAME(p_ID_, body)(p_DTYPE* a, p_DTYPE* b, p_DTYPE* out) {         \
    for (int64_t i = 0; i < p_DIM1_; ++i) {                                             \
      out[i] = a[i] p_OP_ b[i];                                                         \
    }                                                                                   \
  }
#define CSOURCE_BINARY_OP_2D(p_ID_, p_OP_, p_DIM1_, p_DIM2_, p_DTYPE)                   \
  static void CSOURCE_NAME(p_ID_, body)(p_DTYPE* a, p_DTYPE* b, p_DTYPE* out) {         \
    for (int64_t i = 0; i < p_DIM1_; ++i) {                                             \
      for (int64_t j = 0; j < p_DIM2_; ++j) {                                           \
        int64_t k = i * p_DIM2_ + j;                                                    \
        out[k] = a[k] p_OP_ b[k];                                                       \
      }                                                                                 \
    }                                                                                   \
  }
