// Views: what threads, mutexes, notifications and released stores have seen, one row each: a moment of every thread,
// then a place in the modification order of every word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/world/step.hpp"

namespace detent::verify::explore {

class Views {
 public:
  explicit Views(std::uint32_t thread_count);

  /// Nobody has seen anything but a first moment of their own.
  void reset();
  /// Places in modification orders alone.
  void forget_words();
  [[nodiscard]] std::uint32_t word_count() const { return words_; }
  /// One word more.
  void add_word() {
    if (width() == stride_) widen();
    ++words_;
  }

  // Numbers of rows. That of a thread is its id.
  [[nodiscard]] std::uint32_t token_row(std::uint32_t slot) const { return threads_ + slot; }
  /// What the relaxed loads of a thread would learn at a fence.
  [[nodiscard]] std::uint32_t acquirable_row(ThreadId thread) const { return 2 * threads_ + thread; }
  /// What the relaxed stores of a thread release since its last fence.
  [[nodiscard]] std::uint32_t released_row(ThreadId thread) const { return 3 * threads_ + thread; }
  std::uint32_t mutex_row(ObjectId mutex) {
    mutexes_ = std::max(mutexes_, mutex - kMutexObjects + 1);
    return used_mutex_row(mutex - kMutexObjects);
  }
  [[nodiscard]] std::uint32_t used_mutex_row(std::uint32_t number) const { return 4 * threads_ + number; }
  [[nodiscard]] std::uint32_t mutex_count() const { return mutexes_; }
  /// A new row, which lasts until reset or forget_words.
  std::uint32_t copy_row(std::uint32_t of);

  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const {
    return rows_.data() + std::size_t{number} * stride_;
  }
  [[nodiscard]] std::uint32_t* row(std::uint32_t number) { return rows_.data() + std::size_t{number} * stride_; }
  /// Column of a word within a row.
  [[nodiscard]] std::uint32_t column(std::uint32_t word) const { return threads_ + word; }
  void join(std::uint32_t into, std::uint32_t from);
  void assign(std::uint32_t to, std::uint32_t from);

  // Synchronisation by other means than words, at once.
  void lock(ThreadId thread, ObjectId mutex) { join(thread, mutex_row(mutex)); }
  void unlock(ThreadId thread, ObjectId mutex) { join(mutex_row(mutex), thread); }
  void notify(ThreadId thread, std::uint32_t slot) { join(token_row(slot), thread); }
  void wake(ThreadId thread, std::uint32_t slot) { join(thread, token_row(slot)); }

  // Happens-before, as Knowledge has it.
  [[nodiscard]] std::span<const std::uint32_t> seen(ThreadId thread) const { return {row(thread), threads_}; }
  /// The next moment of the thread.
  std::uint32_t mark(ThreadId thread) { return ++row(thread)[thread]; }

 private:
  static constexpr std::uint32_t kMutexes = kFenceObject - kMutexObjects;
  [[nodiscard]] std::uint32_t fixed_rows() const { return 4 * threads_ + kMutexes; }
  [[nodiscard]] std::uint32_t width() const { return threads_ + words_; }
  void widen();

  std::uint32_t threads_;
  std::uint32_t words_ = 0;
  std::uint32_t stride_ = 64;
  std::uint32_t mutexes_ = 0;        // that have been used, in any execution
  std::vector<std::uint32_t> rows_;  // more than there are
  std::uint32_t row_count_ = 0;
};

}  // namespace detent::verify::explore
