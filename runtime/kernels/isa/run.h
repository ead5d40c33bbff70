/* The kernels of one instruction set, declared. */
#ifndef DETENT_RUNTIME_OPS_ISA_RUN_H_
#define DETENT_RUNTIME_OPS_ISA_RUN_H_

#include "runtime/kernels/isa/vec.h"
#include "runtime/kernels/kernels.h"

/* The instruction set whose kernels the table takes, but for those that multiply bytes. */
#if !defined(DETENT_OPS_VECTOR_ISA)
#define DETENT_OPS_VECTOR_ISA DETENT_OPS_ISA
#endif

#define DETENT_DECLARE_RUN(name) int32_t run_##name(const detent_kernel_args *args);
namespace detent::ops::DETENT_OPS_VECTOR_ISA {
DETENT_VECTOR_KERNEL_LIST(DETENT_DECLARE_RUN)
}
DETENT_ISA_BEGIN
DETENT_PRODUCT_I8_KERNEL_LIST(DETENT_DECLARE_RUN)
DETENT_ISA_END
#undef DETENT_DECLARE_RUN

#endif
