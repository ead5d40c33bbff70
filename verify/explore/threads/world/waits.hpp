// Waits: which threads are blocked, and what they wait for.
//
//   lock held; no token and deadline not reached; thread alive; nobody has written since (pause); others can run (idle)
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/ids.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/world/parking.hpp"
#include "verify/explore/threads/world/spins.hpp"

namespace detent::verify::explore {

class Waits {
 public:
  /// Of all executions.
  struct Counters {
    std::uint64_t wait_asleep = 0, wait_awake = 0, lock_free = 0, lock_contended = 0, spurious = 0, timeouts = 0;
  };
  explicit Waits(const VirtualThreadsOptions& options) : parking_(options) {}
  void reset();
  void start(ThreadId thread) {
    unblock(bit(thread));
    parking_.start(thread);
    spins_.start(thread);
    end_join(thread);
  }
  /// The thread ends: those that join it may go on.
  void finish(ThreadId thread, std::uint64_t alive) {
    for (std::uint64_t left = alive; left != 0; left &= left - 1) {
      if (joins_[static_cast<ThreadId>(__builtin_ctzll(left))] == thread) unblock(left & -left);
    }
  }

  /// Threads that cannot go on, as far as they are alive.
  [[nodiscard]] std::uint64_t blocked() const { return blocked_; }
  void block(std::uint64_t threads) { blocked_ |= threads; }
  void unblock(std::uint64_t threads) { blocked_ &= ~threads; }

  [[nodiscard]] Parking& parking() { return parking_; }
  [[nodiscard]] const Parking& parking() const { return parking_; }
  [[nodiscard]] Spins& spins() { return spins_; }
  [[nodiscard]] const Spins& spins() const { return spins_; }
  /// A token for `slot`, which may be parked.
  void notify(SlotId slot) {
    parking_.put_token(slot);
    unblock(parking_.parked() & bit(slot));
  }
  /// Those that spin may look again, unless they have written it themselves.
  void note_write(ThreadId thread) {
    spins_.note_write(thread);
    unblock(spins_.spinning() & ~bit(thread));
  }

  void begin_join(ThreadId thread, ThreadId child) { joins_[thread] = child; }
  void end_join(ThreadId thread) { joins_[thread] = kNoThread; }
  /// The thread that it waits for to end, or kNoThread.
  [[nodiscard]] ThreadId joins(ThreadId thread) const { return joins_[thread]; }

  void begin_idle_wait(ThreadId thread) {
    idle_waiters_ |= bit(thread);
    blocked_ |= bit(thread);
  }
  void end_idle_wait(ThreadId thread) {
    idle_waiters_ &= ~bit(thread);
    blocked_ &= ~bit(thread);
  }
  /// Those that wait until no other thread can run.
  [[nodiscard]] std::uint64_t idle_waiters() const { return idle_waiters_; }

  /// What a thread that cannot go on waits for. @param pending  its step
  [[nodiscard]] std::string blocked_on(ThreadId thread, const Step& pending) const;

  [[nodiscard]] Counters& counters() { return counters_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }

  static std::uint64_t bit(ThreadId thread) { return std::uint64_t{1} << thread; }

 private:
  std::uint64_t blocked_ = 0, idle_waiters_ = 0;
  Parking parking_;
  Spins spins_;
  std::array<ThreadId, kMaxThreads> joins_{};
  Counters counters_;
};

}  // namespace detent::verify::explore
