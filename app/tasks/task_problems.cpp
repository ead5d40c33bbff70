#include "app/tasks/task_problems.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/bound/exact_bound.hpp"
#include "harness/engine_spec.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/interference.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/together/joint_desc.hpp"
#include "verify/timing/problem.hpp"

namespace detent::app {
namespace {

bool has_overheads(const sim::Overheads& o) {
  return (o.dispatch_ps | o.queue_ps | o.lock_ps | o.wake_ps | o.log_ps | o.lock_contended_ps | o.interrupt_ps) != 0;
}

std::uint64_t sum_or_unknown(std::uint64_t a, std::uint64_t b) {
  return a > verify::kUnknownPs - b ? verify::kUnknownPs : a + b;
}

/// Cores of each class, and the commands that each of them takes.
struct Cores {
  std::vector<std::uint32_t> count{}, queue_depth{};
};

Cores cores_of(const detent_desc& desc, const sim::Platform& platform, std::uint32_t workers) {
  Cores cores;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    const auto found = std::ranges::find(platform.classes, std::string(desc.classes[c].name), &sim::CoreClass::name);
    const bool is_there = found != platform.classes.end();
    cores.count.push_back(is_there ? found->count : 0);
    cores.queue_depth.push_back(is_there ? found->queue_depth : 1);
    if (c == 0 && workers != 0) cores.count.back() = std::min(cores.count.back(), workers);
  }
  return cores;
}

/// As many as its commands, for each core of a class.
std::vector<std::uint32_t> workers_of(const Cores& cores) {
  std::vector<std::uint32_t> workers;
  for (std::size_t c = 0; c < cores.count.size(); ++c) workers.push_back(cores.count[c] * cores.queue_depth[c]);
  return workers;
}

/// What stands in the way of a core that a load takes, as sim/cost/interference.cpp counts it.
std::vector<verify::WindowLoad> loads_of(const sim::Platform& platform) {
  std::vector<verify::WindowLoad> loads;
  for (const sim::Load& load : platform.loads) {
    const std::uint64_t step_ps = sum_or_unknown(platform.overheads.migrate_ps, 2);
    loads.push_back({load.period_ps, load.jitter_ps, sum_or_unknown(load.duration_ps, step_ps)});
  }
  return loads;
}

class Problems {
 public:
  Problems(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec)
      : tasks_(tasks), platform_(platform), spec_(spec), joint_(descs_of(tasks)) {
    for (std::size_t i = 0; i < tasks.members.size(); ++i) {
      work_.push_back(sim::op_work(joint_.network(i), platform, spec.jitter, task_of(i).loaded.costs.get()));
    }
  }

  TaskProblems make() {
    std::vector<sim::OpWork> all_work;
    for (const std::vector<sim::OpWork>& work : work_) all_work.insert(all_work.end(), work.begin(), work.end());
    by_op_ = sim::interference_by_op(joint_.ops(), platform_, all_work);
    by_total_ = sim::interference_by_total(joint_.ops(), platform_, all_work);
    made_.around.loads = loads_of(platform_);
    for (std::uint32_t c = 0; c < joint_.ops().class_count; ++c) {
      made_.class_names.emplace_back(joint_.ops().classes[c].name);
    }
    if (by_op_.unknown) made_.unknown = *by_op_.unknown + "; --no-contention leaves them out";
    for (std::size_t i = 0; i < tasks_.members.size(); ++i) add(i);
    made_.outside_exact = outside_exact();
    return std::move(made_);
  }

 private:
  static std::vector<const detent_desc*> descs_of(const LoadedTasks& tasks) {
    std::vector<const detent_desc*> descs;
    for (const TaskMember& member : tasks.members) descs.push_back(&tasks.tasks[member.task].loaded.desc());
    return descs;
  }
  [[nodiscard]] const Task& task_of(std::size_t member) const { return tasks_.tasks[tasks_.members[member].task]; }

