// History: the steps of one execution -> what happened before what.
//
// Two relations by vector clocks. *Order*: program order and all conflicts, as they fell; executions with the same
// order are one Mazurkiewicz trace and have one fingerprint. *Synchronisation*: only what acquire and release, locks,
// notifications, starts and joins guarantee on any machine; what it does not order may be seen out of order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads_world.hpp"

namespace detent::verify::explore {

class History {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Event {
    ThreadId thread = 0;
    std::uint32_t sequence = 0;  ///< of its thread, from 1
    Step step;
    std::uint32_t next_shared = kNone;  ///< older step of a set that commutes
  };

  /// @param thread_count  ids are below it
  explicit History(std::uint32_t thread_count);
  void reset();
  /// A step has been executed. Afterwards races() are the earlier events that conflict with it, are not ordered before
  /// it otherwise, and could have come after it.
  void add(ThreadId thread, const Step& step);
  // What a thread does in the course of its last step, which has been added.
  void unlocked(ThreadId thread, ObjectId mutex);
  void started(ThreadId parent, ThreadId child);
  void joined(ThreadId thread, ThreadId child);
  void chosen(ThreadId thread, std::uint32_t value);
  /// Time passed because nobody could run: all that follows comes after all that was.
  void all_waited();

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  [[nodiscard]] std::span<const std::uint32_t> races() const { return races_; }
  /// Entry t: how many steps of thread t come before (or are) this event.
  [[nodiscard]] const std::uint32_t* clock(std::uint32_t event) const {
    return clocks_.data() + std::size_t{event} * threads_;
  }
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }

  /// What `thread` is guaranteed to have seen now, as counts of local_time per thread.
  [[nodiscard]] std::span<const std::uint32_t> seen(ThreadId thread) const {
    return {sync_.data() + std::size_t{thread} * threads_, threads_};
  }
  /// A moment of a thread that others can be asked to have seen.
  struct Mark {
    ThreadId thread;
    std::uint32_t time;
  };
  /// Which of these moments each thread has seen, and would see by each object.
  void hash_knowledge(std::span<const Mark> marks, StateHash& hash) const;
  /// Advance `thread`'s own entry and return it: a point that others can be asked to have seen.
  std::uint32_t mark(ThreadId thread) { return ++sync_[std::size_t{thread} * threads_ + thread]; }

 private:
  struct Object {
    ObjectId id = kNoObject;
    std::uint32_t last_exclusive = kNone, last_shared = kNone, released = kNone;
  };
  using Clock = std::vector<std::uint32_t>;
  std::uint32_t object_of(ObjectId id);
  void join(std::uint32_t* into, const std::uint32_t* from) const;
  void find_races(ThreadId thread, const Object& object, const Step& step);
  void add_candidate(ThreadId thread, std::uint32_t event);
  void join_conflicts(std::uint32_t* clock, const Object& object, const Step& step) const;
  void synchronise(ThreadId thread, const Step& step, std::uint32_t object);

  std::uint32_t threads_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> clocks_;     // of events, [event][thread]
  std::vector<std::uint32_t> current_;    // of threads, [thread][thread]
  std::vector<std::uint32_t> started_;    // event that started each thread, or kNone
  std::vector<std::uint32_t> last_of_;    // last event of each thread
  std::vector<std::uint32_t> number_of_;  // dense number of each ObjectId, or kNone
  std::vector<Object> objects_;
  std::vector<std::uint32_t> sync_;      // of threads
  std::vector<std::uint32_t> released_;  // of objects, [object][thread]: what an acquire learns
  std::vector<std::uint32_t> races_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace detent::verify::explore
