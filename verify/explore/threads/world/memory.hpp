// Memory: the C++20 memory model under a World. Each word keeps its stores in modification order, each with what an
// acquire of it learns; which one a load sees is a choice.
//
// One fibre runs at a time and every access to a shared word is announced before it happens. So the value that a load
// is to see is put into the word before the load goes on, and the newest one back afterwards: the compiled program is
// the one that runs natively.
//
//   coherence       a thread reads, and stores, nothing older than what it has seen of that word
//   happens-before  acquire joins what the store released; updates continue a release sequence (C++20: only they do);
//                   locks, notifications, starts and joins as runtime/include/detent/port.h says; fences as the
//                   standard says
//   seq_cst order   the order of execution: a seq_cst access reads and stores nothing older than what such an access,
//                   or a thread before its seq_cst fence, has seen of the word
//   atomicity       an update reads the store just before its own; nothing is ever put between them
//
// Stores take an earlier place in the modification order where they may (2+2W). Loads see stores that have been
// executed: load buffering is not produced, nor is an order of seq_cst accesses that contradicts program order and
// reads-from (RC11 with happens-before, reads-from and seq_cst order acyclic together).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/world/state.hpp"
#include "verify/explore/threads/world/step.hpp"

namespace detent::verify::explore {

class Memory {
 public:
  /// @param has_fences  the program may execute fences, too; costs time
  explicit Memory(std::uint32_t thread_count, bool has_fences = false);

  /// A new execution: thread 0 is there, nothing has been stored.
  void reset();
  /// All that was is seen by all: what follows an uncontrolled stretch.
  void forget();

  // An access of a thread: begin, take one of the alternatives, let it happen, end.
  /// @return  how many alternatives there are; 0 is what a sequentially consistent machine does
  std::uint32_t begin_access(ThreadId thread, const Step& step);
  void take(std::uint32_t alternative);
  struct Effect {
    bool exclusive = false;  ///< others could have noticed it
    bool news = false;       ///< the word's newest value has changed, or another store can be seen
  };
  Effect end_access();
  /// Would this load, which is about to come, make other seq_cst loads of the word see less?
  [[nodiscard]] bool may_raise(const Step& step) const;

  // Synchronisation by other means, at once.
  void lock(ThreadId thread, ObjectId mutex) { join(row(thread), row(mutex_row(mutex))); }
  void unlock(ThreadId thread, ObjectId mutex) { join(row(mutex_row(mutex)), row(thread)); }
  void notify(ThreadId thread, std::uint32_t slot) { join(row(token_row(slot)), row(thread)); }
  void wake(ThreadId thread, std::uint32_t slot) { join(row(thread), row(token_row(slot))); }
  void start(ThreadId parent, ThreadId child);
  void finish(ThreadId thread) { alive_ &= ~(std::uint64_t{1} << thread); }
  void join_thread(ThreadId thread, ThreadId child) { join(row(thread), row(child)); }
  /// A turn of a spin: words of which the thread read something overwritten are seen anew. @return there were some
  bool pause(ThreadId thread);
  [[nodiscard]] bool has_read_stale(ThreadId thread) const { return !stale_[thread].empty(); }
  /// Nobody can run until a deadline: by then all stores have become visible. Nothing is ordered by it.
  void time_passes();
  /// A thread has waited until nobody else could run.
  void settle(ThreadId thread);

  // Happens-before, as Knowledge has it.
  [[nodiscard]] std::span<const std::uint32_t> seen(ThreadId thread) const { return {row(thread), threads_}; }
  std::uint32_t mark(ThreadId thread) { return ++row(thread)[thread]; }
  [[nodiscard]] std::uint32_t thread_count() const { return threads_; }
  struct Mark {
    ThreadId thread;
    std::uint32_t time;
  };
  /// All that decides what loads can see from here on, and who has seen these moments: stores that nobody can read any
  /// more are left out, and so are views of them.
  void hash(std::span<const Mark> marks, StateHash& hash) const;
  /// Grows when an access is met of a kind that `hash` had counted on never to come: hashes of before are worth
  /// nothing.
  [[nodiscard]] std::uint32_t version() const { return version_; }

  /// Who read what of whom, and the modification order: equal executions have equal fingerprints.
  [[nodiscard]] std::uint64_t fingerprint() const;
  void choice(ThreadId thread, std::uint32_t value);

