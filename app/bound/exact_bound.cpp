#include "app/bound/exact_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <detent/policy.h>

#include "verify/timing/exact.hpp"

namespace detent::app {

bool has_mutex_of_several_classes(const verify::TimingProblem& problem) {
  return std::ranges::any_of(problem.exclusive, [&](const auto& holders) {
    return std::ranges::any_of(holders, [&](std::uint32_t op) {
      return problem.ops[op].core_class != problem.ops[holders.front()].core_class;
    });
  });
}

verify::ReadyOrder ready_order(const detent_desc& desc, const std::string& policy) {
  if (policy == "fifo") return {.by_arrival = true};
  if (policy != "id" && policy != "priority" && policy != "critical-path") {
    throw std::invalid_argument("--policy " + policy + ": choose id, priority, critical-path or fifo");
  }
  const detent_policy chosen = policy == "priority"        ? detent_policy_priority()
                               : policy == "critical-path" ? detent_policy_critical_path()
                                                           : detent_policy_id();
  std::vector<std::uint32_t> rank(desc.op_count);
  std::vector<std::uint64_t> work(std::size_t{2} * desc.op_count);
  if (chosen.rank(chosen.self, &desc, rank.data(), work.data()) != DETENT_OK) {
    throw std::invalid_argument("--policy " + policy + ": the model has a cycle, or tables that do not fit");
  }
  return {.rank = std::move(rank)};
}

bool is_inflated(const PlatformProblems& problems) {
  const auto same = [](const verify::TimedOp& a, const verify::TimedOp& b) { return a.worst_ps == b.worst_ps; };
  return problems.bare.fixed_ps != problems.by_op.fixed_ps ||
         !std::ranges::equal(problems.bare.ops, problems.by_op.ops, same);
}

std::string outside_definition(const PlatformProblems& problems, const sim::Platform& platform, const BoundSpec& spec) {
  if (!spec.is_work_conserving) return "a given schedule leaves a ready op waiting for an idle core";
  if (problems.has_affinity) return "ops that are for some workers only may wait for an idle core";
  if (has_mutex_of_several_classes(problems.by_op)) {
    return "ops of several core classes share a mutex, and ranks do not say which of them takes it";
  }
  return platform.loads.empty() ? "" : "loads take time of the cores";
}

ExactBound exact_bound(const detent_desc& desc, const PlatformProblems& problems, const sim::Platform& platform,
                       const BoundSpec& spec, const ExactQuestion& question) {
  ExactBound made;
  made.order = ready_order(desc, question.policy);
  made.bound.name = "exact";
  made.bound.bound_ps = verify::kUnknownPs;
  made.bound.is_upper = true;
  const auto does_not_apply = [&](const std::string& why) {
    made.bound.assumptions = "does not apply: " + why;
    made.summary.reason = why;
    return made;
  };
  if (const std::string why = outside_definition(problems, platform, spec); !why.empty()) return does_not_apply(why);
  const verify::ExactTimes found =
      verify::exact_times(problems.by_op, {.order = made.order, .max_zones = question.max_states});
  made.summary = {found.is_complete, found.best_ps, found.zones, found.reason};
  if (!found.is_complete && found.zones == 0) return does_not_apply(found.reason);
  if (!found.is_complete) {
    for (const BoundFunction function : verify::upper_bounds()) {
      const verify::Bound bound = upper_bound(function, problems, platform, spec);
      if (bound.bound_ps >= made.bound.bound_ps) continue;
      made.bound.bound_ps = bound.bound_ps;
      made.bound.assumptions =
          fmt::format("not exact: {}; the bound '{}' in its place: {}", found.reason, bound.name, bound.assumptions);
    }
    return made;
  }
  made.bound.bound_ps = found.worst_ps;
  made.bound.exact = !is_inflated(problems);
  if (!made.bound.exact) made.summary.reason = "other clients of the chip may lengthen ops beyond their own times";
  made.bound.assumptions =
      fmt::format("policy {}, completions one at a time in any order, each op takes any time in its range{}",
                  question.policy, made.bound.exact ? "" : "; not exact: other clients may lengthen ops");
  made.responses = found.responses;
  if (!question.with_run) return made;
  verify::TimingProblem running = problems.by_op;
  running.fixed_ps = 0;
  verify::ExactTimes of_run = found;
  of_run.worst_ps -= problems.by_op.fixed_ps;
  verify::ExactWitness witness = verify::find_witness(running, made.order, of_run);
  made.budget = verify::run_budget(problems.by_op, witness.worst);
  if (made.bound.exact) made.witness = std::move(witness);
  return made;
}

}  // namespace detent::app
