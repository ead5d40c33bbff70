// MemoryHash: all that decides what loads can see from here on, and who has seen some moments, as a hash.
//
// Stores that nobody can read any more are left out, and so are views of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/threads/world/shared_words.hpp"
#include "verify/explore/threads/world/state.hpp"
#include "verify/explore/threads/world/views.hpp"

namespace detent::verify::explore {

/// A moment of a thread that others can be asked to have seen.
struct Mark {
  ThreadId thread;
  std::uint32_t time;
};

class MemoryHash {
 public:
  /// What is hashed at the time of a call; both outlive this one.
  MemoryHash(const SharedWords& words, const Views& views) : words_(words), views_(views) {}

  /// @param alive       bit per thread
  /// @param has_fences  what fences have seen counts, too
  void add(std::uint64_t alive, bool has_fences, std::span<const Mark> marks, StateHash& hash);

 private:
  struct Open {
    std::uint32_t word, floor, first;  // the oldest store that somebody can read
  };
  void find_open_words();
  [[nodiscard]] std::uint32_t oldest_readable(std::uint32_t number) const;
  /// Threads that may still read the word; one that has not begun reads what its parent does.
  [[nodiscard]] std::uint64_t readers_of(const SharedWord& word) const {
    return (word.users & ~alive_) != 0 ? alive_ : word.users;
  }
  void add_words(std::span<const Mark> marks, StateHash& hash) const;
  void add_row(std::uint32_t row, std::uint64_t readers, std::span<const Mark> marks, StateHash& hash) const;

  const SharedWords& words_;
  const Views& views_;
  std::uint64_t alive_ = 0;
  std::vector<Open> open_;
};

}  // namespace detent::verify::explore
