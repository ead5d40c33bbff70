// World: threads as fibres, what they synchronise by, and a Strategy that says who goes on.
//
// A thread runs until its next step (an access that others could notice), publishes it and asks the strategy. The
// chosen thread performs its published step and runs on. Deciding happens on the fibre that has just stopped, so that a
// step costs one switch, or none when the same thread goes on.
//
//   scheduling points: accesses to shared words, lock, wait, notify, join, pause; none at unlock or at a signal
//   blocked:           lock held; no notify and deadline not reached; thread alive; nobody has written since (pause)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verify/explore/threads/fibre/fibre.hpp"
#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class World;
class History;
class Knowledge;
class Memory;

/// Picks schedules.
class Strategy {
 public:
  static constexpr ThreadId kStop = kNoThread;
  virtual ~Strategy() = default;
  virtual void begin_execution() {}
  /// Asked before begin_execution: how many entries of its History the execution that begins will repeat.
  [[nodiscard]] virtual std::uint32_t repeats_history() const { return UINT32_MAX; }  // History::kNoReturn
  /// Must this strategy see what a thread does first before it lets it do so? If not, a thread begins and takes its
  /// first step in one go where it can: a beginning is seen by nobody, so nothing is lost.
  [[nodiscard]] virtual bool asks_after_begin() const { return false; }
  /// One of the threads in `enabled` (bit per thread, not empty), or kStop to give the execution up.
  virtual ThreadId pick(const World& world, std::uint64_t enabled) = 0;
  /// The step that world.last_thread() was picked for has been executed; world.history() holds it.
  virtual void executed(const World& /*world*/) {}
  /// A choice below `count` >= 2 within the step of the current thread.
  virtual std::uint32_t choose(const World& world, std::uint32_t count) = 0;
  /// Is there another schedule?
  virtual bool end_execution() = 0;
};

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

/// How an execution ended.
enum class End : std::uint8_t { kDone, kDeadlock, kStepLimit, kStopped, kFailed };

struct WorldOptions {
  std::uint32_t max_steps = 50'000;
  bool spins_freely = false;       ///< pause never blocks: for code whose shared words are not announced
  bool clock_matters = false;      ///< reading the clock is a step
  bool recognises_states = false;  ///< hash_state may be asked for
  std::uint32_t spurious_wakeups = 0, early_timeouts = 0;  ///< per thread; per execution
};

/// One decision of an execution: a thread, or a choice's value.
struct Decision {
  std::uint32_t value : 31;
  std::uint32_t is_choice : 1;
};

