// tvm target: c -keys=cpu
#define TVM_EXPORTS
#include "tvm/runtime/c_runtime_api.h"
#include "tvm/runtime/c_backend_api.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <arm_nnfunctions.h>
__attribute__((section(".rodata.tvm"), aligned(16))) static const int8_t constant_filter[24] = {
    1, 2, -1, 3, 0, 1, -2, 1, 1, 0, 2, -1, 1, 1, -3, 2, 1, 0, 1, -1, 2, 0, 1, 1};
static const int32_t constant_bias[4] = {3, -2, 5, 0};
static const int32_t constant_multiplier[4] = {1, 1, 2, 1};
static const int32_t constant_shift[4] = {-1, -2, -1, 0};
TVM_DLL int32_t tvmgen_default_cmsis_nn_main_0(int8_t* input_, int8_t* filter_, int32_t* bias_, int32_t* multiplier_, int32_t* shift_, int8_t* output_, uint8_t* global_workspace_2_var) {
  void* context_buffer_0_let = (&(global_workspace_2_var[128]));
  cmsis_nn_context context= {context_buffer_0_let,12};
  cmsis_nn_tile stride = {1,1};
  cmsis_nn_tile padding = {1,0};
  cmsis_nn_tile dilation = {1,1};
  cmsis_nn_activation activation = {-128,127};
  cmsis_nn_conv_params conv_params = {4, -1, stride, padding, dilation, activation};
  cmsis_nn_per_channel_quant_params quant_params = {multiplier_, shift_};
  cmsis_nn_dims input_dims = {1,1,16,2};
  cmsis_nn_dims filter_dims = {4,1,3,2};
  cmsis_nn_dims bias_dims = {1,1,1,4};
  cmsis_nn_dims output_dims = {1,1,16,4};
  arm_cmsis_nn_status status = arm_convolve_wrapper_s8(&context, &conv_params, &quant_params, &input_dims, input_, &filter_dims, filter_, &bias_dims, bias_, &output_dims, output_);
  if (status != ARM_CMSIS_NN_SUCCESS) {
    return -1;
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_add(int8_t* p0, int8_t* T_add, uint8_t* global_workspace_3_var) {
  for (int32_t i = 0; i < 32; ++i) {
    T_add[i] = ((int8_t)(p0[i] + (int8_t)1));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_subtract(int8_t* p0, int8_t* T_subtract, uint8_t* global_workspace_4_var) {
  for (int32_t i = 0; i < 32; ++i) {
    T_subtract[i] = ((int8_t)(p0[i] - (int8_t)3));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_multiply(int8_t* p0, int8_t* p1, int8_t* T_multiply, uint8_t* global_workspace_5_var) {
  for (int32_t i = 0; i < 64; ++i) {
    T_multiply[i] = ((int8_t)(p0[i] * p1[i]));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default___tvm_main__(int8_t* x_buffer_var, int8_t* output_buffer_var, uint8_t* global_workspace_1_var) {
  void* sid_1_let = (&(global_workspace_1_var[0]));
  void* sid_2_let = (&(global_workspace_1_var[32]));
  void* sid_3_let = (&(global_workspace_1_var[64]));
  void* sid_4_let = (&(global_workspace_1_var[144]));
  if (tvmgen_default_fused_add(x_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_fused_subtract(x_buffer_var, sid_2_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_cmsis_nn_main_0(sid_1_let, constant_filter, constant_bias, constant_multiplier, constant_shift, sid_3_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_cmsis_nn_main_0(sid_2_let, constant_filter, constant_bias, constant_multiplier, constant_shift, sid_4_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_fused_multiply(sid_3_let, sid_4_let, output_buffer_var, global_workspace_1_var) != 0 ) return -1;
  return 0;
}
