#include "verify/periodic/unrolled.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr Wide kMostTimePs = Wide{1} << 61U;
constexpr std::uint32_t kMostUnrolledOps = 4096;  ///< of an unrolled problem

/// 0: more than kMostTimePs.
std::uint64_t hyperperiod(const std::vector<PeriodicTask>& tasks) {
  Wide common = 1;
  for (const PeriodicTask& task : tasks) {
    common = common / std::gcd(static_cast<std::uint64_t>(common), task.period_ps) * task.period_ps;
    if (common > kMostTimePs) return 0;
  }
  return static_cast<std::uint64_t>(common);
}

/// Op -> does it have predecessors?
std::vector<bool> has_predecessors(const TimingProblem& problem) {
  std::vector<bool> has(problem.ops.size(), false);
  for (const std::uint32_t target : problem.targets) has[target] = true;
  return has;
}

class Unrolling {
 public:
  explicit Unrolling(const std::vector<PeriodicTask>& tasks) : tasks_(tasks) {}

  UnrolledTasks make(std::uint64_t hyperperiod_ps) {
    made_.hyperperiod_ps = hyperperiod_ps;
    TimingProblem& problem = made_.problem;
    problem.cores = tasks_.front().problem.cores;
    problem.queue_depth = tasks_.front().problem.queue_depth;
    release_class_ = static_cast<std::uint32_t>(problem.cores.size());
    problem.cores.push_back(0);
    if (!problem.queue_depth.empty()) problem.queue_depth.push_back(1);
    earliest_ps_ = UINT64_MAX;
    for (const PeriodicTask& task : tasks_) earliest_ps_ = std::min(earliest_ps_, task.offset_ps);
    for (std::size_t task = 0; task < tasks_.size(); ++task) add_task(task);
    for (const std::vector<std::uint32_t>& targets : successors_) {
      problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
      problem.targets.insert(problem.targets.end(), targets.begin(), targets.end());
    }
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
    rank();
    return std::move(made_);
  }

 private:
  void add_task(std::size_t number) {
    const PeriodicTask& task = tasks_[number];
    std::vector<std::uint32_t> ends_before;
    for (std::uint64_t at_ps = 0; at_ps < made_.hyperperiod_ps; at_ps += task.period_ps) {
      ends_before = add_run(number, task.offset_ps - earliest_ps_ + at_ps, ends_before);
    }
  }

  std::uint32_t add_op(const TimedOp& op) {
    made_.problem.ops.push_back(op);
    successors_.emplace_back();
    return static_cast<std::uint32_t>(made_.problem.ops.size() - 1);
  }

  /// @param ends_before  last ops of the run before  @return  those of this run
  std::vector<std::uint32_t> add_run(std::size_t number, std::uint64_t nominal_ps,
                                     const std::vector<std::uint32_t>& ends_before) {
    const PeriodicTask& task = tasks_[number];
    const std::uint32_t release =
        add_op({.best_ps = nominal_ps, .worst_ps = nominal_ps + task.jitter_ps, .core_class = release_class_});
    const auto first = static_cast<std::uint32_t>(made_.problem.ops.size());
    made_.runs.push_back({number, nominal_ps, OpId{first}});
    for (const TimedOp& op : task.problem.ops) add_op(op);
    const std::vector<bool> is_led = has_predecessors(task.problem);
    std::vector<std::uint32_t> ends;
    for (std::uint32_t op = 0; op < task.problem.ops.size(); ++op) {
      for (std::uint32_t k = task.problem.first[op]; k < task.problem.first[op + 1]; ++k) {
        successors_[first + op].push_back(first + task.problem.targets[k]);
      }
      if (task.problem.first[op] == task.problem.first[op + 1]) ends.push_back(first + op);
      if (is_led[op]) continue;
      successors_[release].push_back(first + op);
      for (const std::uint32_t end : ends_before) successors_[end].push_back(first + op);
    }
    for (const std::vector<std::uint32_t>& holders : task.problem.exclusive) {
      std::vector<std::uint32_t> shifted;
      for (const std::uint32_t op : holders) shifted.push_back(first + op);
      made_.problem.exclusive.push_back(std::move(shifted));
    }
    return ends;
  }

