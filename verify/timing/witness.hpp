// Runs that attain the exact extremes: order of ends -> times of ops, held against a list scheduler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/timing/exact.hpp"
#include "verify/timing/list_run.hpp"

namespace detent::verify {

/// A scheduling anomaly of a run: an op that takes less than its worst time and thereby makes the run longer.
struct ShorterOp {
  OpId op = 0;
  std::uint64_t worst_ps = 0;
  std::uint64_t makespan_ps = 0;  ///< of the run where this op takes its worst time, all others as they do
};

struct ExactWitness {
  ListRun worst{}, best{};           ///< attain ExactTimes::worst_ps and best_ps
  ListRun all_worst{};               ///< every op takes its worst time, ties by rank
  std::uint64_t all_worst_ps = 0;    ///< its makespan
  std::vector<ShorterOp> shorter{};  ///< of `worst`, by op
  /// "", or that the list scheduler, which knows nothing of zones, does not attain what they claim: a fault of ours.
  std::string fault{};
};

/// The worst run has all ops at their worst where that attains it. Otherwise its ends are the latest that the order of
/// the search allows, and each op is then raised to its worst time, one after another by id, where the run stays as
/// long.
/// @param order  that `exact` was found with
/// @param exact  complete; fixed_ps of the problem 0
ExactWitness find_witness(const TimingProblem& problem, const ReadyOrder& order, const ExactTimes& exact);

}  // namespace detent::verify
