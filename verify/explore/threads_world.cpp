// Scheduling: who can run, who does, and what each primitive changes.
#include "verify/explore/threads_world.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "runtime/atomic.h"
#include "verify/explore/threads_history.hpp"

namespace detent::verify::explore {

namespace {

std::uint64_t mix_trail(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29U);
}

constexpr std::size_t kCleanedBytes = 8192;  // more than the engine's deepest calls need

std::uint64_t read_word(const Step& step) {
  std::uint64_t value = 0;
  std::memcpy(&value, step.word, (step.access & kAccessWide) != 0 ? 8 : 4);
  return value;
}

}  // namespace

World::World(const WorldOptions& options) : options_(options), threads_(kMaxThreads), decisions_(1024) {
  host_.adopt_host();
}

void World::reset() {
  current_ = 0;
  alive_ = blocked_ = tokens_ = sleeping_ = spinning_ = joining_ = settling_ = 0;
  controlled_ = true;
  has_last_ = has_begun_ = false;
  writes_ = 0;
  now_ps_ = 0;
  early_left_ = options_.early_timeouts;
  steps_ = idle_turns_ = 0;
  law_.clear();
  text_.clear();
  trail_ = 0;
  decision_count_ = 0;
  end_ = End::kDone;
}

End World::run(Strategy& strategy, void (*main)(void*), void* arg, History* history) {
  reset();
  strategy_ = &strategy;
  history_ = history;
  if (history_ != nullptr) history_->reset();
  strategy.begin_execution();
  asks_after_begin_ = strategy.asks_after_begin();
  start(0, main, arg);
  switch_to(host_, threads_[0].fibre);
  if (!law_.empty()) end_ = End::kFailed;
  return end_;
}

void World::thread_main(void* arg) {
  const Thread& me = *static_cast<const Thread*>(arg);
  me.world->take_step();  // kBegin
  me.world->has_begun_ = me.world->controlled_ && !me.world->asks_after_begin_;
  me.entry(me.arg);
  me.world->finish_thread();
}

void World::start(ThreadId thread, void (*entry)(void*), void* arg) {
  has_begun_ = false;  // whoever is started now may come before the first step of who starts it
  Thread& child = threads_[thread];
  if (child.stack.base == nullptr) child.stack = pool_.take();
  child.world = this;
  child.entry = entry;
  child.arg = arg;
  child.pending = Step{};
  child.own_writes = child.writes_seen = 0;
  child.spurious_left = options_.spurious_wakeups;
  if (options_.recognises_states) {  // what earlier executions left on the stack tells nothing
    clean_stack(child.stack);
    std::memset(child.stack.base + child.stack.bytes - kCleanedBytes, 0, kCleanedBytes);
    child.lowest = nullptr;
  }
  child.fibre.prepare(child.stack, thread_main, &child);
  alive_ |= bit(thread);
  blocked_ &= ~bit(thread);
  tokens_ &= ~bit(thread);
  if (history_ == nullptr || thread == 0) return;
  flush();
  history_->started(current_, thread);
}

void World::finish_thread() {
  const ThreadId self = current_;
  alive_ &= ~bit(self);
  flush();
  for (std::uint64_t left = joining_; left != 0; left &= left - 1) {
    const auto waiter = static_cast<ThreadId>(__builtin_ctzll(left));
    if (threads_[waiter].joins == self) blocked_ &= ~bit(waiter);
  }
  if (self == 0) leave_to(threads_[self].fibre, host_);
  const ThreadId next = decide();
  if (next == kNoThread) leave_to(threads_[self].fibre, host_);
  current_ = next;
  leave_to(threads_[self].fibre, threads_[next].fibre);
}

ThreadId World::stop(End end) {
  end_ = end;
  return kNoThread;
}

void World::make_room() { decisions_.resize(decisions_.size() * 2); }

void World::fail(std::string law, std::string text) {
  if (!law_.empty()) return;
  law_ = std::move(law);
  text_ = std::move(text);
}

void World::note_word_change() {
  if (last_.word != nullptr && last_.exclusive) last_.exclusive = read_word(last_) != word_before_;
  if (!last_.exclusive || (last_.kind != StepKind::kWrite && last_.kind != StepKind::kUpdate)) return;
  ++writes_;
  ++threads_[last_thread_].own_writes;
  blocked_ &= ~(spinning_ & ~bit(last_thread_));
}

