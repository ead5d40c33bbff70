// World: simulated threads under our own event order. Blocking calls of engine slots -> who runs next, and when.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <detent/limits.h>

#include "sim/kernel/event_queue.hpp"
#include "sim/systemc/threads.hpp"

namespace detent::sim {

/// What runs as slot 0 of a session. Everything it owns lives until it is destroyed on the caller's stack, or for
/// ever when its session had to be abandoned.
class Job {
 public:
  virtual ~Job() = default;
  /// Runs on simulated thread 0. Exceptions are carried to the caller of World::run.
  virtual void main() = 0;
  /// No thread can go on. Called on some simulated thread: make the engine give up (detent_cancel). May be empty.
  virtual void on_deadlock() {}
};

/// How a session ended.
struct Session {
  bool finished = false;               ///< false: threads could not be ended and were abandoned
  std::vector<std::string> deadlocks;  ///< one text per deadlock: time, and what each slot waited for
};

/// The simulated machine's threads: slots 0..64 for the engine, one more for interrupts (asynchronous completions).
///
/// Exactly one thread runs at a time. A thread that blocks picks the next event by (time, kind, priority, id): first
/// threads that go on at this instant, then one completion of an op, then again the threads that this one woke. So a
/// worker that is free takes the best ready op before the next completion of the same instant is handled. When the
/// blocking thread's own event is the next one, it simply goes on: no switch.
///
/// Time is a 64-bit number of picoseconds since the session began, checked against overflow. SystemC's clock follows
/// it at the end of each run (sync) and, while somebody observes it, before every step.
class World {
 public:
  static constexpr std::uint32_t kSlots = DETENT_MAX_WORKERS + 1;
  static constexpr std::uint64_t kNever = UINT64_MAX;

  /// SystemC allows one simulation per process, so there is one world.
  static World& instance();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Run `job` to its end; time starts at 0. Not re-entrant; one operating-system thread at a time.
  /// @param job  comes back to the caller, unless the session was abandoned: then it is null afterwards
  /// @throws what job->main() threw
  Session run(std::unique_ptr<Job>& job);

  // On simulated threads only:
  [[nodiscard]] std::uint64_t now_ps() const { return now_ps_; }
  [[nodiscard]] std::uint32_t current() const { return current_; }
  /// now + delta_ps; where that passes 2^64 - 1 ps the session has overflowed() and the answer is now.
  [[nodiscard]] std::uint64_t later(std::uint64_t delta_ps);
  /// Run entry(arg) on `slot`, which must be idle.
  void start(std::uint32_t slot, void (*entry)(void*), void* arg);
  [[nodiscard]] bool idle(std::uint32_t slot) const { return slots_[slot].state == State::kIdle; }
  /// Return when the slot's entry has returned.
  void join(std::uint32_t slot);
  /// Block the caller until notified (also before) or until deadline_ps.
  void park(std::uint64_t deadline_ps);
  /// Remembered, binary. A parked slot runs delay_ps later; true when this call woke one.
  bool notify(std::uint32_t slot, std::uint64_t delay_ps);
  /// Let the caller use `cost_ps` of its core's time.
  void spend(std::uint64_t cost_ps);
  /// Keep the caller busy with an op for duration_ps; completions of one instant go by (priority, op).
  void execute(std::uint64_t duration_ps, std::int32_t priority, std::uint32_t op);
  /// As execute, to an end that may be moved while others go on. end_ps kNever: it waits to be given one.
  void execute_until(std::uint64_t end_ps, std::int32_t priority, std::uint32_t op);
  /// Move the end of what another slot executes, not before now. kNever: it waits to be given another.
  void move_end(std::uint32_t slot, std::uint64_t end_ps);
  /// Call expired(self) at time_ps, before all else of that instant, on whichever thread comes there: it must not
  /// block. There is one timer; setting it again moves it, kNever clears it.
  void set_timer(std::uint64_t time_ps, void (*expired)(void* self), void* self);
  /// Call complete(self, op, code) on the interrupt thread at now + duration_ps, in the same order.
  struct Interrupt {
    void (*complete)(void* self, std::uint32_t op, std::int32_t code) = nullptr;
    void* self = nullptr;
    std::int32_t code = 0;
  };
  void interrupt_later(std::uint64_t duration_ps, std::int32_t priority, std::uint32_t op, Interrupt interrupt);
  /// Let the others go on; look again after their next event.
  void spin();
  /// Let all others go on until each of them waits to be notified: the same state before each run.
  void settle();
  /// A critical section that may be switched out of.
  void lock();
  void unlock() { locked_ = false; }
  /// Bring SystemC's clock to now_ps().
  void sync();

  /// Keep SystemC's clock equal to now_ps() at every step, because other SystemC processes look at it.
  void set_observed(bool observed) { observed_ = observed; }
  /// A time passed 2^64 - 1 ps in this session; the durations concerned were cut.
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  /// Text of the session's first deadlock. Only after one.
  [[nodiscard]] const std::string& first_deadlock() const { return session_.deadlocks.front(); }
  /// Switches between threads since the process began, for benchmarks.
  [[nodiscard]] std::uint64_t switches() const { return switches_; }

 private:
  enum class State : std::uint8_t { kIdle, kReady, kParked, kExecuting, kSpending, kJoining, kSpinning };
  struct Slot {
    void (*entry)(void*) = nullptr;
    void* arg = nullptr;
    State state = State::kIdle;
    bool notified = false;
    std::uint32_t waits_for = 0;  // op, or slot joined
    std::uint64_t until_ps = 0;
    std::int32_t priority = 0;
  };
  struct PendingInterrupt {
    EventKey key;
    std::uint32_t op = 0;
    Interrupt interrupt;
  };

  World();
  ~World() = default;
  static void thread_body(void* self, std::uint32_t index);
  void main_loop();
  void interrupt_loop();
  void slot_loop(std::uint32_t slot);
  [[nodiscard]] EventKey run_key(std::uint64_t time_ps, std::uint32_t slot) const {
    return {time_ps, event_order(EventKind::kRun, 0, slot)};
  }
  void wait_until(const EventKey& key);
  void switch_away();
  void take_next();
  void expire_timer();
  void move_clock(std::uint64_t time_ps);
  void resolve_deadlock();
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] std::string describe_slot(std::uint32_t slot) const;
  void arm_interrupt();
  void reset();

  EventQueue queue_;
  std::uint64_t now_ps_ = 0;
  std::uint32_t current_ = 0;
  bool observed_ = false;
  bool locked_ = false;
  bool overflowed_ = false;
  bool finished_ = false;
  std::vector<Slot> slots_;
  std::vector<PendingInterrupt> interrupts_;  // heap, earliest first
  std::uint64_t systemc_ps_ = 0;              // of this session's time, how much SystemC has seen
  std::uint64_t switches_ = 0;
  std::uint32_t recoveries_ = 0;
  std::uint32_t barren_spins_ = 0;  // since the last event of any other kind
  std::uint64_t spins_ = 0;
  void (*expired_)(void* self) = nullptr;
  void* timer_self_ = nullptr;
  Job* job_ = nullptr;
  std::exception_ptr error_;
  Session session_;
  std::vector<std::unique_ptr<Job>> abandoned_;
  std::unique_ptr<ScThreads> threads_;
};

}  // namespace detent::sim
