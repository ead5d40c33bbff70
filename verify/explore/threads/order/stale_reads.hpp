// StaleReads: the words of which each thread has read something overwritten since its last pause.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class StaleReads {
 public:
  explicit StaleReads(std::uint32_t thread_count) : words_(thread_count) {}
  void note(ThreadId thread, std::uint32_t word) {
    std::vector<std::uint32_t>& words = words_[thread];
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  /// Numbers of words, in the order in which they were read.
  [[nodiscard]] const std::vector<std::uint32_t>& of(ThreadId thread) const { return words_[thread]; }
  void clear(ThreadId thread) { words_[thread].clear(); }
  void clear_all() {
    for (auto& words : words_) words.clear();
  }

 private:
  std::vector<std::vector<std::uint32_t>> words_;  // by thread
};

}  // namespace detent::verify::explore
