// What an access may see, and what it tells.
#include "verify/explore/threads/order/memory.hpp"

#include <algorithm>
#include <stdexcept>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

namespace {

bool is_relaxed(const Step& step) { return (step.access & kAccessRelaxed) != 0; }
bool is_seq_cst(const Step& step) { return (step.access & (kAccessRelaxed | kAccessPaired)) == 0; }

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 31U);
}

std::uint64_t access_id(ThreadId thread, std::uint32_t number) { return std::uint64_t{thread} << 32U | number; }

}  // namespace

Memory::Memory(std::uint32_t thread_count, bool has_fences)
    : has_fences_(has_fences),
      views_(thread_count),
      stale_reads_(thread_count),
      hash_(words_, views_, stale_reads_, has_fences),
      accesses_(thread_count) {
  reset();
}

void Memory::reset() {
  views_.reset();
  words_.begin_epoch();
  stale_reads_.clear_all();
  std::fill(accesses_.begin(), accesses_.end(), 0);
  reads_hash_ = 0;
  word_ = kNone;
}

void Memory::forget() {
  words_.begin_epoch();
  views_.forget_stores();
  stale_reads_.clear_all();
  word_ = kNone;
}

bool Memory::may_raise(const Step& step) const {
  if (step.kind != StepKind::kRead || !is_seq_cst(step)) return false;
  const SharedWord* const word = words_.find(step.object);
  return word != nullptr && word->stores.back().time > word->seq_cst_time;
}

// Accesses.

void Memory::find_alternatives(ThreadId thread, const Step& step) {
  const SharedWord& word = words_[word_];
  std::uint32_t oldest = views_.store_seen(thread, word_);
  if (is_seq_cst(step)) oldest = std::max(oldest, word.seq_cst_time);
  alternatives_.clear();
  for (auto i = static_cast<std::uint32_t>(word.stores.size()); i-- > 0;) {
    const WordStore& store = word.stores[i];
    if (store.time < oldest) break;
    const bool fails = step.compares && store.value != step.expected;
    if (step.kind == StepKind::kRead || fails || !store.updated) alternatives_.push_back(i);
  }
}

std::uint32_t Memory::begin_access(ThreadId thread, const Step& step) {
  thread_ = thread;
  step_ = step;
  if (step.kind == StepKind::kFence) return 1;
  word_ = words_.touch(step);
  if (word_ == views_.word_count()) views_.add_word();
  SharedWord& word = words_[word_];
  const std::uint64_t self = std::uint64_t{1} << thread;
  if (((is_seq_cst(step) ? word.users : word.weak) & self) == 0) {
    word.users |= self;
    if (!is_seq_cst(step)) word.weak |= self;
    ++version_;
  }
  const auto newest = static_cast<std::uint32_t>(word.stores.size() - 1);
  if (views_.store_seen(thread, word_) == word.stores[newest].time) {  // it has seen the newest one
    alternatives_.assign(1, newest);
    return 1;
  }
  find_alternatives(thread, step);
  return static_cast<std::uint32_t>(alternatives_.size());
}

void Memory::take(std::uint32_t alternative) {
  if (step_.kind == StepKind::kFence) return;
  chosen_ = alternatives_[alternative];
  const SharedWord& word = words_[word_];
  if (step_.kind != StepKind::kWrite && chosen_ + 1 != word.stores.size()) word.set_value(word.stores[chosen_].value);
}

Memory::Alternative Memory::alternative(std::uint32_t number) const {
  const SharedWord& word = words_[word_];
  const std::uint32_t index = alternatives_[number];
  Alternative found{.object = word.object, .kind = step_.kind, .value = word.stores[index].value};
  found.is_stale = index + 1 != word.stores.size();
  if (found.is_stale) found.newer_thread = word.stores[index + 1].thread;
  return found;
}

/// The thread has read a store.
void Memory::learn(const WordStore& store) {
  views_.store_seen(thread_, word_) = store.time;
  reads_hash_ +=
      mix(mix(access_id(thread_, accesses_[thread_]), words_[word_].object), access_id(store.thread, store.number));
  if (store.message == WordStore::kNoMessage) return;
  if (!is_relaxed(step_)) {
    views_.rows().join(thread_, store.message);
  } else if (has_fences_) {
    views_.rows().join(views_.acquirable_row(thread_), store.message);
  }
}

Memory::Effect Memory::end_read(SharedWord& word) {
  const WordStore store = word.stores[chosen_];
  const bool is_stale = chosen_ + 1 != word.stores.size();
  if (is_stale) {
    word.set_value(word.stores.back().value);
    stale_reads_.note(thread_, word_);
  }
  learn(store);
  Effect effect;
  if (is_seq_cst(step_) && store.time > word.seq_cst_time) {
    word.seq_cst_time = store.time;
    effect.exclusive = true;  // no seq_cst access will see an older one
  }
  return effect;
}

