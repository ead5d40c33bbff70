// tvm target: c -keys=cpu
#define TVM_EXPORTS
#include "tvm/runtime/c_runtime_api.h"
#include "tvm/runtime/c_backend_api.h"
#include <muriscv_nn_functions.h>
TVM_DLL int32_t tvmgen_default_muriscv_nn_main_0(int8_t* input_, int8_t* output_) {
  muriscv_nn_context context= {NULL,0};
  muriscv_nn_tile stride = {2,2};
  muriscv_nn_tile padding = {0,0};
  muriscv_nn_activation activation = {-100,100};
  muriscv_nn_pool_params pool_params = {stride, padding, activation};
  muriscv_nn_dims input_dims = {1,4,4,2};
  muriscv_nn_dims filter_dims = {1,2,2,1};
  muriscv_nn_dims output_dims = {1,2,2,2};
  muriscv_nn_status status = muriscv_nn_max_pool_s8(&context, &pool_params, &input_dims, input_, &filter_dims, &output_dims, output_);
  if (status != MURISCV_NN_SUCCESS) {
    return -1;
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_negative(int8_t* p0, int8_t* T_negative) {
  for (int32_t i = 0; i < 32; ++i) {
    T_negative[i] = ((int8_t)(0 - p0[i]));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_add(int8_t* p0, int8_t* p1, int8_t* T_add) {
  for (int32_t i = 0; i < 8; ++i) {
    T_add[i] = ((int8_t)(p0[i] + p1[i]));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default___tvm_main__(int8_t* x_buffer_var, int8_t* output_buffer_var) {
  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)32, 0, 8);
  if (sid_1 == NULL) {
    return -1;
  }
  void* sid_2 = TVMBackendAllocWorkspace(1, 0, (uint64_t)8, 0, 8);
  if (sid_2 == NULL) {
    return -1;
  }
  void* sid_3 = TVMBackendAllocWorkspace(1, 0, (uint64_t)8, 0, 8);
  if (sid_3 == NULL) {
    return -1;
  }
  if (tvmgen_default_fused_negative(x_buffer_var, sid_1) != 0 ) return -1;
  if (tvmgen_default_muriscv_nn_main_0(sid_1, sid_2) != 0 ) return -1;
  if (tvmgen_default_muriscv_nn_main_0(x_buffer_var, sid_3) != 0 ) return -1;
  if (tvmgen_default_fused_add(sid_2, sid_3, output_buffer_var) != 0 ) return -1;
  if (TVMBackendFreeWorkspace(1, 0, sid_3) != 0) {
    return -1;
  }
  if (TVMBackendFreeWorkspace(1, 0, sid_2) != 0) {
    return -1;
  }
  if (TVMBackendFreeWorkspace(1, 0, sid_1) != 0) {
    return -1;
  }
  return 0;
}
