// MemoryHash: the part of a Memory that decides what loads can see from here on -> a StateHash.
//
// A store counts while a thread can still read it that ever does: for a thread whose accesses of the word are all
// seq_cst that ends with the newest one that such accesses have seen. Stores that nobody can read any more are left
// out, and so are views of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/order/shared_words.hpp"
#include "verify/explore/threads/order/stale_reads.hpp"
#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/order/views.hpp"

namespace detent::verify::explore {

class MemoryHash {
 public:
  /// @param has_fences  views that fences use count, too   All others outlive this.
  MemoryHash(const SharedWords& words, const Views& views, const StaleReads& stale_reads, bool has_fences)
      : words_(words), views_(views), stale_reads_(stale_reads), has_fences_(has_fences) {}
  /// From now on it counts what was read stale.
  void count_stale_reads() { counts_stale_reads_ = true; }
  [[nodiscard]] bool counts_stale_reads() const { return counts_stale_reads_; }
  /// @param marks  who has seen these moments counts, too
  void add_to(StateHash& hash, std::span<const Views::Mark> marks);

 private:
  /// A word of which somebody can read more than the newest store.
  struct Open {
    std::uint32_t word, floor, first;  // the oldest store that somebody can read
  };
  [[nodiscard]] std::uint64_t readers_of(const SharedWord& word) const {
    return (word.users & ~views_.alive()) != 0 ? views_.alive() : word.users;
  }
  [[nodiscard]] std::uint32_t oldest_readable(std::uint32_t number) const;
  void find_open_words();
  void add_open_words(StateHash& hash, std::span<const Views::Mark> marks) const;
  void add_newest_messages(StateHash& hash, std::span<const Views::Mark> marks) const;
  void add_threads(StateHash& hash, std::span<const Views::Mark> marks) const;
  void hash_row(std::uint32_t row, std::uint64_t readers, std::span<const Views::Mark> marks, StateHash& hash) const;
  [[nodiscard]] std::uint32_t seen_by_all(std::uint64_t readers, std::uint32_t column) const;

  const SharedWords& words_;
  const Views& views_;
  const StaleReads& stale_reads_;
  bool has_fences_;
  bool counts_stale_reads_ = false;
  std::vector<Open> open_;
};

}  // namespace detent::verify::explore
