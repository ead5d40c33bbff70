// The table of every portable kernel.
#include "runtime/backend.h"
#include "runtime/ops/kernels.h"

namespace {

#define DETENT_TABLE_ENTRY(name) {#name, detent::ops::run_##name, detent::ops::check_##name},
constexpr detent_kernel kKernels[] = {DETENT_PLAIN_KERNEL_LIST(DETENT_TABLE_ENTRY)};
#undef DETENT_TABLE_ENTRY
constexpr detent_kernel_table kTable = {kKernels, sizeof kKernels / sizeof kKernels[0]};

}  // namespace

const detent_kernel_table *detent_builtin_kernels(void) { return &kTable; }
