// ScThreads: a pool of SystemC threads of which exactly one has control at a time.
#pragma once

#include <cstdint>

namespace detent::sim {

/// Threads of the one SystemC simulation of this process, made by sc_library().make_threads. They are spawned once and
/// armed again for each use, because an elaboration cannot be repeated safely. Everything but run() is called on a
/// thread of the pool.
///
/// Control goes from thread to thread by immediate notification of the next thread's own event, so at most one of
/// them is runnable and nothing depends on the order in which SystemC runs equal processes.
class ScThreads {
 public:
  /// What a pooled thread runs; called once per thread, on its first turn. Must not return and must not throw.
  using Body = void (*)(void* self, std::uint32_t index);

  ScThreads() = default;
  virtual ~ScThreads() = default;
  ScThreads(const ScThreads&) = delete;
  ScThreads& operator=(const ScThreads&) = delete;

  /// Give control to thread `first` and simulate until no thread has it. From outside only; restore_stack_bounds()
  /// comes next.
  virtual void run(std::uint32_t first) = 0;
  /// Give control from thread `from` (the caller) to thread `to`; returns when `from` is given control again.
  virtual void hand_over(std::uint32_t from, std::uint32_t to) = 0;
  /// Give control to nobody: run() returns. Returns when `from` is given control again, in a later run().
  virtual void leave(std::uint32_t from) = 0;
  /// Let SystemC's clock advance by `delta_ps`; other SystemC processes run meanwhile, pooled threads do not.
  virtual void advance(std::uint64_t delta_ps) = 0;
  /// Leave every thread where it stands for ever and use fresh ones from now on. Outside only, between two run().
  virtual void abandon_all() = 0;
};

}  // namespace detent::sim
