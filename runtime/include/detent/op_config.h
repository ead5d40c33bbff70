/* Exec configs of the portable kernels: the bytes behind detent_op.config_offset, one struct per kernel family.
 * models/ writes them, runtime/kernels/ reads them. Plain data, little words, no pointers.
 *
 * config_size is the size of the struct; another size, a field outside its range, or tensors whose number, dtype,
 * layout or dims do not fit make detent_init return SHAPE. Sizes, strides and dilations count elements, at least 1, of
 * convolutions and pools at most 2^30; `reserved` is 0.
 *
 * Tensors are F32, those of the int8 kernels as said there. A C16 tensor is dense or has one block per 16 channels. A
 * PLAIN one may have blocks of whole rows (softmax, gemm's a and y, reorder), of one row (gemm's b, which may so be
 * columns of a wider matrix), of whole trailing axes (transpose), or any (copy, unary, binary); elsewhere it is dense.
 * "Band": a tensor with the rows [row_begin, row_end) of the whole output alone. */
#ifndef DETENT_RUNTIME_OPS_CONFIG_H_
#define DETENT_RUNTIME_OPS_CONFIG_H_

#include <stdint.h>

#include <detent/compiler.h>

/** act(x), applied to each element of a result: x, max(x, 0), min(max(x, 0), 6), x / (1 + e^-x), 1 / (1 + e^-x). Of the
 *  latter two, results below the least normal number are 0 for x below -87, so that no op is given denormal numbers by
 *  saturation: some processors take a hundred times as long for each, and its time would depend on the data. */
typedef DETENT_ENUM(detent_activation){DETENT_ACT_NONE = 0, DETENT_ACT_RELU = 1, DETENT_ACT_RELU6 = 2,
                                       DETENT_ACT_SILU = 3, DETENT_ACT_SIGMOID = 4} detent_activation;

/** "conv2d_f32": inputs {x [1,C,H,W]} or {x, residual}; weights {w, bias}; outputs {y}.
 *  x: layout C16, or PLAIN (then in_channels is small, e.g. an image). y and residual: C16.
 *  y = act(conv(x, w) + bias), then + residual when there is a second input.
 *  A row band computes output rows [row_begin, row_end) of the full output: y is then a view of that band with
 *  dims [1, out_channels, row_end-row_begin, out_w]; x is the whole input; residual is a band like y.
 *  Weights are packed by models/: groups == 1: [ceil(OC/16)][ceil(IC/ib)][KH][KW][ib][16] with ib = 16 for a C16
 *  input and ib = in_channels for a PLAIN input, zero in the padding. bias: [ceil(OC/16)*16].
 *  groups == in_channels == out_channels (depthwise): [ceil(C/16)][KH][KW][16].
 *  Other groups: dense block-diagonal packing as groups == 1 with zeros elsewhere. */
typedef struct detent_conv2d_config {
  int32_t in_channels, in_h, in_w;
  /** Of the whole output. */
  int32_t out_channels, out_h, out_w;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  /** From 0 to below the extent of the dilated kernel; bottom and right follow from the sizes. */
  int32_t pad_top, pad_left;
  /** Divides in_channels and out_channels. */
  int32_t groups;
  /** detent_activation */
  int32_t activation;
  /** Rows of the output: 0 and out_h, or a band. */
  int32_t row_begin, row_end;
  /** 0 or 1: there is a second input. */
  int32_t has_residual;
  int32_t reserved;
} detent_conv2d_config;

/** Floats of scratch that "conv2d_winograd_f32" keeps products in. */
#define DETENT_WINOGRAD_PRODUCTS 16128
/** Rows and columns of a tile that it computes at once. */
#define DETENT_WINOGRAD_TILE 4

/** "conv2d_winograd_f32": conv2d_f32 of a C16 input with groups 1, kernel 3x3, strides and dilations 1, in a quarter of
 *  the multiplications, by F(4x4, 3x3) (Lavin and Gray 2016). Inputs, outputs, bias and config (detent_conv2d_config)
 *  as there; row_begin is a multiple of 4. Weights {u, bias}: u = G g G^T of each 3x3 filter g, packed
 *  [ceil(OC/16)][36][ceil(IC/16)][16 of IC][16 of OC], zero in the padding, with
 *  G = {{1/4, 0, 0}, {-1/6, -1/6, -1/6}, {-1/6, 1/6, -1/6}, {1/24, 1/12, 1/6}, {1/24, -1/12, 1/6}, {0, 0, 1}}.
 *  Scratch {F32 PLAIN, dense}: DETENT_WINOGRAD_PRODUCTS floats, and behind them 576 * ceil(IC/16) for
 *  each tile of 4x4 pixels that is transformed at a time, at least one; how many there are changes no bit. */

