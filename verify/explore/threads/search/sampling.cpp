// PCT and POS.
#include "verify/explore/threads/search/sampling.hpp"

#include <algorithm>

namespace detent::verify::explore {

void Pct::begin_execution() {
  longest_ = std::max(longest_, steps_);
  steps_ = 0;
  // High priorities are random; the i-th change point sets priority depth - 1 - i, below all of them.
  for (std::uint64_t& priority : priority_) priority = (random_.next() | (std::uint64_t{1} << 63U));
  changes_.clear();
  for (std::uint32_t i = 1; i < depth_; ++i) changes_.push_back(random_.below(longest_) + 1);
}

ThreadId Pct::pick(const Turns&, std::uint64_t enabled) {
  ++steps_;
  const auto best = [&] {
    ThreadId found = kNoThread;
    for (std::uint64_t left = enabled; left != 0; left &= left - 1) {
      const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
      if (found == kNoThread || priority_[thread] > priority_[found]) found = thread;
    }
    return found;
  };
  for (std::uint32_t i = 0; i < changes_.size(); ++i) {
    if (changes_[i] == steps_) priority_[best()] = depth_ - i;
  }
  return best();
}

void Pos::begin_execution() { std::fill(std::begin(priority_), std::end(priority_), 0); }

ThreadId Pos::pick(const Turns& turns, std::uint64_t enabled) {
  ThreadId found = kNoThread;
  for (std::uint64_t left = enabled; left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    if (priority_[thread] == 0) priority_[thread] = random_.next() | 1U;
    if (found == kNoThread || priority_[thread] > priority_[found]) found = thread;
  }
  const Step& step = turns.pending(found);
  for (std::uint64_t left = enabled; left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    if (thread != found && conflicts(turns.pending(thread), step)) priority_[thread] = 0;
  }
  priority_[found] = 0;
  return found;
}

}  // namespace detent::verify::explore
