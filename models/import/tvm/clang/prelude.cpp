#include "models/import/tvm/clang/prelude.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace detent::models::tvm {
namespace {

constexpr const char* kTypedefs = R"(
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef __INT16_TYPE__ int16_t; typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t; typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t; typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t; typedef __UINTPTR_TYPE__ uintptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t; typedef __SIZE_TYPE__ size_t;
)";

constexpr const char* kLanguage = R"(
typedef _Float16 half; typedef _Float16 float16_t; typedef float float32_t; typedef double float64_t;
#define bool _Bool
#define true 1
#define false 0
#define NULL ((void*)0)
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-__INT64_MAX__ - 1)
#define INT64_MAX __INT64_MAX__
#define UINT64_MAX __UINT64_MAX__
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_PI 3.14159265358979323846
#define EXIT_SUCCESS 0
#define static_assert _Static_assert
#define __restrict restrict
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : abort())
#endif
void* memcpy(void*, const void*, size_t); void* memmove(void*, const void*, size_t); void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t); size_t strlen(const char*); int strcmp(const char*, const char*);
int strncmp(const char*, const char*, size_t);
void* malloc(size_t); void* calloc(size_t, size_t); void* realloc(void*, size_t); void free(void*); void abort(void);
void exit(int); int abs(int); int printf(const char*, ...); int puts(const char*);
)";

constexpr const char* kTvm = R"(
#define TVM_DLL __attribute__((visibility("default")))
#define TVM_WEAK __attribute__((weak))
#define TVM_C_API_H 1
typedef int64_t tvm_index_t;
typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
typedef DLDevice DLContext; typedef DLDevice TVMContext;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef DLDataType TVMType;
typedef struct { void* data; union { DLDevice device; DLDevice ctx; }; int32_t ndim; DLDataType dtype; int64_t* shape;
  int64_t* strides; uint64_t byte_offset; } DLTensor;
typedef DLTensor* TVMArrayHandle;
typedef struct DLManagedTensor { DLTensor dl_tensor; void* manager_ctx; void (*deleter)(struct DLManagedTensor*); }
  DLManagedTensor;
typedef union { int64_t v_int64; double v_float64; void* v_handle; const char* v_str; DLDataType v_type;
  DLDevice v_device; DLDevice v_ctx; } TVMValue;
typedef struct { const char* data; size_t size; } TVMByteArray;
typedef void* TVMFunctionHandle; typedef void* TVMModuleHandle; typedef void* TVMRetValueHandle;
typedef void* TVMPackedFuncHandle; typedef void* TVMObjectHandle; typedef void* TVMStreamHandle;
typedef enum { kTVMArgInt = 0, kTVMArgFloat = 2, kTVMOpaqueHandle = 3, kTVMNullptr = 4, kTVMDataType = 5,
  kTVMContext = 6, kTVMDLTensorHandle = 7, kTVMObjectHandle = 8, kTVMModuleHandle = 9, kTVMPackedFuncHandle = 10,
  kTVMStr = 11, kTVMBytes = 12, kTVMNDArrayHandle = 13 } TVMArgTypeCode;
typedef enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLOpaqueHandle = 3, kDLBfloat = 4 } DLDataTypeCode;
typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLGPU = 2, kDLOpenCL = 4, kDLVulkan = 7, kDLMetal = 8,
  kDLVPI = 9, kDLROCM = 10, kDLExtDev = 12, kDLMicroDev = 13, kDLHexagon = 14 } DLDeviceType;
typedef int (*TVMBackendPackedCFunc)(TVMValue*, int*, int, TVMValue*, int*, void*);
typedef struct { const char* names; TVMBackendPackedCFunc* funcs; } TVMFuncRegistry;
typedef struct TVMModule { const TVMFuncRegistry* registry; } TVMModule;
typedef struct { void* sync_handle; int32_t num_task; } TVMParallelGroupEnv;
typedef int (*FTVMParallelLambda)(int, TVMParallelGroupEnv*, void*);
typedef enum { kTvmErrorNoError = 0, kTvmErrorFunctionNameNotFound = 0x101, kTvmErrorFunctionCallNumArguments = 0x801,
  kTvmErrorFunctionCallWrongArgType = 0x802, kTvmErrorPlatformNoMemory = 0x404, kTvmErrorGeneratedFunctionFailed = 0x900 }
  tvm_crt_error_t;
void* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);
int TVMBackendFreeWorkspace(int, int, void*);
int TVMFuncCall(TVMFunctionHandle, TVMValue*, int*, int, TVMValue*, int*);
int TVMBackendGetFuncFromEnv(void*, const char*, TVMFunctionHandle*);
int TVMBackendRegisterSystemLibSymbol(const char*, void*);
int TVMBackendParallelLaunch(FTVMParallelLambda, void*, int);
int TVMBackendParallelBarrier(int, TVMParallelGroupEnv*);
int TVMBackendRunOnce(void**, int (*)(void*), void*, int);
int TVMFuncRegisterGlobal(const char*, TVMFunctionHandle, int);
int TVMModCreateFromCModule(const TVMModule*, TVMModuleHandle*);
void TVMAPISetLastError(const char*);
const char* TVMGetLastError(void);
const TVMModule* TVMSystemLibEntryPoint(void);
struct TVMTensorInfo { const char* name; const int64_t* shape; int64_t num_shape; DLDataType dtype; };
struct TVMConstantInfo { const char* name_hint; int64_t byte_offset; int64_t data_len; const void* data_bytes; };
struct TVMMetadata { int64_t version; const struct TVMTensorInfo* inputs; int64_t num_inputs;
  const struct TVMTensorInfo* outputs; int64_t num_outputs; const struct TVMTensorInfo* workspace_pools;
  int64_t num_workspace_pools; const struct TVMConstantInfo* constant_pools; int64_t num_constant_pools;
  const char* mod_name; };
)";

/// What CMSIS and arm_acle.h give to the micro-kernels that TVM writes for Cortex-M.
constexpr const char* kArm = R"(
#define __STATIC_FORCEINLINE static inline
#define __STATIC_INLINE static inline
#define __INLINE inline
int32_t __smlad(uint32_t, uint32_t, int32_t); int32_t __SMLAD(uint32_t, uint32_t, int32_t);
int32_t __smuad(uint32_t, uint32_t); int32_t __SMUAD(uint32_t, uint32_t);
uint32_t __sxtb16(uint32_t); uint32_t __SXTB16(uint32_t);
uint32_t __sxtab16(uint32_t, uint32_t); uint32_t __SXTAB16(uint32_t, uint32_t);
uint32_t __sadd16(uint32_t, uint32_t); uint32_t __SADD16(uint32_t, uint32_t);
uint32_t __sadd8(uint32_t, uint32_t); uint32_t __SADD8(uint32_t, uint32_t);
uint32_t __ror(uint32_t, uint32_t); uint32_t __ROR(uint32_t, uint32_t);
uint32_t __pkhbt(uint32_t, uint32_t, uint32_t); uint32_t __PKHBT(uint32_t, uint32_t, uint32_t);
uint32_t __pkhtb(uint32_t, uint32_t, uint32_t); uint32_t __PKHTB(uint32_t, uint32_t, uint32_t);
int32_t __ssat(int32_t, uint32_t); int32_t __SSAT(int32_t, uint32_t);
uint32_t __usat(int32_t, uint32_t); uint32_t __USAT(int32_t, uint32_t);
)";

constexpr const char* kCmsisNn = R"(
typedef int8_t q7_t; typedef int16_t q15_t; typedef int32_t q31_t; typedef int64_t q63_t;
typedef struct { void* buf; int32_t size; } cmsis_nn_context;
typedef struct { int32_t n; int32_t h; int32_t w; int32_t c; } cmsis_nn_dims;
typedef struct { int32_t w; int32_t h; } cmsis_nn_tile;
typedef struct { int32_t min; int32_t max; } cmsis_nn_activation;
typedef struct { int32_t* multiplier; int32_t* shift; } cmsis_nn_per_channel_quant_params;
typedef struct { int32_t multiplier; int32_t shift; } cmsis_nn_per_tensor_quant_params;
typedef struct { int32_t input_offset; int32_t output_offset; cmsis_nn_tile stride; cmsis_nn_tile padding;
  cmsis_nn_tile dilation; cmsis_nn_activation activation; } cmsis_nn_conv_params;
typedef struct { int32_t input_offset; int32_t output_offset; int32_t ch_mult; cmsis_nn_tile stride;
  cmsis_nn_tile padding; cmsis_nn_tile dilation; cmsis_nn_activation activation; } cmsis_nn_dw_conv_params;
typedef struct { int32_t input_offset; int32_t filter_offset; int32_t output_offset; cmsis_nn_activation activation; }
  cmsis_nn_fc_params;
