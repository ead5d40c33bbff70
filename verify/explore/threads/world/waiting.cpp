// What threads wait for: locks, conditions, notifications, the end of others, a write, a deadline.
#include <algorithm>

#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/world/world.hpp"

namespace detent::verify::explore {

std::uint64_t World::wake_when_idle() {
  std::uint64_t earliest_ps = UINT64_MAX;
  for (std::uint64_t left = sleeping_ & alive_; left != 0; left &= left - 1) {
    earliest_ps = std::min(earliest_ps, threads_[static_cast<ThreadId>(__builtin_ctzll(left))].deadline_ps);
  }
  if (earliest_ps != UINT64_MAX) {
    now_ps_ = earliest_ps;
    ++counters_.timeouts;
    if (history_ != nullptr) history_->all_waited();
    if (memory_ != nullptr) memory_->time_passes();
    for (std::uint64_t left = sleeping_ & alive_; left != 0; left &= left - 1) {
      if (threads_[static_cast<ThreadId>(__builtin_ctzll(left))].deadline_ps <= now_ps_) blocked_ &= ~(left & -left);
    }
    return alive_ & ~blocked_;
  }
  if (!controlled_ && spinning_ != 0 && ++idle_turns_ < options_.max_steps) {
    blocked_ &= ~spinning_;
    return alive_ & ~blocked_;
  }
  return settling_;
}

void World::lock(FibreMutex& mutex) {
  const std::uint64_t self = bit(current_);
  threads_[current_].pending = {.kind = StepKind::kLock, .exclusive = true, .object = mutex.object};
  mutex.pending |= self;
  ++(mutex.held ? counters_.lock_contended : counters_.lock_free);
  if (mutex.held) blocked_ |= self;
  schedule();
  if (memory_ != nullptr) memory_->views().lock(current_, mutex.object);
  mutex.held = true;
  mutex.pending &= ~self;
  blocked_ |= mutex.pending;
}

void World::unlock(FibreMutex& mutex) {
  mutex.held = false;
  blocked_ &= ~mutex.pending;
  if (!is_watched_) return;
  flush();
  if (history_ != nullptr) history_->unlocked(current_, mutex.object);
  if (knowledge_ != nullptr) knowledge_->unlocked(current_, mutex.object);  // and its memory
  tidy_stack();
}

void World::wait(FibreCondition& condition, FibreMutex& mutex) {
  const std::uint64_t self = bit(current_);
  unlock(mutex);
  condition.waiters |= self;
  blocked_ |= self;
  threads_[current_].pending = {.kind = StepKind::kLock, .exclusive = true, .object = mutex.object};
  schedule();
  if (memory_ != nullptr) memory_->views().lock(current_, mutex.object);
  mutex.held = true;
  mutex.pending &= ~self;
  blocked_ |= mutex.pending;
}

void World::signal(FibreCondition& condition, FibreMutex& mutex) {
  if (condition.waiters == 0) return;
  std::uint64_t waiters = condition.waiters;
  if ((waiters & (waiters - 1)) != 0) {
    const auto count = static_cast<std::uint32_t>(__builtin_popcountll(waiters));
    for (std::uint32_t skip = choose(count); skip > 0; --skip) waiters &= waiters - 1;
  }
  const std::uint64_t woken = waiters & -waiters;
  condition.waiters &= ~woken;
  mutex.pending |= woken;
  if (!mutex.held) blocked_ &= ~woken;
}

void World::wait_token(std::uint32_t slot, std::uint64_t deadline_ps) {
  Thread& me = threads_[current_];
  if (controlled_ && me.spurious_left != 0 && choose(2) == 1) {
    --me.spurious_left;
    ++counters_.spurious;
    return;
  }
  if (controlled_ && deadline_ps != UINT64_MAX && early_left_ != 0 && choose(2) == 1) {
    --early_left_;
    ++counters_.timeouts;
    step({.kind = StepKind::kTime, .exclusive = true, .object = kClockObject});
    now_ps_ = std::max(now_ps_, deadline_ps);
    return;
  }
  const std::uint64_t self = bit(current_);
  const bool awake = (tokens_ & bit(slot)) != 0 || deadline_ps <= now_ps_;
  ++(awake ? counters_.wait_awake : counters_.wait_asleep);
  me.pending = {.kind = StepKind::kWait, .exclusive = true, .object = kTokenObjects + slot};
  me.deadline_ps = deadline_ps;
  sleeping_ |= self;
  if (!awake) blocked_ |= self;
  schedule();
  if (memory_ != nullptr && (tokens_ & bit(slot)) != 0) memory_->views().wake(current_, slot);
  sleeping_ &= ~self;
  tokens_ &= ~bit(slot);
}

void World::may_take(std::uint64_t ps) {
  if (!controlled_ || early_left_ == 0 || choose(2) == 0) return;
  --early_left_;
  ++counters_.timeouts;
  step({.kind = StepKind::kTime, .exclusive = true, .object = kClockObject});
  now_ps_ += ps;
  flush();
  for (std::uint64_t left = sleeping_ & alive_ & blocked_; left != 0; left &= left - 1) {
    const auto sleeper = static_cast<ThreadId>(__builtin_ctzll(left));
    if (threads_[sleeper].deadline_ps > now_ps_) continue;
    blocked_ &= ~bit(sleeper);
    if (history_ != nullptr) history_->started(current_, sleeper);  // it wakes because of this step
  }
  tidy_stack();
}

void World::notify_token(std::uint32_t slot) {
  step({.kind = StepKind::kNotify, .object = kTokenObjects + slot});
  tokens_ |= bit(slot);
  if (memory_ != nullptr) memory_->views().notify(current_, slot);
  if ((sleeping_ & bit(slot)) != 0) blocked_ &= ~bit(slot);
}

void World::join(ThreadId thread) {
  const std::uint64_t self = bit(current_);
  Thread& me = threads_[current_];
  me.joins = thread;
  me.pending = {.kind = StepKind::kJoin};
  if (is_alive(thread)) blocked_ |= self;
  schedule();
  me.joins = kNoThread;
  if (history_ != nullptr) history_->joined(current_, thread);
  if (knowledge_ != nullptr) knowledge_->joined(current_, thread);
  tidy_stack();
}

void World::pause() {
  Thread& me = threads_[current_];
  const std::uint64_t self = bit(current_);
  flush();
  me.pending = {.kind = StepKind::kPause};
  if (!options_.spins_freely) {
    spinning_ |= self;
    const bool looks_anew = memory_ != nullptr && memory_->pause(current_);
    if (!controlled_ || (!looks_anew && writes_ - me.own_writes == me.writes_seen)) blocked_ |= self;
  }
  schedule();
  spinning_ &= ~self;
  me.writes_seen = writes_ - me.own_writes;
}

void World::settle() {
  const std::uint64_t self = bit(current_);
  threads_[current_].pending = {.kind = StepKind::kSettle};
  settling_ |= self;
  blocked_ |= self;
  schedule();
  settling_ &= ~self;
  blocked_ &= ~self;
  if (history_ != nullptr) history_->all_waited();
  if (memory_ != nullptr) memory_->waited_until_idle(current_);
}

std::uint64_t World::now_ps() {
  if (options_.clock_matters) step({.kind = StepKind::kTime, .object = kClockObject});
  return now_ps_;
}

std::string World::blocked_on(ThreadId thread) const {
  const Step& step = threads_[thread].pending;
  switch (step.kind) {
    case StepKind::kWait:
      return "sleeps until a notify";
    case StepKind::kLock:
      return "waits for the lock";
    case StepKind::kJoin:
      return "waits for thread " + std::to_string(threads_[thread].joins) + " to end";
    case StepKind::kPause:
      return "spins until somebody writes";
    case StepKind::kSettle:
      return "waits for the others";
    case StepKind::kBegin:
    case StepKind::kRead:
    case StepKind::kWrite:
    case StepKind::kUpdate:
    case StepKind::kFence:
    case StepKind::kNotify:
    case StepKind::kOp:
    case StepKind::kTime:
      return "can run";
  }
  return "?";
}

}  // namespace detent::verify::explore
