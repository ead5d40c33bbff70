// History: the steps of one execution -> what came before what: program order and all conflicts, as they fell.
//
// Executions with the same order are one Mazurkiewicz trace and have one fingerprint. A depth-first search repeats most
// of an execution in the next one: what is repeated need not be looked at again (begin).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/order/event_order.hpp"
#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/order/object_numbers.hpp"
#include "verify/explore/threads/order/races.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class History {
 public:
  /// @param thread_count  ids are below it
  explicit History(std::uint32_t thread_count) : order_(thread_count), races_(order_) {}
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  /// A new execution of `driver`, the first `kept` entries of which are those of its last one: they are skipped.
  /// kNoReturn: none are, and none of this execution will be kept either.
  void begin(const void* driver, std::uint32_t kept);
  static constexpr std::uint32_t kNoReturn = UINT32_MAX;
  /// Entries of this execution so far, those skipped included.
  [[nodiscard]] std::uint32_t position() const { return position_; }

  // Entries. Each returns at once if it is skipped.
  /// A step has been executed. Afterwards races() are the earlier events that conflict with it, are not ordered before
  /// it otherwise, and could have come after it.
  void add(ThreadId thread, const Step& step) {
    if (is_new()) add_new(thread, step);
  }
  // What a thread does in the course of its last step, which has been added.
  void unlocked(ThreadId thread, ObjectId mutex) {
    if (is_new()) release(thread, object_of(mutex));
  }
  void started(ThreadId parent, ThreadId child) {
    if (is_new()) learn(child, parent);
  }
  void joined(ThreadId thread, ThreadId child) {
    if (is_new()) learn(thread, child);
  }
  void chosen(ThreadId thread, std::uint32_t value);
  /// Time passed because nobody could run: all that follows comes after all that was.
  void all_waited();

  // Of all entries that are not skipped, and of all those before them.
  [[nodiscard]] const EventOrder& order() const { return order_; }
  [[nodiscard]] std::span<const std::uint32_t> races() const { return races_.events(); }
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// What an entry may change, as it was before it.
  struct Undo {
    std::uint64_t fingerprint = 0;
    std::uint32_t events = 0, rows = 0;
    ThreadId thread = 0;           ///< kNone: undo_rows_ holds the rows of all threads
    std::uint32_t row = 0;         ///< of the thread
    std::uint32_t number = kNone;  ///< of an object
    ObjectEvents object{};
  };
  bool is_new() { return position_++ >= kept_; }
  void add_new(ThreadId thread, const Step& step);
  void clear();
  void save(ThreadId thread, std::uint32_t number);
  void undo_last();
  std::uint32_t object_of(ObjectId id) {
    const std::uint32_t number = numbers_.find(id);
    return number != ObjectNumbers::kNone ? number : new_object(id);
  }
  std::uint32_t new_object(ObjectId id);
  void release(ThreadId thread, std::uint32_t number);
  void join_conflicts(std::uint32_t row, const ObjectEvents& object, const Step& step);
  /// `thread` has seen what `other` has.
  void learn(ThreadId thread, ThreadId other);
  void note_access(ObjectEvents& object, const Step& step, std::uint32_t event);

  EventOrder order_;
  Races races_;
  ObjectNumbers numbers_;
  std::vector<ObjectEvents> objects_;
  std::uint64_t fingerprint_ = 0;

  const void* driver_ = nullptr;
  std::uint32_t position_ = 0, kept_ = 0;
  bool may_return_ = false;
  Log<Undo> undo_;  // one per entry
  std::vector<std::uint32_t> undo_rows_;
};

}  // namespace detent::verify::explore
