// Chooses among the instruction sets the library was compiled for.
#include "runtime/base/compiler.h"
#include "runtime/kernels/variants.h"

// Other compilers have one variant: what the processor can do is asked with builtins.
#if defined(DETENT_OPS_X86) && DETENT_COMPILER_GNU
#define DETENT_HAS_VARIANTS 1
#endif

namespace detent::ops {

namespace base {
extern const detent_kernel_table kTable;
}

#if defined(DETENT_HAS_VARIANTS)
namespace v4 {
extern const detent_kernel_table kTable;
}
namespace v3 {
extern const detent_kernel_table kTable;
}
#endif

namespace {

#if defined(DETENT_HAS_VARIANTS)
constexpr Variant kVariants[] = {{"v4", &v4::kTable}, {"v3", &v3::kTable}, {"base", &base::kTable}};
#else
constexpr Variant kVariants[] = {{"base", &base::kTable}};
#endif
constexpr uint32_t kVariantCount = sizeof kVariants / sizeof kVariants[0];

}  // namespace

uint32_t variant_count() { return kVariantCount; }

Variant variant(uint32_t index) { return kVariants[index]; }

bool variant_runs_here(uint32_t index) {
#if defined(DETENT_HAS_VARIANTS)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (index == 0)
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (index == 1) return v3;
#endif
  return index < kVariantCount;
}

}  // namespace detent::ops

const detent_kernel_table *detent_builtin_kernels(void) {
  uint32_t index = 0;
  while (index + 1 < detent::ops::variant_count() && !detent::ops::variant_runs_here(index)) ++index;
  return detent::ops::variant(index).table;
}
