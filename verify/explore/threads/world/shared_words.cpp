#include "verify/explore/threads/world/shared_words.hpp"

#include <cstring>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

std::uint64_t SharedWord::value() const {
  std::uint64_t value = 0;
  std::memcpy(&value, address, wide ? 8 : 4);
  return value;
}

void SharedWord::set_value(std::uint64_t value) const { std::memcpy(address, &value, wide ? 8 : 4); }

std::uint32_t SharedWords::number(const Step& step) {
  const std::uint32_t id = step.object - kWordObjects;
  if (id >= number_of_.size()) number_of_.resize(id + std::size_t{1}, kNone);
  std::uint32_t& number = number_of_[id];
  if (number == kNone) {
    number = size();
    words_.emplace_back();
    words_.back().object = step.object;
  }
  return number;
}

void SharedWords::renew(std::uint32_t number, const Step& step) {
  SharedWord& word = words_[number];
  word.epoch = epoch_;
  word.address = const_cast<void*>(step.word);
  word.wide = (step.access & kAccessWide) != 0;
  word.fenced_time = 0;
  word.stores.clear();
  word.stores.push_back({.value = word.value(), .thread = kNoThread});
}

}  // namespace detent::verify::explore
