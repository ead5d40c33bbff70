// Memory: the C++20 memory model under VirtualThreads. Each word keeps its stores in modification order, each with what
// an acquire of it learns; which one a load sees is a choice.
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

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/order/memory_hash.hpp"
#include "verify/explore/threads/order/shared_words.hpp"
#include "verify/explore/threads/order/stale_reads.hpp"
#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/order/views.hpp"

namespace detent::verify::explore {

class Memory {
 public:
  /// @param has_fences  the program may execute fences, too; costs time
  explicit Memory(std::uint32_t thread_count, bool has_fences = false);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

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
  /// An alternative of the access that has begun.
  struct Alternative {
    ObjectId object = 0;
    StepKind kind = StepKind::kRead;
    std::uint64_t value = 0;    ///< that it reads
    bool is_stale = false;      ///< another store is newer
    ThreadId newer_thread = 0;  ///< that stored next
  };
  [[nodiscard]] Alternative alternative(std::uint32_t number) const;

  // What else threads do.
  void start(ThreadId parent, ThreadId child);
  /// A turn of a spin: words of which the thread read something overwritten are seen anew. @return there were some
  bool pause(ThreadId thread);
  /// Nobody can run until a deadline: by then all stores have become visible. Nothing is ordered by it.
  void time_passes();
  /// A thread has waited until nobody else could run.
  void waited_until_idle(ThreadId thread);
  /// What threads, tokens and mutexes have seen; synchronisation other than by words is told to it.
  [[nodiscard]] Views& views() { return views_; }
  [[nodiscard]] const Views& views() const { return views_; }

  /// All that decides what loads can see from here on, and who has seen these moments.
  void hash(std::span<const Views::Mark> marks, StateHash& hash) const { hash_.add_to(hash, marks); }
  /// Grows when an access is met of a kind that `hash` had counted on never to come: hashes of before are worth
  /// nothing.
  [[nodiscard]] std::uint32_t version() const { return version_; }

  /// Who read what of whom, and the modification order: equal executions have equal fingerprints.
  [[nodiscard]] std::uint64_t fingerprint() const;
  void choice(ThreadId thread, std::uint32_t value);

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kTimeStep = std::uint32_t{1} << 16U;

  void find_alternatives(ThreadId thread, const Step& step);
  void learn(const WordStore& store);
  Effect end_read(SharedWord& word);
  Effect end_store(SharedWord& word, bool updates);
  std::uint32_t message_of(ThreadId thread, std::uint32_t continued);
  void fence(ThreadId thread, const Step& step);

  bool has_fences_;
  std::uint32_t version_ = 0;
  SharedWords words_;
  Views views_;
  StaleReads stale_reads_;
  mutable MemoryHash hash_;
  std::vector<std::uint32_t> accesses_;  // of each thread
  std::uint64_t reads_hash_ = 0;

  // The access that has begun.
  ThreadId thread_ = 0;
  Step step_;
  std::uint32_t word_ = kNone;
  std::uint32_t chosen_ = 0;                 // index of a store: read, or stored after
  std::vector<std::uint32_t> alternatives_;  // indices of stores, newest first
};

}  // namespace detent::verify::explore
