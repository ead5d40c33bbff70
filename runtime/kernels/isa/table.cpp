// The kernel table of one instruction set.
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

#define DETENT_PLAIN_ENTRY(name) {#name, detent::ops::run_##name, detent::ops::check_##name},
#define DETENT_VECTOR_ENTRY(name) {#name, DETENT_OPS_VECTOR_ISA::run_##name, detent::ops::check_##name},
#define DETENT_PRODUCT_ENTRY(name) {#name, run_##name, detent::ops::check_##name},
constexpr detent_kernel kKernels[] = {DETENT_PLAIN_KERNEL_LIST(DETENT_PLAIN_ENTRY) DETENT_VECTOR_KERNEL_LIST(
    DETENT_VECTOR_ENTRY) DETENT_PRODUCT_I8_KERNEL_LIST(DETENT_PRODUCT_ENTRY)};
#undef DETENT_PLAIN_ENTRY
#undef DETENT_VECTOR_ENTRY
#undef DETENT_PRODUCT_ENTRY

}  // namespace

extern const detent_kernel_table kTable;
const detent_kernel_table kTable = {kKernels, sizeof kKernels / sizeof kKernels[0]};

DETENT_ISA_END
