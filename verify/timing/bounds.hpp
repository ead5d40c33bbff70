// Analytic bounds on the makespan of one DAG under any work-conserving non-preemptive schedule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::verify {

/// One op as a bound sees it: worst-case time with every overhead included.
struct TimedOp {
  std::uint64_t best_ps = 0;
  std::uint64_t worst_ps = 0;
  std::uint32_t core_class = 0;
};

/// A DAG with times on typed cores. successors are CSR: targets[first[i] .. first[i+1]).
struct TimingProblem {
  std::vector<TimedOp> ops;
  std::vector<std::uint32_t> first;    ///< [ops+1]
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> cores;    ///< cores per class; 0 = unbounded (delays)
  std::uint64_t fixed_ps = 0;          ///< start-up cost per run, added to every bound
};

/// A bound and how it was obtained.
struct Bound {
  std::string name;        ///< "critical_path", "work_per_core", "graham", "typed"
  std::uint64_t bound_ps = 0;
  bool is_upper = false;   ///< an upper bound on every schedule; else a lower bound on the worst one
  bool exact = false;
  std::string assumptions;
};

/// Longest path of worst times, fixed_ps included. A lower bound on the makespan when all ops take their worst time.
Bound critical_path(const TimingProblem& problem);
/// max over classes of work / cores.
Bound work_per_core(const TimingProblem& problem);
/// Graham 1969: len + (vol - len)/m. Only where all ops with time are on one bounded class.
Bound graham_bound(const TimingProblem& problem);
/// Han et al. TPDS 2019, theorem 3.1: max over paths of sum C_v (1 - 1/M_type(v)) + sum over types vol_s/M_s.
Bound typed_bound(const TimingProblem& problem);
/// The bounds that apply, in a fixed order; the last is_upper one is the tightest safe bound.
std::vector<Bound> all_bounds(const TimingProblem& problem);

}  // namespace detent::verify
