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
#if defined(DETENT_OPS_VNNI)
namespace v4_vnni {
extern const detent_kernel_table kTable;
}
#endif
namespace v4 {
extern const detent_kernel_table kTable;
}
namespace v3 {
extern const detent_kernel_table kTable;
}
#endif

namespace {

struct Entry {
  Variant variant;
  bool (*runs_here)();
};

#if defined(DETENT_HAS_VARIANTS)
bool has_v3() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#if defined(DETENT_OPS_VNNI)
bool has_v4_vnni() { return has_v4() && __builtin_cpu_supports("avx512vnni"); }
#endif
#endif

bool has_base() { return true; }

constexpr Entry kVariants[] = {
#if defined(DETENT_HAS_VARIANTS)
#if defined(DETENT_OPS_VNNI)
    {{"v4_vnni", &v4_vnni::kTable}, has_v4_vnni},
#endif
    {{"v4", &v4::kTable}, has_v4},
    {{"v3", &v3::kTable}, has_v3},
#endif
    {{"base", &base::kTable}, has_base}};
constexpr uint32_t kVariantCount = sizeof kVariants / sizeof kVariants[0];

}  // namespace

uint32_t variant_count() { return kVariantCount; }

Variant variant(uint32_t index) { return kVariants[index].variant; }

bool variant_runs_here(uint32_t index) { return index < kVariantCount && kVariants[index].runs_here(); }

}  // namespace detent::ops

const detent_kernel_table *detent_builtin_kernels(void) {
  uint32_t index = 0;
  while (index + 1 < detent::ops::variant_count() && !detent::ops::variant_runs_here(index)) ++index;
  return detent::ops::variant(index).table;
}
