// Extremes of the makespan by Z3: the same question as verify/timing/exact, answered by a proof that shares no code
// with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "verify/smt/solver/inquiry.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify::smt {

/// A run that Z3 has found, from its begin on.
struct ProvedRun {
  std::uint64_t makespan_ps = 0;          ///< without fixed_ps
  std::vector<std::uint64_t> times_ps{};  ///< by op
  std::vector<OpId> order{};              ///< in which ends are handled
};

struct TimingProof {
  bool complete = false;  ///< both runs exist, and Z3 has shown that none is longer than one or shorter than the other
  std::string reason{};   ///< when not complete
  ProvedRun worst{}, best{};  ///< where complete
  ProofCost cost{};
};

/// Bisects the makespan: "reached W, none reaches W + 1 tick", a tick being the greatest common divisor of all times.
/// Extremes are multiples of it: for given order of ends all constraints are differences of begins and ends that do
/// not differ by more, or less, than a multiple of the tick.
/// @param problem  sound, a DAG, one op at a time on each core, no scheduler's time (role_ps)
/// @param order    ranks all different, or none
TimingProof prove_extremes(const TimingProblem& problem, const ReadyOrder& order, const Limits& limits);

}  // namespace detent::verify::smt
