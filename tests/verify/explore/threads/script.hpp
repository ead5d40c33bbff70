// Small programs of threads, written as data, for the searches to be compared on.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "runtime/base/atomic.h"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore::testing {

enum class Act : std::uint8_t {
  kLoad,   ///< of word `object`, into the outcome
  kPeek,   ///< a load whose value is forgotten
  kStore,  ///< `value`
  kClaim,  ///< compare and swap 0 -> value; the result into the outcome
  kSwap,   ///< exchange for `value`; what was there into the outcome
  kAdd,    ///< fetch_add of `value`, likewise
  kFence,  ///< `order` kFenced: seq_cst; kPaired: acquire and release
  kLock,
  kUnlock,
  kNotify,  ///< thread `object`
  kWait,    ///< on the own token
  kChoose   ///< below `value`, into the outcome
};

/// As MemoryOrder of runtime/base/atomic.h: seq_cst, acquire or release (both for an update), none.
enum class Order : std::uint8_t { kFenced = 0, kPaired = kAccessPaired, kRelaxed = kAccessRelaxed };

struct Action {
  Act act = Act::kLoad;
  std::uint32_t object = 0;
  std::uint32_t value = 0;
  Order order = Order::kFenced;
};

/// scripts[t] is what thread t does. Thread 0 starts the others first and joins them last.
class Script final : public StateSource {
 public:
  /// @param weak  under a Memory
  explicit Script(std::vector<std::vector<Action>> scripts, const VirtualThreadsOptions& options = {},
                  bool weak = false);
  /// Drive the search to its end (or that many executions).
  struct Seen {
    std::uint64_t executions = 0;
    std::uint64_t complete = 0;
    std::uint64_t deadlocks = 0;
    std::set<std::uint64_t> fingerprints;
    std::set<std::string> outcomes;  ///< what loads, claims and choices saw, by thread, and the words at the end
  };
  Seen explore(Strategy& strategy, std::uint64_t max_executions = 10'000'000);
  /// What loads, claims and choices have seen so far, and the words as they are.
  [[nodiscard]] std::string outcome() const;
  [[nodiscard]] const VirtualThreads& threads() const { return threads_; }
  [[nodiscard]] std::uint64_t state_hash() const override;
  [[nodiscard]] std::uint32_t state_version() const override { return memory_.version(); }

 private:
  struct Body {
    Script* script;
    std::uint32_t thread;
  };
  void perform(std::uint32_t thread, const Action& action);
  void run_thread(std::uint32_t thread);
  static void enter(void* arg);
  static void main(void* arg);
  std::vector<std::vector<Action>> scripts_;
  VirtualThreads threads_;
  History history_;
  bool weak_;
  Memory memory_;
  Knowledge knowledge_;
  std::vector<Body> bodies_;
  std::uint32_t words_[8] = {};
  FibreMutex mutexes_[4];
  std::vector<std::vector<std::uint32_t>> seen_;
};

/// A random program of `threads` threads with `length` actions each; locks are paired and waits are notified once.
std::vector<std::vector<Action>> random_scripts(std::uint64_t seed, std::uint32_t threads, std::uint32_t length);

}  // namespace detent::verify::explore::testing
