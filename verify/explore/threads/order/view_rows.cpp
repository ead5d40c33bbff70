#include "verify/explore/threads/order/view_rows.hpp"

#include <algorithm>
#include <cstring>

namespace detent::verify::explore {

ViewRows::ViewRows(std::uint32_t fixed_count, std::uint32_t width)
    : fixed_count_(fixed_count), count_(fixed_count), width_(width) {
  cells_.resize(std::size_t{2} * fixed_count * stride_);
}

void ViewRows::join(std::uint32_t into, std::uint32_t from) {
  std::uint32_t* const target = row(into);
  const std::uint32_t* const source = row(from);
  for (std::uint32_t i = 0; i < width_; ++i) target[i] = std::max(target[i], source[i]);
}

void ViewRows::assign(std::uint32_t into, std::uint32_t from) {
  std::memcpy(row(into), row(from), width_ * sizeof cells_[0]);
}

std::uint32_t ViewRows::append_copy(std::uint32_t of) {
  const std::uint32_t number = count_++;
  if (std::size_t{count_} * stride_ > cells_.size()) [[unlikely]]
    cells_.resize(cells_.size() * 2);
  assign(number, of);
  return number;
}

void ViewRows::clear(std::uint32_t count) { std::fill_n(cells_.begin(), std::size_t{count} * stride_, 0); }

[[gnu::cold]] void ViewRows::widen() {
  const std::uint32_t wider = stride_ * 2;
  std::vector<std::uint32_t> cells(cells_.size() * 2, 0);
  for (std::size_t i = 0; i < cells_.size() / stride_; ++i) {
    std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                cells.begin() + static_cast<std::ptrdiff_t>(i * wider));
  }
  cells_.swap(cells);
  stride_ = wider;
}

}  // namespace detent::verify::explore
