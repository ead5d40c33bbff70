#include "verify/explore/threads/order/shared_words.hpp"

#include <cstring>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

std::uint64_t SharedWord::value() const {
  std::uint64_t value = 0;
  std::memcpy(&value, address, wide ? 8 : 4);
  return value;
}

void SharedWord::set_value(std::uint64_t value) const { std::memcpy(address, &value, wide ? 8 : 4); }

void SharedWords::renew(SharedWord& word, const Step& step) const {
  word.epoch = epoch_;
  word.address = const_cast<void*>(step.word);
  word.wide = (step.access & kAccessWide) != 0;
  word.seq_cst_time = 0;
  word.stores.clear();
  word.stores.push_back({.value = word.value(), .thread = kNoThread});
}

std::uint32_t SharedWords::touch(const Step& step) {
  std::uint32_t number = numbers_.find(step.object);
  if (number == ObjectNumbers::kNone) {
    number = numbers_.add(step.object);
    words_.emplace_back();
    words_.back().object = step.object;
  }
  if (!is_current(words_[number])) renew(words_[number], step);
  return number;
}

const SharedWord* SharedWords::find(ObjectId object) const {
  const std::uint32_t number = numbers_.find(object);
  if (number == ObjectNumbers::kNone || !is_current(words_[number])) return nullptr;
  return &words_[number];
}

}  // namespace detent::verify::explore
