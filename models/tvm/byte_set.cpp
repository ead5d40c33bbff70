// Interval arithmetic on sorted, disjoint, non-adjacent intervals.
#include "models/tvm/byte_set.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::tvm {

ByteSet::ByteSet(ByteInterval one) {
  if (one.begin < one.end) intervals_.push_back(one);
}

ByteSet ByteSet::of(std::vector<ByteInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const ByteInterval& a, const ByteInterval& b) { return a.begin < b.begin; });
  ByteSet result;
  for (const ByteInterval& next : intervals) {
    if (next.begin >= next.end) continue;
    if (!result.intervals_.empty() && next.begin <= result.intervals_.back().end) {
      result.intervals_.back().end = std::max(result.intervals_.back().end, next.end);
    } else {
      result.intervals_.push_back(next);
    }
  }
  return result;
}

std::uint64_t ByteSet::size_bytes() const {
  std::uint64_t sum = 0;
  for (const ByteInterval& one : intervals_) sum += static_cast<std::uint64_t>(one.end - one.begin);
  return sum;
}

ByteInterval ByteSet::hull() const {
  if (intervals_.empty()) return {};
  return {intervals_.front().begin, intervals_.back().end};
}

ByteSet ByteSet::shifted(std::int64_t by) const {
  ByteSet result = *this;
  for (ByteInterval& one : result.intervals_) {
    one.begin += by;
    one.end += by;
  }
  return result;
}

bool ByteSet::intersects(const ByteSet& other) const {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < intervals_.size() && j < other.intervals_.size()) {
    const ByteInterval& a = intervals_[i];
    const ByteInterval& b = other.intervals_[j];
    if (a.begin < b.end && b.begin < a.end) return true;
    if (a.end <= b.end) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

ByteSet ByteSet::intersection(const ByteSet& other) const {
  ByteSet result;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < intervals_.size() && j < other.intervals_.size()) {
    const ByteInterval& a = intervals_[i];
    const ByteInterval& b = other.intervals_[j];
    const ByteInterval both = {std::max(a.begin, b.begin), std::min(a.end, b.end)};
    if (both.begin < both.end) result.intervals_.push_back(both);
    if (a.end <= b.end) {
      ++i;
    } else {
      ++j;
    }
  }
  return result;
}

ByteSet ByteSet::difference(const ByteSet& other) const {
  ByteSet result;
  std::size_t j = 0;
  for (ByteInterval rest : intervals_) {
    while (j < other.intervals_.size() && other.intervals_[j].end <= rest.begin) ++j;
    for (std::size_t k = j; k < other.intervals_.size() && other.intervals_[k].begin < rest.end; ++k) {
      if (rest.begin < other.intervals_[k].begin) {
        result.intervals_.push_back({rest.begin, other.intervals_[k].begin});
      }
      rest.begin = std::max(rest.begin, other.intervals_[k].end);
    }
    if (rest.begin < rest.end) result.intervals_.push_back(rest);
  }
  return result;
}

void ByteSet::unite(const ByteSet& other) {
  if (other.intervals_.empty()) return;
  if (intervals_.empty() || intervals_.back().end < other.intervals_.front().begin) {
    intervals_.insert(intervals_.end(), other.intervals_.begin(), other.intervals_.end());
    return;
  }
  std::vector<ByteInterval> all = std::move(intervals_);
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  *this = of(std::move(all));
}

}  // namespace detent::models::tvm
