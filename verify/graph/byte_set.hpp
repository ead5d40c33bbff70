// ByteSet: the bytes of one tensor as evenly spaced blocks; exact intersection of two such sets.
#pragma once

#include <cstdint>
#include <optional>

#include <detent/desc.h>

#include "base/byte_ranges.hpp"

namespace detent::verify {

/// `count` blocks of `block_bytes` bytes, `stride_bytes` apart, the first at `begin`. A dense set has one block.
struct ByteSet {
  std::uint64_t begin = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t stride_bytes = 0;
  std::uint64_t count = 1;

  [[nodiscard]] std::uint64_t end() const { return begin + (count - 1) * stride_bytes + block_bytes; }
  [[nodiscard]] bool dense() const { return count == 1; }
};

/// Bytes of a tensor within its region. Blocks that touch become one. Bytes are counted from the region's base.
ByteSet bytes_of(const detent_tensor& tensor);

/// True when the tables of `tensor` describe bytes that lie within the limits of runtime/include/detent/limits.h, so
/// that no sum above wraps.
bool has_sound_bytes(const detent_tensor& tensor);

/// The first run of bytes that one block of `a` and one block of `b` share; none when the sets are disjoint. Exact.
/// O(blocks of one period of the two strides).
std::optional<ByteRange> first_shared_bytes(const ByteSet& a, const ByteSet& b);

}  // namespace detent::verify
