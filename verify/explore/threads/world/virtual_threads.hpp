// VirtualThreads: what a program of threads can call: start, lock, park, pause; under schedules that a Strategy picks.
//
//   scheduling points: accesses to shared words, lock, park, notify, join, pause; none at unlock or at a signal
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/world/turns.hpp"
#include "verify/explore/threads/world/turns_hash.hpp"

namespace detent::verify::explore {

/// A lock for fibres, whose critical sections are transitions.
struct FibreMutex {
  ObjectId object = kMutexObjects;
  bool held = false;
  std::uint64_t pending = 0;  ///< threads that want it
};
/// A condition to wait on under a FibreMutex. Which waiter a signal wakes is a choice.
struct FibreCondition {
  std::uint64_t waiters = 0;
};

class VirtualThreads {
 public:
  explicit VirtualThreads(const VirtualThreadsOptions& options = {}) : options_(options), turns_(options) {}

  /// Execute main(arg) as thread 0 and all that it starts, until it returns.
  /// @param history, knowledge  told of every step; may be null. Loads see what the Knowledge's Memory lets them see;
  ///                            the newest store where it has none
  End run(Strategy& strategy, void (*main)(void*), void* arg, History* history = nullptr,
          Knowledge* knowledge = nullptr) {
    return turns_.run(strategy, main, arg, {history, knowledge});
  }

  // Everything below until the next comment: on a fibre, inside run. `acquires` or `releases` false: the call passes on
  // nothing of what threads have seen.
  /// Publish a step and perform it when it is this thread's turn. The access itself follows the call.
  void step(const Step& step) { turns_.step(step); }
  std::uint32_t choose(std::uint32_t count) { return turns_.choose(count); }
  void lock(FibreMutex& mutex, bool acquires = true);
  void unlock(FibreMutex& mutex, bool releases = true);
  void wait(FibreCondition& condition, FibreMutex& mutex);
  void signal(FibreCondition& condition, FibreMutex& mutex);
  /// Wait for the token of `slot`, which is this thread.
  void park(SlotId slot, std::uint64_t deadline_ps, bool acquires = true);
  void notify(SlotId slot, bool releases = true);
  void start(ThreadId thread, void (*entry)(void*), void* arg, bool releases = true) {
    turns_.start(thread, entry, arg, releases);
  }
  void join(ThreadId thread, bool acquires = true);
  void pause();
  /// Wait until no other thread can run.
  void wait_until_idle();
  std::uint64_t now_ps();
  /// The same without a step, for those who only look on.
  [[nodiscard]] std::uint64_t time_ps() const { return turns_.waits().parking().now_ps(); }
  /// What the current thread does may take `ps`, as a choice: one of VirtualThreadsOptions::early_timeouts.
  void may_take(std::uint64_t ps);
  /// While not controlled, the current thread runs as long as it can, then the lowest: no steps, no decisions.
  void set_controlled(bool controlled) { turns_.set_controlled(controlled); }
  /// Clear what calls have left below the caller's frame: it would look like state where later frames leave gaps.
  void tidy_stack() const { turns_.image().wipe_stack(); }
  /// Let the observers know of the step that was performed last.
  void flush() { turns_.flush(); }

  // Of the execution that is on, or was last.
  [[nodiscard]] const Turns& turns() const { return turns_; }
  [[nodiscard]] Execution& execution() { return turns_.execution(); }
  [[nodiscard]] const Execution& execution() const { return turns_.execution(); }
  /// What a thread that cannot go on waits for.
  [[nodiscard]] std::string blocked_on(ThreadId thread) const {
    return turns_.waits().blocked_on(thread, turns_.pending(thread));
  }
  /// For searches that recognise states, when asked who goes on: what each thread is about to do, its stack and
  /// registers, tokens, time. The program's other memory and its locks are not part of it.
  void hash_state(StateHash& hash) const { hash_turns(turns_, hash); }

 private:
  void acquire(FibreMutex& mutex, bool acquires);

  VirtualThreadsOptions options_;
  Turns turns_;
};

}  // namespace detent::verify::explore
