/* Operators: element-wise functions over tensors of any strides, as descriptors that are created once, validated, and
 * calculated any number of times. No heap and no state: a descriptor is plain data of the caller, 8-aligned, and is at
 * the same time the exec config of the kernel "elementwise" (detent_op.config_offset).
 *
 *   detent_operator silu;
 *   detent_operator_create(&silu, DETENT_EW_SILU, DETENT_DEVICE_CPU, &y_desc, x_descs, 1, NULL, 0);
 *   detent_operator_calculate(&silu, NULL, 0, y, xs, NULL);
 *
 * Numbers. F64 is evaluated in double. BF16 and F16 are widened, evaluated in double and narrowed once, to nearest,
 * ties to even: no intermediate rounding to float. F32 is evaluated in float where that is exact or one rounding (add,
 * sub, mul, div, max, min, clip, relu, relu6, abs, neg, sqrt), else in double and narrowed once; silu in float, at most
 * 4 ulp off. A NaN result is the canonical quiet NaN, whatever NaN came in. Every instruction set, every stride and
 * every division into parts gives the same bits.
 *
 * Elements are numbered with the last dimension fastest. Strides count elements. */
#ifndef DETENT_RUNTIME_OPERATOR_H_
#define DETENT_RUNTIME_OPERATOR_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/compiler.h>
#include <detent/desc.h>
#include <detent/device_kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Highest rank of an operator's tensors, most inputs, most parameters. */
#define DETENT_OPERATOR_MAX_RANK 8u
#define DETENT_OPERATOR_MAX_INPUTS 2u
#define DETENT_OPERATOR_MAX_PARAMS 2u
/** Up to so many elements an operator is one part. */
#define DETENT_OPERATOR_SERIAL_ELEMENTS 1024u
/** detent_operator.version, detent_tensor_desc.version. */
#define DETENT_OPERATOR_VERSION 1u

/** X(name, number, "name in files", functor, inputs, parameters): every element-wise operator, in ascending order.
 *
 *  A new one is a functor in runtime/kernels/isa/functors.h and a line here. Numbers are fixed: packages carry them. */
/* clang-format off */
#define DETENT_ELEMENTWISE_LIST(X)                   \
  X(SILU,       1, "silu",       Silu,      1, 0)    \
  X(SIGMOID,    2, "sigmoid",    Sigmoid,   1, 0)    \
  X(TANH,       3, "tanh",       Tanh,      1, 0)    \
  X(RELU,       4, "relu",       Relu,      1, 0)    \
  X(RELU6,      5, "relu6",      Relu6,     1, 0)    \
  X(LEAKY_RELU, 6, "leaky_relu", LeakyRelu, 1, 1)    \
  X(GELU,       7, "gelu",       Gelu,      1, 0)    \
  X(GELU_TANH,  8, "gelu_tanh",  GeluTanh,  1, 0)    \
  X(EXP,        9, "exp",        Exp,       1, 0)    \
  X(SQRT,      10, "sqrt",       Sqrt,      1, 0)    \
  X(ABS,       11, "abs",        Abs,       1, 0)    \
  X(NEG,       12, "neg",        Neg,       1, 0)    \
  X(ADD,       13, "add",        Add,       2, 0)    \
  X(SUB,       14, "sub",        Sub,       2, 0)    \
  X(MUL,       15, "mul",        Mul,       2, 0)    \
  X(DIV,       16, "div",        Div,       2, 0)    \
  X(MAX,       17, "max",        Max,       2, 0)    \
  X(MIN,       18, "min",        Min,       2, 0)    \
  X(CLIP,      19, "clip",       Clip,      1, 2)
/* clang-format on */

/** x / (1 + e^-x); 1 / (1 + e^-x); tanh; max(x, 0); min(max(x, 0), 6); x or parameter * x where x < 0; x * Phi(x);
 *  x / (1 + e^(-2 sqrt(2 / pi) (x + 0.044715 x^3))); e^x; square root; |x|; -x; a + b; a - b; a * b; a / b; the larger
 *  and the smaller (NaN where one is NaN, -0 below 0); x held within the two parameters. */
typedef DETENT_ENUM(detent_elementwise){
#define DETENT_ELEMENTWISE_ENUM(name, number, text, functor, inputs, params) DETENT_EW_##name = (number),
    DETENT_ELEMENTWISE_LIST(DETENT_ELEMENTWISE_ENUM)
#undef DETENT_ELEMENTWISE_ENUM
} detent_elementwise;

/** X(name, number): what the calls below return. Numbers are fixed. */
#define DETENT_OPERATOR_STATUS_LIST(X)    \
  X(SUCCESS, 0)                           \
  X(INTERNAL_ERROR, 1)                    \
  X(NOT_IMPLEMENTED, 2)                   \
  X(BAD_PARAM, 3)                         \
  X(NULL_POINTER, 4)                      \
  X(DEVICE_TYPE_NOT_SUPPORTED, 5)         \
  X(DEVICE_NOT_FOUND, 6)                  \
  X(DEVICE_NOT_INITIALIZED, 7)            \
  X(DEVICE_ARCHITECTURE_NOT_SUPPORTED, 8) \
  X(BAD_TENSOR_DTYPE, 10)                 \
  X(BAD_TENSOR_SHAPE, 11)                 \
  X(BAD_TENSOR_STRIDES, 12)               \
  X(INSUFFICIENT_WORKSPACE, 13)

