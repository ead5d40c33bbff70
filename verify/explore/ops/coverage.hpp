// OpCoverage: what a set of op-level schedules has shown.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

/// Pairs of ops that schedules ran in both orders.
struct PairCoverage {
  std::uint64_t conflicting_both = 0;
  std::uint64_t conflicting_total = 0;  ///< open pairs that count
  std::uint64_t unordered_both = 0;
  std::uint64_t unordered_total = 0;  ///< pairs of real ops that no path orders
  bool unordered_known = true;        ///< false: more than kMaxDenseOps ops; unordered_both is 0
};

/// Which pair orders schedules ran: what coverages of parts unite to.
struct PairOrders {
  std::vector<std::uint8_t> open;  ///< per open pair: bit 0 a before b, bit 1 b before a
  BitMatrix after;                 ///< row x: ops that ran after x, by op id; empty beyond kMaxDenseOps
};

class OpCoverage {
 public:
  /// @param space  outlives the coverage
  explicit OpCoverage(const OpSpace& space);

  /// Count a schedule, op ids in order. Returns true when its trace is new.
  bool add(const std::vector<std::uint32_t>& schedule);
  /// Orientation of every open pair, folded: equal within a trace, and (but for collisions) only there.
  [[nodiscard]] std::uint64_t fingerprint_of(const std::vector<std::uint32_t>& schedule);

  /// Of the schedule that was added last.
  [[nodiscard]] std::uint64_t fingerprint() const { return last_; }
  /// Count a schedule by its fingerprint alone; its pair orders come by unite.
  bool add_fingerprint(std::uint64_t fingerprint);
  /// The pair orders that other schedules ran; of the same space.
  void unite(const PairOrders& orders);
  [[nodiscard]] const PairOrders& orders() const { return orders_; }

  [[nodiscard]] std::uint64_t schedules() const { return schedules_; }
  [[nodiscard]] std::uint64_t traces() const { return times_seen_.size(); }
  /// Good and Turing's estimate of the chance that the next drawn schedule shows a new trace: the share of schedules
  /// whose trace was seen once. Means something for drawn schedules only.
  [[nodiscard]] double unseen_mass() const;
  [[nodiscard]] PairCoverage pairs() const;

 private:
  void place(const std::vector<std::uint32_t>& schedule);

  const OpSpace& space_;
  std::vector<std::uint32_t> place_;
  PairOrders orders_;
  BitMatrix unordered_;  // by op id; empty beyond kMaxDenseOps
  std::vector<Word> rest_;
  std::unordered_map<std::uint64_t, std::uint64_t> times_seen_;  // looked up, never iterated
  std::uint64_t schedules_ = 0, once_ = 0, last_ = 0;
};

}  // namespace detent::verify::explore
