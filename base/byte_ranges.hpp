// ByteRanges: sets of byte positions as sorted, disjoint intervals that do not touch.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

namespace detent {

/// Bytes [begin, end).
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const ByteRange&) const = default;
};
using ByteRanges = std::vector<ByteRange>;

/// Any intervals, in any order, overlapping or empty -> a set.
ByteRanges make_ranges(std::vector<ByteRange> any);
/// Bytes of `a` that are not in `b`. Both are sets.
ByteRanges difference(const ByteRanges& a, const ByteRanges& b);
ByteRanges intersection(const ByteRanges& a, const ByteRanges& b);
ByteRanges unite(const ByteRanges& a, const ByteRanges& b);
std::uint64_t byte_count(const ByteRanges& ranges);
/// The positions within `compared` at which two memories differ; both begin at position 0.
ByteRanges changed_bytes(const ByteRanges& compared, const std::uint8_t* before, const std::uint8_t* after);

/// Append the blocks of a tensor, moved by `base`. The result may need make_ranges.
void append_blocks(const detent_tensor& tensor, std::uint64_t base, std::vector<ByteRange>& to);

}  // namespace detent