/// What a store of the thread releases. `continued`: the message of the store that an update has read.
std::uint32_t Memory::message_of(ThreadId thread, std::uint32_t continued) {
  if (!is_relaxed(step_)) return views_.rows().append_copy(thread);
  if (!has_fences_) return continued;
  const std::uint32_t message = views_.rows().append_copy(views_.released_row(thread));
  if (continued != WordStore::kNoMessage) views_.rows().join(message, continued);
  return message;
}

Memory::Effect Memory::end_store(SharedWord& word, bool updates) {
  const std::uint64_t value = word.value();
  const bool is_newest = chosen_ + 1 == word.stores.size();
  const std::uint64_t newest_value = word.stores.back().value;
  std::uint32_t continued = WordStore::kNoMessage;
  if (updates) {
    word.stores[chosen_].updated = true;
    continued = word.stores[chosen_].message;
    learn(WordStore{word.stores[chosen_]});
    if (!is_newest) stale_reads_.note(thread_, word_);  // who spins on it will see the newest in the end
  }
  WordStore store{.value = value, .thread = thread_, .number = accesses_[thread_]};
  const std::uint32_t before = word.stores[chosen_].time;
  store.time = is_newest ? before + kTimeStep : before + (word.stores[chosen_ + 1].time - before) / 2;
  if (store.time <= before) throw std::length_error("threads: no room left in a modification order");
  views_.store_seen(thread_, word_) = store.time;
  store.message = message_of(thread_, continued);
  if (is_seq_cst(step_)) word.seq_cst_time = std::max(word.seq_cst_time, store.time);
  word.stores.insert(word.stores.begin() + chosen_ + 1, store);
  if (!is_newest) word.set_value(newest_value);
  return {.exclusive = true, .news = !is_newest || value != newest_value};
}

Memory::Effect Memory::end_access() {
  if (step_.kind == StepKind::kFence) {
    fence(thread_, step_);
    return {.exclusive = true};
  }
  SharedWord& word = words_[word_];
  ++accesses_[thread_];
  const bool updates = step_.kind == StepKind::kUpdate;
  const bool fails = step_.compares && word.stores[chosen_].value != step_.expected;
  if (step_.kind == StepKind::kRead || fails) return end_read(word);
  return end_store(word, updates);
}

/// access: neither relaxed nor paired is seq_cst; paired is acquire and release.
void Memory::fence(ThreadId thread, const Step& step) {
  if (!has_fences_) throw std::logic_error("threads: a fence in a program that was declared to have no fences");
  views_.rows().join(thread, views_.acquirable_row(thread));
  if (is_seq_cst(step)) {
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      SharedWord& word = words_[i];
      if (!words_.is_current(word)) continue;
      std::uint32_t& seen = views_.store_seen(thread, i);
      word.seq_cst_time = seen = std::max(word.seq_cst_time, seen);
    }
  }
  views_.rows().assign(views_.released_row(thread), thread);
}

// Threads.

void Memory::start(ThreadId parent, ThreadId child) {
  views_.start(parent, child);
  stale_reads_.clear(child);
}

bool Memory::pause(ThreadId thread) {
  if (!hash_.counts_stale_reads()) ++version_;
  hash_.count_stale_reads();
  const std::vector<std::uint32_t>& stale = stale_reads_.of(thread);
  const bool any = !stale.empty();
  for (const std::uint32_t word : stale) views_.store_seen(thread, word) = words_[word].stores.back().time;
  stale_reads_.clear(thread);
  return any;
}

void Memory::time_passes() {
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    if (!words_.is_current(words_[i])) continue;
    const std::uint32_t newest = words_[i].stores.back().time;
    for (ThreadId thread = 0; thread < views_.thread_count(); ++thread) views_.store_seen(thread, i) = newest;
  }
}

void Memory::waited_until_idle(ThreadId thread) {
  for (ThreadId other = 0; other < views_.thread_count(); ++other) views_.rows().join(thread, other);
  time_passes();
}

// Fingerprint.

void Memory::choice(ThreadId thread, std::uint32_t value) {
  reads_hash_ += mix(mix(access_id(thread, accesses_[thread]), 0x63686f6963655fu), value);
}

std::uint64_t Memory::fingerprint() const {
  std::uint64_t hash = reads_hash_;
  for (const SharedWord& word : words_) {
    if (!words_.is_current(word)) continue;
    for (std::size_t i = 1; i < word.stores.size(); ++i) {
      const WordStore &one = word.stores[i - 1], &next = word.stores[i];
      hash += mix(mix(access_id(one.thread, one.number), word.object), access_id(next.thread, next.number) ^ 1U << 31U);
    }
  }
  return hash;
}

}  // namespace detent::verify::explore
