// tvm target: c -keys=cpu
#include "tvm/runtime/c_runtime_api.h"
#include "tvm/runtime/c_backend_api.h"
#include "csource_ops.h"
CSOURCE_BINARY_OP_1D(ccompiler_main_0, *, 20, float)
CSOURCE_BINARY_OP_2D(ccompiler_main_1, -, 4, 5, float)
int32_t tvmgen_default_ccompiler_main_0(float* ccompiler_0_i0, float* ccompiler_0_i1, float* out_0) {
  float* buf_0 = (float*)TVMBackendAllocWorkspace(1, 0, (uint64_t)80, 2, 32);
  CSOURCE_NAME(ccompiler_main_0, body)(CSOURCE_ARGS(ccompiler_0_i0, ccompiler_0_i1), buf_0);
  memcpy(out_0, buf_0, sizeof(float) * 20);
  TVMBackendFreeWorkspace(1, 0, buf_0);
  return 0;
}
int32_t tvmgen_default_ccompiler_main_1(float* ccompiler_1_i0, float* ccompiler_1_i1, float* out_0) {
  CSOURCE_NAME(ccompiler_main_1, body)(ccompiler_1_i0, ccompiler_1_i1, out_0);
  return 0;
}
TVM_DLL int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* y_buffer_var, float* output_buffer_var, float* output2_buffer_var) {
  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)80, 0, 8);
  if (sid_1 == NULL) {
    return -1;
  }
  if (tvmgen_default_ccompiler_main_0(x_buffer_var, y_buffer_var, sid_1) != 0 ) return -1;
  if (tvmgen_default_ccompiler_main_1(sid_1, y_buffer_var, output_buffer_var) != 0 ) return -1;
  if (tvmgen_default_ccompiler_main_1(x_buffer_var, sid_1, output2_buffer_var) != 0 ) return -1;
  if (TVMBackendFreeWorkspace(1, 0, sid_1) != 0) {
    return -1;
  }
  return 0;
}
