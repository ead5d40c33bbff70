#include "verify/explore/threads/order/memory_hash.hpp"

#include <algorithm>

namespace detent::verify::explore {

/// Time of the oldest store of a word that matters.
std::uint32_t MemoryHash::oldest_readable(std::uint32_t number) const {
  const SharedWord& word = words_[number];
  const std::uint64_t absent = word.users & ~views_.alive();  // one that has not begun will see what its parent has
  std::uint32_t oldest = word.stores.back().time;
  for (std::uint64_t left = readers_of(word); left != 0; left &= left - 1) {
    const std::uint64_t self = left & -left;
    std::uint32_t time = views_.store_seen(static_cast<ThreadId>(__builtin_ctzll(left)), number);
    if ((word.weak & (self | absent)) == 0) time = std::max(time, word.seq_cst_time);
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

std::uint32_t MemoryHash::seen_by_all(std::uint64_t readers, std::uint32_t column) const {
  std::uint32_t least = readers == 0 ? 0 : UINT32_MAX;
  for (std::uint64_t left = readers; left != 0; left &= left - 1) {
    least = std::min(least, views_.rows().row(static_cast<ThreadId>(__builtin_ctzll(left)))[column]);
  }
  return least;
}

/// A row that these threads may join: what all of them have seen anyway makes no difference.
void MemoryHash::hash_row(std::uint32_t row, std::uint64_t readers, std::span<const Views::Mark> marks,
                          StateHash& hash) const {
  const std::uint32_t* const values = views_.rows().row(row);
  for (const Open& open : open_) {
    const std::uint32_t column = views_.thread_count() + open.word;
    const std::uint32_t time = std::max(values[column], seen_by_all(readers, column));
    const std::vector<WordStore>& stores = words_[open.word].stores;
    std::uint32_t index = open.first;
    while (index + 1 < stores.size() && stores[index + 1].time <= time) ++index;
    hash.add(index - open.first);
  }
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::uint32_t time = std::max(values[marks[i].thread], seen_by_all(readers, marks[i].thread));
    if (time >= marks[i].time) known |= std::uint64_t{1} << i % 64;
    if (i % 64 == 63 || i + 1 == marks.size()) {
      hash.add(known);
      known = 0;
    }
  }
}

void MemoryHash::add_open_words(StateHash& hash, std::span<const Views::Mark> marks) const {
  for (const Open& open : open_) {
    const SharedWord& word = words_[open.word];
    hash.add(std::uint64_t{open.word} << 32U | (word.stores.size() - open.first));
    std::uint32_t seen_by_seq_cst = 0;
    for (std::size_t i = open.first; i < word.stores.size(); ++i) {
      hash.add(word.stores[i].value);
      hash.add(word.stores[i].updated ? 1 : 0);
      if (word.stores[i].time <= word.seq_cst_time) ++seen_by_seq_cst;
      if (word.stores[i].message != WordStore::kNoMessage)
        hash_row(word.stores[i].message, readers_of(word), marks, hash);
    }
    hash.add(seen_by_seq_cst);
  }
}

void MemoryHash::add_newest_messages(StateHash& hash, std::span<const Views::Mark> marks) const {
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    if (!words_.is_current(words_[i]) || words_[i].stores.back().message == WordStore::kNoMessage) continue;
    hash.add(i);
    hash_row(words_[i].stores.back().message, readers_of(words_[i]), marks, hash);
  }
}

void MemoryHash::add_threads(StateHash& hash, std::span<const Views::Mark> marks) const {
  for (std::uint64_t left = views_.alive(); left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    hash_row(thread, 0, marks, hash);
    hash_row(views_.token_row(thread), left & -left, marks, hash);
    if (has_fences_) hash_row(views_.acquirable_row(thread), left & -left, marks, hash);
    if (has_fences_) hash_row(views_.released_row(thread), 0, marks, hash);
    if (!counts_stale_reads_) continue;
    for (const std::uint32_t word : stale_reads_.of(thread)) hash.add(std::uint64_t{thread} << 32U | word);
  }
}

void MemoryHash::add_to(StateHash& hash, std::span<const Views::Mark> marks) {
  find_open_words();
  add_open_words(hash, marks);
  const bool views_matter = !open_.empty() || !marks.empty();
  if (views_matter) add_newest_messages(hash, marks);
  add_threads(hash, marks);
  for (std::uint32_t i = 0; i < views_.mutex_count() && views_matter; ++i) {
    hash_row(views_.mutex_row(i), views_.alive(), marks, hash);
  }
}

}  // namespace detent::verify::explore
