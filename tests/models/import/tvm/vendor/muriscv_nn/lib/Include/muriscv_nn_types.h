#ifndef STAND_IN_MURISCV_NN_TYPES_H
#define STAND_IN_MURISCV_NN_TYPES_H
#include <stdint.h>
typedef int8_t q7_t;
typedef int32_t q31_t;
typedef struct { void *buf; int32_t size; } muriscv_nn_context;
typedef struct { int32_t n; int32_t h; int32_t w; int32_t c; } muriscv_nn_dims;
typedef struct { int32_t w; int32_t h; } muriscv_nn_tile;
typedef struct { int32_t min; int32_t max; } muriscv_nn_activation;
typedef struct { muriscv_nn_tile stride; muriscv_nn_tile padding; muriscv_nn_activation activation; } muriscv_nn_pool_params;
typedef enum { MURISCV_NN_SUCCESS = 0, MURISCV_NN_ARG_ERROR = -1 } muriscv_nn_status;
#endif