/** "max_pool_f32", "avg_pool_f32" (padding is not counted): inputs {x C16}, outputs {y C16 or band}.
 *  "upsample_nearest_f32": kernel = stride = scale factor. in_* are the input's sizes, out_* the whole output's. */
typedef struct detent_pool_config {
  int32_t channels;
  int32_t in_h, in_w;
  int32_t out_h, out_w;
  /** Of the window; pools: at most 2^15. */
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  /** From 0 to below the window, so that each window holds an element of the input; upsampling: 0. */
  int32_t pad_top, pad_left;
  /** Rows of the output: 0 and out_h, or a band. */
  int32_t row_begin, row_end;
  int32_t reserved;
} detent_pool_config;

/** a + b, a - b, a * b. */
typedef DETENT_ENUM(detent_binary){DETENT_BINARY_ADD = 0, DETENT_BINARY_SUB = 1, DETENT_BINARY_MUL = 2} detent_binary;

/** "binary_f32": inputs {a, b} or inputs {a} with weights {b}; outputs {y}. Element-wise over equal shapes and
 *  layouts, or b with one element. y = act(a op b). Blocks (strided views) are honoured on all three.
 *  "copy_f32", "unary_f32" (y = act(a)): inputs {a}, outputs {y}, any equal shapes.  */
typedef struct detent_elementwise_config {
  /** Of y: as dims say, or as stored with the padding of C16. */
  uint64_t elements;
  /** detent_binary; unused by unary and copy. */
  int32_t op;
  /** detent_activation; NONE for copy. */
  int32_t activation;
} detent_elementwise_config;

/** "softmax_f32": inputs {x PLAIN [rows, columns]}, outputs {y}: along columns. Results below the least normal number
 * are 0, as of detent_activation. */
typedef struct detent_softmax_config {
  int32_t rows, columns;
} detent_softmax_config;

/** Which number of a tensor "decide_f32" compares. */
typedef DETENT_ENUM(detent_decide_by){/** The largest element. */
                                      DETENT_DECIDE_BY_MAX = 0,
                                      /** The largest distance of an element from 0. */
                                      DETENT_DECIDE_BY_MAX_ABS = 1} detent_decide_by;

/** "decide_f32": inputs {x F32, any shape}, outputs {y, a BOOL of one element}: 1 where that number of x is above the
 *  threshold, else 0; elements that are no numbers are above nothing. The condition of an IF or a WHILE. */
typedef struct detent_decide_config {
  /** Not NaN. */
  float threshold;
  /** detent_decide_by */
  int32_t by;
} detent_decide_config;

/** "gemm_f32": inputs {a PLAIN [m,k]} or {a, b PLAIN [k,n]}; weights {b [k,n], bias [n]} or {b} or {};
 *  outputs {y [m,n]}: y = act(a*b + bias). Rows [row_begin,row_end) of y for a band. */
typedef struct detent_gemm_config {
  int32_t m, n, k;
  /** 0 or 1: the second weight. */
  int32_t has_bias;
  /** detent_activation */
  int32_t activation;
  /** Rows of y: 0 and m, or a band. */
  int32_t row_begin, row_end;
  int32_t reserved;
} detent_gemm_config;

/** "transpose_f32": inputs {x PLAIN}, outputs {y PLAIN}: y.dims[i] = x.dims[axes[i]]. rank <= 6. */
typedef struct detent_transpose_config {
  /** From 1 to 6. */
  int32_t rank;
  /** Of x, the first `rank` of them. */
  int32_t dims[6];
  /** A permutation of 0 to rank - 1. */
  int32_t axes[6];
  int32_t reserved;
} detent_transpose_config;

/** "reorder_f32": layout change of [1,C,H,W]: C16 to PLAIN or PLAIN to C16 (padding channels become 0), with an
 *  activation on the way. y may be a strided view. "global_avg_pool_f32": x C16 [1,C,H,W] to y PLAIN [1,C]. */
typedef struct detent_reorder_config {
  int32_t channels, h, w;
  /** 1: C16 to PLAIN; 0: PLAIN to C16. */
  int32_t to_plain;
  /** detent_activation; NONE for the pool. */
  int32_t activation;
  int32_t reserved;
} detent_reorder_config;

/** "copy_blocks": inputs {x}, outputs {y} of any dtype, equal in dtype, layout and dims, of any blocks; no config. What
 * brings bytes from one memory into another. */

