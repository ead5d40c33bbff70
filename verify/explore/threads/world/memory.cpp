// Stores, views, and what an access may see.
#include "verify/explore/threads/world/memory.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

namespace {

bool is_relaxed(const Step& step) { return (step.access & kAccessRelaxed) != 0; }
bool is_fenced(const Step& step) { return (step.access & (kAccessRelaxed | kAccessPaired)) == 0; }

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 31U);
}

std::uint64_t access_id(ThreadId thread, std::uint32_t number) { return std::uint64_t{thread} << 32U | number; }

}  // namespace

Memory::Memory(std::uint32_t thread_count, bool has_fences)
    : threads_(thread_count), has_fences_(has_fences), stale_(thread_count), accesses_(thread_count) {
  rows_.resize(std::size_t{2} * fixed_rows() * stride_);
  reset();
}

void Memory::reset() {
  row_count_ = fixed_rows();
  std::fill_n(rows_.begin(), (std::size_t{4} * threads_ + mutexes_) * stride_, 0);
  for (ThreadId thread = 0; thread < threads_; ++thread) {
    mark(thread);
    stale_[thread].clear();
    accesses_[thread] = 0;
  }
  ++epoch_;
  alive_ = 1;
  reads_hash_ = 0;
  word_ = kNone;
}

void Memory::forget() {
  ++epoch_;
  row_count_ = fixed_rows();
  for (std::uint32_t number = 0; number < 4 * threads_ + mutexes_; ++number) {
    std::fill_n(row(number) + threads_, words_.size(), 0);
  }
  for (auto& words : stale_) words.clear();
  word_ = kNone;
}

// Rows: what somebody has seen: moments of threads, then of each word the store.

void Memory::join(std::uint32_t* into, const std::uint32_t* from) const {
  const std::uint32_t count = width();
  for (std::uint32_t i = 0; i < count; ++i) into[i] = std::max(into[i], from[i]);
}

std::uint32_t Memory::copy_row(std::uint32_t of) {
  const std::uint32_t number = row_count_++;
  if (std::size_t{row_count_} * stride_ > rows_.size()) [[unlikely]]
    rows_.resize(rows_.size() * 2);
  std::memcpy(row(number), row(of), width() * sizeof rows_[0]);
  return number;
}

[[gnu::cold]] void Memory::widen() {
  const std::uint32_t wider = stride_ * 2;
  std::vector<std::uint32_t> rows(rows_.size() * 2, 0);
  for (std::size_t i = 0; i < rows_.size() / stride_; ++i) {
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                rows.begin() + static_cast<std::ptrdiff_t>(i * wider));
  }
  rows_.swap(rows);
  stride_ = wider;
}

// Words.

std::uint64_t Memory::value_of(const Word& word) const {
  std::uint64_t value = 0;
  std::memcpy(&value, word.address, word.wide ? 8 : 4);
  return value;
}

void Memory::set_value(const Word& word, std::uint64_t value) const {
  std::memcpy(word.address, &value, word.wide ? 8 : 4);
}

void Memory::renew(Word& word, const Step& step) {
  word.epoch = epoch_;
  word.address = const_cast<void*>(step.word);
  word.wide = (step.access & kAccessWide) != 0;
  word.fenced_time = 0;
  word.stores.clear();
  word.stores.push_back({.value = value_of(word), .thread = kNoThread});
}

std::uint32_t Memory::word_of(const Step& step) {
  const std::uint32_t id = step.object - kWordObjects;
  if (id >= number_of_.size()) number_of_.resize(id + std::size_t{1}, kNone);
  std::uint32_t& number = number_of_[id];
  if (number == kNone) {
    if (width() == stride_) widen();
    number = static_cast<std::uint32_t>(words_.size());
    words_.emplace_back();
    words_.back().object = step.object;
  }
  if (words_[number].epoch != epoch_) renew(words_[number], step);
  return number;
}

