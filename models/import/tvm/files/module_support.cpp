// Declarations as TVM's C interfaces document them (c_runtime_api.h, c_backend_api.h, dlpack.h), in our own words.
#include "models/import/tvm/files/module_support.hpp"

#include <algorithm>
#include <array>

namespace detent::models::tvm {
namespace {

constexpr const char* kDlpack = R"(/* Tensors as DLPack defines them. */
#ifndef DETENT_DLPACK_H_
#define DETENT_DLPACK_H_
#include <stddef.h>
#include <stdint.h>
typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLExtDev = 12 } DLDeviceType;
typedef struct DLDevice { DLDeviceType device_type; int32_t device_id; } DLDevice;
typedef enum { kDLInt = 0U, kDLUInt = 1U, kDLFloat = 2U, kDLOpaqueHandle = 3U, kDLBfloat = 4U } DLDataTypeCode;
typedef struct DLDataType { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;
#endif
)";

constexpr const char* kRuntimeApi = R"(/* What generated code uses of TVM's C runtime. */
#ifndef DETENT_TVM_C_RUNTIME_API_H_
#define DETENT_TVM_C_RUNTIME_API_H_
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "dlpack/dlpack.h"
#define TVM_DLL __attribute__((visibility("default")))
#define TVM_WEAK __attribute__((weak))
typedef int64_t tvm_index_t;
typedef void *TVMFunctionHandle;
typedef void *TVMModuleHandle;
typedef DLTensor *TVMArrayHandle;
typedef union { int64_t v_int64; double v_float64; void *v_handle; const char *v_str; DLDataType v_type; DLDevice v_device; } TVMValue;
typedef enum { kTVMArgInt = 0, kTVMArgFloat = 2, kTVMOpaqueHandle = 3, kTVMNullptr = 4, kTVMDLTensorHandle = 7 } TVMArgTypeCode;
void TVMAPISetLastError(const char *message);
#endif
)";

constexpr const char* kBackendApi = R"(/* What generated code calls: workspace of one operator call. */
#ifndef DETENT_TVM_C_BACKEND_API_H_
#define DETENT_TVM_C_BACKEND_API_H_
#include "tvm/runtime/c_runtime_api.h"
typedef int (*TVMBackendPackedCFunc)(TVMValue *args, int *type_codes, int num_args, TVMValue *out_ret_value, int *out_ret_tcode, void *resource_handle);
void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int dtype_code_hint, int dtype_bits_hint);
int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr);
#endif
)";

constexpr const char* kDetentTvm = R"(/* Thunks: between a Detent op and the operator function that computes it. */
#ifndef DETENT_TVM_H_
#define DETENT_TVM_H_
#include <stddef.h>
#include <stdint.h>
)"
                                   "#include <detent/backend.h>\n"
                                   R"(
/* Exec config: one per argument. The pointer is the address of a tensor of the op plus delta bytes. */
typedef struct detent_tvm_argument {
  uint32_t list; /* 0 null, 1 inputs, 2 outputs, 3 weights, 4 scratch */
  uint32_t index;
  int64_t delta;
} detent_tvm_argument;

static inline void *detent_tvm_pointer(const detent_kernel_args *args, uint32_t k) {
  const detent_tvm_argument *argument = (const detent_tvm_argument *)args->config + k;
  const detent_buffer *lists[5];
  lists[0] = NULL;
  lists[1] = args->inputs;
  lists[2] = args->outputs;
  lists[3] = args->weights;
  lists[4] = args->scratch;
  if (argument->list == 0) return NULL;
  return (uint8_t *)lists[argument->list][argument->index].data + argument->delta;
}

static inline detent_status detent_tvm_check(const detent_kernel_args *args, uint32_t count) {
  const detent_tvm_argument *argument = (const detent_tvm_argument *)args->config;
  uint32_t counts[5];
  counts[0] = 1;
  counts[1] = args->input_count;
  counts[2] = args->output_count;
  counts[3] = args->weight_count;
  counts[4] = args->scratch_count;
  if (args->config_size != count * sizeof *argument) return DETENT_SHAPE;
  for (uint32_t k = 0; k < count; ++k) {
    if (argument[k].list > 4 || argument[k].index >= counts[argument[k].list]) return DETENT_SHAPE;
  }
  return DETENT_OK;
}

/* Workspace of one operator call: a stack in bytes that the plan gives it. */
typedef struct detent_tvm_stack {
  uint8_t *base;
  uint64_t size, used;
} detent_tvm_stack;
#ifndef TVMRT_PORT
#define TVMRT_PORT posix
#endif
#define DETENT_TVM_THREADS_single 0
#define DETENT_TVM_THREADS_posix 1
#define DETENT_TVM_THREADS_OF(port) DETENT_TVM_THREADS_##port
#define DETENT_TVM_THREADS(port) DETENT_TVM_THREADS_OF(port)
#if DETENT_TVM_THREADS(TVMRT_PORT) == 0
#define DETENT_TVM_PER_THREAD static
#else
#define DETENT_TVM_PER_THREAD static _Thread_local
#endif
#endif
)";

