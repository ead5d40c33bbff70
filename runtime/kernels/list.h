/* The list of the built-in kernels.
 *
 * A kernel's name, its arithmetic (compiled once per instruction set, runtime/kernels/isa/) and its check are listed
 * here and nowhere else. A directory of `detent emit c` has a list of its own: the kernels that its network uses. */
#ifndef DETENT_RUNTIME_OPS_LIST_H_
#define DETENT_RUNTIME_OPS_LIST_H_

/* clang-format off */
/** Kernels whose code does not depend on the instruction set. */
#define DETENT_PLAIN_KERNEL_LIST(X) \
  X(mix)                            \
  X(delay)                          \
  X(copy_blocks) \
  X(copy_f32) \
  X(decide_f32) \
  X(transpose_f32)

/** Kernels compiled once per instruction set, with equal bits from each. */
#define DETENT_VECTOR_KERNEL_LIST(X) \
  X(conv2d_f32) \
  X(conv2d_winograd_f32) \
  X(max_pool_f32) \
  X(avg_pool_f32) \
  X(upsample_nearest_f32) \
  X(global_avg_pool_f32) \
  X(unary_f32) \
  X(binary_f32) \
  X(elementwise) \
  X(softmax_f32) \
  X(gemm_f32) \
  X(reorder_f32) \
  X(quantize_f32_i8) \
  X(dequantize_i8_f32) \
  X(add_i8) \
  X(max_pool_i8) \
  X(upsample_nearest_i8) \
  X(global_avg_pool_i8)

/** The same, and compiled once more where AVX-512 comes with VNNI, which adds products of bytes. */
#define DETENT_PRODUCT_I8_KERNEL_LIST(X) \
  X(conv2d_i8) \
  X(gemm_i8)
/* clang-format on */

#endif
