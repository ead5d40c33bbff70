// Views: what each thread has seen under a memory model, and what an acquire of a token or a mutex learns.
//
// A view is a row of numbers: of each thread the last moment that was seen, then of each word the time of the newest
// store. Happens-before passes views on: by a message (what a store releases), a token, a mutex, a start, a join.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/order/view_rows.hpp"

namespace detent::verify::explore {

class Views {
 public:
  explicit Views(std::uint32_t thread_count);
  /// A new execution: thread 0 is there, nothing has been seen.
  void reset();
  /// No store has been seen any more; moments of threads have.
  void forget_stores();
  [[nodiscard]] std::uint32_t word_count() const { return rows_.width() - threads_; }
  void add_word() { rows_.add_column(); }

  // Synchronisation by other means than words, at once.
  void lock(ThreadId thread, ObjectId mutex) { rows_.join(thread, use_mutex(mutex)); }
  void unlock(ThreadId thread, ObjectId mutex) { rows_.join(use_mutex(mutex), thread); }
  void notify(ThreadId thread, SlotId slot) { rows_.join(token_row(slot), thread); }
  void wake(ThreadId thread, SlotId slot) { rows_.join(thread, token_row(slot)); }
  /// The child has seen what the parent has; nothing but its own past where it is said to be its own parent.
  void start(ThreadId parent, ThreadId child);
  void finish(ThreadId thread) { alive_ &= ~(std::uint64_t{1} << thread); }
  void join_thread(ThreadId thread, ThreadId child) { rows_.join(thread, child); }

  // Happens-before, as Knowledge has it.
  /// A moment of a thread that others can be asked to have seen.
  struct Mark {
    ThreadId thread;
    std::uint32_t time;
  };
  [[nodiscard]] std::span<const std::uint32_t> seen(ThreadId thread) const { return {rows_.row(thread), threads_}; }
  std::uint32_t mark(ThreadId thread) { return ++rows_.row(thread)[thread]; }
  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }
  [[nodiscard]] std::uint64_t alive() const { return alive_; }

  // The rows. That of a thread has the thread's number; those of messages are appended.
  [[nodiscard]] ViewRows& rows() { return rows_; }
  [[nodiscard]] const ViewRows& rows() const { return rows_; }
  /// Time of the newest store of a word that the row's owner has seen.
  [[nodiscard]] std::uint32_t& store_seen(std::uint32_t row, std::uint32_t word) {
    return rows_.row(row)[threads_ + word];
  }
  [[nodiscard]] std::uint32_t store_seen(std::uint32_t row, std::uint32_t word) const {
    return rows_.row(row)[threads_ + word];
  }
  [[nodiscard]] std::uint32_t token_row(SlotId slot) const { return threads_ + slot; }
  /// What the thread's next acquire fence learns.
  [[nodiscard]] std::uint32_t acquirable_row(ThreadId thread) const { return 2 * threads_ + thread; }
  /// What the thread's last release fence releases.
  [[nodiscard]] std::uint32_t released_row(ThreadId thread) const { return 3 * threads_ + thread; }
  [[nodiscard]] std::uint32_t mutex_row(std::uint32_t number) const { return 4 * threads_ + number; }
  /// Those below it have been used, in any execution.
  [[nodiscard]] std::uint32_t mutex_count() const { return mutexes_; }

 private:
  std::uint32_t use_mutex(ObjectId mutex) {
    mutexes_ = std::max(mutexes_, mutex - kMutexObjects + 1);
    return mutex_row(mutex - kMutexObjects);
  }

  std::uint32_t threads_;
  std::uint32_t mutexes_ = 0;
  std::uint64_t alive_ = 0;
  ViewRows rows_;
};

}  // namespace detent::verify::explore