class World {
 public:
  explicit World(const WorldOptions& options = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Execute main(arg) as thread 0 and all that it starts, until it returns.
  /// @param history, knowledge  told of every step; may be null. Loads see what the Knowledge's Memory lets them see;
  ///                            the newest store where it has none
  End run(Strategy& strategy, void (*main)(void*), void* arg, History* history = nullptr,
          Knowledge* knowledge = nullptr);

  // Everything below until the next comment: on a fibre, inside run.
  /// Publish a step and perform it when it is this thread's turn. The access itself follows the call.
  void step(const Step& step);
  std::uint32_t choose(std::uint32_t count);
  void lock(FibreMutex& mutex);
  void unlock(FibreMutex& mutex);
  void wait(FibreCondition& condition, FibreMutex& mutex);
  void signal(FibreCondition& condition, FibreMutex& mutex);
  /// Park on the token of `slot`, which is this thread.
  void wait_token(std::uint32_t slot, std::uint64_t deadline_ps);
  void notify_token(std::uint32_t slot);
  void start(ThreadId thread, void (*entry)(void*), void* arg);
  void join(ThreadId thread);
  void pause();
  /// Wait until no other thread can run.
  void settle();
  std::uint64_t now_ps();
  /// The same without a step, for those who only look on.
  [[nodiscard]] std::uint64_t time_ps() const { return now_ps_; }
  /// What the current thread does may take `ps`, as a choice: one of WorldOptions::early_timeouts.
  void may_take(std::uint64_t ps);
  /// While not controlled, the current thread runs as long as it can, then the lowest: no steps, no decisions.
  void set_controlled(bool controlled);
  /// The execution ends as kFailed at the next decision. The first one counts.
  void fail(std::string law, std::string text);
  /// Clear what calls have left below the caller's frame: it would look like state where later frames leave gaps.
  void tidy_stack() const {
    if (options_.recognises_states) [[unlikely]]
      wipe_below();
  }
  /// Let the history know of the step that was performed last.
  void flush() {
    if (has_last_) flush_last();
  }

  // Of the execution that is on, or was last.
  [[nodiscard]] ThreadId current() const { return current_; }
  [[nodiscard]] bool is_controlled() const { return controlled_; }
  [[nodiscard]] bool is_alive(ThreadId thread) const { return (alive_ >> thread & 1U) != 0; }
  [[nodiscard]] std::uint64_t alive() const { return alive_; }
  [[nodiscard]] const Step& pending(ThreadId thread) const { return threads_[thread].pending; }
  [[nodiscard]] const Step& last_step() const { return last_; }
  [[nodiscard]] ThreadId last_thread() const { return last_thread_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::span<const Decision> decisions() const { return {&decisions_[0], decisions_.size()}; }
  /// Hash of all sets of choices so far: equal prefixes of a deterministic program have equal trails.
  [[nodiscard]] std::uint64_t trail() const { return trail_; }
  [[nodiscard]] History* history() const { return history_; }
  [[nodiscard]] Knowledge* knowledge() const { return knowledge_; }
  /// Null: sequentially consistent.
  [[nodiscard]] const Memory* memory() const { return memory_; }
  /// The choice that is asked for is which store the current step reads, or comes after.
  [[nodiscard]] bool is_choosing_store() const { return choosing_store_; }
  /// Would it make a difference if `thread` had taken its step before the last one?
  [[nodiscard]] bool conflicts_with_last(ThreadId thread) const;
  /// Of a failure; empty = none.
  [[nodiscard]] const std::string& law() const { return law_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// What a thread that cannot go on waits for.
  [[nodiscard]] std::string blocked_on(ThreadId thread) const;

  /// For searches that recognise states, when asked who goes on: what each thread is about to do, its stack and
  /// registers, notifications, time. The program's other memory and its locks are not the World's.
  void hash_state(StateHash& hash) const;

  struct Counters {
    std::uint64_t wait_asleep = 0, wait_awake = 0, lock_free = 0, lock_contended = 0, spurious = 0, timeouts = 0;
  };
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  struct Thread {
    Fibre fibre;
    StackRange stack{};
    World* world = nullptr;
    void (*entry)(void*) = nullptr;
    void* arg = nullptr;
    Step pending;
    std::uint64_t deadline_ps = 0;
    std::uint64_t own_writes = 0, writes_seen = 0;
    ThreadId joins = kNoThread;
    std::uint32_t spurious_left = 0;
    const std::uint8_t* lowest = nullptr;  ///< of its stack in use, registers included; null: it has not begun
  };
  static std::uint64_t bit(ThreadId thread) { return std::uint64_t{1} << thread; }
  static void thread_main(void* arg);
  void reset();
  void schedule() {
    if (options_.recognises_states) [[unlikely]] {
      wipe_below();  // where the next frame leaves gaps
      return schedule_recognised();
    }
    hand_over();
  }
  [[gnu::noinline]] void hand_over();  // the only place of nearly all switches: its jumps predict
  void take_step();
  ThreadId decide();
  [[gnu::noinline]] void flush_last();
  std::uint64_t wake_when_idle();
  void note_word_change();
  void note_access();
  [[gnu::noinline]] void take_weak_step();
  [[gnu::noinline]] void schedule_recognised();
  [[gnu::noinline]] static void wipe_below();
  [[gnu::noinline]] static void keep_depth(Thread& me);
  void hash_thread(ThreadId thread, StateHash& hash) const;
  [[noreturn]] void finish_thread();
  ThreadId stop(End end);

  WorldOptions options_;
  StackPool pool_;
  Fibre host_;
  std::vector<Thread> threads_;
  Strategy* strategy_ = nullptr;
  History* history_ = nullptr;
  Knowledge* knowledge_ = nullptr;
  Memory* memory_ = nullptr;
  bool choosing_store_ = false, accesses_ = false;  // accesses_: the memory waits for the end of the last step
  ThreadId current_ = 0;
  std::uint64_t alive_ = 0, blocked_ = 0, tokens_ = 0, sleeping_ = 0, spinning_ = 0, settling_ = 0;
  bool controlled_ = true;
  bool has_last_ = false;
  bool is_watched_ = false;                            ///< by a History or a Knowledge
  bool asks_after_begin_ = false, has_begun_ = false;  // has_begun_: the current thread, just now
  Step last_;
  ThreadId last_thread_ = 0;
  std::uint64_t word_before_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t now_ps_ = 0;
  std::uint32_t early_left_ = 0;
  std::uint32_t steps_ = 0, idle_turns_ = 0;
  std::uint64_t trail_ = 0;
  Log<Decision> decisions_;
  End end_ = End::kDone;
  std::string law_, text_;
  Counters counters_;
};

}  // namespace detent::verify::explore