bool Memory::may_raise(const Step& step) const {
  if (step.kind != StepKind::kRead || !is_fenced(step)) return false;
  const std::uint32_t id = step.object - kWordObjects;
  if (id >= number_of_.size() || number_of_[id] == kNone) return false;
  const Word& word = words_[number_of_[id]];
  return word.epoch == epoch_ && word.stores.back().time > word.fenced_time;
}

// Accesses.

void Memory::find_alternatives(ThreadId thread, const Step& step) {
  const Word& word = words_[word_];
  std::uint32_t oldest = row(thread)[threads_ + word_];
  if (is_fenced(step)) oldest = std::max(oldest, word.fenced_time);
  alternatives_.clear();
  for (auto i = static_cast<std::uint32_t>(word.stores.size()); i-- > 0;) {
    const Store& store = word.stores[i];
    if (store.time < oldest) break;
    const bool fails = step.compares && store.value != step.expected;
    if (step.kind == StepKind::kRead || fails || !store.updated) alternatives_.push_back(i);
  }
}

std::uint32_t Memory::begin_access(ThreadId thread, const Step& step) {
  thread_ = thread;
  step_ = step;
  if (step.kind == StepKind::kFence) return 1;
  word_ = word_of(step);
  Word& word = words_[word_];
  const std::uint64_t self = std::uint64_t{1} << thread;
  if (((is_fenced(step) ? word.users : word.weak) & self) == 0) {
    word.users |= self;
    if (!is_fenced(step)) word.weak |= self;
    ++version_;
  }
  const auto newest = static_cast<std::uint32_t>(word.stores.size() - 1);
  if (row(thread)[threads_ + word_] == word.stores[newest].time) {  // it has seen the newest one
    alternatives_.assign(1, newest);
    return 1;
  }
  find_alternatives(thread, step);
  return static_cast<std::uint32_t>(alternatives_.size());
}

void Memory::take(std::uint32_t alternative) {
  if (step_.kind == StepKind::kFence) return;
  chosen_ = alternatives_[alternative];
  const Word& word = words_[word_];
  if (step_.kind != StepKind::kWrite && chosen_ + 1 != word.stores.size()) set_value(word, word.stores[chosen_].value);
}

Memory::Alternative Memory::alternative(std::uint32_t number) const {
  const Word& word = words_[word_];
  const std::uint32_t index = alternatives_[number];
  Alternative found{.object = word.object, .kind = step_.kind, .value = word.stores[index].value};
  found.is_stale = index + 1 != word.stores.size();
  if (found.is_stale) found.newer_thread = word.stores[index + 1].thread;
  return found;
}

/// The thread has read a store.
void Memory::learn(const Store& store) {
  row(thread_)[threads_ + word_] = store.time;
  reads_hash_ +=
      mix(mix(access_id(thread_, accesses_[thread_]), words_[word_].object), access_id(store.thread, store.number));
  if (store.message == kNone) return;
  if (!is_relaxed(step_)) {
    join(row(thread_), row(store.message));
  } else if (has_fences_) {
    join(row(acquirable_row(thread_)), row(store.message));
  }
}

Memory::Effect Memory::end_read(Word& word) {
  const Store store = word.stores[chosen_];
  const bool is_stale = chosen_ + 1 != word.stores.size();
  if (is_stale) {
    set_value(word, word.stores.back().value);
    std::vector<std::uint32_t>& words = stale_[thread_];
    if (std::find(words.begin(), words.end(), word_) == words.end()) words.push_back(word_);
  }
  learn(store);
  Effect effect;
  if (is_fenced(step_) && store.time > word.fenced_time) {
    word.fenced_time = store.time;
    effect.exclusive = true;  // no seq_cst access will see an older one
  }
  return effect;
}

/// What a store of the thread releases. `continued`: the message of the store that an update has read.
std::uint32_t Memory::message_of(ThreadId thread, std::uint32_t continued) {
  if (!is_relaxed(step_)) return copy_row(thread);
  if (!has_fences_) return continued;
  const std::uint32_t message = copy_row(released_row(thread));
  if (continued != kNone) join(row(message), row(continued));
  return message;
}

