// What the DAG and the ranks alone say of ops that compete for cores. Internal to verify/abstraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// Facts that hold in every run of the definition of execution, whatever ops take.
class Competition {
 public:
  /// Beyond so many ops nothing is said of paths: fewer facts are known, and all that are known hold.
  static constexpr std::size_t kMostOps = 4'000;

  Competition(const TimingProblem& problem, ReadyOrder order);

  [[nodiscard]] const std::vector<OpId>& before(OpId op) const { return before_[op]; }
  /// In a topological order.
  [[nodiscard]] std::uint32_t place(OpId op) const { return place_[op]; }
  /// Mutexes of the op that another op shares.
  [[nodiscard]] const std::vector<std::uint32_t>& mutexes(OpId op) const { return mutexes_[op]; }
  /// Does the op begin as soon as it is ready? Delays do, and ops of a class that has as many cores as ops that no path
  /// orders; not those with mutexes.
  [[nodiscard]] bool never_waits(OpId op) const { return never_waits_[op]; }
  /// Can ops of the class wait for one of its cores?
  [[nodiscard]] bool is_scarce(std::uint32_t core_class) const { return scarce_[core_class]; }
  [[nodiscard]] std::uint32_t rank(OpId op) const { return order_.rank[op]; }
  [[nodiscard]] bool by_arrival() const { return order_.by_arrival; }
  /// Whenever `op` is ready `first` is, or has begun, and stands before it. Both are of one class.
  [[nodiscard]] bool goes_before(OpId first, OpId op) const { return get(goes_before_, first, op); }

 private:
  using Bits = std::vector<std::uint64_t>;  // a row of words_ words for each op
  [[nodiscard]] bool get(const Bits& rows, OpId row, OpId column) const;
  void set(Bits& rows, OpId row, OpId column) const;
  [[nodiscard]] Bits find_ancestors() const;
  [[nodiscard]] bool needs_every(OpId op, const std::vector<OpId>& others, const Bits& ancestors) const;
  void find_never_waiting(const Bits& ancestors);
  void find_going_before(const Bits& ancestors);
  [[nodiscard]] std::size_t paths_of(const std::vector<OpId>& ops, const Bits& ancestors) const;

  const TimingProblem& problem_;
  ReadyOrder order_;
  std::size_t words_ = 0;  // 0: beyond kMostOps
  std::vector<std::vector<OpId>> before_;
  std::vector<std::uint32_t> place_;
  std::vector<std::vector<std::uint32_t>> mutexes_;
  std::vector<bool> scarce_, never_waits_;
  Bits goes_before_;
};

}  // namespace detent::verify
