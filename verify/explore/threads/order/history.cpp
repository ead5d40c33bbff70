// Vector clocks of one execution, and which of its conflicts could have fallen the other way.
#include "verify/explore/threads/order/history.hpp"

#include <algorithm>

namespace detent::verify::explore {

namespace {

std::uint64_t mix_event(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 31U);
}

}  // namespace

History::History(std::uint32_t thread_count) : threads_(thread_count), clocks_(thread_count) { clear(); }

void History::clear() {
  events_.truncate(0);
  clocks_.truncate(0);
  row_of_.assign(threads_, clocks_.push_zeros());
  std::fill(objects_.begin(), objects_.end(), Object{});
  race_count_ = 0;
  fingerprint_ = 0;
  undo_.truncate(0);
  undo_rows_.clear();
}

void History::begin(const void* driver, std::uint32_t kept) {
  may_return_ = kept != kNoReturn;
  kept_ = may_return_ && driver == driver_ ? kept : 0;
  driver_ = may_return_ ? driver : nullptr;
  position_ = 0;
  if (kept_ == 0) return clear();
  while (undo_.size() > kept_) undo_last();
  race_count_ = 0;
}

void History::save(ThreadId thread, std::uint32_t number) {
  if (!may_return_) return;
  Undo& undo = undo_.add();
  undo.fingerprint = fingerprint_;
  undo.events = size();
  undo.rows = clocks_.rows();
  undo.thread = thread;
  undo.row = row_of_[thread];
  undo.number = number;
  undo.object = number != kNone ? objects_[number] : Object{};
}

void History::undo_last() {
  const Undo& undo = undo_.back();
  clocks_.truncate(undo.rows);
  if (undo.thread == kNone) {
    std::copy(undo_rows_.end() - threads_, undo_rows_.end(), row_of_.begin());
    undo_rows_.resize(undo_rows_.size() - threads_);
  } else {
    fingerprint_ = undo.fingerprint;
    events_.truncate(undo.events);
    row_of_[undo.thread] = undo.row;
    if (undo.number != kNone) objects_[undo.number] = undo.object;
  }
  undo_.pop();
}

std::uint32_t History::new_object(ObjectId id) {
  if (id >= number_of_.size()) number_of_.resize(id + 1, kNone);
  number_of_[id] = static_cast<std::uint32_t>(objects_.size());
  objects_.emplace_back();
  return number_of_[id];
}

/// Keep the candidates that no other candidate already comes after.
void History::add_candidate(ThreadId thread, std::uint32_t event) {
  const Event& e = events_[event];
  if (e.thread == thread) return;
  if (clocks_.at(row_of_[thread], e.thread) >= e.sequence) return;  // ordered anyway
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < race_count_; ++i) {
    const Event& other = events_[races_[i]];
    if (clocks_.at(other.row, e.thread) >= e.sequence) return;  // and none of the others was left out
    if (clocks_.at(e.row, other.thread) < other.sequence) races_[kept++] = races_[i];
  }
  races_[kept] = event;
  race_count_ = kept + 1;
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

void History::join_conflicts(std::uint32_t row, const Object& object, const Step& step) {
  if (object.last_exclusive != kNone) clocks_.join(row, events_[object.last_exclusive].row);
  if (object.released != kNone) clocks_.join(row, object.released);
  if (!step.exclusive) return;
  for (std::uint32_t event = object.last_shared; event != kNone; event = events_[event].next_shared) {
    clocks_.join(row, events_[event].row);
  }
}

void History::note_access(Object& object, const Step& step, std::uint32_t event) {
  if (step.exclusive) {
    object.last_exclusive = event;
    object.last_shared = kNone;
    return;
  }
  const std::uint32_t head = object.last_shared;
  const bool repeats = head != kNone && events_[head].thread == events_[event].thread;
  events_[event].next_shared = repeats ? events_[head].next_shared : head;
  object.last_shared = event;
}

void History::add_new(ThreadId thread, const Step& step) {
  const std::uint32_t index = size();
  const std::uint32_t number = step.object != kNoObject ? object_of(step.object) : kNone;
  save(thread, number);
  race_count_ = 0;
  const std::uint32_t row = clocks_.push_copy(row_of_[thread]);
  if (number != kNone) {
    find_races(thread, objects_[number], step);
    join_conflicts(row, objects_[number], step);
  }
  events_.add() = {.thread = thread, .sequence = clocks_.advance(row, thread), .row = row};
  if (number != kNone) note_access(objects_[number], step, index);
  row_of_[thread] = row;
  fingerprint_ += clocks_.mix(row, (std::uint64_t{thread} << 32U) | step.object, mix_event);
}

void History::release(ThreadId thread, std::uint32_t number) {
  save(thread, number);
  objects_[number].released = row_of_[thread];
}

void History::learn(ThreadId thread, ThreadId other) {
  save(thread, kNone);
  join_row(thread, other);
}

void History::join_row(ThreadId thread, ThreadId other) {
  const std::uint32_t row = clocks_.push_copy(row_of_[thread]);
  clocks_.join(row, row_of_[other]);
  row_of_[thread] = row;
}

void History::chosen(ThreadId thread, std::uint32_t value) {
  if (!is_new()) return;
  save(thread, kNone);
  fingerprint_ += mix_event((std::uint64_t{thread} << 32U) | value,
                            clocks_.at(row_of_[thread], thread) + (std::uint64_t{1} << 63U));
}

void History::all_waited() {
  if (!is_new()) return;
  if (may_return_) {
    undo_.add() = {.rows = clocks_.rows(), .thread = kNone};
    undo_rows_.insert(undo_rows_.end(), row_of_.begin(), row_of_.end());
  }
  for (ThreadId other = 1; other < threads_; ++other) join_row(0, other);
  std::fill(row_of_.begin(), row_of_.end(), row_of_[0]);
}

}  // namespace detent::verify::explore
