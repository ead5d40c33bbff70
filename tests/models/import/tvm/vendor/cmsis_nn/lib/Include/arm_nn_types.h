#ifndef STAND_IN_ARM_NN_TYPES_H
#define STAND_IN_ARM_NN_TYPES_H
#include <stdint.h>
typedef enum { ARM_CMSIS_NN_SUCCESS = 0, ARM_CMSIS_NN_ARG_ERROR = -1 } arm_cmsis_nn_status;
typedef struct { void *buf; int32_t size; } cmsis_nn_context;
typedef struct { int32_t n; int32_t h; int32_t w; int32_t c; } cmsis_nn_dims;
typedef struct { int32_t w; int32_t h; } cmsis_nn_tile;
typedef struct { int32_t min; int32_t max; } cmsis_nn_activation;
typedef struct { int32_t *multiplier; int32_t *shift; } cmsis_nn_per_channel_quant_params;
typedef struct {
  int32_t input_offset; /* negative of the zero point */
  int32_t output_offset;
  cmsis_nn_tile stride;
  cmsis_nn_tile padding;
  cmsis_nn_tile dilation;
  cmsis_nn_activation activation;
} cmsis_nn_conv_params;
#endif
