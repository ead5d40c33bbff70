#include "sim/kernel/world.hpp"

#include <algorithm>
#include <utility>

#include "runtime/base/float_environment.h"
#include "sim/systemc/library.hpp"
#include "sim/systemc/stack_bounds.hpp"

namespace detent::sim {
namespace {

constexpr std::uint32_t kInterruptThread = World::kSlots;
constexpr std::uint32_t kTimer = kInterruptThread + 1;
constexpr std::uint32_t kMaxBarrenSpins = 100'000;  // with nobody else to go on: a spin that ends by itself is allowed
constexpr std::uint32_t kMaxRecoveries = 16;  // a run that is cancelled drains after one; then the join may hang once

static_assert(kTimer < EventQueue::kCapacity);

}  // namespace

World& World::instance() {
  // Never destroyed: SystemC's own objects, which refer to the threads, live until the process ends.
  static World& world = *new World();
  return world;
}

World::World() : slots_(kSlots + 1), threads_(sc_library().make_threads(&World::thread_body, this)) {}

Session World::run(std::unique_ptr<Job>& job) {
  const FloatEnvironmentScope floats;
  reset();
  job_ = job.get();
  slots_[0].state = State::kReady;
  current_ = 0;
  threads_->run(0);
  restore_stack_bounds();
  job_ = nullptr;
  session_.finished = finished_;
  if (!finished_) abandoned_.push_back(std::move(job));
  // A thread that stands in the middle of an old session must never be armed for a new one.
  const bool all_idle =
      std::all_of(slots_.begin(), slots_.begin() + kSlots, [](const Slot& slot) { return slot.state == State::kIdle; });
  if (!finished_ || !all_idle) threads_->abandon_all();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return std::move(session_);
}

void World::reset() {
  queue_.clear();
  interrupts_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
  now_ps_ = 0;
  systemc_ps_ = 0;
  recoveries_ = barren_spins_ = 0;
  spins_ = 0;
  locked_ = overflowed_ = finished_ = false;
  error_ = nullptr;
  session_ = Session{};
}

void World::thread_body(void* self, std::uint32_t index) {
  World& world = *static_cast<World*>(self);
  if (index == 0) world.main_loop();
  if (index == kInterruptThread) world.interrupt_loop();
  world.slot_loop(index);
}

void World::main_loop() {
  for (;;) {
    try {
      job_->main();
    } catch (...) {
      error_ = std::current_exception();
    }
    sync();
    finished_ = true;
    slots_[0].state = State::kIdle;
    threads_->leave(0);
  }
}

void World::slot_loop(std::uint32_t slot) {
  for (;;) {
    Slot& self = slots_[slot];
    self.entry(self.arg);
    self.state = State::kIdle;
    for (std::uint32_t other = 0; other < kSlots; ++other) {
      if (slots_[other].state == State::kJoining && slots_[other].waits_for == slot) {
        slots_[other].state = State::kReady;
        queue_.set(other, run_key(now_ps_, other));
      }
    }
    switch_away();
  }
}

void World::start(std::uint32_t slot, void (*entry)(void*), void* arg) {
  Slot& started = slots_[slot];
  started = Slot{};
  started.entry = entry;
  started.arg = arg;
  started.state = State::kReady;
  queue_.set(slot, run_key(now_ps_, slot));
}

void World::join(std::uint32_t slot) {
  Slot& self = slots_[current_];
  while (slots_[slot].state != State::kIdle) {
    self.state = State::kJoining;
    self.waits_for = slot;
    switch_away();
  }
  self.state = State::kReady;
}

void World::park(std::uint64_t deadline_ps) {
  Slot& self = slots_[current_];
  if (!self.notified && deadline_ps > now_ps_) {
    self.state = State::kParked;
    self.until_ps = deadline_ps;
    if (deadline_ps != kNever) queue_.set(current_, run_key(deadline_ps, current_));
    switch_away();
    self.state = State::kReady;
  }
  self.notified = false;
}

bool World::notify(std::uint32_t slot, std::uint64_t delay_ps) {
  Slot& woken = slots_[slot];
  const bool first = !woken.notified;
  woken.notified = true;
  if (!first || woken.state != State::kParked) return false;
  queue_.set(slot, run_key(later(delay_ps), slot));
  return true;
}

void World::spend(std::uint64_t cost_ps) {
  const std::uint64_t end_ps = later(cost_ps);
  Slot& self = slots_[current_];
  self.state = State::kSpending;
  self.until_ps = end_ps;
  wait_until(run_key(end_ps, current_));
  self.state = State::kReady;
}

void World::execute(std::uint64_t duration_ps, std::int32_t priority, std::uint32_t op) {
  execute_until(later(duration_ps), priority, op);
}

void World::execute_until(std::uint64_t end_ps, std::int32_t priority, std::uint32_t op) {
  Slot& self = slots_[current_];
  self.state = State::kExecuting;
  self.until_ps = end_ps;
  self.waits_for = op;
  self.priority = priority;
  if (end_ps != kNever) {
    wait_until({end_ps, event_order(EventKind::kCompletion, priority, op)});
  } else {
    switch_away();
  }
  self.state = State::kReady;
}

void World::move_end(std::uint32_t slot, std::uint64_t end_ps) {
  Slot& moved = slots_[slot];
  moved.until_ps = end_ps;
  if (end_ps == kNever) {
    if (queue_.contains(slot)) queue_.remove(slot);
    return;
  }
  const std::uint64_t not_past_ps = end_ps < now_ps_ ? now_ps_ : end_ps;
  queue_.set(slot, {not_past_ps, event_order(EventKind::kCompletion, moved.priority, moved.waits_for)});
}

void World::set_timer(std::uint64_t time_ps, void (*expired)(void* self), void* self) {
  expired_ = expired;
  timer_self_ = self;
  if (time_ps != kNever) {
    queue_.set(kTimer, {time_ps, event_order(EventKind::kTimer, 0, kTimer)});
  } else if (queue_.contains(kTimer)) {
    queue_.remove(kTimer);
  }
}

void World::interrupt_later(std::uint64_t duration_ps, std::int32_t priority, std::uint32_t op, Interrupt interrupt) {
  interrupts_.push_back({{later(duration_ps), event_order(EventKind::kCompletion, priority, op)}, op, interrupt});
  std::push_heap(interrupts_.begin(), interrupts_.end(),
                 [](const auto& a, const auto& b) { return b.key.before(a.key); });
  arm_interrupt();
}

void World::arm_interrupt() {
  if (!interrupts_.empty()) queue_.set(kInterruptThread, interrupts_.front().key);
}

void World::interrupt_loop() {
  for (;;) {
    std::pop_heap(interrupts_.begin(), interrupts_.end(),
                  [](const auto& a, const auto& b) { return b.key.before(a.key); });
    const PendingInterrupt due = interrupts_.back();
    interrupts_.pop_back();
    due.interrupt.complete(due.interrupt.self, due.op, due.interrupt.code);
    arm_interrupt();
    switch_away();
  }
}

void World::spin() {
  // Others that spin cannot change what this one waits for, so it looks again only after a real event.
  std::uint64_t next_ps = kNever;
  bool found = false;
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    const EventKey& key = queue_.at(i);
    if (event_kind(key) == EventKind::kSpin) continue;
    if (key.time_ps < next_ps) next_ps = key.time_ps;
    found = true;
  }
  if (!found) {
    next_ps = now_ps_;
    if (++barren_spins_ == kMaxBarrenSpins) {
      barren_spins_ = 0;
      resolve_deadlock();
    }
  }
  Slot& self = slots_[current_];
  self.state = State::kSpinning;
  queue_.set(current_, {next_ps, (static_cast<std::uint64_t>(EventKind::kSpin) << 56U) | ++spins_});  // in turns
  switch_away();
  self.state = State::kReady;
}

