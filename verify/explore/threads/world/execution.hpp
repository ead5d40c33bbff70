// Execution: the decisions of one execution, how it ended, and what it broke.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

/// How an execution ended.
enum class End : std::uint8_t { kDone, kDeadlock, kStepLimit, kStopped, kFailed };

/// One decision of an execution: a thread, or a choice's value.
struct Decision {
  std::uint32_t value : 31;
  std::uint32_t is_choice : 1;
};

class Execution {
 public:
  /// A new one.
  void begin();

  /// @return  the number of the decision that comes next, from 1
  std::uint32_t count_step() { return ++steps_; }
  /// One of these threads is about to be picked. @param mine  what the thread that ran last is about to do
  void note_enabled(std::uint64_t enabled, const Step& mine) {
    mix_trail(enabled ^ (std::uint64_t{mine.object} << 32U) ^ static_cast<std::uint64_t>(mine.kind));
  }
  void add_pick(ThreadId thread) { decisions_.add() = {.value = thread & 0x7fffffffU, .is_choice = 0}; }
  /// A choice below `count` is about to be made.
  void note_choice(std::uint32_t count) { mix_trail(count); }
  void add_choice(std::uint32_t value) { decisions_.add() = {.value = value & 0x7fffffffU, .is_choice = 1}; }
  /// @return  kNoThread: who goes on
  ThreadId stop(End end) {
    end_ = end;
    return kNoThread;
  }
  /// The execution ends as kFailed at the next decision. The first failure counts.
  void fail(std::string law, std::string text);

  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::span<const Decision> decisions() const { return {&decisions_[0], decisions_.size()}; }
  /// Hash of all sets of choices so far: equal prefixes of a deterministic program have equal trails.
  [[nodiscard]] std::uint64_t trail() const { return trail_; }
  [[nodiscard]] bool has_failed() const { return !law_.empty(); }
  [[nodiscard]] End end() const { return has_failed() ? End::kFailed : end_; }
  /// Of a failure; empty = none.
  [[nodiscard]] const std::string& law() const { return law_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void mix_trail(std::uint64_t value) {
    trail_ = (trail_ ^ value) * 0x9e3779b97f4a7c15u;
    trail_ ^= trail_ >> 29U;
  }

  std::uint32_t steps_ = 0;
  std::uint64_t trail_ = 0;
  Log<Decision> decisions_;
  End end_ = End::kDone;
  std::string law_, text_;
};

}  // namespace detent::verify::explore
