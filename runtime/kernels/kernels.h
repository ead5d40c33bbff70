/* Kernels: the function and the bind-time check of each built-in kernel, declared. */
#ifndef DETENT_RUNTIME_OPS_KERNELS_H_
#define DETENT_RUNTIME_OPS_KERNELS_H_

#include <detent/backend.h>
#include <detent/kernel.h>

#include "runtime/kernels/list.h"

namespace detent::ops {

#define DETENT_DECLARE_CHECK(name) detent_status check_##name(const detent_kernel_args *args);
#define DETENT_DECLARE_RUN(name) int32_t run_##name(const detent_kernel_args *args);
DETENT_PLAIN_KERNEL_LIST(DETENT_DECLARE_CHECK)
DETENT_PLAIN_KERNEL_LIST(DETENT_DECLARE_RUN)
DETENT_VECTOR_KERNEL_LIST(DETENT_DECLARE_CHECK)
DETENT_PRODUCT_I8_KERNEL_LIST(DETENT_DECLARE_CHECK)
#undef DETENT_DECLARE_CHECK
#undef DETENT_DECLARE_RUN

}  // namespace detent::ops

#endif
