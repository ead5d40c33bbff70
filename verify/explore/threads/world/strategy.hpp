// Strategy: who goes on, and which value a choice takes.
#pragma once

#include <cstdint>

#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class Turns;

/// Picks schedules.
class Strategy {
 public:
  static constexpr ThreadId kStop = kNoThread;
  virtual ~Strategy() = default;
  virtual void begin_execution() {}
  /// Asked before begin_execution: how many entries of its History the execution that begins will repeat.
  [[nodiscard]] virtual std::uint32_t repeats_history() const { return UINT32_MAX; }  // History::kNoReturn
  /// Must this strategy see what a thread does first before it lets it do so? If not, a thread begins and takes its
  /// first step in one go where it can: a beginning is seen by nobody, so nothing is lost.
  [[nodiscard]] virtual bool asks_after_begin() const { return false; }
  /// One of the threads in `enabled` (bit per thread, not empty), or kStop to give the execution up.
  virtual ThreadId pick(const Turns& turns, std::uint64_t enabled) = 0;
  /// The step turns.last() has been executed; turns.observers().history() holds it.
  virtual void executed(const Turns& /*turns*/) {}
  /// A choice below `count` >= 2 within the step of the current thread.
  virtual std::uint32_t choose(const Turns& turns, std::uint32_t count) = 0;
  /// Is there another schedule?
  virtual bool end_execution() = 0;
};

/// Picks nobody: for programs that are not controlled.
class NoStrategy final : public Strategy {
 public:
  ThreadId pick(const Turns&, std::uint64_t) override { return kStop; }
  std::uint32_t choose(const Turns&, std::uint32_t) override { return 0; }
  bool end_execution() override { return false; }
};

}  // namespace detent::verify::explore
