// ExplorePort: a detent_port whose every call is a step of VirtualThreads. The runtime under it is the same object as
// natively.
//
// Slots are threads 0..slots-1; threads above are the program's own (back ends that answer). Time is
// logical: it stands still until a deadline has to pass because nobody can run.
#pragma once

#include <cstdint>

#include <detent/port.h>

#include "base/ids.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore {

/// Calls of the port that order memory: unlock, notify and start release what the thread has seen; lock, wait and join
/// acquire it.
enum class PortCall : std::uint8_t { kLock, kUnlock, kWait, kNotify, kStart, kJoin };

/// Says in which order an access counts: for tests that take an order away from the engine.
class OrderFilter {
 public:
  virtual ~OrderFilter() = default;
  /// @param site  address in the engine's code from which the access was announced
  /// @param base, offset_bytes  of the word
  /// @param access  as Access of runtime/base/atomic.h
  /// @return access, or one with another order
  virtual std::uint32_t order_of(const void* site, const void* base, std::uint32_t offset_bytes,
                                 std::uint32_t access) = 0;
  /// @param site  address in the engine's code behind the call
  /// @return false: the call does what it does, but neither releases nor acquires, as a relaxed access would not
  virtual bool is_ordered(const void* site, PortCall call);
};

struct ExplorePortOptions {
  std::uint32_t slots = 1;
  std::uint32_t spin_limit = 0;
  std::uint32_t active_spin_limit = 0;
  std::uint32_t failing_starts = 0;  ///< starts per execution that may fail, as a choice
  bool announces_expected = false;   ///< updates that compare say with what: a Memory wants to know
  OrderFilter* orders = nullptr;     ///< null: every access counts as it was announced
  const void* words_base = nullptr;  ///< address from which words are numbered, once known: see Step::word
};

/// Told of the checkpoints that are no steps.
class CheckpointListener {
 public:
  virtual ~CheckpointListener() = default;
  virtual void at_checkpoint(detent_checkpoint kind, SlotId slot, std::uint32_t index) = 0;
};

class ExplorePort {
 public:
  /// @param threads  outlives the port   @param listener  may be null, then only words are steps; outlives the port
  ExplorePort(VirtualThreads& threads, const ExplorePortOptions& options, CheckpointListener* listener = nullptr);
  ExplorePort(const ExplorePort&) = delete;
  ExplorePort& operator=(const ExplorePort&) = delete;

  /// Before each execution.
  void reset();
  /// The lock, and starts that may still fail.
  void hash_state(StateHash& hash) const;
  void set_words_base(const void* base) { options_.words_base = base; }
  /// A word that is 0 when free: count how often others than the one that set it find it free, and how often not.
  void watch(const void* word) { watched_ = word; }
  [[nodiscard]] std::uint64_t watched_zero() const { return watched_zero_; }
  [[nodiscard]] std::uint64_t watched_set() const { return watched_set_; }
  [[nodiscard]] const detent_port& table() const { return table_; }
  [[nodiscard]] std::uint64_t failed_starts() const { return failed_starts_; }

 private:
  struct Calls;
  void touch_word(std::uint32_t index, const void* site);
  [[nodiscard]] bool is_ordered(const void* site, PortCall call) const;
  detent_status start(SlotId slot, void (*entry)(void*), void* arg, bool releases);

  VirtualThreads& threads_;
  ExplorePortOptions options_;
  CheckpointListener* listener_;
  FibreMutex mutex_;
  bool claimed_ = false;  // by a context
  std::uint32_t failing_left_ = 0;
  std::uint64_t failed_starts_ = 0;
  std::uint32_t expected_ = 0;  // of the access that is announced next
  bool compares_ = false;
  const void* watched_ = nullptr;
  std::uint64_t watched_zero_ = 0, watched_set_ = 0;
  ThreadId watched_owner_ = kNoThread;
  detent_port table_{};
};

}  // namespace detent::verify::explore
