// SimClock: simulated time of a session. Steps of the event order -> picoseconds, and SystemC's clock.
#pragma once

#include <cstdint>

#include "sim/systemc/threads.hpp"

namespace detent::sim {

/// Time is a 64-bit number of picoseconds since the session began, checked against overflow. SystemC's clock follows
/// it at sync() and, while somebody observes it, before every step.
class SimClock {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  /// @param threads  whose SystemC simulation follows; must outlive the clock
  explicit SimClock(ScThreads& threads) : threads_(threads) {}

  /// A new session: time 0, nothing overflowed.
  void begin_session();
  [[nodiscard]] std::uint64_t now_ps() const { return now_ps_; }
  /// now + delta_ps; where that passes 2^64 - 1 ps the session has overflowed() and the answer is now.
  [[nodiscard]] std::uint64_t later(std::uint64_t delta_ps) {
    if (delta_ps < kNever - now_ps_) return now_ps_ + delta_ps;
    overflowed_ = true;
    return now_ps_;
  }
  /// Let time_ps be now, unless it has passed already.
  void move_to(std::uint64_t time_ps) {
    if (time_ps > now_ps_) now_ps_ = time_ps;
    if (observed_) sync();
  }
  /// Bring SystemC's clock to now_ps(). On a simulated thread only.
  void sync();
  /// Keep SystemC's clock equal to now_ps() at every step, because other SystemC processes look at it.
  void set_observed(bool observed) { observed_ = observed; }
  /// A time passed 2^64 - 1 ps in this session; the durations concerned were cut.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

 private:
  ScThreads& threads_;
  std::uint64_t now_ps_ = 0;
  std::uint64_t systemc_ps_ = 0;  // of this session's time, how much SystemC has seen
  bool observed_ = false;
  bool overflowed_ = false;
};

}  // namespace detent::sim