/** DETENT_OPERATOR_SUCCESS and so on. */
typedef DETENT_ENUM(detent_operator_status){
#define DETENT_OPERATOR_STATUS_ENUM(name, number) DETENT_OPERATOR_##name = (number),
    DETENT_OPERATOR_STATUS_LIST(DETENT_OPERATOR_STATUS_ENUM)
#undef DETENT_OPERATOR_STATUS_ENUM
} detent_operator_status;

/** Type, shape and strides of a tensor. Plain data of the caller; may go once create has returned. */
typedef struct detent_tensor_desc {
  /** sizeof(detent_tensor_desc) and DETENT_OPERATOR_VERSION of the caller. */
  uint32_t struct_bytes;
  uint32_t version;
  /** detent_dtype */
  int32_t dtype;
  /** Up to DETENT_OPERATOR_MAX_RANK; 0: one element. */
  uint32_t rank;
  /** [rank], 0 or more: with a 0 there are no elements. May be null for rank 0. */
  const int64_t *dims;
  /** [rank], in elements, of any sign, 0 for a dimension that an input broadcasts; null: row major. */
  const int64_t *strides;
} detent_tensor_desc;

/** A validated operator. Filled by detent_operator_create or detent_operator_part; the fields may be read and copied.
 */
typedef struct detent_operator {
  /** sizeof(detent_operator) and DETENT_OPERATOR_VERSION; 0 after destroy. */
  uint32_t struct_bytes;
  uint32_t version;
  /** detent_elementwise */
  int32_t elementwise;
  /** detent_dtype of all tensors: F16, BF16, F32 or F64. */
  int32_t dtype;
  uint32_t rank;
  uint32_t input_count;
  int64_t dims[DETENT_OPERATOR_MAX_RANK];
  /** Of the output, then of each input. */
  int64_t strides[1 + DETENT_OPERATOR_MAX_INPUTS][DETENT_OPERATOR_MAX_RANK];
  double params[DETENT_OPERATOR_MAX_PARAMS];
} detent_operator;

/** Fill *op for all later calls.
 *
 *  Checks in this order: pointers (NULL_POINTER; also without inputs), struct_bytes and versions, operator and numbers
 * of inputs and parameters, and parameters that are NaN or out of order (BAD_PARAM), device (DEVICE_TYPE_NOT_SUPPORTED
 * but for CPU), dtype of the output, then of the inputs, which is the output's (BAD_TENSOR_DTYPE), shapes, which are
 * equal, of a rank within the limit and of at most DETENT_MAX_BYTES (BAD_TENSOR_SHAPE), strides: each element of the
 * output has a place of its own, and no tensor reaches further than DETENT_MAX_BYTES (BAD_TENSOR_STRIDES). *op is
 * written where the answer is SUCCESS only.
 *  @param inputs  [input_count] descriptors, each not null
 *  @param params  [param_count]; may be null for 0. leaky_relu: the slope; clip: lower and upper limit */
detent_operator_status detent_operator_create(detent_operator *op, int32_t elementwise, int32_t device,
                                              const detent_tensor_desc *output, const detent_tensor_desc *const *inputs,
                                              uint32_t input_count, const double *params, uint32_t param_count);

/** Bytes of workspace that calculate wants: 0 for every element-wise operator. */
detent_operator_status detent_operator_workspace_bytes(const detent_operator *op, uint64_t *bytes);

/** Calculate. *op is not changed; any number of threads may calculate with it at once.
 *
 *  @param workspace  may be null; workspace_bytes below what is wanted is INSUFFICIENT_WORKSPACE
 *  @param output     address of element 0 (with negative strides not the lowest one), aligned to the element
 * (BAD_PARAM)
 *  @param inputs     [input_count] addresses of elements 0. An input that shares memory with the output is the output:
 *                    same address, same strides; else BAD_TENSOR_STRIDES, and nothing is written. Whether memory is
 *                    shared is decided exactly, but for strides so contrived that the search ends: those are refused
 *  @param stream     unused by the CPU */
detent_operator_status detent_operator_calculate(const detent_operator *op, void *workspace, uint64_t workspace_bytes,
                                                 void *output, const void *const *inputs, void *stream);

/** Into how many parts to divide *op for `workers`: 1 up to DETENT_OPERATOR_SERIAL_ELEMENTS elements, else at most
 *  `workers` and at most what detent_operator_part can fill. The caller decides; any number gives the same bytes. */
uint32_t detent_operator_parts(const detent_operator *op, uint32_t workers);

/** Part `index` of `count`: an operator over elements that no other part has, together all of them. It is calculated
 *  with the addresses of the whole plus offsets[] elements (output, then inputs). Parts may be calculated at once. Some
 * are empty where there are more parts than fit. */
detent_operator_status detent_operator_part(const detent_operator *op, uint32_t count, uint32_t index,
                                            detent_operator *part, int64_t offsets[1 + DETENT_OPERATOR_MAX_INPUTS]);

/** Mark *op as gone: every other call answers BAD_PARAM. There is nothing to free. */
detent_operator_status detent_operator_destroy(detent_operator *op);

/** "silu" and so on; null for another number. */
const char *detent_elementwise_name(int32_t elementwise);
/** How many inputs, and how many parameters it takes; 0 for another number. */
uint32_t detent_elementwise_inputs(int32_t elementwise);
uint32_t detent_elementwise_params(int32_t elementwise);
/** "SUCCESS" and so on; "?" for another number. Never null. */
const char *detent_operator_status_name(detent_operator_status status);

#ifdef __cplusplus
}
#endif
#endif