void World::flush_last() {
  has_last_ = false;
  note_word_change();
  if (history_ == nullptr) return;
  history_->add(last_thread_, last_);
  strategy_->executed(*this);
}

std::uint64_t World::wake_when_idle() {
  std::uint64_t earliest_ps = UINT64_MAX;
  for (std::uint64_t left = sleeping_ & alive_; left != 0; left &= left - 1) {
    earliest_ps = std::min(earliest_ps, threads_[__builtin_ctzll(left)].deadline_ps);
  }
  if (earliest_ps != UINT64_MAX) {
    now_ps_ = earliest_ps;
    ++counters_.timeouts;
    if (history_ != nullptr) history_->all_waited();
    for (std::uint64_t left = sleeping_ & alive_; left != 0; left &= left - 1) {
      if (threads_[__builtin_ctzll(left)].deadline_ps <= now_ps_) blocked_ &= ~(left & -left);
    }
    return alive_ & ~blocked_;
  }
  if (!controlled_ && spinning_ != 0 && ++idle_turns_ < options_.max_steps) {
    blocked_ &= ~spinning_;
    return alive_ & ~blocked_;
  }
  return settling_;
}

ThreadId World::decide() {
  flush();
  if (!law_.empty()) [[unlikely]]
    return stop(End::kFailed);
  std::uint64_t enabled = alive_ & ~blocked_;
  if (enabled == 0) [[unlikely]] {
    enabled = wake_when_idle();
    if (enabled == 0) return stop(End::kDeadlock);
  }
  if (!controlled_) {
    return (enabled >> current_ & 1U) != 0 ? current_ : static_cast<ThreadId>(__builtin_ctzll(enabled));
  }
  if (++steps_ > options_.max_steps) [[unlikely]]
    return stop(End::kStepLimit);
  const Step& mine = threads_[current_].pending;
  trail_ = mix_trail(trail_, enabled ^ (std::uint64_t{mine.object} << 32U) ^ static_cast<std::uint64_t>(mine.kind));
  const bool goes_on = has_begun_ && (enabled >> current_ & 1U) != 0;
  has_begun_ = false;
  const ThreadId next = goes_on ? current_ : strategy_->pick(*this, enabled);
  if (next == Strategy::kStop) [[unlikely]]
    return stop(End::kStopped);
  note_decision({.value = next & 0x7fffffffU, .is_choice = 0});
  return next;
}

void World::schedule() {
  if (options_.recognises_states) [[unlikely]]
    return schedule_recognised();
  hand_over();
}

void World::hand_over() {
  const ThreadId self = current_;
  const ThreadId next = decide();
  if (next != self) {
    if (next == kNoThread) leave_to(threads_[self].fibre, host_);
    current_ = next;
    switch_to(threads_[self].fibre, threads_[next].fibre);
  }
  take_step();
}

/// The current thread has been picked for the step it had published.
void World::take_step() {
  const Step& mine = threads_[current_].pending;
  const bool may_write = mine.kind == StepKind::kWrite || mine.kind == StepKind::kUpdate;
  if (!controlled_ || (history_ == nullptr && !may_write)) return;  // nobody will ask
  last_ = mine;
  last_thread_ = current_;
  has_last_ = true;
  if (last_.word != nullptr && last_.exclusive) word_before_ = read_word(last_);
}

void World::step(const Step& step) {
  threads_[current_].pending = step;
  schedule();
}

std::uint32_t World::choose(std::uint32_t count) {
  if (!controlled_ || count < 2) return 0;
  trail_ = mix_trail(trail_, count);
  const std::uint32_t value = strategy_->choose(*this, count);
  note_decision({.value = value & 0x7fffffffU, .is_choice = 1});
  if (history_ != nullptr) history_->chosen(current_, value);
  return value;
}

void World::lock(FibreMutex& mutex) {
  const std::uint64_t self = bit(current_);
  threads_[current_].pending = {.kind = StepKind::kLock, .exclusive = true, .object = mutex.object};
  mutex.pending |= self;
  ++(mutex.held ? counters_.lock_contended : counters_.lock_free);
  if (mutex.held) blocked_ |= self;
  schedule();
  mutex.held = true;
  mutex.pending &= ~self;
  blocked_ |= mutex.pending;
}

