// SmallList: a list that mostly has one entry, which then needs no memory of its own.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace detent {

/// `T` is cheap to copy and has a default. Grows at its end only.
template <typename T>
class SmallList {
 public:
  SmallList() = default;
  SmallList(std::initializer_list<T> entries) {  // NOLINT(google-explicit-constructor): a list is what it holds
    for (const T& entry : entries) push_back(entry);
  }
  SmallList(std::vector<T> entries) {  // NOLINT(google-explicit-constructor)
    size_ = entries.size();
    if (size_ == 1) only_ = entries.front();
    if (size_ > 1) many_ = std::move(entries);
  }

  void push_back(const T& entry) {
    if (size_ == 0) {
      only_ = entry;
    } else {
      if (size_ == 1) many_.assign(1, only_);
      many_.push_back(entry);
    }
    ++size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T* data() const { return size_ > 1 ? many_.data() : &only_; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size_; }
  [[nodiscard]] const T& front() const { return *data(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data()[index]; }

 private:
  std::size_t size_ = 0;
  T only_{};             ///< where there is one
  std::vector<T> many_;  ///< all of them, where there are more
};

}  // namespace detent
