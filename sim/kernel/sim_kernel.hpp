// SimKernel: simulated threads under our own event order. Blocking calls of engine slots -> who runs next, and when.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "sim/kernel/dispatcher.hpp"
#include "sim/kernel/job.hpp"
#include "sim/kernel/op_execution.hpp"
#include "sim/kernel/sim_clock.hpp"
#include "sim/kernel/slot_table.hpp"
#include "sim/systemc/threads.hpp"

namespace detent::sim {

/// The simulated machine's threads: slots 0..64 for the engine, one more for interrupts. Which of them goes on is the
/// Dispatcher's, time is the SimClock's, how ops take time is OpExecution's.
class SimKernel final : DeadlockHandler {
 public:
  static constexpr std::uint32_t kSlots = SlotTable::kSlots;
  static constexpr std::uint64_t kNever = SimClock::kNever;

  /// SystemC allows one simulation per process, so there is one kernel.
  static SimKernel& instance();
  SimKernel(const SimKernel&) = delete;
  SimKernel& operator=(const SimKernel&) = delete;

  /// Held by whoever runs a session: one operating-system thread at a time.
  static std::mutex& one_session();
  /// Run `job` to its end; time starts at 0. Not re-entrant.
  /// @param job  comes back to the caller, unless the session was abandoned: then it is null afterwards
  /// @throws what job->main() threw
  Session run(std::unique_ptr<Job>& job);

  // On simulated threads only:
  [[nodiscard]] std::uint64_t now_ps() const { return clock_.now_ps(); }
  [[nodiscard]] std::uint32_t current() const { return dispatcher_.current(); }
  /// Run entry(arg) on `slot`, which must be idle.
  void start(SlotId slot, void (*entry)(void*), void* arg);
  [[nodiscard]] bool idle(SlotId slot) const { return slots_[slot].state == SlotState::kIdle; }
  /// Return when the slot's entry has returned.
  void join(SlotId slot);
  /// Block the caller until its token is notified (also before) or until deadline_ps.
  /// @param token  the caller's own slot: current()
  void park(std::uint32_t token, std::uint64_t deadline_ps);
  /// Remembered, binary. A slot that is parked on the token runs delay_ps later; true when this call woke it.
  bool notify(std::uint32_t token, std::uint64_t delay_ps);
  /// Let the caller use `cost_ps` of its core's time.
  void spend(std::uint64_t cost_ps);
  /// Let the others go on; look again after their next event.
  void spin();
  /// Let all others go on until each of them waits to be notified: the same state before each run.
  void settle();
  /// A critical section that may be switched out of.
  void lock();
  void unlock() { locked_ = false; }
  /// Call expired(self) at time_ps, before all else of that instant, on whichever thread comes there: it must not
  /// block. There is one timer; setting it again moves it, kNever clears it.
  void set_timer(std::uint64_t time_ps, void (*expired)(void* self), void* self) {
    dispatcher_.set_timer(time_ps, expired, self);
  }
  [[nodiscard]] OpExecution& ops() { return ops_; }

  [[nodiscard]] SimClock& clock() { return clock_; }
  /// Text of the session's first deadlock. Only after one.
  [[nodiscard]] const std::string& first_deadlock() const { return session_.deadlocks.front(); }
  /// Switches between threads since the process began, for benchmarks.
  [[nodiscard]] std::uint64_t switches() const { return dispatcher_.switches(); }

 private:
  SimKernel();
  ~SimKernel() override = default;
  static void thread_body(void* self, std::uint32_t index);
  void main_loop();
  void slot_loop(SlotId slot);
  void begin_session();
  void resolve_deadlock() override;

  std::unique_ptr<ScThreads> threads_;
  SimClock clock_;
  SlotTable slots_;
  Dispatcher dispatcher_;
  OpExecution ops_;
  bool locked_ = false;
  bool finished_ = false;
  std::uint32_t recoveries_ = 0;
  Job* job_ = nullptr;
  std::exception_ptr error_;
  Session session_;
  std::vector<std::unique_ptr<Job>> abandoned_;
};

}  // namespace detent::sim
