// Scheduling: who can run and who does, from the start of a program to its end.
#include "verify/explore/threads/world/world.hpp"

#include <cstring>

#include "runtime/base/atomic.h"
#include "runtime/base/float_environment.h"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/order/memory.hpp"

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

World::World(const WorldOptions& options) : options_(options), threads_(kMaxThreads) { host_.adopt_host(); }

void World::reset() {
  current_ = 0;
  alive_ = blocked_ = tokens_ = sleeping_ = spinning_ = settling_ = 0;
  controlled_ = true;
  has_last_ = has_begun_ = choosing_store_ = accesses_ = false;
  writes_ = 0;
  now_ps_ = 0;
  early_left_ = options_.early_timeouts;
  steps_ = idle_turns_ = 0;
  law_.clear();
  text_.clear();
  trail_ = 0;
  decisions_.truncate(0);
  end_ = End::kDone;
}

End World::run(Strategy& strategy, void (*main)(void*), void* arg, History* history, Knowledge* knowledge) {
  const FloatEnvironmentScope floats;
  reset();
  strategy_ = &strategy;
  history_ = history;
  knowledge_ = knowledge;
  is_watched_ = history != nullptr || knowledge != nullptr;
  if (history_ != nullptr) history_->begin(&strategy, strategy.repeats_history());
  if (knowledge_ != nullptr) knowledge_->reset();
  memory_ = knowledge_ != nullptr ? knowledge_->memory() : nullptr;
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
  child.joins = kNoThread;
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
  if (!is_watched_ || thread == 0) return;
  flush();
  if (history_ != nullptr) history_->started(current_, thread);
  if (knowledge_ != nullptr) knowledge_->started(current_, thread);
  tidy_stack();
}

void World::finish_thread() {
  const ThreadId self = current_;
  alive_ &= ~bit(self);
  flush();
  if (memory_ != nullptr) memory_->views().finish(self);
  for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
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

void World::fail(std::string law, std::string text) {
  if (!law_.empty()) return;
  law_ = std::move(law);
  text_ = std::move(text);
}

/// As note_word_change, where a memory says what loads see.
void World::note_access() {
  if (!accesses_) return;
  accesses_ = false;
  const Memory::Effect effect = memory_->end_access();
  last_.exclusive = effect.exclusive;
  if (!effect.news) return;
  ++writes_;
  ++threads_[last_thread_].own_writes;
  blocked_ &= ~(spinning_ & ~bit(last_thread_));
}

bool World::conflicts_with_last(ThreadId thread) const {
  const Step& step = threads_[thread].pending;
  if (conflicts(step, last_)) return true;
  return memory_ != nullptr && step.object == last_.object && memory_->may_raise(step);
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
  if (memory_ == nullptr) {
    note_word_change();
  } else {
    note_access();
    tidy_stack();
  }
  if (knowledge_ != nullptr) {
    knowledge_->add(last_thread_, last_);
    tidy_stack();
  }
  if (history_ == nullptr) return;
  history_->add(last_thread_, last_);
  strategy_->executed(*this);
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
  decisions_.add() = {.value = next & 0x7fffffffU, .is_choice = 0};
  return next;
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
  if (memory_ != nullptr) return take_weak_step();
  const bool may_write = mine.kind == StepKind::kWrite || mine.kind == StepKind::kUpdate;
  if (!controlled_ || (!is_watched_ && !may_write)) return;  // nobody will ask
  last_ = mine;
  last_thread_ = current_;
  has_last_ = true;
  if (last_.word != nullptr && last_.exclusive) word_before_ = read_word(last_);
}

/// As take_step, where a memory says which stores an access may see.
void World::take_weak_step() {
  if (!controlled_) return;
  last_ = threads_[current_].pending;
  last_thread_ = current_;
  has_last_ = true;
  accesses_ = last_.word != nullptr || last_.kind == StepKind::kFence;
  if (!accesses_) return;
  const std::uint32_t count = memory_->begin_access(current_, last_);
  std::uint32_t chosen = 0;
  if (count > 1) {
    choosing_store_ = true;
    chosen = choose(count);
    choosing_store_ = false;
  }
  memory_->take(chosen);
}

void World::step(const Step& step) {
  threads_[current_].pending = step;
  schedule();
}

std::uint32_t World::choose(std::uint32_t count) {
  if (!controlled_ || count < 2) return 0;
  trail_ = mix_trail(trail_, count);
  const std::uint32_t value = strategy_->choose(*this, count);
  decisions_.add() = {.value = value & 0x7fffffffU, .is_choice = 1};
  if (history_ != nullptr) history_->chosen(current_, value);
  if (memory_ != nullptr && !choosing_store_) memory_->choice(current_, value);
  return value;
}

void World::set_controlled(bool controlled) {
  flush();
  if (memory_ != nullptr) memory_->forget();
  has_begun_ = false;
  controlled_ = controlled;
}

}  // namespace detent::verify::explore
