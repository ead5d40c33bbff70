/* Variants: the portable kernels as compiled for each instruction set, best first. Every variant computes the same
 * bits; tests and benchmarks compare them. */
#ifndef DETENT_RUNTIME_OPS_VARIANTS_H_
#define DETENT_RUNTIME_OPS_VARIANTS_H_

#include <stdint.h>

#include <detent/backend.h>

namespace detent::ops {

/** One instruction set. */
struct Variant {
  const char *name; /**< "v4_vnni" (AVX-512 with VNNI), "v4" (AVX-512), "v3" (AVX2 and FMA), "base" */
  const detent_kernel_table *table;
};

/** How many the library holds; the last one runs anywhere. */
uint32_t variant_count();
/** @param index  < variant_count() */
Variant variant(uint32_t index);
/** This processor (and its operating system) can execute the variant. */
bool variant_runs_here(uint32_t index);

}  // namespace detent::ops

#endif
