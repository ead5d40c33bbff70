// TimingProblem + order -> every run of the definition of execution (docs/VERIFICATION.md), as a Script.
//
// Per op a begin and an end in time, and a place among the ends, which are handled one at a time: of two, the one with
// the lower place does not end later. An op begins with the run (instant 0) or when an end is handled (instant = its
// place), and between the two no op begins. At each instant, after what begins there: no class has more ops that run
// than cores, no mutex two holders, and an op that is ready but has not begun is blocked, either since its class has no
// core left, and none behind it in the order has begun there, or since an op that ran before, or began there and is
// before it in the order, holds one of its mutexes. Nothing here is shared with verify/timing but the problem itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/script.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify::smt {

struct TimingQuery {
  Script script;
  std::uint64_t tick_ps = 1;            ///< greatest common divisor of all times, the unit of the terms below
  std::vector<Term> begin, end, place;  ///< by op
  Term makespan{};                      ///< in ticks
  std::string stopped{};                ///< the limit that ended the building, and where; empty: the formula is whole
};

/// O(ops^2 * (ops + cores)) terms.
/// @param problem  sound, a DAG, times known, best <= worst, one op at a time on each core
/// @param order    ranks all different, or none
TimingQuery encode_runs(const TimingProblem& problem, const ReadyOrder& order,
                        const Budget& budget = Budget::unlimited());

}  // namespace detent::verify::smt