  /// An alternative of the access that has begun.
  struct Alternative {
    ObjectId object = 0;
    StepKind kind = StepKind::kRead;
    std::uint64_t value = 0;    ///< that it reads
    bool is_stale = false;      ///< another store is newer
    ThreadId newer_thread = 0;  ///< that stored next
  };
  [[nodiscard]] Alternative alternative(std::uint32_t number) const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kTimeStep = std::uint32_t{1} << 16U;
  static constexpr std::uint32_t kMutexes = kFenceObject - kMutexObjects;

  struct Store {
    std::uint64_t value = 0;
    std::uint32_t time = 0;         ///< place in the modification order
    std::uint32_t message = kNone;  ///< row that an acquire joins
    ThreadId thread = 0;
    std::uint32_t number = 0;  ///< access of its thread
    bool updated = false;      ///< an update has read it
  };
  struct Word {
    ObjectId object = 0;
    void* address = nullptr;
    std::uint32_t epoch = 0;        ///< of the execution that touched it last
    std::uint32_t fenced_time = 0;  ///< newest store that seq_cst accesses have seen
    std::uint64_t users = 0;        ///< threads that access it, in any execution
    std::uint64_t weak = 0;         ///< those of them that do so other than seq_cst
    bool wide = false;
    std::vector<Store> stores;  ///< in modification order
  };

  [[nodiscard]] std::uint32_t* row(std::uint32_t number) { return rows_.data() + std::size_t{number} * stride_; }
  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const {
    return rows_.data() + std::size_t{number} * stride_;
  }
  [[nodiscard]] std::uint32_t token_row(std::uint32_t slot) const { return threads_ + slot; }
  [[nodiscard]] std::uint32_t acquirable_row(ThreadId thread) const { return 2 * threads_ + thread; }
  [[nodiscard]] std::uint32_t released_row(ThreadId thread) const { return 3 * threads_ + thread; }
  std::uint32_t mutex_row(ObjectId mutex) {
    mutexes_ = std::max(mutexes_, mutex - kMutexObjects + 1);
    return 4 * threads_ + (mutex - kMutexObjects);
  }
  [[nodiscard]] std::uint32_t fixed_rows() const { return 4 * threads_ + kMutexes; }
  [[nodiscard]] std::uint32_t width() const { return threads_ + static_cast<std::uint32_t>(words_.size()); }
  void join(std::uint32_t* into, const std::uint32_t* from) const;
  std::uint32_t copy_row(std::uint32_t of);
  std::uint32_t message_of(ThreadId thread, std::uint32_t continued);
  void widen();

  std::uint32_t word_of(const Step& step);
  void renew(Word& word, const Step& step);
  void find_alternatives(ThreadId thread, const Step& step);
  [[nodiscard]] std::uint64_t value_of(const Word& word) const;
  void set_value(const Word& word, std::uint64_t value) const;
  void learn(const Store& store);
  Effect end_read(Word& word);
  Effect end_store(Word& word, bool updates);
  void fence(ThreadId thread, const Step& step);

  // Hashing.
  [[nodiscard]] std::uint32_t oldest_readable(std::uint32_t number) const;
  void find_open_words() const;
  void hash_row(const std::uint32_t* values, std::uint64_t readers, std::span<const Mark> marks, StateHash& hash) const;
  [[nodiscard]] std::uint64_t readers_of(const Word& word) const {
    return (word.users & ~alive_) != 0 ? alive_ : word.users;
  }

  std::uint32_t threads_;
  std::uint32_t stride_ = 64;
  std::uint32_t epoch_ = 0;
  std::uint32_t version_ = 0;
  std::uint64_t alive_ = 0;
  bool has_fences_;
  bool pauses_ = false;              // some thread does, in any execution: only then it matters what was read stale
  std::uint32_t mutexes_ = 0;        // that have been used, in any execution
  std::vector<std::uint32_t> rows_;  // more than there are
  std::uint32_t row_count_ = 0;
  std::vector<Word> words_;
  std::vector<std::uint32_t> number_of_;           // dense number of each word's ObjectId, or kNone
  std::vector<std::vector<std::uint32_t>> stale_;  // words that a thread read stale since its last pause
  std::vector<std::uint32_t> accesses_;            // of each thread
  std::uint64_t reads_hash_ = 0;

  // The access that has begun.
  ThreadId thread_ = 0;
  Step step_;
  std::uint32_t word_ = kNone;
  std::uint32_t chosen_ = 0;                 // index of a store: read, or stored after
  std::vector<std::uint32_t> alternatives_;  // indices of stores, newest first

  struct Open {
    std::uint32_t word, floor, first;  // the oldest store that somebody can read
  };
  mutable std::vector<Open> open_;
};

}  // namespace detent::verify::explore