  void add(std::size_t i) {
    const detent_desc& desc = joint_.network(i);
    if (harness::has_affinity(desc)) {
      made_.unknown =
          "ops that are for some workers only may wait beside an idle core; let every worker of their class execute "
          "them";
    }
    const Cores cores = cores_of(desc, platform_, spec_.workers);
    const sim::PoolOverhead steps = sim::pool_overhead(desc, platform_, workers_of(cores));
    made_.around.once_ps = std::max(made_.around.once_ps, steps.window_ps);
    made_.bare.push_back(task(i, cores, std::vector<std::uint64_t>(desc.op_count, 0)));
    made_.by_op.push_back(task(i, cores, with_others(i, steps.local_ps, by_op_)));
    made_.by_total.push_back(task(i, cores, with_others(i, steps.local_ps, by_total_)));
    // A picosecond for each begin and end, as in interference_by_op.
    const std::uint64_t rounding_ps = by_op_.per_run_ps == 0 ? 0 : 4 * std::uint64_t{desc.op_count};
    made_.by_op.back().serial_ps = sum_or_unknown(steps.run_ps, rounding_ps);
    const std::uint64_t served_ps =
        std::max(rounding_ps, sim::interference_by_total(desc, platform_, work_[i]).per_run_ps);
    made_.by_total.back().serial_ps = sum_or_unknown(steps.run_ps, served_ps);
  }

  /// @param local_ps  what an op's own worker adds
  [[nodiscard]] std::vector<std::uint64_t> with_others(std::size_t i, std::vector<std::uint64_t> local_ps,
                                                       const sim::Interference& others) const {
    for (std::size_t op = 0; op < local_ps.size(); ++op) {
      const std::uint64_t other_ps = others.per_op_ps[static_cast<std::size_t>(joint_.first_op(i)) + op];
      local_ps[op] = sum_or_unknown(local_ps[op], other_ps);
    }
    return local_ps;
  }

  [[nodiscard]] verify::PeriodicTask task(std::size_t i, const Cores& cores,
                                          const std::vector<std::uint64_t>& more_ps) {
    const detent_desc& desc = joint_.network(i);
    const TaskMember& member = tasks_.members[i];
    const Task& of = task_of(i);
    verify::TimingInputs inputs{.overhead_ps = more_ps, .cores = cores.count, .queue_depth = cores.queue_depth};
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      inputs.best_ps.push_back(may_be_shorter(of, op) ? 0 : work_[i][op].time.best_ps);
      inputs.worst_ps.push_back(work_[i][op].time.worst_ps);
    }
    verify::PeriodicTask made{.problem = verify::make_timing_problem(desc, inputs),
                              .priority = of.row.priority,
                              .period_ps = member.period_ps,
                              .jitter_ps = of.row.jitter_ps,
                              .offset_ps = member.offset_ps};
    if (spec_.policy != "fifo") made.rank = ready_order(desc, spec_.policy).rank;
    made_.has_branches = made_.has_branches || !of.outcomes.empty();
    if (!of.has_every_outcome) return made;
    for (const std::vector<bool>& runs : of.outcomes) {
      std::vector<std::uint64_t> times;
      for (std::uint32_t op = 0; op < desc.op_count; ++op) {
        // An op that is left out is dispatched and reported like the others.
        times.push_back(runs[op] ? made.problem.ops[op].worst_ps
                                 : std::min(more_ps[op], made.problem.ops[op].worst_ps));
      }
      made.worst_by_outcome_ps.push_back(std::move(times));
    }
    return made;
  }

  /// Than its best time: where it is left out, or fails.
  static bool may_be_shorter(const Task& task, std::uint32_t op) {
    if (op >= task.loaded.model.ops.size()) return false;
    return !task.loaded.model.ops[op].guards.empty() || task.loaded.model.ops[op].is_fallible;
  }

  [[nodiscard]] std::string outside_exact() const {
    if (!made_.unknown.empty()) return made_.unknown;
    if (has_overheads(platform_.overheads)) return "the runtime's own steps take time; --no-overheads leaves them out";
    if (!platform_.loads.empty()) return "loads take time of the cores";
    const auto is_added = [](std::uint64_t time_ps) { return time_ps != 0; };
    if (by_op_.per_run_ps != 0 || std::ranges::any_of(by_op_.per_op_ps, is_added)) {
      return "other clients of the memory add to the times of ops";
    }
    if (std::ranges::any_of(made_.bare, has_mutex_of_several_classes, &verify::PeriodicTask::problem)) {
      return "ops of several core classes share a mutex, and ranks do not say which of them takes it";
    }
    return spec_.policy == "fifo" ? "with policy fifo no order is defined between ops of several tasks" : "";
  }

  const LoadedTasks& tasks_;
  const sim::Platform& platform_;
  const TaskTimingSpec& spec_;
  sim::JointDesc joint_;
  std::vector<std::vector<sim::OpWork>> work_{};  // [member][op]
  sim::Interference by_op_{}, by_total_{};
  TaskProblems made_{};
};

}  // namespace

TaskProblems task_problems(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec) {
  return Problems(tasks, platform, spec).make();
}

}  // namespace detent::app
