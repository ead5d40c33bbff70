// ScThreads: a pool of SystemC threads of which exactly one has control at a time. The only door to SystemC.
#pragma once

#include <cstdint>
#include <memory>

namespace detent::sim {

/// The one SystemC simulation of this process. Threads are spawned once and armed again for each use, because an
/// elaboration cannot be repeated safely. Everything but run() is called on a thread of the pool.
///
/// Control goes from thread to thread by immediate notification of the next thread's own event, so at most one of
/// them is runnable and nothing depends on the order in which SystemC runs equal processes.
class ScThreads {
 public:
  /// What a pooled thread runs; called once per thread, on its first turn. Must not return and must not throw.
  using Body = void (*)(void* self, std::uint32_t index);

  ScThreads(Body body, void* self);
  ~ScThreads();
  ScThreads(const ScThreads&) = delete;
  ScThreads& operator=(const ScThreads&) = delete;

  /// Give control to thread `first` and simulate until no thread has it. From outside only.
  void run(std::uint32_t first);
  /// Give control from thread `from` (the caller) to thread `to`; returns when `from` is given control again.
  void hand_over(std::uint32_t from, std::uint32_t to);
  /// Give control to nobody: run() returns. Returns when `from` is given control again, in a later run().
  void leave(std::uint32_t from);
  /// Let SystemC's clock advance by `delta_ps`; other SystemC processes run meanwhile, pooled threads do not.
  void advance(std::uint64_t delta_ps);
  /// sc_time_stamp() in picoseconds.
  [[nodiscard]] static std::uint64_t systemc_time_ps();
  /// Leave every thread where it stands for ever and use fresh ones from now on. Outside only, between two run().
  void abandon_all();

 private:
  struct Thread;
  struct Pool;
  Thread& thread(std::uint32_t index);
  Body body_;
  void* self_;
  std::unique_ptr<Pool> pool_;
};

/// A SystemC process outside the pool that looks at the clocks every `period_ps`, as a user's own module would: for
/// tests of the rule that sc_time_stamp() is the simulated time whenever other SystemC code runs.
class ScObserver {
 public:
  using Look = void (*)(void* self, std::uint64_t systemc_time_ps);
  /// Starts looking with the next simulation and stops after `count` looks.
  ScObserver(std::uint64_t period_ps, std::uint64_t count, Look look, void* self);
};

}  // namespace detent::sim