Memory::Effect Memory::end_store(Word& word, bool updates) {
  const std::uint64_t value = value_of(word);
  const bool is_newest = chosen_ + 1 == word.stores.size();
  const std::uint64_t newest_value = word.stores.back().value;
  std::uint32_t continued = kNone;
  if (updates) {
    word.stores[chosen_].updated = true;
    continued = word.stores[chosen_].message;
    learn(Store{word.stores[chosen_]});
  }
  Store store{.value = value, .thread = thread_, .number = accesses_[thread_]};
  const std::uint32_t before = word.stores[chosen_].time;
  store.time = is_newest ? before + kTimeStep : before + (word.stores[chosen_ + 1].time - before) / 2;
  if (store.time <= before) throw std::length_error("threads: no room left in a modification order");
  row(thread_)[threads_ + word_] = store.time;
  store.message = message_of(thread_, continued);
  if (is_fenced(step_)) word.fenced_time = std::max(word.fenced_time, store.time);
  word.stores.insert(word.stores.begin() + chosen_ + 1, store);
  if (!is_newest) set_value(word, newest_value);
  return {.exclusive = true, .news = !is_newest || value != newest_value};
}

Memory::Effect Memory::end_access() {
  if (step_.kind == StepKind::kFence) {
    fence(thread_, step_);
    return {.exclusive = true};
  }
  Word& word = words_[word_];
  ++accesses_[thread_];
  const bool updates = step_.kind == StepKind::kUpdate;
  const bool fails = step_.compares && word.stores[chosen_].value != step_.expected;
  if (step_.kind == StepKind::kRead || fails) return end_read(word);
  return end_store(word, updates);
}

/// access: fenced is seq_cst, paired acquire and release.
void Memory::fence(ThreadId thread, const Step& step) {
  if (!has_fences_) throw std::logic_error("threads: a fence in a program that has none");
  std::uint32_t* const mine = row(thread);
  join(mine, row(acquirable_row(thread)));
  if (is_fenced(step)) {
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      Word& word = words_[i];
      if (word.epoch != epoch_) continue;
      word.fenced_time = mine[threads_ + i] = std::max(word.fenced_time, mine[threads_ + i]);
    }
  }
  std::memcpy(row(released_row(thread)), mine, width() * sizeof *mine);
}

// Threads.

void Memory::start(ThreadId parent, ThreadId child) {
  const std::uint32_t time = row(child)[child];
  std::memcpy(row(child), row(parent), width() * sizeof rows_[0]);
  row(child)[child] = std::max(time, row(child)[child]);
  stale_[child].clear();
  alive_ |= std::uint64_t{1} << child;
}

bool Memory::pause(ThreadId thread) {
  if (!pauses_) ++version_;
  pauses_ = true;
  const bool any = !stale_[thread].empty();
  for (const std::uint32_t word : stale_[thread]) row(thread)[threads_ + word] = words_[word].stores.back().time;
  stale_[thread].clear();
  return any;
}

void Memory::time_passes() {
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    if (words_[i].epoch != epoch_) continue;
    for (ThreadId thread = 0; thread < threads_; ++thread) row(thread)[threads_ + i] = words_[i].stores.back().time;
  }
}

void Memory::settle(ThreadId thread) {
  for (ThreadId other = 0; other < threads_; ++other) join(row(thread), row(other));
  time_passes();
}

// Fingerprint.

void Memory::choice(ThreadId thread, std::uint32_t value) {
  reads_hash_ += mix(mix(access_id(thread, accesses_[thread]), 0x63686f6963655fu), value);
}

std::uint64_t Memory::fingerprint() const {
  std::uint64_t hash = reads_hash_;
  for (const Word& word : words_) {
    if (word.epoch != epoch_) continue;
    for (std::size_t i = 1; i < word.stores.size(); ++i) {
      const Store &one = word.stores[i - 1], &next = word.stores[i];
      hash += mix(mix(access_id(one.thread, one.number), word.object), access_id(next.thread, next.number) ^ 1U << 31U);
    }
  }
  return hash;
}

