#include "sim/kernel/op_execution.hpp"

#include <algorithm>

namespace detent::sim {

void OpExecution::execute(std::uint64_t duration_ps, std::int32_t priority, OpId op) {
  execute_until(clock_.later(duration_ps), priority, op);
}

void OpExecution::execute_until(std::uint64_t end_ps, std::int32_t priority, OpId op) {
  Slot& self = slots_[dispatcher_.current()];
  self.state = SlotState::kExecuting;
  self.until_ps = end_ps;
  self.waits_for = op;
  self.priority = priority;
  if (end_ps != SimClock::kNever) {
    dispatcher_.wait_until({end_ps, event_order(EventKind::kCompletion, priority, op)});
  } else {
    dispatcher_.wait();
  }
  self.state = SlotState::kReady;
}

void OpExecution::move_end(SlotId slot, std::uint64_t end_ps) {
  Slot& moved = slots_[slot];
  moved.until_ps = end_ps;
  if (end_ps == SimClock::kNever) return dispatcher_.withdraw(slot);
  const std::uint64_t not_past_ps = std::max(end_ps, clock_.now_ps());
  dispatcher_.set(slot, {not_past_ps, event_order(EventKind::kCompletion, moved.priority, moved.waits_for)});
}

void OpExecution::interrupt_later(std::uint64_t duration_ps, std::int32_t priority, OpId op, Interrupt interrupt) {
  interrupts_.push_back(
      {{clock_.later(duration_ps), event_order(EventKind::kCompletion, priority, op)}, op, interrupt});
  std::push_heap(interrupts_.begin(), interrupts_.end(),
                 [](const auto& a, const auto& b) { return b.key.before(a.key); });
  arm_interrupt();
}

void OpExecution::arm_interrupt() {
  if (!interrupts_.empty()) dispatcher_.set(SlotTable::kInterruptThread, interrupts_.front().key);
}

void OpExecution::serve_interrupts() {
  for (;;) {
    std::pop_heap(interrupts_.begin(), interrupts_.end(),
                  [](const auto& a, const auto& b) { return b.key.before(a.key); });
    const PendingInterrupt due = interrupts_.back();
    interrupts_.pop_back();
    due.interrupt.complete(due.interrupt.self, due.op, due.interrupt.code);
    arm_interrupt();
    dispatcher_.wait();
  }
}

}  // namespace detent::sim
