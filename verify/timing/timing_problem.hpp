// TimingProblem: a DAG with times on typed cores, as every bound takes it.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::verify {

/// One op as a bound sees it.
struct TimedOp {
  std::uint64_t best_ps = 0;
  std::uint64_t worst_ps = 0;  ///< on its core, with every overhead that its own worker pays
  std::uint32_t core_class = 0;
  std::uint64_t role_ps = 0;  ///< most that the scheduler works for it: one thing at a time, for all ops together
};

/// A DAG with times on typed cores. successors are CSR: targets[first[i] .. first[i+1]).
struct TimingProblem {
  std::vector<TimedOp> ops;
  std::vector<std::uint32_t> first;  ///< [ops+1]
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> cores;                   ///< cores per class; 0 = unbounded (delays)
  std::vector<std::uint32_t> queue_depth{};           ///< ops that a core of the class accepts at once; empty: one each
  std::uint64_t fixed_ps = 0;                         ///< start-up cost per run, added to every bound
  std::vector<std::vector<std::uint32_t>> exclusive;  ///< per mutex the ops that hold it: never two at once
};

/// Which of the ops that are ready begins first.
struct ReadyOrder {
  std::vector<std::uint32_t> rank{};  ///< [ops] different numbers, lower first; empty: ids
  /// First ready, first begun: an op waits behind those that are ready when it becomes ready; ranks order ops that are
  /// ready from the beginning, and those that one end makes ready.
  bool by_arrival = false;
};

/// A time or a bound that is not known; a bound is not where a time is missing, a sum does not fit 64 bits, or the
/// theorem does not apply.
inline constexpr std::uint64_t kUnknownPs = UINT64_MAX;

}  // namespace detent::verify
