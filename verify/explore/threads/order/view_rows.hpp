// ViewRows: rows of equal width that are joined, copied and appended; the storage of Views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace detent::verify::explore {

class ViewRows {
 public:
  /// @param fixed_count  rows that are always there   @param width  columns at first
  ViewRows(std::uint32_t fixed_count, std::uint32_t width);
  [[nodiscard]] std::uint32_t* row(std::uint32_t number) { return cells_.data() + std::size_t{number} * stride_; }
  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const {
    return cells_.data() + std::size_t{number} * stride_;
  }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  /// Zeros, in every row.
  void add_column() {
    if (width_ == stride_) widen();
    ++width_;
  }
  /// The greater one of each cell.
  void join(std::uint32_t into, std::uint32_t from);
  void assign(std::uint32_t into, std::uint32_t from);
  /// @return  the number of the new row
  std::uint32_t append_copy(std::uint32_t of);
  void drop_appended() { count_ = fixed_count_; }
  /// The first `count` rows.
  void clear(std::uint32_t count);

 private:
  void widen();

  std::uint32_t fixed_count_;
  std::uint32_t count_;
  std::uint32_t width_;
  std::uint32_t stride_ = 64;
  std::vector<std::uint32_t> cells_;  // more than there are rows
};

}  // namespace detent::verify::explore
