// tvm target: c -keys=cpu
#include "tvm/runtime/c_runtime_api.h"
#include "tvm/runtime/c_backend_api.h"
#include <esp_nn.h>
static int16_t esp_scratch[32];
TVM_DLL int32_t tvmgen_default_esp_main_0(int8_t* p0, int8_t* out_0) {
  data_dims_t dims = {16, 1, 2, 0};
  esp_nn_set_depthwise_conv_scratch_buf(esp_scratch);
  esp_nn_depthwise_conv_s8(&dims, p0, out_0);
  return 0;
}
TVM_DLL int32_t tvmgen_default_esp_main_1(int8_t* p0, int8_t* p1, int8_t* out_0) {
  esp_nn_add_elementwise_s8(p0, p1, out_0, -128, 127, 32);
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_relu(int8_t* p0, int8_t* T_relu, uint8_t* global_workspace_2_var) {
  for (int32_t i = 0; i < 32; ++i) {
    int8_t _1 = p0[i];
    T_relu[i] = ((_1) > ((int8_t)0) ? (_1) : ((int8_t)0));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default___tvm_main__(int8_t* x_buffer_var, int8_t* output_buffer_var, uint8_t* global_workspace_1_var) {
  void* sid_1_let = (&(global_workspace_1_var[0]));
  void* sid_2_let = (&(global_workspace_1_var[32]));
  void* sid_3_let = (&(global_workspace_1_var[64]));
  if (tvmgen_default_fused_relu(x_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_esp_main_0(sid_1_let, sid_2_let) != 0 ) return -1;
  if (tvmgen_default_esp_main_0(x_buffer_var, sid_3_let) != 0 ) return -1;
  if (tvmgen_default_esp_main_1(sid_2_let, sid_3_let, output_buffer_var) != 0 ) return -1;
  return 0;
}
