// Rows: many lists of different lengths, behind one another in one array.
#pragma once

#include <algorithm>
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

  /// Rows.
  [[nodiscard]] std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }
  /// Entries of all rows.
  [[nodiscard]] std::size_t entry_count() const { return entries_.size(); }
  [[nodiscard]] std::span<const T> operator[](std::size_t row) const {
    return {entries_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  [[nodiscard]] std::span<T> operator[](std::size_t row) {
    return {entries_.data() + first_[row], first_[row + 1] - first_[row]};
  }

  /// Sorts each row and leaves each entry in it once.
  void keep_each_once() {
    std::uint32_t kept = 0;
    for (std::size_t row = 0; row < size(); ++row) {
      const std::span<T> entries = (*this)[row];
      std::ranges::sort(entries);
      const auto end = std::ranges::unique(entries).begin();
      first_[row] = kept;
      for (auto entry = entries.begin(); entry != end; ++entry) entries_[kept++] = *entry;
    }
    if (!first_.empty()) first_.back() = kept;
    entries_.resize(kept);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<T> entries_;
};

}  // namespace detent
