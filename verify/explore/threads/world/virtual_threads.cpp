#include "verify/explore/threads/world/virtual_threads.hpp"

#include <algorithm>

namespace detent::verify::explore {

namespace {

std::uint64_t set_of(ThreadId thread) { return Waits::bit(thread); }

}  // namespace

/// The turn of a thread that wants the mutex, or has waited for it.
void VirtualThreads::acquire(FibreMutex& mutex, bool acquires) {
  const ThreadId self = turns_.current();
  turns_.step({.kind = StepKind::kLock, .exclusive = true, .object = mutex.object});
  if (acquires) turns_.observers().locked(self, mutex.object);
  mutex.held = true;
  mutex.pending &= ~set_of(self);
  turns_.waits().block(mutex.pending);
}

void VirtualThreads::lock(FibreMutex& mutex, bool acquires) {
  const std::uint64_t self = set_of(turns_.current());
  Waits& waits = turns_.waits();
  mutex.pending |= self;
  ++(mutex.held ? waits.counters().lock_contended : waits.counters().lock_free);
  if (mutex.held) waits.block(self);
  acquire(mutex, acquires);
}

void VirtualThreads::unlock(FibreMutex& mutex, bool releases) {
  mutex.held = false;
  turns_.waits().unblock(mutex.pending);
  if (!turns_.observers().are_any()) return;
  flush();
  turns_.observers().unlocked(turns_.current(), mutex.object, releases);
  tidy_stack();
}

void VirtualThreads::wait(FibreCondition& condition, FibreMutex& mutex) {
  const std::uint64_t self = set_of(turns_.current());
  unlock(mutex);
  condition.waiters |= self;
  turns_.waits().block(self);
  acquire(mutex, true);
}

void VirtualThreads::signal(FibreCondition& condition, FibreMutex& mutex) {
  if (condition.waiters == 0) return;
  std::uint64_t waiters = condition.waiters;
  if ((waiters & (waiters - 1)) != 0) {
    const auto count = static_cast<std::uint32_t>(__builtin_popcountll(waiters));
    for (std::uint32_t skip = choose(count); skip > 0; --skip) waiters &= waiters - 1;
  }
  const std::uint64_t woken = waiters & -waiters;
  condition.waiters &= ~woken;
  mutex.pending |= woken;
  if (!mutex.held) turns_.waits().unblock(woken);
}

void VirtualThreads::park(SlotId slot, std::uint64_t deadline_ps, bool acquires) {
  const ThreadId self = turns_.current();
  Waits& waits = turns_.waits();
  Parking& parking = waits.parking();
  if (turns_.is_controlled() && parking.spurious_left(self) != 0 && choose(2) == 1) {
    parking.use_spurious(self);
    ++waits.counters().spurious;
    return;
  }
  if (turns_.is_controlled() && deadline_ps != UINT64_MAX && parking.early_left() != 0 && choose(2) == 1) {
    parking.use_early();
    ++waits.counters().timeouts;
    step({.kind = StepKind::kTime, .exclusive = true, .object = kClockObject});
    parking.set_now_ps(std::max(parking.now_ps(), deadline_ps));
    return;
  }
  const bool awake = parking.has_token(slot) || deadline_ps <= parking.now_ps();
  ++(awake ? waits.counters().wait_awake : waits.counters().wait_asleep);
  parking.park(self, deadline_ps);
  if (!awake) waits.block(set_of(self));
  step({.kind = StepKind::kWait, .exclusive = true, .object = kTokenObjects + slot});
  if (parking.has_token(slot) && acquires) turns_.observers().woken(self, slot);
  parking.unpark(self);
  parking.take_token(slot);
}

void VirtualThreads::may_take(std::uint64_t ps) {
  Waits& waits = turns_.waits();
  Parking& parking = waits.parking();
  if (!turns_.is_controlled() || parking.early_left() == 0 || choose(2) == 0) return;
  parking.use_early();
  ++waits.counters().timeouts;
  step({.kind = StepKind::kTime, .exclusive = true, .object = kClockObject});
  parking.set_now_ps(parking.now_ps() + ps);
  flush();
  const std::uint64_t woken = parking.due(parking.parked() & turns_.alive() & waits.blocked());
  waits.unblock(woken);
  for (std::uint64_t left = woken; left != 0; left &= left - 1) {
    turns_.observers().woken_by_time(turns_.current(), static_cast<ThreadId>(__builtin_ctzll(left)));
  }
  tidy_stack();
}

void VirtualThreads::notify(SlotId slot, bool releases) {
  step({.kind = StepKind::kNotify, .object = kTokenObjects + slot});
  if (releases) turns_.observers().notified(turns_.current(), slot);
  turns_.waits().notify(slot);
}

void VirtualThreads::join(ThreadId thread, bool acquires) {
  const ThreadId self = turns_.current();
  Waits& waits = turns_.waits();
  waits.begin_join(self, thread);
  if ((turns_.alive() & set_of(thread)) != 0) waits.block(set_of(self));
  step({.kind = StepKind::kJoin});
  waits.end_join(self);
  turns_.observers().joined(self, thread, acquires);
  tidy_stack();
}

void VirtualThreads::pause() {
  const ThreadId self = turns_.current();
  Waits& waits = turns_.waits();
  flush();
  if (!options_.spins_freely) {
    waits.spins().begin(self);
    const bool looks_anew = turns_.observers().memory() != nullptr && turns_.observers().memory()->pause(self);
    if (!turns_.is_controlled() || (!looks_anew && !waits.spins().has_news(self))) waits.block(set_of(self));
  }
  step({.kind = StepKind::kPause});
  waits.spins().end(self);
}

void VirtualThreads::wait_until_idle() {
  const ThreadId self = turns_.current();
  turns_.waits().begin_idle_wait(self);
  step({.kind = StepKind::kIdleWait});
  turns_.waits().end_idle_wait(self);
  turns_.observers().waited_until_idle(self);
}

std::uint64_t VirtualThreads::now_ps() {
  if (options_.clock_matters) step({.kind = StepKind::kTime, .object = kClockObject});
  return time_ps();
}

}  // namespace detent::verify::explore
