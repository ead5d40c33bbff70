// Clocks of happens-before.
#include "verify/explore/threads/order/knowledge.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

namespace {

bool acquires(const Step& step) { return (step.access & kAccessRelaxed) == 0; }

}  // namespace

void Knowledge::reset() {
  if (memory_ != nullptr) return memory_->reset();
  seen_.assign(std::size_t{threads_} * threads_, 0);
  for (std::uint32_t thread = 0; thread < threads_; ++thread) mark(thread);
  std::fill(released_.begin(), released_.end(), 0);
}

std::uint32_t* Knowledge::released(ObjectId object) {
  std::uint32_t number = numbers_.find(object);
  if (number == ObjectNumbers::kNone) {
    number = numbers_.add(object);
    released_.resize(released_.size() + threads_, 0);
  }
  return released_.data() + std::size_t{number} * threads_;
}

void Knowledge::join(std::uint32_t* into, const std::uint32_t* from) const {
  for (std::uint32_t thread = 0; thread < threads_; ++thread) into[thread] = std::max(into[thread], from[thread]);
}

void Knowledge::add(ThreadId thread, const Step& step) {
  if (memory_ != nullptr || step.object == kNoObject) return;
  std::uint32_t* const mine = clock(thread);
  std::uint32_t* const others = released(step.object);
  switch (step.kind) {
    case StepKind::kRead:
      if (acquires(step)) join(mine, others);
      return;
    case StepKind::kWrite:
      std::fill_n(others, threads_, 0);
      if (acquires(step)) std::memcpy(others, mine, threads_ * sizeof *mine);
      break;
    case StepKind::kUpdate:
      if (acquires(step)) join(mine, others);
      if (acquires(step)) join(others, mine);
      break;
    case StepKind::kOp:
      join(mine, others);
      join(others, mine);
      break;
    case StepKind::kLock:
    case StepKind::kWait:
      join(mine, others);
      return;
    case StepKind::kNotify:
      join(others, mine);
      break;
    case StepKind::kFence:
    case StepKind::kBegin:
    case StepKind::kJoin:
    case StepKind::kPause:
    case StepKind::kTime:
    case StepKind::kIdleWait:
      return;
  }
  ++mine[thread];
}

void Knowledge::unlocked(ThreadId thread, ObjectId mutex) {
  if (memory_ != nullptr) return memory_->views().unlock(thread, mutex);
  std::uint32_t* const mine = clock(thread);
  join(released(mutex), mine);
  ++mine[thread];
}

void Knowledge::started(ThreadId parent, ThreadId child) {
  if (memory_ != nullptr) return memory_->start(parent, child);
  std::uint32_t* const mine = clock(parent);
  join(clock(child), mine);
  ++mine[parent];
}

void Knowledge::joined(ThreadId thread, ThreadId child) {
  if (memory_ != nullptr) return memory_->views().join_thread(thread, child);
  join(clock(thread), clock(child));
}

void Knowledge::hash_knowledge(std::span<const Mark> marks, StateHash& hash) const {
  if (memory_ != nullptr) return memory_->hash(marks, hash);
  const auto add_seen = [&](std::size_t who, const std::uint32_t* moments) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (moments[marks[i].thread] >= marks[i].time) hash.add((who << 32U) + i);
    }
  };
  for (std::uint32_t thread = 0; thread < threads_; ++thread) add_seen(thread, clock(thread));
  const std::size_t objects = released_.size() / threads_;
  for (std::size_t i = 0; i < objects; ++i) add_seen(threads_ + i, released_.data() + i * threads_);
}

}  // namespace detent::verify::explore
