/* The engine's queues. None allocates, none can overflow by construction (F10), none holds sentinels.
 *
 * ReadySet       ops that can start, ordered by rank: a hierarchical bitmap, 64 children per word. Only the holder of
 *                the scheduler role touches it.
 * CompleteQueue  workers that have finished an op while the role was held: lock-free, first in first out. Each worker
 *                has at most one entry, and there are at least as many cells as workers.
 * ForeignQueue   completions reported by detent_complete, which enters under the port's lock. An op is in it at most
 *                once (its state word says so), and there are as many cells as ops that can be completed that way.
 */
#ifndef DETENT_RUNTIME_QUEUE_H_
#define DETENT_RUNTIME_QUEUE_H_

#include <detent/limits.h>

#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/base/ids.h"

namespace detent {

/// A set of ranks below a fixed number, at most 64^4. set, clear and first are O(levels): at most 4 words.
class ReadySet {
 public:
  static constexpr std::uint32_t kMaxLevels = 4;

  /// Words of memory for ranks 0..count-1.
  static std::size_t word_count(std::uint32_t count);
  /// `words` has word_count(count) entries and outlives the set. Empty afterwards.
  void init(std::uint64_t *words, std::uint32_t count);
  /// Make this set equal to `other`, which was made for the same count.
  void copy_from(const ReadySet &other);
  void clear_all();

  void set(Rank rank) {
    std::uint32_t bit = rank;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      std::uint64_t &word = level_[level][bit >> 6];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (bit & 63);
      if (!was_empty) return;
      bit >>= 6;
    }
  }

  void clear(Rank rank) {
    std::uint32_t bit = rank;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      std::uint64_t &word = level_[level][bit >> 6];
      word &= ~(std::uint64_t{1} << (bit & 63));
      if (word != 0) return;
      bit >>= 6;
    }
  }

  [[nodiscard]] bool empty() const { return level_[levels_ - 1][0] == 0; }
  [[nodiscard]] bool has(Rank rank) const { return ((level_[0][rank >> 6] >> (rank & 63)) & 1) != 0; }

  /// Lowest rank in the set. The set is not empty.
  [[nodiscard]] Rank first() const {
    std::uint32_t bit = 0;
    for (std::uint32_t level = levels_; level-- > 0;) {
      bit = bit * 64 + count_trailing_zeros(level_[level][bit]);
    }
    return bit;
  }

  /// Lowest rank >= from, or DETENT_NONE.
  [[nodiscard]] Rank next(Rank from) const;

 private:
  std::uint64_t *level_[kMaxLevels] = {};
  std::uint32_t bits_[kMaxLevels] = {};  // bits in use at each level
  std::uint32_t levels_ = 0;
  std::uint32_t count_ = 0;
};

/// Many producers (one entry each at most), one consumer (the holder of the role).
class CompleteQueue {
 public:
  /// Cells for `workers` producers: the next power of two.
  static std::uint32_t cell_count(std::uint32_t workers);
  void init(std::uint32_t *cells, std::uint32_t cell_count);

  /// Worker `slot` has finished. Fenced: a holder that releases the role afterwards sees the entry.
  void put(const AccessSite &site, SlotId slot);
  /// Consumer only. False: nothing to take, or a producer is between claiming its cell and filling it; that producer
  /// tries to take the role itself afterwards, so that nothing is lost.
  bool take(const AccessSite &site, SlotId *slot);
  /// Any slot that has just released the role. Fenced.
  [[nodiscard]] bool empty(const AccessSite &site) const;

 private:
  struct alignas(DETENT_CACHE_LINE) Line {
    std::uint32_t word = 0;
  };
  std::uint32_t *cells_ = nullptr;
  std::uint32_t mask_ = 0;
  Line tail_;  // next cell to claim
  Line head_;  // next cell to take; written by the holder
};

/// Many producers, one at a time under the port's lock; one consumer (the holder of the role).
class ForeignQueue {
 public:
  /// `capacity` cells; 0 is allowed, then put is never called.
  void init(std::uint32_t *cells, std::uint32_t capacity);
  /// Under the port's lock; op is not in the queue.
  void put(const AccessSite &site, OpId op);
  bool take(const AccessSite &site, OpId *op);
  [[nodiscard]] bool empty(const AccessSite &site) const;

 private:
  std::uint32_t *cells_ = nullptr;
  std::uint32_t capacity_ = 0;
  alignas(DETENT_CACHE_LINE) std::uint32_t put_ = 0;    // entries put so far, modulo 2^32
  std::uint32_t put_at_ = 0;                            // cell of the next entry; producers only
  alignas(DETENT_CACHE_LINE) std::uint32_t taken_ = 0;  // entries taken so far
  std::uint32_t take_at_ = 0;                           // consumer only
};

}  // namespace detent

#endif
