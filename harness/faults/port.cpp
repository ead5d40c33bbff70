#include "harness/faults/port.hpp"

#include <algorithm>

namespace detent::harness {

FaultPort::FaultPort(const detent_port& inner, FaultInjector& injector, const Options& options)
    : inner_(inner), injector_(injector), options_(options) {
  slots_[0].started = true;  // the caller's thread
  forward_to_inner();
  if (options_.logical_time) take_over_time();
}

void FaultPort::forward_to_inner() {
  port_ = inner_;
  port_.self = this;
  port_.now_ps = [](void* p) { return self(p).inner_.now_ps(self(p).inner_.self); };
  port_.lock = [](void* p) { self(p).inner_.lock(self(p).inner_.self); };
  port_.unlock = [](void* p) { self(p).inner_.unlock(self(p).inner_.self); };
  port_.wait = [](void* p, std::uint32_t slot, std::uint64_t deadline_ps) {
    self(p).inner_.wait(self(p).inner_.self, slot, deadline_ps);
  };
  port_.notify = [](void* p, std::uint32_t slot) { self(p).inner_.notify(self(p).inner_.self, slot); };
  port_.start = [](void* p, std::uint32_t slot, void (*entry)(void*), void* arg) {
    return self(p).start(slot, entry, arg);
  };
  port_.join = [](void* p, std::uint32_t slot) { self(p).join(slot); };
  port_.pause = [](void* p) { self(p).inner_.pause(self(p).inner_.self); };
  if (inner_.claim == nullptr) return;
  port_.claim = [](void* p) { return self(p).inner_.claim(self(p).inner_.self); };
  port_.release = [](void* p) { self(p).inner_.release(self(p).inner_.self); };
}

void FaultPort::take_over_time() {
  port_.spin_limit = 0;  // a slot that spins is not known to wait
  port_.now_ps = [](void* p) {
    const std::lock_guard lock(self(p).mutex_);
    return self(p).now_ps_;
  };
  port_.wait = [](void* p, std::uint32_t slot, std::uint64_t deadline_ps) { self(p).wait(slot, deadline_ps); };
  port_.notify = [](void* p, std::uint32_t slot) { self(p).notify(slot); };
}

detent_status FaultPort::start(SlotId slot, void (*entry)(void*), void* arg) {
  if (slot == options_.failing_start) return DETENT_WORKER_FAILED;
  {
    const std::lock_guard lock(mutex_);
    slots_[slot].started = true;  // before it runs: until it waits, time stands still
    slots_[slot].notified = false;
  }
  const detent_status status = inner_.start(inner_.self, slot, entry, arg);
  const std::lock_guard lock(mutex_);
  slots_[slot].started = status == DETENT_OK;
  return status;
}

void FaultPort::join(SlotId slot) {
  inner_.join(inner_.self, slot);
  const std::lock_guard lock(mutex_);
  slots_[slot].started = false;
}

void FaultPort::wait(SlotId slot, std::uint64_t deadline_ps) {
  std::unique_lock lock(mutex_);
  Slot& me = slots_[slot];
  me.waits = true;
  me.until_ps = deadline_ps;
  while (!me.notified && now_ps_ < deadline_ps) {
    if (nobody_can_go_on() && advance(lock, me)) continue;
    me.woken.wait(lock);
  }
  me.waits = false;
  me.notified = false;
}

void FaultPort::notify(SlotId slot) {
  const std::lock_guard lock(mutex_);
  slots_[slot].notified = true;
  slots_[slot].woken.notify_all();
}

/// Under mutex_.
bool FaultPort::nobody_can_go_on() const {
  return std::ranges::all_of(slots_, [this](const Slot& slot) {
    return !slot.started || (slot.waits && !slot.notified && slot.until_ps > now_ps_);
  });
}

/// Let time go on to what comes first. False: nothing ever comes.
bool FaultPort::advance(std::unique_lock<std::mutex>& lock, Slot& waiter) {
  const std::uint64_t due_ps = injector_.next_due_ps();
  std::uint64_t next_ps = due_ps;
  for (const Slot& slot : slots_) {
    if (slot.started) next_ps = std::min(next_ps, slot.until_ps);
  }
  if (next_ps == UINT64_MAX) return false;
  now_ps_ = std::max(now_ps_, next_ps);
  if (due_ps <= now_ps_) {  // answers come as an interrupt would: this thread gives them, and does not wait meanwhile
    const std::uint64_t at_ps = now_ps_;
    waiter.waits = false;
    lock.unlock();
    injector_.expire(at_ps);
    lock.lock();
    waiter.waits = true;
  }
  for (Slot& slot : slots_) {
    if (slot.waits && slot.until_ps <= now_ps_) slot.woken.notify_all();
  }
  return true;
}

}  // namespace detent::harness
