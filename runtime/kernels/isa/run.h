/* The kernels of one instruction set, declared. */
#ifndef DETENT_RUNTIME_OPS_ISA_RUN_H_
#define DETENT_RUNTIME_OPS_ISA_RUN_H_

#include "runtime/kernels/isa/vec.h"
#include "runtime/kernels/kernels.h"

DETENT_ISA_BEGIN

#define DETENT_DECLARE_RUN(name) int32_t run_##name(const detent_kernel_args *args);
DETENT_VECTOR_KERNEL_LIST(DETENT_DECLARE_RUN)
#undef DETENT_DECLARE_RUN

DETENT_ISA_END

#endif
