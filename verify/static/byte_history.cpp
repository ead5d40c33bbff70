// Segments of bytes that have one history.
#include "verify/static/byte_history.hpp"

#include <algorithm>
#include <iterator>

namespace detent::verify {

void ByteHistory::read(std::uint64_t begin, std::uint64_t end, std::uint32_t position,
                       std::vector<std::uint32_t>& before) {
  auto it = begin_at(begin);
  for (std::uint64_t at = begin; at < end; ++it) {
    if (it == segments_.end() || it->first > at) {
      const std::uint64_t until = it == segments_.end() ? end : std::min(end, it->first);
      it = segments_.insert(it, {at, Segment{until}});
    }
    Segment& segment = it->second;
    if (segment.end > end) split(it, end);
    if (segment.writer != DETENT_NONE) before.push_back(segment.writer);
    if (segment.readers.empty() || segment.readers.back() != position) segment.readers.push_back(position);
    at = segment.end;
  }
}

void ByteHistory::write(std::uint64_t begin, std::uint64_t end, std::uint32_t position,
                        std::vector<std::uint32_t>& before) {
  auto it = begin_at(begin);
  const auto first = it != segments_.end() && it->first == begin ? it : segments_.insert(it, {begin, Segment{begin}});
  for (; it != segments_.end() && it->first < end; it = it == first ? std::next(it) : segments_.erase(it)) {
    const Segment& segment = it->second;
    if (segment.end > end) split(it, end);
    before.insert(before.end(), segment.readers.begin(), segment.readers.end());
    if (segment.readers.empty() && segment.writer != DETENT_NONE) before.push_back(segment.writer);
  }
  first->second.end = end;
  first->second.writer = position;
  first->second.readers.clear();
}

bool ByteHistory::is_last_writer(std::uint64_t begin, std::uint64_t end, std::uint32_t writer) const {
  auto it = segments_.upper_bound(begin);
  if (it != segments_.begin() && std::prev(it)->second.end > begin) --it;
  for (; begin < end; ++it) {
    const bool is_gap = it == segments_.end() || it->first > begin;
    if (is_gap && writer != DETENT_NONE) return false;
    if (it == segments_.end() || it->first >= end) return true;
    if (it->second.writer != writer) return false;
    begin = it->second.end;
  }
  return true;
}

/// The first segment that ends behind `begin`; it does not begin before it.
ByteHistory::Segments::iterator ByteHistory::begin_at(std::uint64_t begin) {
  const auto it = segments_.upper_bound(begin);
  if (it == segments_.begin()) return it;
  const auto before = std::prev(it);
  if (before->second.end <= begin) return it;
  return before->first == begin ? before : split(before, begin);
}

/// Cuts a segment in two. @return  the second part
ByteHistory::Segments::iterator ByteHistory::split(Segments::iterator segment, std::uint64_t at) {
  const auto rest = segments_.insert(std::next(segment), {at, segment->second});
  segment->second.end = at;
  return rest;
}

}  // namespace detent::verify
