// Rows: many lists of different lengths, behind one another in one array.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/assert.hpp"

namespace detent {

template <typename T>
class Rows {
 public:
  Rows() = default;

  /// @param each  calls its argument with a row below `row_count` and an entry for it, for all entries; called twice,
  ///              and must say the same both times. Entries of one row keep the order in which they come.
  template <typename Each>
  Rows(std::size_t row_count, const Each& each) : first_(row_count + 1, 0) {
    std::size_t count = 0;
    each([&](std::size_t row, const T&) {
      ++first_[row + 1];
      ++count;
    });
    DETENT_ASSERT(count <= UINT32_MAX);
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    entries_.resize(count);
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    each([&](std::size_t row, const T& entry) { entries_[next[row]++] = entry; });
  }

  [[nodiscard]] std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }
  [[nodiscard]] std::span<const T> operator[](std::size_t row) const {
    return {entries_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  [[nodiscard]] std::span<T> operator[](std::size_t row) {
    return {entries_.data() + first_[row], first_[row + 1] - first_[row]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<T> entries_;
};

}  // namespace detent