typedef struct { cmsis_nn_tile stride; cmsis_nn_tile padding; cmsis_nn_activation activation; } cmsis_nn_pool_params;
typedef struct { const int16_t* exp_lut; const int16_t* one_by_one_lut; } cmsis_nn_softmax_lut_s16;
typedef enum { ARM_CMSIS_NN_SUCCESS = 0, ARM_CMSIS_NN_ARG_ERROR = -1, ARM_CMSIS_NN_NO_IMPL_ERROR = -2,
  ARM_CMSIS_NN_FAILURE = -3 } arm_cmsis_nn_status;
typedef enum { ARM_MATH_SUCCESS = 0, ARM_MATH_ARGUMENT_ERROR = -1, ARM_MATH_LENGTH_ERROR = -2,
  ARM_MATH_SIZE_MISMATCH = -3 } arm_status;
)";

constexpr std::array kUnaryMath = {"exp",  "exp2",  "expm1", "log",   "log2",  "log10",  "log1p",     "sqrt",
                                   "cbrt", "sin",   "cos",   "tan",   "asin",  "acos",   "atan",      "sinh",
                                   "cosh", "tanh",  "asinh", "acosh", "atanh", "erf",    "erfc",      "floor",
                                   "ceil", "round", "trunc", "rint",  "fabs",  "tgamma", "nearbyint", "lgamma"};
constexpr std::array kBinaryMath = {"pow",   "fmod",     "atan2",     "fmax",     "fmin",
                                    "hypot", "copysign", "nextafter", "remainder"};
/// Those that are declared one by one.
constexpr std::array kFurtherFunctions = {"ldexp",  "ldexpf",  "fma",     "fmaf",   "lround",  "lroundf",
                                          "lrintf", "memcpy",  "memmove", "memset", "memcmp",  "strlen",
                                          "strcmp", "strncmp", "malloc",  "calloc", "realloc", "free",
                                          "abort",  "exit",    "abs",     "printf", "puts"};

std::string math_functions() {
  std::string text;
  for (const char* name : kUnaryMath) text += std::string("double ") + name + "(double); float " + name + "f(float);\n";
  for (const char* name : kBinaryMath)
    text += std::string("double ") + name + "(double, double); float " + name + "f(float, float);\n";
  text += "double ldexp(double, int); float ldexpf(float, int); double fma(double, double, double);\n";
  text += "float fmaf(float, float, float); long lround(double); long lroundf(float); long lrintf(float);\n";
  text += "#define isnan(x) __builtin_isnan(x)\n#define isinf(x) __builtin_isinf(x)\n";
  text += "#define isfinite(x) __builtin_isfinite(x)\n";
  return text;
}

/// int32_t4, float8 and their like, which TVM writes without declaring them when it vectorises.
std::string vector_types() {
  std::string text;
  for (const char* scalar : {"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
                             "half", "float", "double"}) {
    for (const char* lanes : {"2", "3", "4", "8", "16", "32", "64"}) {
      text += std::string("typedef ") + scalar + " " + scalar + lanes;
      text += std::string(" __attribute__((ext_vector_type(") + lanes + ")));\n";
    }
  }
  return text;
}

/// The same declarations without names that a file may declare itself.
std::string spelled_out(std::string text) {
  static constexpr std::array<std::pair<const char*, const char*>, 9> kTypes = {{{"int8_t", "signed char"},
                                                                                 {"uint8_t", "unsigned char"},
                                                                                 {"int16_t", "__INT16_TYPE__"},
                                                                                 {"uint16_t", "__UINT16_TYPE__"},
                                                                                 {"int32_t", "__INT32_TYPE__"},
                                                                                 {"uint32_t", "__UINT32_TYPE__"},
                                                                                 {"int64_t", "__INT64_TYPE__"},
                                                                                 {"uint64_t", "__UINT64_TYPE__"},
                                                                                 {"size_t", "__SIZE_TYPE__"}}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    std::string word = text.substr(at, end - at);
    for (const auto& [name, spelling] : kTypes) {
      if (word == name) word = spelling;
    }
    out += word;
    at = end;
  }
  return out;
}

}  // namespace

bool is_library_function(const std::string& name) {
  const auto is_in = [&](const auto& names, const std::string& wanted) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  const std::string stem = name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
  return is_in(kFurtherFunctions, name) || is_in(kUnaryMath, name) || is_in(kBinaryMath, name) ||
         is_in(kUnaryMath, stem) || is_in(kBinaryMath, stem);
}

const std::string& c_prelude() {
  static const std::string text = std::string(kTypedefs) + spelled_out(kLanguage) + math_functions() +
                                  spelled_out(vector_types()) + spelled_out(kTvm) + spelled_out(kArm) +
                                  spelled_out(kCmsisNn);
  return text;
}

}  // namespace detent::models::tvm