  void rank() {
    std::vector<std::pair<std::pair<std::int32_t, std::size_t>, std::pair<std::uint32_t, std::uint32_t>>> keys;
    std::vector<bool> is_of_run(made_.problem.ops.size(), false);
    for (std::size_t i = 0; i < made_.runs.size(); ++i) {
      const PeriodicTask& task = tasks_[made_.runs[i].task];
      for (std::uint32_t op = 0; op < task.problem.ops.size(); ++op) {
        const std::uint32_t id = static_cast<std::uint32_t>(made_.runs[i].first_op) + op;
        keys.push_back({{task.priority, i}, {task.rank.empty() ? op : task.rank[op], id}});
        is_of_run[id] = true;
      }
    }
    std::ranges::sort(keys);
    made_.order.rank.assign(made_.problem.ops.size(), 0);
    std::uint32_t next = 0;
    for (const auto& key : keys) made_.order.rank[key.second.second] = next++;
    for (std::size_t op = 0; op < is_of_run.size(); ++op) {
      if (!is_of_run[op]) made_.order.rank[op] = next++;
    }
  }

  const std::vector<PeriodicTask>& tasks_;
  UnrolledTasks made_{};
  std::uint32_t release_class_ = 0;
  std::uint64_t earliest_ps_ = 0;
  std::vector<std::vector<std::uint32_t>> successors_{};
};

/// Its ops are no more than run at once.
bool share_a_number(const std::vector<PeriodicTask>& tasks) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (std::size_t j = i + 1; j < tasks.size(); ++j) {
      if (tasks[i].priority == tasks[j].priority) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<UnrolledTasks> unroll(const std::vector<PeriodicTask>& tasks, std::uint32_t max_ops) {
  require_sound(tasks);
  if (tasks.empty()) return std::nullopt;
  const std::uint64_t hyperperiod_ps = hyperperiod(tasks);
  if (hyperperiod_ps == 0) return std::nullopt;
  Wide ops = 0;
  for (const PeriodicTask& task : tasks) {
    if (task.offset_ps >= task.period_ps || task.jitter_ps > kMostTimePs) return std::nullopt;
    ops += Wide{task.problem.ops.size() + 1} * (hyperperiod_ps / task.period_ps);
  }
  if (ops > max_ops) return std::nullopt;
  return Unrolling(tasks).make(hyperperiod_ps);
}

ExactResponses exact_responses(const std::vector<PeriodicTask>& tasks, std::uint64_t max_zones) {
  ExactResponses made;
  const auto not_known = [&](std::string reason) {
    made.reason = std::move(reason);
    return made;
  };
  const std::optional<UnrolledTasks> unrolled = unroll(tasks, kMostUnrolledOps);
  if (!unrolled) {
    return not_known("the releases do not repeat within 2^61 ps and " + std::to_string(kMostUnrolledOps) +
                     " ops, or an offset is not below its period");
  }
  if (share_a_number(tasks)) return not_known("tasks share a priority, and nothing says whose op begins first");
  for (const PeriodicTask& task : tasks) {
    if (task.problem.fixed_ps != 0 || task.serial_ps != 0) return not_known("beginning and ending a run take time");
  }
  const ExactTimes exact = exact_times(unrolled->problem, {.order = unrolled->order, .max_zones = max_zones});
  made.zones = exact.zones;
  if (!exact.is_complete) return not_known(exact.reason);
  if (exact.worst_ps > unrolled->hyperperiod_ps) {
    return not_known("a run may still execute when the releases repeat");
  }
  made.response_ps.assign(tasks.size(), 0);
  for (const UnrolledTasks::Run& run : unrolled->runs) {
    for (std::uint32_t op = 0; op < tasks[run.task].problem.ops.size(); ++op) {
      const std::uint64_t end_ps = exact.responses[static_cast<std::uint32_t>(run.first_op) + op].max_ps;
      made.response_ps[run.task] = std::max(made.response_ps[run.task], end_ps - run.nominal_ps);
    }
  }
  return made;
}

}  // namespace detent::verify
