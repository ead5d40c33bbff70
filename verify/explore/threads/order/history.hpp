// History: the steps of one execution -> what came before what: program order and all conflicts, as they fell.
//
// Executions with the same order are one Mazurkiewicz trace and have one fingerprint. A depth-first search repeats most
// of an execution in the next one: what is repeated need not be looked at again (begin).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/order/clocks.hpp"
#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class History {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Event {
    ThreadId thread = 0;
    std::uint32_t sequence = 0;         ///< of its thread, from 1
    std::uint32_t next_shared = kNone;  ///< older step of a set that commutes
    std::uint32_t row = 0;              ///< its clock
  };

  /// @param thread_count  ids are below it
  explicit History(std::uint32_t thread_count);
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
  [[nodiscard]] const Log<Event>& events() const { return events_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  [[nodiscard]] std::span<const std::uint32_t> races() const { return {races_, race_count_}; }
  /// How many steps of `thread` come before (or are) this event.
  [[nodiscard]] std::uint32_t clock(std::uint32_t event, ThreadId thread) const {
    return clocks_.at(events_[event].row, thread);
  }
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }

 private:
  struct Object {
    std::uint32_t last_exclusive = kNone, last_shared = kNone;  ///< events
    std::uint32_t released = kNone;                             ///< row
  };
  /// What an entry may change, as it was before it.
  struct Undo {
    std::uint64_t fingerprint = 0;
    std::uint32_t events = 0, rows = 0;
    ThreadId thread = 0;           ///< kNone: undo_rows_ holds the rows of all threads
    std::uint32_t row = 0;         ///< of the thread
    std::uint32_t number = kNone;  ///< of an object
    Object object{};
  };
  bool is_new() { return position_++ >= kept_; }
  void add_new(ThreadId thread, const Step& step);
  void clear();
  void save(ThreadId thread, std::uint32_t number);
  void undo_last();
  std::uint32_t object_of(ObjectId id) {
    return id < number_of_.size() && number_of_[id] != kNone ? number_of_[id] : new_object(id);
  }
  std::uint32_t new_object(ObjectId id);
  void release(ThreadId thread, std::uint32_t number);
  void find_races(ThreadId thread, const Object& object, const Step& step);
  void add_candidate(ThreadId thread, std::uint32_t event);
  void join_conflicts(std::uint32_t row, const Object& object, const Step& step);
  /// `thread` has seen what `other` has.
  void learn(ThreadId thread, ThreadId other);
  void join_row(ThreadId thread, ThreadId other);
  void note_access(Object& object, const Step& step, std::uint32_t event);

  std::uint32_t threads_;
  Log<Event> events_;
  ClockTable clocks_;
  std::vector<std::uint32_t> row_of_;     // what each thread has seen so far
  std::vector<std::uint32_t> number_of_;  // dense number of each ObjectId, or kNone
  std::vector<Object> objects_;
  std::uint32_t races_[kMaxThreads] = {};  // no two of one thread
  std::uint32_t race_count_ = 0;
  std::uint64_t fingerprint_ = 0;

  const void* driver_ = nullptr;
  std::uint32_t position_ = 0, kept_ = 0;
  bool may_return_ = false;
  Log<Undo> undo_;  // one per entry
  std::vector<std::uint32_t> undo_rows_;
};

}  // namespace detent::verify::explore
