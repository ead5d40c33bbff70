/* C16 tensors as addresses: where a channel block starts, in floats. */
#ifndef DETENT_RUNTIME_OPS_ISA_C16_H_
#define DETENT_RUNTIME_OPS_ISA_C16_H_

#include <detent/kernel.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

DETENT_INLINE int32_t ceil_div(int32_t a, int32_t b) { return (a - 1) / b + 1; }

DETENT_INLINE const float *floats(const detent_buffer &buffer) { return static_cast<const float *>(buffer.data); }
DETENT_INLINE float *mutable_floats(const detent_buffer &buffer) { return static_cast<float *>(buffer.data); }

/** Floats from one channel block to the next: the view's stride, or of a dense tensor H * W * 16. */
DETENT_INLINE ptrdiff_t channel_block_stride(const detent_tensor &t) {
  if (t.block_count > 1) return static_cast<ptrdiff_t>(t.stride_bytes / 4);
  return ptrdiff_t{t.dims[2]} * t.dims[3] * kBlock;
}

/** Channels of block `block` that are no padding. */
DETENT_INLINE int channels_in_block(int32_t channels, int32_t block) {
  const int32_t left = channels - block * kBlock;
  return left < kBlock ? left : kBlock;
}

}  // namespace
DETENT_ISA_END

#endif
