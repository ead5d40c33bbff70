/* Partial vectors: the tail of a row, with the same arithmetic as whole vectors. */
#ifndef DETENT_RUNTIME_OPS_ISA_PARTIAL_H_
#define DETENT_RUNTIME_OPS_ISA_PARTIAL_H_

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

/** The first `count` floats at p, `fill` in the other lanes. Reads nothing beyond them. */
DETENT_INLINE Vec load_partial(const float *p, uint64_t count, float fill) {
#if defined(DETENT_OPS_LANE_MASK)
  return load_masked(p, count, splat(fill));
#else
  alignas(64) float lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = static_cast<uint64_t>(i) < count ? p[i] : fill;
  return load(lanes);
#endif
}

/** Writes the first `count` lanes. */
DETENT_INLINE void store_partial(float *p, uint64_t count, Vec v) {
#if defined(DETENT_OPS_LANE_MASK)
  store_masked(p, count, v);
#else
  alignas(64) float lanes[kLanes];
  store(lanes, v);
  for (int i = 0; i < kLanes; ++i) {
    if (static_cast<uint64_t>(i) < count) p[i] = lanes[i];
  }
#endif
}

}  // namespace
DETENT_ISA_END

#endif
