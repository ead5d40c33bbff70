// Exact intersection of strided byte sets.
#include "verify/graph/byte_set.hpp"

#include <algorithm>
#include <numeric>

namespace detent::verify {
namespace {

/// First block of `set` that ends after `position`; set.count when there is none.
std::uint64_t first_block_ending_after(const ByteSet& set, std::uint64_t position) {
  if (position < set.begin + set.block_bytes) return 0;
  if (set.dense()) return 1;
  return std::min(set.count, (position - set.begin - set.block_bytes) / set.stride_bytes + 1);
}

std::optional<ByteRange> first_shared_with_block(const ByteRange& block, const ByteSet& set) {
  const std::uint64_t index = first_block_ending_after(set, block.begin);
  if (index >= set.count) return std::nullopt;
  const std::uint64_t begin = set.begin + index * set.stride_bytes;
  if (begin >= block.end) return std::nullopt;
  return ByteRange{std::max(begin, block.begin), std::min(begin + set.block_bytes, block.end)};
}

}  // namespace

ByteSet bytes_of(const detent_tensor& tensor) {
  if (tensor.block_count == 1 || tensor.stride_bytes == tensor.block_bytes) {
    return {tensor.offset_bytes, tensor.size_bytes, 0, 1};
  }
  return {tensor.offset_bytes, tensor.block_bytes, tensor.stride_bytes, tensor.block_count};
}

bool has_sound_bytes(const detent_tensor& tensor) {
  if (tensor.block_count == 0 || tensor.size_bytes == 0 || tensor.block_bytes == 0) return false;
  if (tensor.offset_bytes > DETENT_MAX_BYTES || tensor.size_bytes > DETENT_MAX_BYTES) return false;
  if (tensor.block_count == 1) return tensor.block_bytes == tensor.size_bytes;
  if (tensor.stride_bytes < tensor.block_bytes || tensor.stride_bytes > DETENT_MAX_BYTES) return false;
  if (tensor.size_bytes < tensor.block_bytes) return false;
  const std::uint64_t steps = tensor.size_bytes - tensor.block_bytes;
  return steps % tensor.stride_bytes == 0 && steps / tensor.stride_bytes == tensor.block_count - 1;
}

std::optional<ByteRange> first_shared_bytes(const ByteSet& a, const ByteSet& b) {
  if (a.end() <= b.begin || b.end() <= a.begin) return std::nullopt;
  if (a.count > b.count) return first_shared_bytes(b, a);
  const std::uint64_t first = first_block_ending_after(a, b.begin);
  // Seen from the blocks of a, b looks the same again after lcm(strides) bytes: that many blocks of a decide it.
  // One more on each side covers the blocks that b's first and last ones cut.
  std::uint64_t last = a.count;
  if (!a.dense() && !b.dense()) {
    const std::uint64_t period = b.stride_bytes / std::gcd(a.stride_bytes, b.stride_bytes);
    last = std::min(last, first + period + 2);
  }
  for (std::uint64_t i = first; i < last; ++i) {
    const std::uint64_t begin = a.begin + i * a.stride_bytes;
    if (begin >= b.end()) break;
    if (const auto shared = first_shared_with_block({begin, begin + a.block_bytes}, b)) return shared;
  }
  return std::nullopt;
}

}  // namespace detent::verify
