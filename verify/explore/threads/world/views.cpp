#include "verify/explore/threads/world/views.hpp"

#include <cstring>

namespace detent::verify::explore {

Views::Views(std::uint32_t thread_count) : threads_(thread_count) {
  rows_.resize(std::size_t{2} * fixed_rows() * stride_);
}

void Views::reset() {
  row_count_ = fixed_rows();
  std::fill_n(rows_.begin(), std::size_t{used_mutex_row(mutexes_)} * stride_, 0);
  for (ThreadId thread = 0; thread < threads_; ++thread) mark(thread);
}

void Views::forget_words() {
  row_count_ = fixed_rows();
  for (std::uint32_t number = 0; number < used_mutex_row(mutexes_); ++number) {
    std::fill_n(row(number) + threads_, words_, 0);
  }
}

void Views::join(std::uint32_t into, std::uint32_t from) {
  std::uint32_t* const to = row(into);
  const std::uint32_t* const other = row(from);
  const std::uint32_t count = width();
  for (std::uint32_t i = 0; i < count; ++i) to[i] = std::max(to[i], other[i]);
}

void Views::assign(std::uint32_t to, std::uint32_t from) { std::memcpy(row(to), row(from), width() * sizeof rows_[0]); }

std::uint32_t Views::copy_row(std::uint32_t of) {
  const std::uint32_t number = row_count_++;
  if (std::size_t{row_count_} * stride_ > rows_.size()) [[unlikely]]
    rows_.resize(rows_.size() * 2);
  assign(number, of);
  return number;
}

[[gnu::cold]] void Views::widen() {
  const std::uint32_t wider = stride_ * 2;
  std::vector<std::uint32_t> rows(rows_.size() * 2, 0);
  for (std::size_t i = 0; i < rows_.size() / stride_; ++i) {
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                rows.begin() + static_cast<std::ptrdiff_t>(i * wider));
  }
  rows_.swap(rows);
  stride_ = wider;
}

}  // namespace detent::verify::explore
