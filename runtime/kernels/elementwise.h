/* Elementwise: walking tensors block by block, and when two of them hold the same elements. */
#ifndef DETENT_RUNTIME_OPS_ELEMENTWISE_H_
#define DETENT_RUNTIME_OPS_ELEMENTWISE_H_

#include <stdint.h>

#include <detent/kernel.h>

namespace detent::ops {

/** Of their dtypes, with one layout: C16 with equal dims, PLAIN with equal element counts (a copy may reshape). */
bool same_elements(const detent_tensor &a, const detent_tensor &b, detent_dtype a_dtype = DETENT_F32,
                   detent_dtype b_dtype = DETENT_F32);

/** `elements` is the tensor's count, logical or as stored. */
bool counts_elements(const detent_tensor &tensor, uint64_t elements);

namespace {  // internal linkage: compiled once per instruction set, never shared between them

/** A position in the bytes of a tensor's blocks, in order. */
class BlockCursor {
 public:
  explicit BlockCursor(const detent_buffer &buffer)
      : at_(static_cast<uint8_t *>(buffer.data)),
        left_(buffer.tensor->block_bytes),
        block_bytes_(buffer.tensor->block_bytes),
        gap_bytes_(buffer.tensor->block_count > 1 ? buffer.tensor->stride_bytes - block_bytes_ : 0),
        blocks_left_(buffer.tensor->block_count - 1) {}

  [[nodiscard]] bool done() const { return left_ == 0; }
  [[nodiscard]] uint64_t left() const { return left_; } /**< bytes up to the end of the block */
  [[nodiscard]] uint8_t *at() const { return at_; }

  /** @param bytes  <= left() */
  void advance(uint64_t bytes) {
    at_ += bytes;
    left_ -= bytes;
    if (left_ == 0 && blocks_left_ > 0) {
      at_ += gap_bytes_;
      left_ = block_bytes_;
      --blocks_left_;
    }
  }

 private:
  uint8_t *at_;
  uint64_t left_;
  uint64_t block_bytes_;
  uint64_t gap_bytes_;
  uint32_t blocks_left_;
};

}  // namespace

}  // namespace detent::ops

#endif
