// Log: an array that grows at its end and is taken back from there; for the hot paths of searches.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace detent::verify::explore {

/// As std::vector, without what its push_back costs in a loop: growing is a call that is hardly ever made, and an item
/// that is taken back is not destroyed.
template <typename T>
class Log {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Append an item, which holds anything: the caller sets all of it.
  T& add() {
    if (size_ == items_.size()) [[unlikely]]
      grow();
    return items_.data()[size_++];
  }
  void truncate(std::size_t size) { size_ = size; }
  void pop() { --size_; }
  T& operator[](std::size_t index) { return items_.data()[index]; }
  const T& operator[](std::size_t index) const { return items_.data()[index]; }
  T& back() { return items_.data()[size_ - 1]; }
  const T& back() const { return items_.data()[size_ - 1]; }

 private:
  [[gnu::cold, gnu::noinline]] void grow() { items_.resize(2 * size_ + 16); }

  std::vector<T> items_;  // more than there are
  std::size_t size_ = 0;
};

}  // namespace detent::verify::explore
