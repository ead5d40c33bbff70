// Knowledge: the steps of one execution -> what each thread is guaranteed to have seen on any machine.
//
// Vector clocks that only acquire and release, locks, notifications, starts and joins advance: happens-before, where
// History has the order as it fell. What is not ordered here may be seen out of order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/order/object_numbers.hpp"

namespace detent::verify::explore {

class Knowledge {
 public:
  /// @param thread_count  ids are below it
  /// @param memory  may be null; what it knows is the answer then, and outlives this one
  explicit Knowledge(std::uint32_t thread_count, Memory* memory = nullptr) : threads_(thread_count), memory_(memory) {}
  void reset();
  /// A step has been executed.
  void add(ThreadId thread, const Step& step);
  // What a thread does in the course of its last step.
  void unlocked(ThreadId thread, ObjectId mutex);
  void started(ThreadId parent, ThreadId child);
  void joined(ThreadId thread, ThreadId child);

  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }
  [[nodiscard]] Memory* memory() const { return memory_; }
  /// What `thread` has seen now, as moments per thread.
  [[nodiscard]] std::span<const std::uint32_t> seen(ThreadId thread) const {
    return memory_ != nullptr ? memory_->views().seen(thread) : std::span<const std::uint32_t>{clock(thread), threads_};
  }
  /// Advance `thread`'s own entry and return it: a moment that others can be asked to have seen.
  std::uint32_t mark(ThreadId thread) {
    return memory_ != nullptr ? memory_->views().mark(thread) : ++clock(thread)[thread];
  }
  /// A moment of a thread that others can be asked to have seen.
  using Mark = Views::Mark;
  /// Which of these moments each thread has seen, and would see by each object.
  void hash_knowledge(std::span<const Mark> marks, StateHash& hash) const;

 private:
  std::uint32_t* clock(ThreadId thread) { return seen_.data() + std::size_t{thread} * threads_; }
  [[nodiscard]] const std::uint32_t* clock(ThreadId thread) const {
    return seen_.data() + std::size_t{thread} * threads_;
  }
  /// What an acquire of the object learns.
  std::uint32_t* released(ObjectId object);
  void join(std::uint32_t* into, const std::uint32_t* from) const;

  std::uint32_t threads_;
  Memory* memory_;
  std::vector<std::uint32_t> seen_;      // [thread][thread]
  std::vector<std::uint32_t> released_;  // [number of the object][thread]
  ObjectNumbers numbers_;
};

}  // namespace detent::verify::explore
