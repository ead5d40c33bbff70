/* C16 tensors as addresses: where a channel block starts, and the channels that only pad it. */
#ifndef DETENT_RUNTIME_OPS_ISA_C16_H_
#define DETENT_RUNTIME_OPS_ISA_C16_H_

#include <detent/kernel.h>

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

DETENT_INLINE int32_t ceil_div(int32_t a, int32_t b) { return (a - 1) / b + 1; }

DETENT_INLINE const float *floats(const detent_buffer &buffer) { return static_cast<const float *>(buffer.data); }
DETENT_INLINE float *mutable_floats(const detent_buffer &buffer) { return static_cast<float *>(buffer.data); }

/** Elements from one channel block to the next: the view's stride, or of a dense tensor H * W * 16. */
template <typename Element = float>
DETENT_INLINE ptrdiff_t channel_block_stride(const detent_tensor &t) {
  if (t.block_count > 1) return static_cast<ptrdiff_t>(t.stride_bytes / sizeof(Element));
  return ptrdiff_t{t.dims[2]} * t.dims[3] * kBlock;
}

/** Channels of block `block` that are no padding. */
DETENT_INLINE int channels_in_block(int32_t channels, int32_t block) {
  const int32_t left = channels - block * kBlock;
  return left < kBlock ? left : kBlock;
}

/** Channels that pad the last block of a C16 tensor become 0. */
template <typename Element>
void clear_padding(const detent_buffer &y) {
  const detent_tensor &t = *y.tensor;
  if (t.layout != DETENT_LAYOUT_C16 || t.dims[1] % kBlock == 0) return;
  const int32_t last = ceil_div(t.dims[1], kBlock) - 1;
  Element *block = static_cast<Element *>(y.data) + last * channel_block_stride<Element>(t);
  const ptrdiff_t pixels = ptrdiff_t{t.dims[2]} * t.dims[3];
  for (ptrdiff_t p = 0; p < pixels; ++p, block += kBlock) {
    for (int c = t.dims[1] % kBlock; c < kBlock; ++c) block[c] = 0;
  }
}

}  // namespace
DETENT_ISA_END

#endif
