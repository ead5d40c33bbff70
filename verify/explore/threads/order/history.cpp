// Entries of one execution, and taking them back.
#include "verify/explore/threads/order/history.hpp"

#include <algorithm>

namespace detent::verify::explore {

namespace {

std::uint64_t mix_event(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 31U);
}

}  // namespace

void History::clear() {
  order_.clear();
  std::fill(objects_.begin(), objects_.end(), ObjectEvents{});
  races_.clear();
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
  races_.clear();
}

void History::save(ThreadId thread, std::uint32_t number) {
  if (!may_return_) return;
  Undo& undo = undo_.add();
  undo.fingerprint = fingerprint_;
  undo.events = order_.size();
  undo.rows = order_.clocks().rows();
  undo.thread = thread;
  undo.row = order_.row(thread);
  undo.number = number;
  undo.object = number != kNone ? objects_[number] : ObjectEvents{};
}

void History::undo_last() {
  const Undo& undo = undo_.back();
  order_.truncate(undo.events, undo.rows);
  if (undo.thread == kNone) {
    const std::size_t first = undo_rows_.size() - order_.thread_count();
    for (ThreadId thread = 0; thread < order_.thread_count(); ++thread) {
      order_.set_row(thread, undo_rows_[first + thread]);
    }
    undo_rows_.resize(first);
  } else {
    fingerprint_ = undo.fingerprint;
    order_.set_row(undo.thread, undo.row);
    if (undo.number != kNone) objects_[undo.number] = undo.object;
  }
  undo_.pop();
}

std::uint32_t History::new_object(ObjectId id) {
  objects_.emplace_back();
  return numbers_.add(id);
}

void History::join_conflicts(std::uint32_t row, const ObjectEvents& object, const Step& step) {
  ClockTable& clocks = order_.clocks();
  const Log<Event>& events = order_.events();
  if (object.last_exclusive != kNone) clocks.join(row, events[object.last_exclusive].row);
  if (object.released != kNone) clocks.join(row, object.released);
  if (!step.exclusive) return;
  for (std::uint32_t event = object.last_shared; event != kNone; event = events[event].next_shared) {
    clocks.join(row, events[event].row);
  }
}

void History::note_access(ObjectEvents& object, const Step& step, std::uint32_t event) {
  if (step.exclusive) {
    object.last_exclusive = event;
    object.last_shared = kNone;
    return;
  }
  const std::uint32_t head = object.last_shared;
  Event& newest = order_.event(event);
  const bool repeats = head != kNone && order_.event(head).thread == newest.thread;
  newest.next_shared = repeats ? order_.event(head).next_shared : head;
  object.last_shared = event;
}

void History::add_new(ThreadId thread, const Step& step) {
  const std::uint32_t index = order_.size();
  const std::uint32_t number = step.object != kNoObject ? object_of(step.object) : kNone;
  save(thread, number);
  races_.clear();
  const std::uint32_t row = order_.clocks().push_copy(order_.row(thread));
  if (number != kNone) {
    races_.find(thread, objects_[number], step.exclusive);
    join_conflicts(row, objects_[number], step);
  }
  order_.add(thread, row);
  if (number != kNone) note_access(objects_[number], step, index);
  fingerprint_ += order_.clocks().mix(row, (std::uint64_t{thread} << 32U) | step.object, mix_event);
}

void History::release(ThreadId thread, std::uint32_t number) {
  save(thread, number);
  objects_[number].released = order_.row(thread);
}

void History::learn(ThreadId thread, ThreadId other) {
  save(thread, kNone);
  order_.learn(thread, other);
}

void History::chosen(ThreadId thread, std::uint32_t value) {
  if (!is_new()) return;
  save(thread, kNone);
  fingerprint_ += mix_event((std::uint64_t{thread} << 32U) | value,
                            order_.clocks().at(order_.row(thread), thread) + (std::uint64_t{1} << 63U));
}

void History::all_waited() {
  if (!is_new()) return;
  if (may_return_) {
    undo_.add() = {.events = order_.size(), .rows = order_.clocks().rows(), .thread = kNone};
    undo_rows_.insert(undo_rows_.end(), order_.rows().begin(), order_.rows().end());
  }
  order_.learn_all();
}

}  // namespace detent::verify::explore
