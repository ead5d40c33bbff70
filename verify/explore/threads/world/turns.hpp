// Turns: threads as fibres that take turns, and a Strategy that says whose turn is next.
//
// A thread runs until its next step (an access that others could notice), publishes it and asks the strategy. The
// chosen thread performs its published step and runs on. Deciding happens on the fibre that has just stopped, so that a
// step costs one switch, or none when the same thread goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/threads/fibre/fibre.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/world/execution.hpp"
#include "verify/explore/threads/world/last_step.hpp"
#include "verify/explore/threads/world/observers.hpp"
#include "verify/explore/threads/world/state_image.hpp"
#include "verify/explore/threads/world/strategy.hpp"
#include "verify/explore/threads/world/virtual_threads_options.hpp"
#include "verify/explore/threads/world/waits.hpp"

namespace detent::verify::explore {

class Turns {
 public:
  explicit Turns(const VirtualThreadsOptions& options);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// As VirtualThreads::run.
  End run(Strategy& strategy, void (*main)(void*), void* arg, const Observers& observers);

  // On a fibre, inside run.
  void start(ThreadId thread, void (*entry)(void*), void* arg, bool releases = true);
  /// Publish a step and perform it when it is this thread's turn. The access itself follows the call.
  void step(const Step& step) {
    threads_[current_].pending = step;
    if (image_.is_wanted()) [[unlikely]] {
      image_.wipe_stack();  // where the next frame leaves gaps
      return hand_over_recognised();
    }
    hand_over();
  }
  std::uint32_t choose(std::uint32_t count);
  void set_controlled(bool controlled);
  /// Let the observers know of the step that was performed last.
  void flush() {
    if (last_.is_open()) flush_last();
  }

  // Of the execution that is on, or was last.
  [[nodiscard]] ThreadId current() const { return current_; }
  [[nodiscard]] bool is_controlled() const { return controlled_; }
  /// The choice that is asked for is which store the current step reads, or comes after.
  [[nodiscard]] bool is_choosing_store() const { return choosing_store_; }
  [[nodiscard]] std::uint64_t alive() const { return alive_; }
  [[nodiscard]] const Step& pending(ThreadId thread) const { return threads_[thread].pending; }
  [[nodiscard]] const LastStep& last() const { return last_; }
  [[nodiscard]] const Observers& observers() const { return observers_; }
  [[nodiscard]] Execution& execution() { return execution_; }
  [[nodiscard]] const Execution& execution() const { return execution_; }
  [[nodiscard]] Waits& waits() { return waits_; }
  [[nodiscard]] const Waits& waits() const { return waits_; }
  [[nodiscard]] const StateImage& image() const { return image_; }

 private:
  struct Thread {
    Fibre fibre;
    StackRange stack{};
    Turns* turns = nullptr;
    void (*entry)(void*) = nullptr;
    void* arg = nullptr;
    Step pending;
  };
  static void thread_main(void* arg);
  [[noreturn]] void finish_thread();
  [[gnu::noinline]] void hand_over();  // the only place of nearly all switches: its jumps predict
  [[gnu::noinline]] void hand_over_recognised();
  ThreadId decide();
  std::uint64_t wake_when_idle();
  void take_step();
  [[gnu::noinline]] void take_weak_step();
  [[gnu::noinline]] void flush_last();

  VirtualThreadsOptions options_;
  StackPool pool_;
  Fibre host_;
  std::vector<Thread> threads_;
  Strategy* strategy_ = nullptr;
  Observers observers_;
  Waits waits_;
  LastStep last_;
  Execution execution_;
  StateImage image_;
  ThreadId current_ = 0;
  std::uint64_t alive_ = 0;
  bool controlled_ = true;
  bool choosing_store_ = false;
  bool asks_after_begin_ = false, has_begun_ = false;  // has_begun_: the current thread, just now
  std::uint32_t idle_turns_ = 0;
};

}  // namespace detent::verify::explore
