// Which op begins next: rules 1 to 3 of the definition of execution, without times. Internal to verify/timing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// Ops by the bits of 64-bit words.
using OpSet = std::vector<std::uint64_t>;

inline bool holds_op(const OpSet& set, OpId op) { return (set[op / 64] >> (op % 64) & 1U) != 0; }
inline void add_op(OpSet& set, OpId op) { set[op / 64] |= std::uint64_t{1} << (op % 64); }

/// Steps from one set of ended, running and ready ops to the next.
class ListRule {
 public:
  ListRule(const TimingProblem& problem, ReadyOrder order);

  /// No op has ended.
  [[nodiscard]] OpSet no_ops() const { return OpSet((problem_.ops.size() + 63) / 64, 0); }
  /// Ops without predecessors, in their order.
  [[nodiscard]] std::vector<OpId> first_ready() const;
  /// The ready ops, in their order, once `op` has ended: it is in `ended`, and was not when `ready` was made.
  [[nodiscard]] std::vector<OpId> ready_behind(OpId op, const OpSet& ended, const std::vector<OpId>& ready) const;
  /// Move what begins at once, beside the ops that run, from `ready` to `running`, which is ascending after that.
  void start(std::vector<OpId>& running, std::vector<OpId>& ready) const;

 private:
  const TimingProblem& problem_;
  ReadyOrder order_;
  std::vector<std::vector<OpId>> before_;            // by op
  std::vector<std::vector<std::uint32_t>> mutexes_;  // by op
};

}  // namespace detent::verify
