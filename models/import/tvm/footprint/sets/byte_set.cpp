// Interval arithmetic on sorted, disjoint, non-adjacent intervals.
#include "models/import/tvm/footprint/sets/byte_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace detent::models::tvm {
namespace {

bool by_begin(const ByteInterval& a, const ByteInterval& b) { return a.begin < b.begin; }

/// Sorted intervals with those that touch or overlap made one.
std::vector<ByteInterval> joined(std::vector<ByteInterval> sorted) {
  std::size_t used = 0;
  for (const ByteInterval next : sorted) {
    if (next.begin >= next.end) continue;
    if (used > 0 && next.begin <= sorted[used - 1].end) {
      sorted[used - 1].end = std::max(sorted[used - 1].end, next.end);
    } else {
      sorted[used++] = next;
    }
  }
  sorted.resize(used);
  return sorted;
}

}  // namespace

ByteSet::ByteSet(ByteInterval one) {
  if (one.begin < one.end) intervals_.push_back(one);
}

ByteSet ByteSet::of(std::vector<ByteInterval> intervals) {
  if (!std::is_sorted(intervals.begin(), intervals.end(), by_begin)) {
    std::sort(intervals.begin(), intervals.end(), by_begin);
  }
  ByteSet result;
  result.intervals_ = joined(std::move(intervals));
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
  std::vector<ByteInterval> all;
  all.reserve(intervals_.size() + other.intervals_.size());
  std::merge(intervals_.begin(), intervals_.end(), other.intervals_.begin(), other.intervals_.end(),
             std::back_inserter(all), by_begin);
  intervals_ = joined(std::move(all));
}

}  // namespace detent::models::tvm
