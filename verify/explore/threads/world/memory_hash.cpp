// A store counts while a thread can still read it that ever does: for a thread whose accesses of the word are all
// seq_cst that ends with the newest one that such accesses have seen.
#include "verify/explore/threads/world/memory_hash.hpp"

#include <algorithm>

namespace detent::verify::explore {

/// Time of the oldest store of a word that matters.
std::uint32_t MemoryHash::oldest_readable(std::uint32_t number) const {
  const SharedWord& word = words_[number];
  const std::uint64_t absent = word.users & ~alive_;  // one that has not begun will have seen what its parent has
  std::uint32_t oldest = word.stores.back().time;
  for (std::uint64_t left = readers_of(word); left != 0; left &= left - 1) {
    const std::uint64_t self = left & -left;
    std::uint32_t time = views_.row(static_cast<ThreadId>(__builtin_ctzll(left)))[views_.column(number)];
    if ((word.weak & (self | absent)) == 0) time = std::max(time, word.fenced_time);
    oldest = std::min(oldest, time);
  }
  return oldest;
}

void MemoryHash::find_open_words() {
  open_.clear();
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    const SharedWord& word = words_[i];
    if (!words_.is_current(word) || word.stores.size() == 1) continue;
    const std::uint32_t floor = oldest_readable(i);
    if (floor == word.stores.back().time) continue;
    std::uint32_t first = 0;
    while (word.stores[first].time < floor) ++first;
    open_.push_back({i, floor, first});
  }
}

/// A row that these threads may join: what all of them have seen anyway makes no difference.
void MemoryHash::add_row(std::uint32_t row, std::uint64_t readers, std::span<const Mark> marks, StateHash& hash) const {
  const std::uint32_t* const values = views_.row(row);
  const auto all_have_seen = [&](std::uint32_t column) {
    std::uint32_t least = readers == 0 ? 0 : UINT32_MAX;
    for (std::uint64_t left = readers; left != 0; left &= left - 1) {
      least = std::min(least, views_.row(static_cast<ThreadId>(__builtin_ctzll(left)))[column]);
    }
    return least;
  };
  for (const Open& open : open_) {
    const std::uint32_t column = views_.column(open.word);
    const std::uint32_t time = std::max(values[column], all_have_seen(column));
    const std::vector<Store>& stores = words_[open.word].stores;
    std::uint32_t index = open.first;
    while (index + 1 < stores.size() && stores[index + 1].time <= time) ++index;
    hash.add(index - open.first);
  }
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (std::max(values[marks[i].thread], all_have_seen(marks[i].thread)) >= marks[i].time)
      known |= std::uint64_t{1} << i % 64;
    if (i % 64 == 63 || i + 1 == marks.size()) {
      hash.add(known);
      known = 0;
    }
  }
}

void MemoryHash::add_words(std::span<const Mark> marks, StateHash& hash) const {
  for (const Open& open : open_) {
    const SharedWord& word = words_[open.word];
    hash.add(std::uint64_t{open.word} << 32U | (word.stores.size() - open.first));
    std::uint32_t fenced = 0;
    for (std::size_t i = open.first; i < word.stores.size(); ++i) {
      hash.add(word.stores[i].value);
      hash.add(word.stores[i].updated ? 1 : 0);
      if (word.stores[i].time <= word.fenced_time) ++fenced;
      if (word.stores[i].message != Store::kNoMessage) add_row(word.stores[i].message, readers_of(word), marks, hash);
    }
    hash.add(fenced);
  }
  for (std::uint32_t i = 0; i < words_.size() && (!open_.empty() || !marks.empty()); ++i) {
    if (!words_.is_current(words_[i]) || words_[i].stores.back().message == Store::kNoMessage) continue;
    hash.add(i);
    add_row(words_[i].stores.back().message, readers_of(words_[i]), marks, hash);
  }
}

void MemoryHash::add(std::uint64_t alive, bool has_fences, std::span<const Mark> marks, StateHash& hash) {
  alive_ = alive;
  find_open_words();
  add_words(marks, hash);
  for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    add_row(thread, 0, marks, hash);
    add_row(views_.token_row(thread), left & -left, marks, hash);
    if (has_fences) add_row(views_.acquirable_row(thread), left & -left, marks, hash);
    if (has_fences) add_row(views_.released_row(thread), 0, marks, hash);
  }
  for (std::uint32_t i = 0; i < views_.mutex_count() && (!open_.empty() || !marks.empty()); ++i) {
    add_row(views_.used_mutex_row(i), alive_, marks, hash);
  }
}

}  // namespace detent::verify::explore
