// Parking: binary tokens that threads wait for, deadlines, and the logical time that deadlines are compared with.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/world/virtual_threads_options.hpp"

namespace detent::verify::explore {

class Parking {
 public:
  explicit Parking(const VirtualThreadsOptions& options);
  void reset();
  void start(ThreadId thread) {
    take_token(thread);
    spurious_left_[thread] = spurious_wakeups_;
  }

  [[nodiscard]] bool has_token(SlotId slot) const { return (tokens_ >> slot & 1U) != 0; }
  void put_token(SlotId slot) { tokens_ |= std::uint64_t{1} << slot; }
  void take_token(SlotId slot) { tokens_ &= ~(std::uint64_t{1} << slot); }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }

  void park(ThreadId thread, std::uint64_t deadline_ps) {
    deadlines_ps_[thread] = deadline_ps;
    parked_ |= std::uint64_t{1} << thread;
  }
  void unpark(ThreadId thread) { parked_ &= ~(std::uint64_t{1} << thread); }
  [[nodiscard]] std::uint64_t parked() const { return parked_; }
  [[nodiscard]] std::uint64_t deadline_ps(ThreadId thread) const { return deadlines_ps_[thread]; }
  /// Of these threads, which are parked; UINT64_MAX: none has one.
  [[nodiscard]] std::uint64_t earliest_deadline_ps(std::uint64_t threads) const;
  /// Those of these threads, which are parked, whose deadline has been reached.
  [[nodiscard]] std::uint64_t due(std::uint64_t threads) const;

  [[nodiscard]] std::uint64_t now_ps() const { return now_ps_; }
  void set_now_ps(std::uint64_t now_ps) { now_ps_ = now_ps; }

  // Misfortune that is still allowed.
  [[nodiscard]] std::uint32_t spurious_left(ThreadId thread) const { return spurious_left_[thread]; }
  void use_spurious(ThreadId thread) { --spurious_left_[thread]; }
  [[nodiscard]] std::uint32_t early_left() const { return early_left_; }
  void use_early() { --early_left_; }

 private:
  std::uint32_t spurious_wakeups_, early_timeouts_;
  std::uint64_t tokens_ = 0, parked_ = 0;
  std::uint64_t now_ps_ = 0;
  std::uint32_t early_left_ = 0;
  std::array<std::uint64_t, kMaxThreads> deadlines_ps_{};
  std::array<std::uint32_t, kMaxThreads> spurious_left_{};
};

}  // namespace detent::verify::explore
