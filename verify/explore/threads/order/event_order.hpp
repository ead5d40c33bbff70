// EventOrder: the events of one execution with their vector clocks; appended, and taken back from the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "verify/explore/threads/order/clocks.hpp"
#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

/// An executed step.
struct Event {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  ThreadId thread = 0;
  std::uint32_t sequence = 0;         ///< of its thread, from 1
  std::uint32_t next_shared = kNone;  ///< older step of a set that commutes
  std::uint32_t row = 0;              ///< its clock
};

/// The events of an object that the next one may conflict with.
struct ObjectEvents {
  std::uint32_t last_exclusive = Event::kNone, last_shared = Event::kNone;
  std::uint32_t released = Event::kNone;  ///< row
};

class EventOrder {
 public:
  /// @param thread_count  ids are below it
  explicit EventOrder(std::uint32_t thread_count) : threads_(thread_count), clocks_(thread_count) { clear(); }
  void clear() {
    events_.truncate(0);
    clocks_.truncate(0);
    rows_.assign(threads_, clocks_.push_zeros());
  }

  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }
  [[nodiscard]] const Log<Event>& events() const { return events_; }
  [[nodiscard]] Event& event(std::uint32_t index) { return events_[index]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  /// How many steps of `thread` come before (or are) this event.
  [[nodiscard]] std::uint32_t clock(std::uint32_t event, ThreadId thread) const {
    return clocks_.at(events_[event].row, thread);
  }
  /// `second` comes after `first`, or is it.
  [[nodiscard]] bool is_ordered(const Event& first, const Event& second) const {
    return clocks_.at(second.row, first.thread) >= first.sequence;
  }
  /// What `thread` does next comes after the event.
  [[nodiscard]] bool has_seen(ThreadId thread, const Event& event) const {
    return clocks_.at(rows_[thread], event.thread) >= event.sequence;
  }

  [[nodiscard]] ClockTable& clocks() { return clocks_; }
  [[nodiscard]] const ClockTable& clocks() const { return clocks_; }
  /// What the thread has seen so far.
  [[nodiscard]] std::uint32_t row(ThreadId thread) const { return rows_[thread]; }
  /// A step of the thread, which has seen what is in this row.
  void add(ThreadId thread, std::uint32_t row) {
    events_.add() = {.thread = thread, .sequence = clocks_.advance(row, thread), .row = row};
    rows_[thread] = row;
  }
  /// `thread` has seen what `other` has.
  void learn(ThreadId thread, ThreadId other) {
    const std::uint32_t row = clocks_.push_copy(rows_[thread]);
    clocks_.join(row, rows_[other]);
    rows_[thread] = row;
  }
  /// Each thread has seen what any has.
  void learn_all() {
    for (ThreadId other = 1; other < threads_; ++other) learn(0, other);
    std::fill(rows_.begin(), rows_.end(), rows_[0]);
  }

  // Taking back.
  void truncate(std::uint32_t events, std::uint32_t clock_rows) {
    events_.truncate(events);
    clocks_.truncate(clock_rows);
  }
  void set_row(ThreadId thread, std::uint32_t row) { rows_[thread] = row; }
  /// Of all threads.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  std::uint32_t threads_;
  Log<Event> events_;
  ClockTable clocks_;
  std::vector<std::uint32_t> rows_;  // by thread
};

}  // namespace detent::verify::explore