// Hash of the state. A store counts while a thread can still read it that ever does: for a thread whose accesses of the
// word are all seq_cst that ends with the newest one that such accesses have seen.

/// Time of the oldest store of a word that matters.
std::uint32_t Memory::oldest_readable(std::uint32_t number) const {
  const Word& word = words_[number];
  const std::uint64_t absent = word.users & ~alive_;  // one that has not begun will have seen what its parent has
  std::uint32_t oldest = word.stores.back().time;
  for (std::uint64_t left = readers_of(word); left != 0; left &= left - 1) {
    const std::uint64_t self = left & -left;
    std::uint32_t time = row(static_cast<ThreadId>(__builtin_ctzll(left)))[threads_ + number];
    if ((word.weak & (self | absent)) == 0) time = std::max(time, word.fenced_time);
    oldest = std::min(oldest, time);
  }
  return oldest;
}

void Memory::find_open_words() const {
  open_.clear();
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    const Word& word = words_[i];
    if (word.epoch != epoch_ || word.stores.size() == 1) continue;
    const std::uint32_t floor = oldest_readable(i);
    if (floor == word.stores.back().time) continue;
    std::uint32_t first = 0;
    while (word.stores[first].time < floor) ++first;
    open_.push_back({i, floor, first});
  }
}

/// A row that these threads may join: what all of them have seen anyway makes no difference.
void Memory::hash_row(const std::uint32_t* values, std::uint64_t readers, std::span<const Mark> marks,
                      StateHash& hash) const {
  const auto all_have_seen = [&](std::uint32_t column) {
    std::uint32_t least = readers == 0 ? 0 : UINT32_MAX;
    for (std::uint64_t left = readers; left != 0; left &= left - 1) {
      least = std::min(least, row(static_cast<ThreadId>(__builtin_ctzll(left)))[column]);
    }
    return least;
  };
  for (const Open& open : open_) {
    const std::uint32_t time = std::max(values[threads_ + open.word], all_have_seen(threads_ + open.word));
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

void Memory::hash(std::span<const Mark> marks, StateHash& hash) const {
  find_open_words();
  for (const Open& open : open_) {
    const Word& word = words_[open.word];
    hash.add(std::uint64_t{open.word} << 32U | (word.stores.size() - open.first));
    std::uint32_t fenced = 0;
    for (std::size_t i = open.first; i < word.stores.size(); ++i) {
      hash.add(word.stores[i].value);
      hash.add(word.stores[i].updated ? 1 : 0);
      if (word.stores[i].time <= word.fenced_time) ++fenced;
      if (word.stores[i].message != kNone) hash_row(row(word.stores[i].message), readers_of(word), marks, hash);
    }
    hash.add(fenced);
  }
  for (std::uint32_t i = 0; i < words_.size() && (!open_.empty() || !marks.empty()); ++i) {
    if (words_[i].epoch != epoch_ || words_[i].stores.back().message == kNone) continue;
    hash.add(i);
    hash_row(row(words_[i].stores.back().message), readers_of(words_[i]), marks, hash);
  }
  for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    hash_row(row(thread), 0, marks, hash);
    hash_row(row(token_row(thread)), left & -left, marks, hash);
    if (has_fences_) hash_row(row(acquirable_row(thread)), left & -left, marks, hash);
    if (has_fences_) hash_row(row(released_row(thread)), 0, marks, hash);
    if (!pauses_) continue;
    for (const std::uint32_t word : stale_[thread]) hash.add(std::uint64_t{thread} << 32U | word);
  }
  for (std::uint32_t i = 0; i < mutexes_ && (!open_.empty() || !marks.empty()); ++i) {
    hash_row(row(4 * threads_ + i), alive_, marks, hash);
  }
}

}  // namespace detent::verify::explore
