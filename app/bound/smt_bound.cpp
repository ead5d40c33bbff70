#include "app/bound/smt_bound.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"
#include "verify/smt/solver/solver.hpp"
#include "verify/smt/timing_proof.hpp"
#include "verify/timing/list_run.hpp"

namespace detent::app {
namespace {

/// What the zones cannot answer for the problem itself, Z3 is not asked either.
bool is_search_refused(const ExactBound& exact) { return !exact.summary.is_complete && exact.summary.states == 0; }

/// A run of Z3's, played by a list scheduler.
std::string fault_of_run(const verify::TimingProblem& problem, const verify::ReadyOrder& order,
                         const verify::smt::ProvedRun& run, const char* which) {
  const std::uint64_t played_ps = verify::play_list_run(problem, order, run.times_ps, run.order).makespan_ps;
  if (played_ps == run.makespan_ps) return "";
  return fmt::format("Z3's {} run of {} ps ends at {} ps by a list scheduler: a fault of Detent, please report it; ",
                     which, run.makespan_ps, played_ps);
}

std::string fault_of_extreme(std::uint64_t zones_ps, std::uint64_t proved_ps, const char* which) {
  if (zones_ps == proved_ps) return "";
  return fmt::format("by zones the {} run takes {} ps, by Z3 {} ps: a fault of Detent, please report it; ", which,
                     zones_ps, proved_ps);
}

}  // namespace

ProvedBound smt_bound(const PlatformProblems& problems, const sim::Platform& platform, const BoundSpec& spec,
                      const verify::smt::Limits& limits, const std::string& policy, const ExactBound& exact) {
  ProvedBound made;
  made.bound.name = "smt";
  made.bound.bound_ps = verify::kUnknownPs;
  made.bound.is_upper = true;
  if (is_search_refused(exact) || !outside_definition(problems, platform, spec).empty()) {
    made.bound.assumptions = exact.bound.assumptions;
    return made;
  }
  const verify::TimingProblem& problem = problems.by_op;
  const verify::smt::TimingProof proof = verify::smt::prove_extremes(problem, exact.order, limits);
  made.summary = {proof.complete, proof.best.makespan_ps, proof.cost.questions, proof.cost.steps};
  if (!proof.complete) {
    made.bound.assumptions = "not proven: " + proof.reason;
    return made;
  }
  made.bound.bound_ps = proof.worst.makespan_ps + problem.fixed_ps;
  made.bound.exact = !is_inflated(problems);
  made.bound.assumptions = fmt::format("policy {}, as exact; by {}, {}: {} is reached, and nothing longer{}", policy,
                                       verify::smt::Solver::version(), counted(proof.cost.questions, "question"),
                                       format_time_up(made.bound.bound_ps),
                                       made.bound.exact ? "" : "; not exact: other clients may lengthen ops");
  made.fault = fault_of_run(problem, exact.order, proof.worst, "longest") +
               fault_of_run(problem, exact.order, proof.best, "shortest");
  if (!exact.summary.is_complete) return made;
  made.fault += fault_of_extreme(exact.bound.bound_ps, made.bound.bound_ps, "longest") +
                fault_of_extreme(exact.summary.best_ps, proof.best.makespan_ps, "shortest");
  return made;
}

}  // namespace detent::app
