/* Kernels: the list of every built-in kernel, and the bind-time checks they share over all instruction sets.
 *
 * A kernel's name, its arithmetic (compiled once per instruction set, runtime/kernels/isa/) and its check are listed
 * here and nowhere else. */
#ifndef DETENT_RUNTIME_OPS_KERNELS_H_
#define DETENT_RUNTIME_OPS_KERNELS_H_

#include <detent/backend.h>
#include <detent/kernel.h>

/* clang-format off */
/** Kernels whose code does not depend on the instruction set. */
#define DETENT_PLAIN_KERNEL_LIST(X) \
  X(mix)                            \
  X(delay)                          \
  X(copy_f32) \
  X(transpose_f32)

/** Kernels compiled once per instruction set, with equal bits from each. */
#define DETENT_VECTOR_KERNEL_LIST(X) \
  X(conv2d_f32) \
  X(max_pool_f32) \
  X(avg_pool_f32) \
  X(upsample_nearest_f32) \
  X(global_avg_pool_f32) \
  X(unary_f32) \
  X(binary_f32) \
  X(softmax_f32) \
  X(gemm_f32) \
  X(reorder_f32)
/* clang-format on */

namespace detent::ops {

#define DETENT_DECLARE_CHECK(name) detent_status check_##name(const detent_kernel_args *args);
#define DETENT_DECLARE_RUN(name) int32_t run_##name(const detent_kernel_args *args);
DETENT_PLAIN_KERNEL_LIST(DETENT_DECLARE_CHECK)
DETENT_PLAIN_KERNEL_LIST(DETENT_DECLARE_RUN)
DETENT_VECTOR_KERNEL_LIST(DETENT_DECLARE_CHECK)
#undef DETENT_DECLARE_CHECK
#undef DETENT_DECLARE_RUN

}  // namespace detent::ops

#endif
