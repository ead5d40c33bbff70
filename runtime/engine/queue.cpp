// The engine's queues: hierarchical bitmap of ready ranks, FIFO of finished workers, FIFO of foreign completions.
#include "runtime/engine/queue.h"

#include "runtime/base/ids.h"

namespace detent {

namespace {

std::uint32_t words_for(std::uint32_t bits) { return bits / 64 + (bits % 64 != 0 ? 1 : 0); }

}  // namespace

std::size_t ReadySet::word_count(std::uint32_t count) {
  std::size_t total = 0;
  std::uint32_t words = count;
  do {
    words = words_for(words > 0 ? words : 1);
    total += words;
  } while (words > 1);
  return total;
}

void ReadySet::init(std::uint64_t *words, std::uint32_t count) {
  count_ = count;
  levels_ = 0;
  std::uint32_t size = count;
  do {
    bits_[levels_] = size;
    size = words_for(size > 0 ? size : 1);
    level_[levels_++] = words;
    words += size;
  } while (size > 1);
  clear_all();
}

void ReadySet::clear_all() {
  const std::size_t words = word_count(count_);
  for (std::size_t i = 0; i < words; ++i) level_[0][i] = 0;
}

void ReadySet::copy_from(const ReadySet &other) {
  const std::size_t words = word_count(count_);
  memcpy(level_[0], other.level_[0], words * sizeof(std::uint64_t));
}

Rank ReadySet::next(Rank from) const {
  std::uint32_t level = 0;
  std::uint32_t index = from;
  // Up: the first word at this level or above that has a bit at or after index.
  for (; level < levels_; ++level) {
    if (index < bits_[level]) {
      const std::uint64_t rest = level_[level][index >> 6] >> (index & 63);
      if (rest != 0) {
        index += count_trailing_zeros(rest);
        break;
      }
    }
    index = (index >> 6) + 1;
  }
  if (level == levels_) return DETENT_NONE;
  while (level-- > 0) index = index * 64 + count_trailing_zeros(level_[level][index]);
  return index;
}

std::uint32_t CompleteQueue::cell_count(std::uint32_t workers) {
  std::uint32_t cells = 1;
  while (cells < workers) cells *= 2;
  return cells;
}

void CompleteQueue::init(std::uint32_t *cells, std::uint32_t cell_count) {
  cells_ = cells;
  mask_ = cell_count - 1;
  for (std::uint32_t i = 0; i < cell_count; ++i) cells[i] = DETENT_NONE;
  tail_.word = 0;
  head_.word = 0;
}

void CompleteQueue::put(const AccessSite &site, SlotId slot) {
  const std::uint32_t ticket = fetch_add_seq_cst(site, tail_.word, 1u);
  store_seq_cst(site, cells_[ticket & mask_], slot);
}

bool CompleteQueue::take(const AccessSite &site, SlotId *slot) {
  const std::uint32_t head = load_relaxed(site, head_.word);
  std::uint32_t &cell = cells_[head & mask_];
  *slot = load_seq_cst(site, cell);
  if (*slot == DETENT_NONE) return false;
  store_relaxed(site, cell, DETENT_NONE);
  store_release(site, head_.word, head + 1);
  return true;
}

bool CompleteQueue::empty(const AccessSite &site) const {
  const std::uint32_t head = load_seq_cst(site, head_.word);
  return load_seq_cst(site, cells_[head & mask_]) == DETENT_NONE;
}

void ForeignQueue::init(std::uint32_t *cells, std::uint32_t capacity) {
  cells_ = cells;
  capacity_ = capacity;
  put_ = put_at_ = taken_ = take_at_ = 0;
}

void ForeignQueue::put(const AccessSite &site, OpId op) {
  cells_[put_at_] = op;
  put_at_ = put_at_ + 1 == capacity_ ? 0 : put_at_ + 1;
  store_seq_cst(site, put_, put_ + 1);
}

bool ForeignQueue::take(const AccessSite &site, OpId *op) {
  if (load_seq_cst(site, put_) == taken_) return false;
  *op = cells_[take_at_];
  take_at_ = take_at_ + 1 == capacity_ ? 0 : take_at_ + 1;
  store_release(site, taken_, taken_ + 1);
  return true;
}

bool ForeignQueue::empty(const AccessSite &site) const {
  return load_seq_cst(site, put_) == load_seq_cst(site, taken_);
}

}  // namespace detent