/* The int8 kernels are defined by integers alone: every order of work and every processor gives the same bits.
 *
 * An I8 element q, any of -128 to 127, stands for q * scale, with 0 for 0. Scales stand in no tensor and no config: who
 * builds the network turns their quotients into multipliers. Padding channels of C16 tensors hold 0.
 *
 * round(p / 2^s): the nearest integer to the exact quotient, the even one of two that are equally near.
 * A sum is an I32, computed modulo 2^32. As a product of two elements is at most 2^14 by magnitude, a sum of up to
 * 2^16 products with a bias below 2^30 by magnitude cannot wrap.
 * A multiplier is any I32; its product with a sum is exact, in 64 bits. */

/** From a sum to an I8 element. With r = round(sum * multiplier / 2^shift), where the multiplier is the output
 *  channel's, and t = min(max(r, low), high): the element is t, or table[t + 128] where there is a table, the last
 *  weight, I8 [256]. RELU is low = 0; RELU6 also has the high of 6; other activations are tables. */
typedef struct detent_requantisation {
  /** From 1 to 62. */
  int32_t shift;
  /** -128 <= low <= high <= 127. */
  int32_t low, high;
  /** 0 or 1: there is a table. */
  int32_t has_table;
} detent_requantisation;

/** "conv2d_i8": inputs {x I8}; weights {w I8, bias I32, multiplier I32} or {.., table}; outputs {y I8}. Shapes,
 * layouts, bands and packing of x, w and y as for conv2d_f32; bias and multiplier are [ceil(OC/16)*16]. The sum starts
 * from the bias; pixels outside x count 0. */
typedef struct detent_conv2d_i8_config {
  /** activation NONE, has_residual 0. */
  detent_conv2d_config conv;
  detent_requantisation result;
} detent_conv2d_i8_config;

/** "gemm_i8": inputs {a I8 PLAIN [m,k]}; weights {b I8 [k,n], bias I32 [n], multiplier I32 [n]} or {.., table}; outputs
 *  {y I8 PLAIN [m,n]}. The sum starts from the bias; the output channel is the column. */
typedef struct detent_gemm_i8_config {
  /** activation NONE, has_bias 1. */
  detent_gemm_config gemm;
  detent_requantisation result;
} detent_gemm_i8_config;

/** "add_i8": inputs {a I8, b I8}, outputs {y I8}, element-wise over equal shapes and layouts, any blocks:
 *  y = min(max(round((a * a_multiplier + b * b_multiplier) / 2^shift), low), high). */
typedef struct detent_add_i8_config {
  /** Of y: as dims say, or as stored with the padding of C16. */
  uint64_t elements;
  /** At most 2^22 by magnitude. */
  int32_t a_multiplier, b_multiplier;
  /** From 1 to 30. */
  int32_t shift;
  /** -128 <= low <= high <= 127. */
  int32_t low, high;
  int32_t reserved;
} detent_add_i8_config;

/** "quantize_f32_i8": inputs {x F32}, outputs {y I8}, element-wise over equal shapes and layouts, any blocks. With
 *  p = x * factor, rounded to a float: y = round(p), held to -128 and 127, infinities too; 0 where p is no number.
 *  "dequantize_i8_f32": inputs {x I8}, outputs {y F32}: y = x * factor, rounded to a float. */
typedef struct detent_quantize_config {
  /** Of y: as dims say, or as stored with the padding of C16. */
  uint64_t elements;
  /** Finite and above 0. */
  float factor;
  int32_t reserved;
} detent_quantize_config;

/** "max_pool_i8", "upsample_nearest_i8": inputs {x C16 I8}, outputs {y C16 I8 or band}, detent_pool_config: as
 *  max_pool_f32 and upsample_nearest_f32.
 *  "global_avg_pool_i8": inputs {x C16 I8 [1,C,H,W]}, outputs {y PLAIN I8 [1,C]}: y = round(sum * multiplier / 2^shift)
 *  of a channel's pixels, held to -128 and 127. */
typedef struct detent_global_avg_pool_i8_config {
  /** activation NONE; at most 2^24 pixels, so that no sum wraps. */
  detent_reorder_config pool;
  int32_t multiplier;
  /** From 1 to 62. */
  int32_t shift;
} detent_global_avg_pool_i8_config;

/** "mix": the kernel of op graphs. Hashes the bytes of all inputs and weights (whatever dtype or blocks) with the op id
 *  and `seed`, and writes the stream to all outputs. No shape rules; without a config the seed is 0.
 *  "delay": nothing to compute, no tensors. */
typedef struct detent_mix_config {
  uint64_t seed;
} detent_mix_config;

#endif
