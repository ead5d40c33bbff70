// OpExecution: simulated time that ops take, on a slot that they keep busy or until an interrupt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "sim/kernel/dispatcher.hpp"
#include "sim/kernel/event_queue.hpp"
#include "sim/kernel/sim_clock.hpp"
#include "sim/kernel/slot_table.hpp"

namespace detent::sim {

/// Completions of one instant go by (priority, op), whichever way they come. On simulated threads only.
class OpExecution {
 public:
  /// How an op that is asynchronous completes: complete(self, op, code).
  struct Interrupt {
    void (*complete)(void* self, std::uint32_t op, std::int32_t code) = nullptr;
    void* self = nullptr;
    std::int32_t code = 0;
  };

  /// All must outlive this object.
  OpExecution(SimClock& clock, SlotTable& slots, Dispatcher& dispatcher)
      : clock_(clock), slots_(slots), dispatcher_(dispatcher) {}

  /// A new session: no interrupt is pending.
  void begin_session() { interrupts_.clear(); }
  /// Keep the caller busy with an op for duration_ps.
  void execute(std::uint64_t duration_ps, std::int32_t priority, OpId op);
  /// As execute, to an end that may be moved while others go on. end_ps kNever: it waits to be given one.
  void execute_until(std::uint64_t end_ps, std::int32_t priority, OpId op);
  /// Move the end of what another slot executes, not before now. kNever: it waits to be given another.
  void move_end(SlotId slot, std::uint64_t end_ps);
  /// Call `interrupt` on the interrupt thread at now + duration_ps.
  void interrupt_later(std::uint64_t duration_ps, std::int32_t priority, OpId op, Interrupt interrupt);
  [[nodiscard]] std::size_t pending_interrupts() const { return interrupts_.size(); }
  /// The interrupt thread, from its first turn on, with an interrupt that is due.
  [[noreturn]] void serve_interrupts();

 private:
  struct PendingInterrupt {
    EventKey key;
    OpId op = 0;
    Interrupt interrupt;
  };
  void arm_interrupt();

  SimClock& clock_;
  SlotTable& slots_;
  Dispatcher& dispatcher_;
  std::vector<PendingInterrupt> interrupts_;  // heap, earliest first
};

}  // namespace detent::sim