void World::unlock(FibreMutex& mutex) {
  mutex.held = false;
  blocked_ &= ~mutex.pending;
  if (history_ == nullptr) return;
  flush();
  history_->unlocked(current_, mutex.object);
}

void World::wait(FibreCondition& condition, FibreMutex& mutex) {
  const std::uint64_t self = bit(current_);
  unlock(mutex);
  condition.waiters |= self;
  blocked_ |= self;
  threads_[current_].pending = {.kind = StepKind::kLock, .exclusive = true, .object = mutex.object};
  schedule();
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
  sleeping_ &= ~self;
  tokens_ &= ~bit(slot);
}

void World::notify_token(std::uint32_t slot) {
  step({.kind = StepKind::kNotify, .object = kTokenObjects + slot});
  tokens_ |= bit(slot);
  if ((sleeping_ & bit(slot)) != 0) blocked_ &= ~bit(slot);
}

void World::join(ThreadId thread) {
  const std::uint64_t self = bit(current_);
  Thread& me = threads_[current_];
  me.joins = thread;
  me.pending = {.kind = StepKind::kJoin};
  joining_ |= self;
  if (is_alive(thread)) blocked_ |= self;
  schedule();
  joining_ &= ~self;
  me.joins = kNoThread;
  if (history_ != nullptr) history_->joined(current_, thread);
}

void World::pause() {
  Thread& me = threads_[current_];
  const std::uint64_t self = bit(current_);
  flush();
  me.pending = {.kind = StepKind::kPause};
  if (!options_.spins_freely) {
    spinning_ |= self;
    if (!controlled_ || writes_ - me.own_writes == me.writes_seen) blocked_ |= self;
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
}

std::uint64_t World::now_ps() {
  if (options_.clock_matters) step({.kind = StepKind::kTime, .object = kClockObject});
  return now_ps_;
}

void World::set_controlled(bool controlled) {
  flush();
  has_begun_ = false;
  controlled_ = controlled;
}

/// As schedule, with all that the thread will find again on its stack above `lowest`: registers that calls preserve are
/// saved in this frame, which stays until the thread goes on.
void World::schedule_recognised() {
  __builtin_unwind_init();
  keep_depth(threads_[current_]);
  hand_over();
}

/// The caller's frame ends where the call's begins.
void World::keep_depth(Thread& me) { me.lowest = static_cast<const std::uint8_t*>(__builtin_dwarf_cfa()); }

void World::wipe_below() {
  std::uint8_t gap[1024];
  std::memset(gap, 0, sizeof gap);
  asm volatile("" : : "r"(gap) : "memory");
}

void World::hash_thread(ThreadId thread, StateHash& hash) const {
  const Thread& it = threads_[thread];
  const Step& step = it.pending;
  hash.add(thread | std::uint64_t{static_cast<std::uint8_t>(step.kind)} << 8U | std::uint64_t{step.access} << 16U |
           std::uint64_t{step.exclusive} << 24U | std::uint64_t{step.object} << 32U);
  const bool has_news = writes_ - it.own_writes != it.writes_seen;  // what a pause asks
  hash.add(it.spurious_left | std::uint64_t{has_news} << 32U);
  if ((sleeping_ & bit(thread)) != 0) hash.add(it.deadline_ps);
  if ((joining_ & bit(thread)) != 0) hash.add(it.joins);
  if (it.lowest != nullptr) {
    hash.add_bytes(it.lowest, static_cast<std::size_t>(it.stack.base + it.stack.bytes - it.lowest));
  } else {
    hash.add(reinterpret_cast<std::uintptr_t>(it.entry));
    hash.add(reinterpret_cast<std::uintptr_t>(it.arg));
  }
}

void World::hash_state(StateHash& hash) const {
  for (const std::uint64_t set : {alive_, blocked_, tokens_, sleeping_, spinning_, joining_, settling_, now_ps_}) {
    hash.add(set);
  }
  hash.add(early_left_);
  for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
    hash_thread(static_cast<ThreadId>(__builtin_ctzll(left)), hash);
  }
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
    case StepKind::kNotify:
    case StepKind::kOp:
    case StepKind::kTime:
      return "can run";
  }
  return "?";
}

}  // namespace detent::verify::explore
