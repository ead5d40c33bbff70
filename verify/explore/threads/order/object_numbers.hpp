// ObjectNumbers: ids of objects -> dense numbers, in the order in which the objects are met.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class ObjectNumbers {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// kNone: the object has not been met.
  [[nodiscard]] std::uint32_t find(ObjectId id) const { return id < numbers_.size() ? numbers_[id] : kNone; }
  /// An object that has not been met.
  std::uint32_t add(ObjectId id) {
    if (id >= numbers_.size()) numbers_.resize(id + std::size_t{1}, kNone);
    return numbers_[id] = count_++;
  }

 private:
  std::vector<std::uint32_t> numbers_;  // by id
  std::uint32_t count_ = 0;
};

}  // namespace detent::verify::explore
