// Vector clocks of one execution, and which of its conflicts could have fallen the other way.
#include "verify/explore/threads_history.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/atomic.h"

namespace detent::verify::explore {

namespace {

std::uint64_t mix_event(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 31U);
}

bool acquires(const Step& step) { return (step.access & kAccessRelaxed) == 0; }

}  // namespace

History::History(std::uint32_t thread_count) : threads_(thread_count) {}

void History::reset() {
  const std::size_t square = std::size_t{threads_} * threads_;
  events_.clear();
  clocks_.clear();
  current_.assign(square, 0);
  sync_.assign(square, 0);
  for (std::uint32_t thread = 0; thread < threads_; ++thread) mark(thread);
  started_.assign(threads_, kNone);
  last_of_.assign(threads_, kNone);
  for (Object& object : objects_) object = {.id = object.id};
  std::fill(released_.begin(), released_.end(), 0);
  races_.clear();
  fingerprint_ = 0;
}

std::uint32_t History::object_of(ObjectId id) {
  if (id >= number_of_.size()) number_of_.resize(id + 1, kNone);
  std::uint32_t& number = number_of_[id];
  if (number == kNone) {
    number = static_cast<std::uint32_t>(objects_.size());
    objects_.push_back({.id = id});
    released_.resize(objects_.size() * threads_, 0);
  }
  return number;
}

void History::join(std::uint32_t* into, const std::uint32_t* from) const {
  for (std::uint32_t thread = 0; thread < threads_; ++thread) into[thread] = std::max(into[thread], from[thread]);
}

/// Keep the candidates that no other candidate already comes after.
void History::add_candidate(ThreadId thread, std::uint32_t event) {
  const Event& e = events_[event];
  if (e.thread == thread) return;
  if (current_[std::size_t{thread} * threads_ + e.thread] >= e.sequence) return;  // ordered anyway
  for (const std::uint32_t other : races_) {
    if (clock(other)[e.thread] >= e.sequence) return;
  }
  std::erase_if(races_, [&](std::uint32_t other) {
    const Event& o = events_[other];
    return clock(event)[o.thread] >= o.sequence;
  });
  races_.push_back(event);
}

void History::find_races(ThreadId thread, const Object& object, const Step& step) {
  if (!step.exclusive || object.last_shared == kNone) {
    if (object.last_exclusive != kNone) add_candidate(thread, object.last_exclusive);
    return;
  }
  for (std::uint32_t event = object.last_shared; event != kNone; event = events_[event].next_shared) {
    add_candidate(thread, event);
  }
}

void History::join_conflicts(std::uint32_t* into, const Object& object, const Step& step) const {
  if (object.last_exclusive != kNone) join(into, clock(object.last_exclusive));
  if (object.released != kNone) join(into, clock(object.released));
  if (!step.exclusive) return;
  for (std::uint32_t event = object.last_shared; event != kNone; event = events_[event].next_shared) {
    join(into, clock(event));
  }
}

/// What the step guarantees its thread to have seen, and what those may see who meet its effect.
void History::synchronise(ThreadId thread, const Step& step, std::uint32_t number) {
  std::uint32_t* const mine = sync_.data() + std::size_t{thread} * threads_;
  std::uint32_t* const released = released_.data() + std::size_t{number} * threads_;
  switch (step.kind) {
    case StepKind::kRead:
      if (acquires(step)) join(mine, released);
      return;
    case StepKind::kWrite:
      std::fill_n(released, threads_, 0);
      if (acquires(step)) std::memcpy(released, mine, threads_ * sizeof *mine);
      break;
    case StepKind::kUpdate:
    case StepKind::kOp:
      join(mine, released);
      join(released, mine);
      break;
    case StepKind::kLock:
    case StepKind::kWait:
      join(mine, released);
      return;
    case StepKind::kNotify:
      join(released, mine);
      break;
    case StepKind::kBegin:
    case StepKind::kJoin:
    case StepKind::kPause:
    case StepKind::kTime:
    case StepKind::kSettle:
      return;
  }
  ++mine[thread];
}

void History::add(ThreadId thread, const Step& step) {
  const std::uint32_t index = size();
  std::uint32_t* const mine = current_.data() + std::size_t{thread} * threads_;
  races_.clear();
  if (started_[thread] != kNone) {
    join(mine, clock(started_[thread]));
    started_[thread] = kNone;
  }
  events_.push_back({.thread = thread, .sequence = mine[thread] + 1, .step = step});
  if (step.object != kNoObject) {
    const std::uint32_t number = object_of(step.object);
    Object& object = objects_[number];
    find_races(thread, object, step);
    join_conflicts(mine, object, step);
    synchronise(thread, step, number);
    if (step.exclusive) {
      object.last_exclusive = index;
      object.last_shared = kNone;
    } else {
      const std::uint32_t head = object.last_shared;
      const bool repeats = head != kNone && events_[head].thread == thread;
      events_[index].next_shared = repeats ? events_[head].next_shared : head;
      object.last_shared = index;
    }
  }
  ++mine[thread];
  last_of_[thread] = index;
  clocks_.insert(clocks_.end(), mine, mine + threads_);
  std::uint64_t hash = (std::uint64_t{thread} << 32U) | step.object;
  for (std::uint32_t t = 0; t < threads_; ++t) hash = mix_event(hash, mine[t]);
  fingerprint_ += hash;
}

void History::unlocked(ThreadId thread, ObjectId mutex) {
  const std::uint32_t number = object_of(mutex);
  objects_[number].released = last_of_[thread];
  std::uint32_t* const mine = sync_.data() + std::size_t{thread} * threads_;
  join(released_.data() + std::size_t{number} * threads_, mine);
  ++mine[thread];
}

void History::started(ThreadId parent, ThreadId child) {
  started_[child] = last_of_[parent];
  std::uint32_t* const mine = sync_.data() + std::size_t{parent} * threads_;
  join(sync_.data() + std::size_t{child} * threads_, mine);
  ++mine[parent];
}

void History::joined(ThreadId thread, ThreadId child) {
  const std::uint32_t last = last_of_[child];
  if (last != kNone) join(current_.data() + std::size_t{thread} * threads_, clock(last));
  join(sync_.data() + std::size_t{thread} * threads_, sync_.data() + std::size_t{child} * threads_);
}

void History::chosen(ThreadId thread, std::uint32_t value) {
  fingerprint_ += mix_event((std::uint64_t{thread} << 32U) | value,
                            current_[std::size_t{thread} * threads_ + thread] + (std::uint64_t{1} << 63U));
}

void History::hash_knowledge(std::span<const Mark> marks, StateHash& hash) const {
  const auto add = [&](std::size_t who, const std::uint32_t* clock) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (clock[marks[i].thread] >= marks[i].time) hash.add((who << 32U) + i);
    }
  };
  for (std::size_t thread = 0; thread < threads_; ++thread) add(thread, sync_.data() + thread * threads_);
  for (std::size_t i = 0; i < objects_.size(); ++i) add(threads_ + i, released_.data() + i * threads_);
}

void History::all_waited() {
  std::vector<std::uint32_t> all(threads_, 0);
  for (std::uint32_t thread = 0; thread < threads_; ++thread) {
    join(all.data(), current_.data() + std::size_t{thread} * threads_);
  }
  for (std::uint32_t thread = 0; thread < threads_; ++thread) {
    std::memcpy(current_.data() + std::size_t{thread} * threads_, all.data(), threads_ * sizeof(std::uint32_t));
  }
}

}  // namespace detent::verify::explore
