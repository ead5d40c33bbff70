// Dispatcher: which simulated thread has control. Pending events and a thread that waits -> who goes on, and when.
#pragma once

#include <cstdint>

#include "sim/kernel/event_queue.hpp"
#include "sim/kernel/sim_clock.hpp"
#include "sim/kernel/slot_table.hpp"
#include "sim/systemc/threads.hpp"

namespace detent::sim {

/// Told when no thread can go on.
class DeadlockHandler {
 public:
  virtual ~DeadlockHandler() = default;
  /// Give at least one thread an event, or never return.
  virtual void resolve_deadlock() = 0;
};

/// Exactly one thread runs at a time. A thread that waits picks the next event by (time, kind, priority, id): first
/// threads that go on at this instant, then one completion of an op, then again the threads that this one woke. So a
/// worker that is free takes the best ready op before the next completion of the same instant is handled. When the
/// waiting thread's own event is the next one, it simply goes on: no switch.
class Dispatcher {
 public:
  /// All must outlive the dispatcher.
  Dispatcher(SimClock& clock, ScThreads& threads, DeadlockHandler& handler)
      : clock_(clock), threads_(threads), handler_(handler) {}

  /// A new session: thread 0 has control and nothing is pending.
  void begin_session();
  /// The thread that has control.
  [[nodiscard]] std::uint32_t current() const { return current_; }
  /// Let a thread go on at time_ps.
  void go_on_at(std::uint32_t thread, std::uint64_t time_ps) { queue_.set(thread, run_key(time_ps, thread)); }
  /// Let a thread go on at its event `key`; where it has one already, this takes its place.
  void set(std::uint32_t thread, const EventKey& key) { queue_.set(thread, key); }
  /// Take back a thread's event, if it has one.
  void withdraw(std::uint32_t thread) {
    if (queue_.contains(thread)) queue_.remove(thread);
  }
  /// Does nobody have a pending event?
  [[nodiscard]] bool nothing_pending() const { return queue_.empty(); }

  /// Give control away; returns at the caller's event.
  void wait();
  /// As wait, at the event `key`.
  void wait_until(const EventKey& key) {
    if (queue_.empty() || key.before(queue_.top())) return clock_.move_to(key.time_ps);
    queue_.set(current_, key);
    wait();
  }
  /// As wait_until, for a thread that goes on at time_ps.
  void wait_until(std::uint64_t time_ps) { wait_until(run_key(time_ps, current_)); }
  /// When a spinning caller is to look again: with the next event of anybody who does not spin. Where nobody else can
  /// go on, now; that so for long is a deadlock.
  [[nodiscard]] std::uint64_t next_look_ps();
  /// As wait, until all other events of time_ps have been handled; spinning threads take turns.
  void wait_in_turn(std::uint64_t time_ps);
  /// As SimKernel::set_timer.
  void set_timer(std::uint64_t time_ps, void (*expired)(void* self), void* self);

  /// Switches between threads since the process began.
  [[nodiscard]] std::uint64_t switches() const { return switches_; }

 private:
  [[nodiscard]] static EventKey run_key(std::uint64_t time_ps, std::uint32_t thread) {
    return {time_ps, event_order(EventKind::kRun, 0, thread)};
  }
  void take_next();
  void expire_timer();

  SimClock& clock_;
  ScThreads& threads_;
  DeadlockHandler& handler_;
  EventQueue queue_;
  std::uint32_t current_ = 0;
  std::uint32_t barren_spins_ = 0;  // since the last event of any other kind
  std::uint64_t spins_ = 0;
  std::uint64_t switches_ = 0;
  void (*expired_)(void* self) = nullptr;
  void* timer_self_ = nullptr;
};

}  // namespace detent::sim
