// StateImage: the stacks of threads, with their registers, as part of a state that is recognised when it comes again.
//
// What calls have left below the frames in use would look like state where later frames leave gaps: it is wiped.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/threads/fibre/fibre.hpp"
#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class StateImage {
 public:
  /// @param is_wanted  states are recognised; else the rest is not called
  explicit StateImage(bool is_wanted) : is_wanted_(is_wanted), threads_(kMaxThreads) {}
  [[nodiscard]] bool is_wanted() const { return is_wanted_; }
  /// The thread will begin entry(arg) on this stack: what earlier executions left on it tells nothing.
  void begin(ThreadId thread, const StackRange& stack, void (*entry)(void*), void* arg);
  /// Clear what calls have left below the caller's frame.
  void wipe_stack() const {
    if (is_wanted_) [[unlikely]]
      wipe_below();
  }
  /// The thread is about to stop: its stack is in use as far down as the caller's frame.
  [[gnu::noinline]] void keep_depth(ThreadId thread);
  /// All that the thread will find again when it goes on; what it will begin with if it has not begun.
  void hash_thread(ThreadId thread, StateHash& hash) const;

 private:
  [[gnu::noinline]] static void wipe_below();

  struct Thread {
    void (*entry)(void*) = nullptr;
    void* arg = nullptr;
    const std::uint8_t* end = nullptr;     ///< of the stack
    const std::uint8_t* lowest = nullptr;  ///< of the stack in use, registers included; null: it has not begun
  };
  bool is_wanted_;
  std::vector<Thread> threads_;
};

}  // namespace detent::verify::explore
