// ByteRanges: one pass over two sorted lists for each operation.
#include "base/byte_ranges.hpp"

#include <algorithm>
#include <cstring>

namespace detent {

ByteRanges make_ranges(std::vector<ByteRange> any) {
  std::ranges::sort(any, {}, &ByteRange::begin);
  ByteRanges result;
  for (const ByteRange& range : any) {
    if (range.begin >= range.end) continue;
    if (!result.empty() && range.begin <= result.back().end) {
      result.back().end = std::max(result.back().end, range.end);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

ByteRanges difference(const ByteRanges& a, const ByteRanges& b) {
  ByteRanges result;
  std::size_t next = 0;
  for (const ByteRange& range : a) {
    std::uint64_t at = range.begin;
    while (next < b.size() && b[next].end <= at) ++next;
    for (std::size_t i = next; i < b.size() && b[i].begin < range.end; ++i) {
      if (at < b[i].begin) result.push_back({at, b[i].begin});
      at = std::max(at, b[i].end);
    }
    if (at < range.end) result.push_back({at, range.end});
  }
  return result;
}

ByteRanges intersection(const ByteRanges& a, const ByteRanges& b) {
  ByteRanges result;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const ByteRange common{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (common.begin < common.end) result.push_back(common);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return result;
}

ByteRanges unite(const ByteRanges& a, const ByteRanges& b) {
  ByteRanges all = a;
  all.insert(all.end(), b.begin(), b.end());
  return make_ranges(std::move(all));
}

ByteRanges changed_bytes(const ByteRanges& compared, const std::uint8_t* before, const std::uint8_t* after) {
  constexpr std::uint64_t kStep = 4096;
  ByteRanges changed;
  for (const ByteRange& range : compared) {
    for (std::uint64_t step = range.begin; step < range.end; step += kStep) {
      const std::uint64_t end = std::min(step + kStep, range.end);
      if (std::memcmp(before + step, after + step, end - step) == 0) continue;
      for (std::uint64_t i = step; i < end; ++i) {
        if (before[i] == after[i]) continue;
        if (!changed.empty() && changed.back().end == i) {
          ++changed.back().end;
        } else {
          changed.push_back({i, i + 1});
        }
      }
    }
  }
  return changed;
}

std::uint64_t byte_count(const ByteRanges& ranges) {
  std::uint64_t count = 0;
  for (const ByteRange& range : ranges) count += range.end - range.begin;
  return count;
}

void append_blocks(const detent_tensor& tensor, std::uint64_t base, std::vector<ByteRange>& to) {
  const std::uint64_t first = base + tensor.offset_bytes;
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    const std::uint64_t begin = first + block * tensor.stride_bytes;
    to.push_back({begin, begin + tensor.block_bytes});
  }
}

}  // namespace detent
