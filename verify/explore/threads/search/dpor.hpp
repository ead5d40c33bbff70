// DporSearch: every Mazurkiewicz trace of a program at least once.
//
// Source-set dynamic partial-order reduction with sleep sets (Abdulla, Aronis, Jonsson, Sagonas 2014): after each step,
// for each earlier step that races with it, the node before the earlier one gets one thread that starts the reversed
// order, unless it has such a thread already. Choices of values are enumerated.
#pragma once

#include <vector>

#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/search/path.hpp"

namespace detent::verify::explore {

class DporSearch final : public Strategy {
 public:
  void begin_execution() override;
  [[nodiscard]] std::uint32_t repeats_history() const override { return kept_; }
  [[nodiscard]] bool asks_after_begin() const override { return true; }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  void executed(const Turns& turns) override;
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override;
  bool end_execution() override;

  /// Executions cut short because every continuation had been covered.
  [[nodiscard]] std::uint64_t blocked() const { return blocked_; }
  [[nodiscard]] std::uint32_t diverged_at() const { return path_.diverged_at(); }

 private:
  struct Node : PathNode {
    std::uint64_t enabled = 0, sleep = 0, backtrack = 0, done = 0;
    std::uint32_t history = 0;  ///< entries before it
    bool try_next() {
      const std::uint64_t left = backtrack & ~done & ~sleep;
      if (left == 0) return false;
      chosen = static_cast<ThreadId>(__builtin_ctzll(left));
      done |= left & -left;
      return true;
    }
  };
  [[nodiscard]] std::uint64_t sleepers(const Turns& turns, std::uint32_t parent) const;
  void reverse(const EventOrder& order, std::uint32_t first);
  [[nodiscard]] std::uint64_t initials(const EventOrder& order, std::uint32_t first) const;

  SearchPath<Node> path_;
  std::vector<std::uint32_t> node_of_;  // of events
  std::uint32_t kept_ = 0;              // entries of the history before node fresh_
  std::uint32_t fresh_ = 0;             // first node that has not been passed before with this choice
  std::uint32_t last_ = UINT32_MAX;     // last thread node passed
  std::uint64_t blocked_ = 0;
};

}  // namespace detent::verify::explore
