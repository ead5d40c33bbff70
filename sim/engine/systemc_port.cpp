#include "sim/engine/systemc_port.hpp"

#include <algorithm>
#include <utility>

namespace detent::sim {

SystemcPort::SystemcPort(SimKernel& kernel, const Overheads& overheads, Chip* chip, OpEnds* ends)
    : kernel_(kernel), overheads_(overheads), chip_(chip), ends_(ends) {
  overheads_.lock_contended_ps = std::max(overheads_.lock_contended_ps, overheads_.lock_ps);
  port_.self = this;
  port_.spin_limit = 0;
  port_.max_slots = SimKernel::kSlots;
  port_.now_ps = [](void* p) { return self(p).kernel_.now_ps(); };
  port_.lock = [](void* p) { self(p).kernel_.lock(); };
  port_.unlock = [](void* p) { self(p).kernel_.unlock(); };
  port_.wait = [](void* p, std::uint32_t slot, std::uint64_t deadline_ps) { self(p).kernel_.park(slot, deadline_ps); };
  port_.notify = [](void* p, std::uint32_t slot) {
    const bool woken = self(p).kernel_.notify(slot, self(p).overheads_.wake_ps);
    if (woken && self(p).chip_ != nullptr) self(p).chip_->note_wake(slot, self(p).overheads_.wake_ps);
  };
  port_.start = [](void* p, std::uint32_t slot, void (*entry)(void*), void* arg) {
    if (slot == 0 || slot >= SimKernel::kSlots || !self(p).kernel_.idle(slot)) return DETENT_WORKER_FAILED;
    if (slot == self(p).failing_start_) return DETENT_WORKER_FAILED;
    self(p).kernel_.start(slot, entry, arg);
    return DETENT_OK;
  };
  port_.join = [](void* p, std::uint32_t slot) { self(p).kernel_.join(slot); };
  port_.pause = [](void* p) { self(p).kernel_.spin(); };
  port_.checkpoint = [](void* p, detent_checkpoint kind, std::uint32_t, std::uint32_t index) {
    if (kind == DETENT_CP_OP_END) {
      self(p).ends_->note_logged(index, self(p).kernel_.now_ps());
    } else {
      self(p).pay(kind);
    }
  };
  port_.claim = [](void* p) { return std::exchange(self(p).claimed_, true) ? DETENT_BUSY : DETENT_OK; };
  port_.release = [](void* p) { self(p).claimed_ = false; };
  for (std::uint32_t bit = 1; bit <= DETENT_CP_UNLOCK; bit <<= 1U) {
    if (cost_ps(static_cast<detent_checkpoint>(bit)) > 0) port_.checkpoint_mask |= bit;
  }
  if (ends_ != nullptr) port_.checkpoint_mask |= DETENT_CP_OP_END;
}

void SystemcPort::pay(detent_checkpoint kind) {
  std::uint64_t cost = cost_ps(kind);
  if (kind == DETENT_CP_LOCK) {
    const std::uint32_t holder = kernel_.current();
    if (holder == last_holder_ || last_holder_ == DETENT_NONE) cost = overheads_.lock_ps;
    last_holder_ = holder;
  }
  if (chip_ != nullptr) {
    chip_->spend(cost);
  } else {
    kernel_.spend(cost);
  }
}

/// The most that a step of this kind costs.
std::uint64_t SystemcPort::cost_ps(detent_checkpoint kind) const {
  switch (kind) {
    case DETENT_CP_LOCK:
      return overheads_.lock_contended_ps;
    case DETENT_CP_QUEUE:
      return overheads_.queue_ps;
    case DETENT_CP_DISPATCH:
      return overheads_.dispatch_ps + 2 * overheads_.log_ps;
    case DETENT_CP_OP_BEGIN:
    case DETENT_CP_OP_END:
    case DETENT_CP_ATOMIC:
    case DETENT_CP_COMPARE:
    case DETENT_CP_LOG:
    case DETENT_CP_UNLOCK:
      return 0;
  }
  return 0;
}

}  // namespace detent::sim