void World::settle() {
  while (!queue_.empty()) spin();
}

void World::lock() {
  while (locked_) spin();
  locked_ = true;
}

void World::sync() {
  if (systemc_ps_ == now_ps_) return;
  const std::uint64_t delta_ps = now_ps_ - systemc_ps_;
  if (delta_ps > kNever - sc_library().time_ps()) {
    overflowed_ = true;
    return;
  }
  systemc_ps_ = now_ps_;
  threads_->advance(delta_ps);
}

std::uint64_t World::later(std::uint64_t delta_ps) {
  if (delta_ps < kNever - now_ps_) return now_ps_ + delta_ps;
  overflowed_ = true;
  return now_ps_;
}

void World::wait_until(const EventKey& key) {
  if (queue_.empty() || key.before(queue_.top())) {
    move_clock(key.time_ps);
    return;
  }
  queue_.set(current_, key);
  switch_away();
}

void World::switch_away() {
  const std::uint32_t self = current_;
  take_next();
  if (current_ == self) return;
  ++switches_;
  threads_->hand_over(self, current_);
}

void World::take_next() {
  while (queue_.empty() || queue_.top_id() == kTimer) {
    if (queue_.empty()) {
      resolve_deadlock();
    } else {
      expire_timer();
    }
  }
  const std::uint32_t next = queue_.top_id();
  const std::uint64_t time_ps = queue_.top().time_ps;
  if (event_kind(queue_.top()) != EventKind::kSpin) barren_spins_ = 0;
  queue_.remove(next);
  move_clock(time_ps);
  current_ = next;
}

void World::expire_timer() {
  barren_spins_ = 0;
  const std::uint64_t time_ps = queue_.top().time_ps;
  queue_.remove(kTimer);
  move_clock(time_ps);
  expired_(timer_self_);
}

void World::move_clock(std::uint64_t time_ps) {
  if (time_ps > now_ps_) now_ps_ = time_ps;
  if (observed_) sync();
}

void World::resolve_deadlock() {
  session_.deadlocks.push_back(describe());
  if (++recoveries_ > kMaxRecoveries) threads_->leave(current_);
  job_->on_deadlock();
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].state == State::kParked) queue_.set(slot, run_key(now_ps_, slot));
  }
}

std::string World::describe() const {
  std::string text = "deadlock at " + std::to_string(now_ps_) + " ps:";
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].state != State::kIdle) text += " " + describe_slot(slot) + ";";
  }
  text += " " + std::to_string(interrupts_.size()) + " interrupts pending";
  return text;
}

std::string World::describe_slot(std::uint32_t slot) const {
  const Slot& self = slots_[slot];
  const std::string name = "slot " + std::to_string(slot);
  switch (self.state) {
    case State::kIdle:
      return name + " is idle";
    case State::kReady:
      return name + " is ready";
    case State::kParked:
      return name + (self.notified ? " is parked but notified" : " waits for a notification");
    case State::kExecuting:
      return name + " executes op " + std::to_string(self.waits_for);
    case State::kSpending:
      return name + " pays for an overhead";
    case State::kJoining:
      return name + " waits for the end of slot " + std::to_string(self.waits_for);
    case State::kSpinning:
      return name + " spins";
  }
  return name;
}

}  // namespace detent::sim
