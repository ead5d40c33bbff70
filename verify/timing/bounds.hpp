// Analytic bounds on the makespan of one DAG under any work-conserving non-preemptive schedule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/timing/timing_problem.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// A bound and how it was obtained.
struct Bound {
  std::string name;            ///< "critical_path", "work_per_core", "serial", "graham", "typed", "he2022"
  std::uint64_t bound_ps = 0;  ///< kUnknownPs: not known
  bool is_upper = false;       ///< an upper bound on every schedule; else a lower bound on the worst one
  bool exact = false;
  std::string assumptions;
};

/// Longest path of worst times, fixed_ps included. A lower bound on the makespan when all ops take their worst time.
/// Every function below throws std::invalid_argument on a cycle, a target that is no op, tables of wrong length or a
/// core class outside `cores`. All arithmetic is exact in 128 bits; fractions of a picosecond are rounded up.
Bound critical_path(const TimingProblem& problem);
/// max over bounded classes of work / cores. A lower bound on the makespan when all ops take their worst time.
Bound work_per_core(const TimingProblem& problem);
/// Sum of all worst times and of all work of the scheduler: no schedule that always runs something while it is
/// unfinished takes longer. The only upper bound here that also holds for policies and modes that leave a ready op
/// waiting for a free core (given order, layered, static lists).
Bound serial_bound(const TimingProblem& problem);
/// Graham 1969: len + (vol - len)/m, plus the work of the scheduler. Only where all ops with time are on one bounded
/// class, and not where several cores of it queue ops (an op then waits behind a busy core beside an idle one); else
/// kUnknownPs. Mutexes: a ready op may wait for a mutex beside an idle core. At each such instant an op that holds a
/// mutex runs, and only one op of the path waits, so the work of all ops that share a mutex is added. Never above
/// serial_bound.
Bound graham_bound(const TimingProblem& problem);
/// He, Guan, Lv, Jiang, Chang, "Bounding the response time of DAG tasks using long paths", RTSS 2022: min over j < m of
/// len + (vol - sum over i <= j of len(lambda_i)) / (m - j). lambda_0 is the longest path, lambda_i the longest one
/// once the ops of those before it count nothing. Plus the work of the scheduler. j = 0 is graham_bound, which it is
/// never above. Only where that applies, and not where ops share a mutex; else kUnknownPs.
/// @note  O(cores * (ops + edges))
Bound long_paths_bound(const TimingProblem& problem);
/// Han et al. TPDS 2019, theorem 3.1: max over paths of sum C_v (1 - 1/M_type(v)) + sum over types vol_s/M_s. An
/// unbounded type (delays) has 1/M = 0. Plus the work of the scheduler. A type whose cores queue ops counts as one
/// core, or as M with the longest ops that may stand before an op in its queue on every op of the path, whichever gives
/// less. Mutexes as in graham_bound. Never above serial_bound.
Bound typed_bound(const TimingProblem& problem);
/// Upper bounds, in the order in which answers list them.
std::vector<Bound (*)(const TimingProblem&)> upper_bounds();
/// The bounds that apply, in a fixed order; the last is_upper one is the tightest safe bound.
std::vector<Bound> all_bounds(const TimingProblem& problem);

/// Property "bound": a simulated makespan never exceeds an upper bound. A makespan above a bound is a fault of the
/// simulator, of the times or of the bound, whichever: it fails loudly.
/// @return  unknown when no upper bound is known
Verdict check_bound(std::uint64_t simulated_max_ps, const std::vector<Bound>& bounds);

}  // namespace detent::verify
