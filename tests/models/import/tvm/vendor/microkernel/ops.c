// tvm target: c -keys=arm_cpu,cpu -mcpu=cortex-m7
#define TVM_EXPORTS
#include "tvm/runtime/c_runtime_api.h"
#include "tvm/runtime/c_backend_api.h"
#include <math.h>
#include <stdbool.h>
#ifdef __cplusplus
extern "C"
#endif
#include <arm_math.h>
#include <arm_nnsupportfunctions.h>

#ifdef __cplusplus
extern "C"
#endif
__STATIC_FORCEINLINE int32_t gemm_1x1x4_body_ABCD(
    int16_t *aa, int16_t *bb, int32_t *cc,
    int A_stride, int B_stride, int C_stride) {
  int32_t sum = 0;
  for (int l = 0; l < 4 / 2; l++) {
    sum = __SMLAD((uint32_t)arm_nn_read_q15x2(aa + 2 * l), (uint32_t)arm_nn_read_q15x2(bb + 2 * l), sum);
  }
  cc[0] = sum;
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_nn_dense(int16_t* p0, int16_t* p1, int32_t* T_dense, uint8_t* global_workspace_2_var) {
  for (int32_t j = 0; j < 8; ++j) {
    void* dense_let = (&(global_workspace_2_var[64]));
    gemm_1x1x4_body_ABCD((&(p0[0])), (&(p1[(j * 4)])), (&(((int32_t*)dense_let)[0])), 4, 4, 1);
    T_dense[j] = ((int32_t*)dense_let)[0];
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default_fused_clip_cast(int32_t* p0, int16_t* T_cast, uint8_t* global_workspace_3_var) {
  for (int32_t i = 0; i < 8; ++i) {
    int32_t _1 = p0[i];
    int32_t _2 = ((_1) < (32767) ? (_1) : (32767));
    T_cast[i] = ((int16_t)((_2) > (-32768) ? (_2) : (-32768)));
  }
  return 0;
}
TVM_DLL int32_t tvmgen_default___tvm_main__(int16_t* x_buffer_var, int16_t* w_buffer_var, int16_t* output_buffer_var, uint8_t* global_workspace_1_var) {
  void* sid_1_let = (&(global_workspace_1_var[0]));
  if (tvmgen_default_fused_nn_dense(x_buffer_var, w_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;
  if (tvmgen_default_fused_clip_cast(sid_1_let, output_buffer_var, global_workspace_1_var) != 0 ) return -1;
  return 0;
}