constexpr const char* kArmAcle = R"(/* The DSP instructions of arm_acle.h and of CMSIS that TVM's micro-kernels use. */
#ifndef DETENT_ARM_ACLE_H_
#define DETENT_ARM_ACLE_H_
#ifndef __STATIC_FORCEINLINE
#define __STATIC_FORCEINLINE static inline __attribute__((always_inline))
#endif
#ifndef __STATIC_INLINE
#define __STATIC_INLINE static inline
#endif
#ifndef __INLINE
#define __INLINE inline
#endif
#if defined(__ARM_FEATURE_DSP)
#include_next <arm_acle.h>
#else
#include <stdint.h>
static inline int32_t detent_low16(uint32_t x) { return (int16_t)(uint16_t)x; }
static inline int32_t detent_high16(uint32_t x) { return (int16_t)(uint16_t)(x >> 16); }
static inline uint32_t detent_pair16(int32_t high, int32_t low) {
  return ((uint32_t)high << 16) | ((uint32_t)low & 0xFFFFu);
}
static inline uint32_t __ror(uint32_t x, uint32_t n) { return n % 32 == 0 ? x : (x >> n % 32) | (x << (32 - n % 32)); }
static inline int32_t __smuad(uint32_t x, uint32_t y) {
  return (int32_t)((uint32_t)(detent_low16(x) * detent_low16(y)) + (uint32_t)(detent_high16(x) * detent_high16(y)));
}
static inline int32_t __smlad(uint32_t x, uint32_t y, int32_t sum) {
  return (int32_t)((uint32_t)__smuad(x, y) + (uint32_t)sum);
}
static inline uint32_t __sxtb16(uint32_t x) { return detent_pair16((int8_t)(uint8_t)(x >> 16), (int8_t)(uint8_t)x); }
static inline uint32_t __sadd16(uint32_t x, uint32_t y) {
  return detent_pair16(detent_high16(x) + detent_high16(y), detent_low16(x) + detent_low16(y));
}
static inline uint32_t __sxtab16(uint32_t x, uint32_t y) { return __sadd16(x, __sxtb16(y)); }
static inline uint32_t __sadd8(uint32_t x, uint32_t y) {
  return ((x & 0x7F7F7F7Fu) + (y & 0x7F7F7F7Fu)) ^ ((x ^ y) & 0x80808080u);
}
static inline uint32_t __pkhbt(uint32_t x, uint32_t y, uint32_t n) { return (x & 0xFFFFu) | ((y << n) & 0xFFFF0000u); }
static inline uint32_t __pkhtb(uint32_t x, uint32_t y, uint32_t n) {
  return (x & 0xFFFF0000u) | ((uint32_t)((int32_t)y >> n) & 0xFFFFu);
}
static inline int32_t __ssat(int32_t x, uint32_t bits) {
  const int32_t most = (int32_t)((1u << (bits - 1)) - 1u);
  return x > most ? most : x < -most - 1 ? -most - 1 : x;
}
static inline uint32_t __usat(int32_t x, uint32_t bits) {
  const uint32_t most = bits >= 32 ? 0xFFFFFFFFu : (1u << bits) - 1u;
  return x < 0 ? 0u : (uint32_t)x > most ? most : (uint32_t)x;
}
#endif
#define __ROR __ror
#define __SMUAD __smuad
#define __SMLAD __smlad
#define __SXTB16 __sxtb16
#define __SXTAB16 __sxtab16
#define __SADD16 __sadd16
#define __SADD8 __sadd8
#define __PKHBT __pkhbt
#define __PKHTB __pkhtb
#define __SSAT __ssat
#define __USAT __usat
#endif
)";

constexpr std::array<const char*, 5> kOwnHeaders = {"tvm/runtime/c_runtime_api.h", "tvm/runtime/c_backend_api.h",
                                                    "dlpack/dlpack.h", "detent_tvm.h", "arm_acle.h"};
constexpr std::array kStandardHeaders = {"math.h",     "stdbool.h",  "stdint.h", "stddef.h",     "string.h",
                                         "stdlib.h",   "stdio.h",    "float.h",  "limits.h",     "assert.h",
                                         "inttypes.h", "stdarg.h",   "errno.h",  "ctype.h",      "time.h",
                                         "fenv.h",     "stdalign.h", "iso646.h", "stdnoreturn.h"};

}  // namespace

bool uses_arm(const std::string& text) {
  const auto holds = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (holds("define __STATIC_FORCEINLINE")) return false;
  return holds("__STATIC_FORCEINLINE") || holds("__STATIC_INLINE") || holds("arm_acle.h") ||
         holds("arm_nnsupportfunctions.h");
}

bool is_runtime_function(const std::string& name) {
  return name == "TVMBackendAllocWorkspace" || name == "TVMBackendFreeWorkspace" || name == "TVMAPISetLastError";
}

bool is_arm_function(const std::string& name) {
  static const std::string text = kArmAcle;
  if (!name.starts_with("__")) return false;
  return text.find("_t " + name + "(") != text.npos || text.find("#define " + name + " __") != text.npos;
}

bool has_arm_substitute(const std::string& name) {
  const std::string leaf = name.substr(name.rfind('/') + 1);
  return leaf == "arm_acle.h" || leaf == "arm_nnsupportfunctions.h";
}

std::vector<SourceFile> support_headers(bool arm) {
  std::vector<SourceFile> headers = {{kOwnHeaders[0], kRuntimeApi},
                                     {kOwnHeaders[1], kBackendApi},
                                     {kOwnHeaders[2], kDlpack},
                                     {kOwnHeaders[3], kDetentTvm}};
  if (arm) headers.push_back({kOwnHeaders[4], kArmAcle});
  return headers;
}

/// By the whole name or its end: TVM 0.8 names its own headers by relative paths, too.
std::string known_header(const std::string& name) {
  for (const char* known : kOwnHeaders) {
    if (name == known || name.ends_with("/" + std::string(known))) return known;
  }
  for (const char* known : kStandardHeaders) {
    if (name == known) return known;
  }
  return {};
}

}  // namespace detent::models::tvm
