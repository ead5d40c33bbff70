// Exact completions of a DAG under one policy: which times can an op end at, whatever the ops take within their ranges?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/timing/response.hpp"

namespace detent::verify {

struct ExactOptions {
  ReadyOrder order{};
  std::uint64_t max_zones = 2'000'000;  ///< looked at; more: not complete
  bool prune = true;  ///< false: keep every zone that no other contains, which takes longer and gives the same
};

/// What was found, and why it is no more.
struct ExactTimes {
  bool is_complete = false;
  std::string reason{};  ///< why not: the problem is outside the definition, or the limit was reached
  /// Where complete: extremes that are attained, fixed_ps in the worst of them.
  std::uint64_t best_ps = 0, worst_ps = 0;
  std::vector<OpId> best_order{}, worst_order{};  ///< in which ops end in a run of that length (attain_times)
  std::vector<Response> responses{};              ///< by op, as best_ps and worst_ps
  std::uint64_t zones = 0;                        ///< looked at
};

/// The definition of execution (docs/VERIFICATION.md): every op takes a time in [best, worst], on a core of its class,
/// to its end; ops that end at one instant are handled one at a time, in any order; after each, every free core takes
/// at once the ready op of its class that is first in the order and whose mutexes are free. A class with 0 cores starts
/// all.
///
/// Symbolic: a state is the set of ops that have ended and of those that run (by arrival, also the order in which the
/// ready ones wait), with all differences between their
/// begins, now and the begin of the run that are possible (a difference-bound matrix), so the cost does not grow with
/// the times.
/// @return  not complete where the scheduler takes time, cores queue ops, a time is unknown, sums pass 2^61 ps
/// @throws std::invalid_argument  as the bounds do, or a rank that is no order
ExactTimes exact_times(const TimingProblem& problem, const ExactOptions& options = {});

}  // namespace detent::verify
