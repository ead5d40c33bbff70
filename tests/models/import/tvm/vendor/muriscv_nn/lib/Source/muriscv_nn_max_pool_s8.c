#include "muriscv_nn_functions.h"

static q7_t clamped(q31_t value, const muriscv_nn_activation *activation) {
  if (value < activation->min) return (q7_t)activation->min;
  return (q7_t)(value > activation->max ? activation->max : value);
}

muriscv_nn_status muriscv_nn_max_pool_s8(const muriscv_nn_context *ctx, const muriscv_nn_pool_params *pool_params,
                                         const muriscv_nn_dims *input_dims, const q7_t *input,
                                         const muriscv_nn_dims *filter_dims, const muriscv_nn_dims *output_dims,
                                         q7_t *output) {
  (void)ctx;
  for (int32_t y = 0; y < output_dims->h; ++y) {
    for (int32_t x = 0; x < output_dims->w; ++x) {
      for (int32_t c = 0; c < input_dims->c; ++c) {
        q31_t max = -128;
        for (int32_t j = 0; j < filter_dims->h; ++j) {
          for (int32_t i = 0; i < filter_dims->w; ++i) {
            const int32_t row = y * pool_params->stride.h + j;
            const int32_t column = x * pool_params->stride.w + i;
            const q7_t value = input[(row * input_dims->w + column) * input_dims->c + c];
            if (value > max) max = value;
          }
        }
        output[(y * output_dims->w + x) * output_dims->c + c] = clamped(max, &pool_params->activation);
      }
    }
  }
  return MURISCV_NN_SUCCESS;
}
