#include "app/tasks/task_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/deadline/period_use.hpp"
#include "app/tasks/task_problems.hpp"
#include "verify/periodic/response_analysis.hpp"
#include "verify/periodic/unrolled.hpp"

namespace detent::app {
namespace {

constexpr const char* kAssumptions =
    "whatever the phases; lower priorities first, non-preemptive and work-conserving; op times at most their worst";

/// Of two analyses that are both safe the lower response.
std::vector<verify::TaskResponse> lower_responses(const TaskProblems& problems) {
  std::vector<verify::TaskResponse> lower = verify::task_responses(problems.by_op, problems.around);
  const std::vector<verify::TaskResponse> other = verify::task_responses(problems.by_total, problems.around);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (other[i].response_ps < lower[i].response_ps) lower[i] = other[i];
  }
  return lower;
}

/// More work than time is claimed of combinations of outcomes that there are: of a task of which not all were looked at
/// only ops that always run count.
std::vector<reports::ClassUse> uses_of(const LoadedTasks& tasks, const TaskProblems& problems) {
  std::vector<verify::PeriodicTask> counted = problems.bare;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const Task& task = tasks.tasks[tasks.members[i].task];
    if (task.has_every_outcome) continue;
    for (std::size_t op = 0; op < task.loaded.model.ops.size(); ++op) {
      if (!task.loaded.model.ops[op].guards.empty()) counted[i].problem.ops[op].worst_ps = 0;
    }
  }
  return class_uses(counted, problems.class_names);
}

}  // namespace

TaskTiming task_timing(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec) {
  const TaskProblems problems = task_problems(tasks, platform, spec);
  TaskTiming made;
  made.classes = uses_of(tasks, problems);
  const std::vector<verify::TaskResponse> responses = lower_responses(problems);
  const auto name_of = [&](std::size_t member) { return tasks.tasks[tasks.members[member].task].row.name; };
  for (const verify::TaskResponse& response : responses) {
    verify::Bound bound{"rta", response.response_ps, true, false, kAssumptions};
    if (!problems.unknown.empty()) {
      bound.bound_ps = verify::kUnknownPs;
      bound.assumptions = "does not apply: " + problems.unknown;
    } else if (bound.bound_ps == verify::kUnknownPs) {
      bound.assumptions = fmt::format("not known: task '{}' {}", name_of(response.because_of), response.reason);
    }
    made.bounds.push_back({std::move(bound)});
  }
  if (spec.max_states == 0) return made;
  verify::ExactResponses exact{.reason = problems.outside_exact};
  if (exact.reason.empty()) exact = verify::exact_responses(problems.bare, spec.max_states);
  made.states = exact.zones;
  for (std::size_t i = 0; i < made.bounds.size(); ++i) {
    verify::Bound bound{"exact", verify::kUnknownPs, true, false, "not known: " + exact.reason};
    if (!exact.response_ps.empty()) {
      bound = {
          "exact", exact.response_ps[i], true, !problems.has_branches,
          fmt::format("releases of one clock at the given offsets; policy {}{}", spec.policy,
                      problems.has_branches ? "; an upper bound, as any op of a branch may take no time in it" : "")};
    }
    made.bounds[i].push_back(std::move(bound));
  }
  return made;
}

}  // namespace detent::app
