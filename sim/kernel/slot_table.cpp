#include "sim/kernel/slot_table.hpp"

#include <algorithm>

namespace detent::sim {

void SlotTable::begin_session() { std::fill(slots_.begin(), slots_.end(), Slot{}); }

bool SlotTable::all_idle() const {
  return std::all_of(slots_.begin(), slots_.begin() + kSlots,
                     [](const Slot& slot) { return slot.state == SlotState::kIdle; });
}

std::string SlotTable::describe() const {
  std::string text;
  for (SlotId slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].state != SlotState::kIdle) text += " " + describe(slot) + ";";
  }
  return text;
}

std::string SlotTable::describe(SlotId slot) const {
  const Slot& self = slots_[slot];
  const std::string name = "slot " + std::to_string(slot);
  switch (self.state) {
    case SlotState::kIdle:
      return name + " is idle";
    case SlotState::kReady:
      return name + " is ready";
    case SlotState::kParked:
      return name + (self.notified ? " is parked but notified" : " waits for a notification");
    case SlotState::kExecuting:
      return name + " executes op " + std::to_string(self.waits_for);
    case SlotState::kSpending:
      return name + " pays for an overhead";
    case SlotState::kJoining:
      return name + " waits for the end of slot " + std::to_string(self.waits_for);
    case SlotState::kSpinning:
      return name + " spins";
  }
  return name;
}

}  // namespace detent::sim
