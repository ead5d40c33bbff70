// SlotTable: what each simulated thread runs and waits for, also as the text of a deadlock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/limits.h>

#include "base/ids.hpp"

namespace detent::sim {

enum class SlotState : std::uint8_t { kIdle, kReady, kParked, kExecuting, kSpending, kJoining, kSpinning };

struct Slot {
  void (*entry)(void*) = nullptr;
  void* arg = nullptr;
  SlotState state = SlotState::kIdle;
  bool notified = false;
  std::uint32_t waits_for = 0;  ///< op, or slot joined
  std::uint64_t until_ps = 0;
  std::int32_t priority = 0;
};

/// Slots 0..64 of the engine, and one more for the interrupt thread (asynchronous completions).
class SlotTable {
 public:
  static constexpr std::uint32_t kSlots = DETENT_MAX_WORKERS + 1;
  static constexpr std::uint32_t kInterruptThread = kSlots;

  SlotTable() : slots_(kSlots + 1) {}

  /// A new session: all are idle.
  void begin_session();
  [[nodiscard]] Slot& operator[](SlotId slot) { return slots_[slot]; }
  [[nodiscard]] const Slot& operator[](SlotId slot) const { return slots_[slot]; }
  /// Is every slot of the engine idle?
  [[nodiscard]] bool all_idle() const;
  /// What each slot of the engine that is not idle waits for: " slot 1 spins; slot 2 executes op 7;".
  [[nodiscard]] std::string describe() const;

 private:
  [[nodiscard]] std::string describe(SlotId slot) const;

  std::vector<Slot> slots_;
};

}  // namespace detent::sim
