#include "app/tasks/task_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/bound/exact_bound.hpp"
#include "app/deadline/period_use.hpp"
#include "harness/engine_spec.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/interference.hpp"
#include "sim/together/joint_desc.hpp"
#include "verify/periodic/response_analysis.hpp"
#include "verify/periodic/unrolled.hpp"
#include "verify/timing/problem.hpp"

namespace detent::app {
namespace {

constexpr const char* kAssumptions =
    "whatever the phases; lower priorities first, non-preemptive and work-conserving; op times at most their worst";

/// The tasks as the analyses see them.
struct Problems {
  std::vector<verify::PeriodicTask> tasks{};
  std::vector<std::string> class_names{};
  bool is_bare = true;        ///< nothing is added to the times of ops
  std::string unknown{};      ///< why no bound holds; empty: they may
  bool has_own_order = true;  ///< each task's policy is one of fixed ranks
};

bool has_overheads(const sim::Overheads& o) {
  return (o.dispatch_ps | o.queue_ps | o.lock_ps | o.wake_ps | o.log_ps | o.lock_contended_ps | o.interrupt_ps |
          o.migrate_ps) != 0;
}

std::vector<std::uint32_t> cores_of(const detent_desc& desc, const sim::Platform& platform, std::uint32_t workers,
                                    std::vector<std::uint32_t>& depth) {
  std::vector<std::uint32_t> cores;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    const auto found = std::ranges::find(platform.classes, std::string(desc.classes[c].name), &sim::CoreClass::name);
    const bool is_there = found != platform.classes.end();
    cores.push_back(is_there ? found->count : 0);
    depth.push_back(is_there ? found->queue_depth : 1);
    if (c == 0 && workers != 0) cores.back() = std::min(cores.back(), workers);
  }
  return cores;
}

/// Tasks over the classes that all networks share; work of other networks lengthens ops like that of their own.
Problems problems_of(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec) {
  std::vector<const detent_desc*> descs;
  for (const TaskMember& member : tasks.members) descs.push_back(&tasks.tasks[member.task].loaded.desc());
  const sim::JointDesc joint(descs);
  std::vector<sim::OpWork> all_work;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    const LoadedModel& loaded = tasks.tasks[tasks.members[i].task].loaded;
    const std::vector<sim::OpWork> work = sim::op_work(joint.network(i), platform, spec.jitter, loaded.costs.get());
    all_work.insert(all_work.end(), work.begin(), work.end());
  }
  const sim::Interference others = sim::interference_by_op(joint.ops(), platform, all_work);
  Problems made;
  for (std::uint32_t c = 0; c < joint.ops().class_count; ++c)
    made.class_names.emplace_back(joint.ops().classes[c].name);
  if (others.unknown) made.unknown = *others.unknown;
  if (others.per_run_ps != 0) {
    made.unknown =
        "part of what other clients of the memory add is bounded for a run of all networks as a whole; "
        "--no-contention leaves it out";
  }
  if (!platform.loads.empty()) made.unknown = "loads take time of the cores";
  if (has_overheads(platform.overheads)) {
    made.unknown =
        "the runtime's own steps take time here, and how often workers of a pool look for work in vain is not bounded; "
        "--no-overheads leaves them out";
  }
  made.has_own_order = spec.policy != "fifo";
  for (std::size_t i = 0; i < descs.size(); ++i) {
    const detent_desc& desc = joint.network(i);
    const TaskMember& member = tasks.members[i];
    const TaskRow& row = tasks.tasks[member.task].row;
    if (harness::has_affinity(desc)) made.unknown = "ops that are for some workers only may wait for an idle core";
    verify::TimingInputs inputs;
    inputs.cores = cores_of(desc, platform, spec.workers, inputs.queue_depth);
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      const std::uint32_t at = static_cast<std::uint32_t>(joint.first_op(i)) + op;
      inputs.best_ps.push_back(all_work[at].time.best_ps);
      inputs.worst_ps.push_back(all_work[at].time.worst_ps);
      inputs.overhead_ps.push_back(others.per_op_ps[at]);
      made.is_bare = made.is_bare && others.per_op_ps[at] == 0;
    }
    made.tasks.push_back({.problem = verify::make_timing_problem(desc, inputs),
                          .priority = row.priority,
                          .period_ps = member.period_ps,
                          .jitter_ps = row.jitter_ps,
                          .offset_ps = member.offset_ps});
    if (made.has_own_order) made.tasks.back().rank = ready_order(desc, spec.policy).rank;
  }
  return made;
}

/// Why the runs of the pool are not those of the definition of execution; empty: they are.
std::string outside_exact(const Problems& problems) {
  if (!problems.unknown.empty()) return problems.unknown;
  if (!problems.is_bare) return "other clients of the memory add to the times of ops";
  if (std::ranges::any_of(problems.tasks, has_mutex_of_several_classes, &verify::PeriodicTask::problem)) {
    return "ops of several core classes share a mutex, and ranks do not say which of them takes it";
  }
  return problems.has_own_order ? "" : "with policy fifo no order is defined between ops of several tasks";
}

}  // namespace

TaskTiming task_timing(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec) {
  const Problems problems = problems_of(tasks, platform, spec);
  TaskTiming made;
  made.classes = class_uses(problems.tasks, problems.class_names);
  std::vector<verify::TaskResponse> responses = verify::task_responses(problems.tasks);
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
  verify::ExactResponses exact{.reason = outside_exact(problems)};
  if (exact.reason.empty()) exact = verify::exact_responses(problems.tasks, spec.max_states);
  made.states = exact.zones;
  for (std::size_t i = 0; i < made.bounds.size(); ++i) {
    verify::Bound bound{"exact", verify::kUnknownPs, true, false, "not known: " + exact.reason};
    if (!exact.response_ps.empty()) {
      bound = {"exact", exact.response_ps[i], true, true,
               fmt::format("releases of one clock at the given offsets; policy {}", spec.policy)};
    }
    made.bounds[i].push_back(std::move(bound));
  }
  return made;
}

}  // namespace detent::app
