#include "sim/kernel/sim_kernel.hpp"

#include <utility>

#include "base/assert.hpp"
#include "base/counted.hpp"
#include "runtime/base/float_environment.h"
#include "sim/systemc/library.hpp"
#include "sim/systemc/stack_bounds.hpp"

namespace detent::sim {
namespace {

constexpr std::uint32_t kMaxRecoveries = 16;  // a run that is cancelled drains after one; then the join may hang once

}  // namespace

SimKernel& SimKernel::instance() {
  // Never destroyed: SystemC's own objects, which refer to the threads, live until the process ends.
  static SimKernel& kernel = *new SimKernel();
  return kernel;
}

SimKernel::SimKernel()
    : threads_(sc_library().make_threads(&SimKernel::thread_body, this)),
      clock_(*threads_),
      dispatcher_(clock_, *threads_, *this),
      ops_(clock_, slots_, dispatcher_) {}

std::mutex& SimKernel::one_session() {
  static std::mutex mutex;
  return mutex;
}

Session SimKernel::run(std::unique_ptr<Job>& job) {
  DETENT_ASSERT(job_ == nullptr);
  const FloatEnvironmentScope floats;
  begin_session();
  job_ = job.get();
  slots_[0].state = SlotState::kReady;
  threads_->run(0);
  restore_stack_bounds();
  job_ = nullptr;
  session_.finished = finished_;
  if (!finished_) abandoned_.push_back(std::move(job));
  // A thread that stands in the middle of an old session must never be armed for a new one.
  if (!finished_ || !slots_.all_idle()) threads_->abandon_all();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return std::move(session_);
}

void SimKernel::begin_session() {
  clock_.begin_session();
  slots_.begin_session();
  dispatcher_.begin_session();
  ops_.begin_session();
  recoveries_ = 0;
  locked_ = finished_ = false;
  error_ = nullptr;
  session_ = Session{};
}

void SimKernel::thread_body(void* self, std::uint32_t index) {
  SimKernel& kernel = *static_cast<SimKernel*>(self);
  if (index == 0) kernel.main_loop();
  if (index == SlotTable::kInterruptThread) kernel.ops_.serve_interrupts();
  kernel.slot_loop(index);
}

void SimKernel::main_loop() {
  for (;;) {
    try {
      job_->main();
    } catch (...) {
      error_ = std::current_exception();
    }
    clock_.sync();
    finished_ = true;
    slots_[0].state = SlotState::kIdle;
    threads_->leave(0);
  }
}

void SimKernel::slot_loop(SlotId slot) {
  for (;;) {
    Slot& self = slots_[slot];
    self.entry(self.arg);
    self.state = SlotState::kIdle;
    for (std::uint32_t other = 0; other < kSlots; ++other) {
      if (slots_[other].state == SlotState::kJoining && slots_[other].waits_for == slot) {
        slots_[other].state = SlotState::kReady;
        dispatcher_.go_on_at(other, now_ps());
      }
    }
    dispatcher_.wait();
  }
}

void SimKernel::start(SlotId slot, void (*entry)(void*), void* arg) {
  Slot& started = slots_[slot];
  DETENT_ASSERT(started.state == SlotState::kIdle);
  started = Slot{};
  started.entry = entry;
  started.arg = arg;
  started.state = SlotState::kReady;
  dispatcher_.go_on_at(slot, now_ps());
}

void SimKernel::join(SlotId slot) {
  Slot& self = slots_[current()];
  while (slots_[slot].state != SlotState::kIdle) {
    self.state = SlotState::kJoining;
    self.waits_for = slot;
    dispatcher_.wait();
  }
  self.state = SlotState::kReady;
}

void SimKernel::park(std::uint32_t token, std::uint64_t deadline_ps) {
  DETENT_ASSERT(token == current());
  Slot& self = slots_[token];
  if (!self.notified && deadline_ps > now_ps()) {
    self.state = SlotState::kParked;
    self.until_ps = deadline_ps;
    if (deadline_ps != kNever) dispatcher_.go_on_at(token, deadline_ps);
    dispatcher_.wait();
    self.state = SlotState::kReady;
  }
  self.notified = false;
}

bool SimKernel::notify(std::uint32_t token, std::uint64_t delay_ps) {
  Slot& woken = slots_[token];
  const bool first = !woken.notified;
  woken.notified = true;
  if (!first || woken.state != SlotState::kParked) return false;
  dispatcher_.go_on_at(token, clock_.later(delay_ps));
  return true;
}

void SimKernel::spend(std::uint64_t cost_ps) {
  const std::uint64_t end_ps = clock_.later(cost_ps);
  Slot& self = slots_[current()];
  self.state = SlotState::kSpending;
  self.until_ps = end_ps;
  dispatcher_.wait_until(end_ps);
  self.state = SlotState::kReady;
}

void SimKernel::spin() {
  const std::uint64_t next_ps = dispatcher_.next_look_ps();
  Slot& self = slots_[current()];
  self.state = SlotState::kSpinning;
  dispatcher_.wait_in_turn(next_ps);
  self.state = SlotState::kReady;
}

void SimKernel::settle() {
  while (!dispatcher_.nothing_pending()) spin();
}

void SimKernel::lock() {
  while (locked_) spin();
  locked_ = true;
}

void SimKernel::resolve_deadlock() {
  session_.deadlocks.push_back("deadlock at " + std::to_string(now_ps()) + " ps:" + slots_.describe() + " " +
                               counted(ops_.pending_interrupts(), "interrupt") + " pending");
  if (++recoveries_ > kMaxRecoveries) threads_->leave(current());
  job_->on_deadlock();
  for (SlotId slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].state == SlotState::kParked) dispatcher_.go_on_at(slot, now_ps());
  }
}

}  // namespace detent::sim
