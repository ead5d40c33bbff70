#include "verify/explore/threads/world/turns.hpp"

#include "runtime/base/float_environment.h"

namespace detent::verify::explore {

namespace {

std::uint64_t bit(ThreadId thread) { return Waits::bit(thread); }

}  // namespace

Turns::Turns(const VirtualThreadsOptions& options)
    : options_(options), threads_(kMaxThreads), waits_(options), image_(options.recognises_states) {
  host_.adopt_host();
}

End Turns::run(Strategy& strategy, void (*main)(void*), void* arg, const Observers& observers) {
  const FloatEnvironmentScope floats;
  strategy_ = &strategy;
  observers_ = observers;
  waits_.reset();
  last_.reset(observers.memory());
  execution_.begin();
  current_ = 0;
  alive_ = 0;
  controlled_ = true;
  has_begun_ = choosing_store_ = false;
  idle_turns_ = 0;
  if (observers.history() != nullptr) observers.history()->begin(&strategy, strategy.repeats_history());
  if (observers.knowledge() != nullptr) observers.knowledge()->reset();
  strategy.begin_execution();
  asks_after_begin_ = strategy.asks_after_begin();
  start(0, main, arg);
  switch_to(host_, threads_[0].fibre);
  return execution_.end();
}

void Turns::thread_main(void* arg) {
  const Thread& me = *static_cast<const Thread*>(arg);
  me.turns->take_step();  // kBegin
  me.turns->has_begun_ = me.turns->controlled_ && !me.turns->asks_after_begin_;
  me.entry(me.arg);
  me.turns->finish_thread();
}

void Turns::start(ThreadId thread, void (*entry)(void*), void* arg, bool releases) {
  has_begun_ = false;  // whoever is started now may come before the first step of who starts it
  Thread& child = threads_[thread];
  if (child.stack.base == nullptr) child.stack = pool_.take();
  child.turns = this;
  child.entry = entry;
  child.arg = arg;
  child.pending = Step{};
  if (image_.is_wanted()) image_.begin(thread, child.stack, entry, arg);
  child.fibre.prepare(child.stack, thread_main, &child);
  alive_ |= bit(thread);
  waits_.start(thread);
  if (!observers_.are_any() || thread == 0) return;
  flush();
  observers_.started(current_, thread, releases);
  image_.wipe_stack();
}

void Turns::finish_thread() {
  const ThreadId self = current_;
  alive_ &= ~bit(self);
  flush();
  observers_.finished(self);
  waits_.finish(self, alive_);
  if (self == 0) leave_to(threads_[self].fibre, host_);
  const ThreadId next = decide();
  if (next == kNoThread) leave_to(threads_[self].fibre, host_);
  current_ = next;
  leave_to(threads_[self].fibre, threads_[next].fibre);
}

void Turns::flush_last() {
  if (last_.finish()) waits_.note_write(last_.thread());
  if (observers_.memory() != nullptr) image_.wipe_stack();
  if (observers_.knowledge() != nullptr) {
    observers_.knowledge()->add(last_.thread(), last_.step());
    image_.wipe_stack();
  }
  if (observers_.history() == nullptr) return;
  observers_.history()->add(last_.thread(), last_.step());
  strategy_->executed(*this);
}

/// Nobody can run: the earliest deadline passes; else those that spin look again, as long as nobody controls them; else
/// whoever waits for this goes on.
std::uint64_t Turns::wake_when_idle() {
  Parking& parking = waits_.parking();
  const std::uint64_t sleepers = parking.parked() & alive_;
  const std::uint64_t earliest_ps = parking.earliest_deadline_ps(sleepers);
  if (earliest_ps != UINT64_MAX) {
    parking.set_now_ps(earliest_ps);
    ++waits_.counters().timeouts;
    observers_.time_passed();
    waits_.unblock(parking.due(sleepers));
    return alive_ & ~waits_.blocked();
  }
  if (!controlled_ && waits_.spins().spinning() != 0 && ++idle_turns_ < options_.max_steps) {
    waits_.unblock(waits_.spins().spinning());
    return alive_ & ~waits_.blocked();
  }
  return waits_.idle_waiters();
}

ThreadId Turns::decide() {
  flush();
  if (execution_.has_failed()) [[unlikely]]
    return execution_.stop(End::kFailed);
  std::uint64_t enabled = alive_ & ~waits_.blocked();
  if (enabled == 0) [[unlikely]] {
    enabled = wake_when_idle();
    if (enabled == 0) return execution_.stop(End::kDeadlock);
  }
  if (!controlled_) {
    return (enabled >> current_ & 1U) != 0 ? current_ : static_cast<ThreadId>(__builtin_ctzll(enabled));
  }
  if (execution_.count_step() > options_.max_steps) [[unlikely]]
    return execution_.stop(End::kStepLimit);
  execution_.note_enabled(enabled, threads_[current_].pending);
  const bool goes_on = has_begun_ && (enabled >> current_ & 1U) != 0;
  has_begun_ = false;
  const ThreadId next = goes_on ? current_ : strategy_->pick(*this, enabled);
  if (next == Strategy::kStop) [[unlikely]]
    return execution_.stop(End::kStopped);
  execution_.add_pick(next);
  return next;
}

void Turns::hand_over() {
  const ThreadId self = current_;
  const ThreadId next = decide();
  if (next != self) {
    if (next == kNoThread) leave_to(threads_[self].fibre, host_);
    current_ = next;
    switch_to(threads_[self].fibre, threads_[next].fibre);
  }
  take_step();
}

/// As hand_over, with all that the thread will find again on its stack above the depth that is kept: registers that
/// calls preserve are saved in this frame, which stays until the thread goes on.
void Turns::hand_over_recognised() {
  __builtin_unwind_init();
  image_.keep_depth(current_);
  hand_over();
  asm volatile("" : : : "memory");  // the call is not the last thing: else its frame would take the place of this one
}

/// The current thread has been picked for the step it had published.
void Turns::take_step() {
  const Step& mine = threads_[current_].pending;
  if (observers_.memory() != nullptr) return take_weak_step();
  const bool may_write = mine.kind == StepKind::kWrite || mine.kind == StepKind::kUpdate;
  if (!controlled_ || (!observers_.are_any() && !may_write)) return;  // nobody will ask
  last_.take(current_, mine);
}

/// As take_step, where a memory says which stores an access may see.
void Turns::take_weak_step() {
  if (!controlled_) return;
  const std::uint32_t count = last_.begin_access(current_, threads_[current_].pending);
  if (count == 0) return;
  std::uint32_t chosen = 0;
  if (count > 1) {
    choosing_store_ = true;
    chosen = choose(count);
    choosing_store_ = false;
  }
  observers_.memory()->take(chosen);
}

std::uint32_t Turns::choose(std::uint32_t count) {
  if (!controlled_ || count < 2) return 0;
  execution_.note_choice(count);
  const std::uint32_t value = strategy_->choose(*this, count);
  execution_.add_choice(value);
  observers_.chosen(current_, value, choosing_store_);
  return value;
}

void Turns::set_controlled(bool controlled) {
  flush();
  observers_.forget_stores();
  has_begun_ = false;
  controlled_ = controlled;
}

}  // namespace detent::verify::explore
