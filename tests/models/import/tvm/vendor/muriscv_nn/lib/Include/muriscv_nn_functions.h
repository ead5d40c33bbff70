#ifndef STAND_IN_MURISCV_NN_FUNCTIONS_H
#define STAND_IN_MURISCV_NN_FUNCTIONS_H
#include "muriscv_nn_types.h"
#if defined(USE_VEXT) || defined(__riscv_vector)
#include "muriscv_nn_vext.h"
#endif
muriscv_nn_status muriscv_nn_max_pool_s8(const muriscv_nn_context *ctx, const muriscv_nn_pool_params *pool_params,
                                         const muriscv_nn_dims *input_dims, const q7_t *input,
                                         const muriscv_nn_dims *filter_dims, const muriscv_nn_dims *output_dims,
                                         q7_t *output);
#endif
