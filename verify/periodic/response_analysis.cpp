#include "verify/periodic/response_analysis.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

/// Times beyond this are no times: sums of a few of them fit 128 bits after any scaling.
constexpr Wide kMostPs = Wide{1} << 62U;
constexpr std::uint32_t kMostTaskRounds = 64;
constexpr std::uint32_t kMostWindowSteps = 100'000;  ///< towards one window; what takes more has no bound here

/// By class, how many chains of ops cover those of the class: no more of them can run at once. Each op goes on with the
/// chain of the first predecessor that nothing has gone on with.
std::vector<std::uint32_t> widths(const TimingProblem& problem) {
  std::vector<std::uint32_t> chain(problem.ops.size(), UINT32_MAX);
  std::vector<std::vector<bool>> has;  // [chain][class]
  for (const std::uint32_t op : sort_topologically(problem)) {
    if (chain[op] == UINT32_MAX) {
      chain[op] = static_cast<std::uint32_t>(has.size());
      has.emplace_back(problem.cores.size(), false);
    }
    has[chain[op]][problem.ops[op].core_class] = true;
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      if (chain[problem.targets[k]] != UINT32_MAX) continue;
      chain[problem.targets[k]] = chain[op];
      break;
    }
  }
  std::vector<std::uint32_t> width(problem.cores.size(), 0);
  for (const std::vector<bool>& classes : has) {
    for (std::size_t c = 0; c < width.size(); ++c) width[c] += classes[c] ? 1 : 0;
  }
  return width;
}

/// What each op takes at most, by combination of outcomes.
std::vector<std::vector<std::uint64_t>> times_by_outcome(const PeriodicTask& task) {
  if (!task.worst_by_outcome_ps.empty()) return task.worst_by_outcome_ps;
  std::vector<std::uint64_t> worst;
  for (const TimedOp& op : task.problem.ops) worst.push_back(op.worst_ps);
  return {std::move(worst)};
}

/// No run ends sooner after its begin.
Wide shortest_run(const PeriodicTask& task) {
  const std::vector<std::vector<std::uint64_t>> times = times_by_outcome(task);
  const std::vector<Wide> paths = prefix_paths(task.problem, sort_topologically(task.problem), [&](OpId op) {
    Wide least = task.problem.ops[op].best_ps;
    for (const std::vector<std::uint64_t>& of_outcome : times) least = std::min(least, Wide{of_outcome[op]});
    return least;
  });
  return paths.empty() ? 0 : *std::ranges::max_element(paths);
}

/// What one task asks of every class, and the longest way through it.
struct TaskWork {
  std::vector<std::vector<std::uint64_t>> times{};  ///< [combinations of outcomes][ops]
  std::vector<std::vector<Wide>> work{};            ///< [combinations of outcomes][classes] of one run
  std::vector<Wide> longest_op{};                   ///< [classes]
  std::vector<std::uint32_t> width{};               ///< [classes] ops of one run that can run at once, at most
  std::vector<std::uint64_t> shares{};  ///< [classes] common denominator over cores; 0: no op of it waits for a core
  Wide alone_ps = 0;     ///< path and own work, without others; not yet divided by the common denominator
  Wide shortest_ps = 0;  ///< no run takes less
};

class Analysis {
 public:
  Analysis(const std::vector<PeriodicTask>& tasks, const Surroundings& around) : tasks_(tasks), around_(around) {
    const TimingProblem& any = tasks.front().problem;
    is_one_group_ =
        std::ranges::any_of(tasks, [](const PeriodicTask& task) { return mutexed_work(task.problem, {}) > 0; });
    for (std::uint32_t c = 0; c < any.cores.size(); ++c) is_one_group_ = is_one_group_ || depth_of(any, c) > 1;
    cores_ = look_at_queues(any, QueueView::kOneCore).cores;
    scale_ = common_denominator(cores_);
    if (scale_ == 0) return;
    for (const PeriodicTask& task : tasks) work_.push_back(work_of(task));
    for (std::size_t i = 0; i < tasks.size(); ++i) work_[i].shares = shares_of(i);
    for (std::size_t i = 0; i < tasks.size(); ++i) work_[i].alone_ps = alone_ps(i);
    answers_.resize(tasks.size());
  }

  std::vector<TaskResponse> run() {
    if (scale_ == 0) {
      return std::vector<TaskResponse>(
          tasks_.size(), {kUnknownPs, "has classes whose numbers of cores have no common denominator", 0});
    }
    if (std::ranges::any_of(tasks_, [](const PeriodicTask& task) { return task.serial_ps != 0; })) {
      std::vector<std::size_t> all(tasks_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      if (solve(all)) return answers_;
    }
    std::vector<std::int32_t> numbers;
    for (const PeriodicTask& task : tasks_) numbers.push_back(task.priority);
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (is_one_group_) numbers = {numbers.back()};
    for (const std::int32_t number : numbers) {
      std::vector<std::size_t> group;
      for (std::size_t i = 0; i < tasks_.size(); ++i) {
        if (is_one_group_ || tasks_[i].priority == number) group.push_back(i);
      }
      solve(group);
    }
    return answers_;
  }

 private:
  [[nodiscard]] TaskWork work_of(const PeriodicTask& task) const {
    const TimingProblem& problem = task.problem;
    TaskWork made{.times = times_by_outcome(task), .longest_op = std::vector<Wide>(cores_.size(), 0)};
    for (const std::vector<std::uint64_t>& times : made.times) {
      made.work.emplace_back(cores_.size(), 0);
      for (OpId op = 0; op < times.size(); ++op) made.work.back()[problem.ops[op].core_class] += times[op];
    }
    for (const TimedOp& op : problem.ops) {
      made.longest_op[op.core_class] = std::max(made.longest_op[op.core_class], Wide{op.worst_ps});
    }
    made.width = widths(problem);
    made.shortest_ps = shortest_run(task);
    return made;
  }

  /// Where a class has a core for every op that can run at once, one run of each task, none waits.
  [[nodiscard]] std::vector<std::uint64_t> shares_of(std::size_t task) const {
    std::vector<std::uint64_t> shares = core_shares(cores_, scale_);
    const TimingProblem& problem = tasks_[task].problem;
    for (std::uint32_t c = 0; c < shares.size(); ++c) {
      if (depth_of(problem, c) > 1) continue;
      std::uint64_t width = 0;
      for (const TaskWork& work : work_) width += work.width[c];
      if (width <= cores_[c]) shares[c] = 0;
    }
    return shares;
  }

  /// Does all work of `other` count against `task`?
  [[nodiscard]] bool interferes(std::size_t other, std::size_t task) const {
    return other != task && (is_one_group_ || tasks_[other].priority <= tasks_[task].priority);
  }

  /// Longest op of a class that may have begun before an op of `task` and that this waits for.
  [[nodiscard]] Wide blocking_ps(std::size_t task, std::uint32_t core_class) const {
    if (work_[task].shares[core_class] == 0) return 0;
    Wide longest = 0;
    for (std::size_t other = 0; other < tasks_.size(); ++other) {
      if (other == task || interferes(other, task)) continue;
      longest = std::max(longest, work_[other].longest_op[core_class]);
    }
    return longest;
  }

  /// The path, what blocks it, and the rest of the run's own work, times the common denominator.
  [[nodiscard]] Wide alone_ps(std::size_t task) const {
    const TimingProblem& problem = tasks_[task].problem;
    const std::vector<std::uint64_t>& shares = work_[task].shares;
    std::vector<Wide> blocking;
    for (std::uint32_t c = 0; c < cores_.size(); ++c) blocking.push_back(blocking_ps(task, c));
    const std::vector<std::uint32_t> order = sort_topologically(problem);
    Wide most = 0;
    for (std::size_t outcome = 0; outcome < work_[task].times.size(); ++outcome) {
      const std::vector<std::uint64_t>& times = work_[task].times[outcome];
      const std::vector<Wide> paths = prefix_paths(problem, order, [&](OpId op) {
        const std::uint32_t core_class = problem.ops[op].core_class;
        return Wide{times[op]} * (scale_ - shares[core_class]) + blocking[core_class] * scale_;
      });
      const Wide path = paths.empty() ? 0 : *std::ranges::max_element(paths);
      most = std::max(most, path + shared_work(work_[task].work[outcome], shares));
    }
    return most + mutexed_work(problem, {}) * scale_;
  }

  /// @param work  [classes] of one run
  [[nodiscard]] static Wide shared_work(const std::vector<Wide>& work, const std::vector<std::uint64_t>& shares) {
    Wide sum = 0;
    for (std::uint32_t c = 0; c < work.size(); ++c) sum += work[c] * shares[c];
    return sum;
  }

  /// Runs of `other` that can execute within a window of this length; none: any number.
  [[nodiscard]] std::optional<Wide> runs_within(std::size_t other, Wide window_ps, std::uint64_t response_ps) const {
    if (response_ps != kUnknownPs) return divide_up(window_ps + response_ps, tasks_[other].period_ps);
    if (work_[other].shortest_ps == 0) return std::nullopt;
    return window_ps / work_[other].shortest_ps + 2;
  }

  /// What one run of `other` adds to a window of `task`, times the common denominator.
  [[nodiscard]] Wide added_by_run(std::size_t other, std::size_t task) const {
    Wide most = 0;
    if (interferes(other, task)) {
      for (const std::vector<Wide>& work : work_[other].work) {
        most = std::max(most, shared_work(work, work_[task].shares));
      }
    }
    return most + Wide{tasks_[other].serial_ps} * scale_;
  }

  /// What loads take of a window; none: more than kMostPs.
  [[nodiscard]] std::optional<Wide> loads_within(Wide window_ps) const {
    Wide sum = 0;
    for (const WindowLoad& load : around_.loads) {
      const Wide releases = (window_ps + load.jitter_ps) / load.period_ps + 2;
      if (load.duration_ps != 0 && releases > kMostPs / load.duration_ps) return std::nullopt;
      sum += releases * load.duration_ps;
    }
    if (sum > kMostPs) return std::nullopt;
    return sum;
  }

  /// From release to end, at most; none: more than the period leaves.
  [[nodiscard]] std::optional<Wide> window_ps(std::size_t task, const std::vector<std::uint64_t>& responses) const {
    const std::uint64_t period_ps = tasks_[task].period_ps, jitter_ps = tasks_[task].jitter_ps;
    if (jitter_ps > period_ps) return std::nullopt;
    const Wide most = period_ps - jitter_ps;
    const Wide own = work_[task].alone_ps + (Wide{tasks_[task].serial_ps} + around_.once_ps) * scale_;
    Wide window = divide_up(own, scale_);
    for (std::uint32_t step = 0; window <= most && step < kMostWindowSteps; ++step) {
      Wide sum = own;
      for (std::size_t other = 0; other < tasks_.size(); ++other) {
        const Wide of_run = other == task ? 0 : added_by_run(other, task);
        if (of_run == 0) continue;
        const std::optional<Wide> runs = runs_within(other, window, responses[other]);
        if (!runs || *runs > (kMostPs * scale_) / of_run) return std::nullopt;
        sum += *runs * of_run;
      }
      const std::optional<Wide> loads = loads_within(window);
      if (!loads) return std::nullopt;
      const Wide next = divide_up(sum, scale_) + *loads;
      if (next <= window) return window;
      window = next;
    }
    return std::nullopt;
  }

  /// What keeps the task from having a bound, before any window is looked at.
  [[nodiscard]] std::optional<TaskResponse> find_obstacle(std::size_t task,
                                                          const std::vector<std::size_t>& group) const {
    for (std::size_t other = 0; other < tasks_.size(); ++other) {
      const TimingProblem& problem = tasks_[other].problem;
      if (has_unknown_time(problem)) return TaskResponse{kUnknownPs, "has an op whose time is not known", other};
      const auto is_scheduled = [](const TimedOp& op) { return op.role_ps != 0; };
      if (problem.fixed_ps != 0 || std::ranges::any_of(problem.ops, is_scheduled)) {
        return TaskResponse{kUnknownPs, "has a scheduler that takes time", other};
      }
      if (std::ranges::any_of(problem.ops, [](const TimedOp& op) { return op.worst_ps > kMostPs; })) {
        return TaskResponse{kUnknownPs, "has an op that may take more than 2^62 ps", other};
      }
      if (tasks_[other].serial_ps > kMostPs) {
        return TaskResponse{kUnknownPs, "has steps of the runtime that may take more than 2^62 ps", other};
      }
      const bool is_open = answers_[other].response_ps == kUnknownPs && std::ranges::find(group, other) == group.end();
      if (!is_open) continue;
      if (!is_one_group_ && tasks_[other].priority < tasks_[task].priority) {
        return TaskResponse{kUnknownPs, "goes first and has no bound itself", other};
      }
      if (tasks_[other].serial_ps != 0 && work_[other].shortest_ps == 0) {
        return TaskResponse{kUnknownPs, "may have any number of runs, each with steps of the runtime", other};
      }
    }
    return std::nullopt;
  }

  /// All tasks of the group: they keep their periods, or nothing is said of any of them.
  /// @return  they do
  bool solve(const std::vector<std::size_t>& group) {
    const auto give_up = [&](const TaskResponse& why) {
      for (const std::size_t task : group) answers_[task] = why;
      return false;
    };
    std::vector<std::uint64_t> responses;
    for (const TaskResponse& answer : answers_) responses.push_back(answer.response_ps);
    for (const std::size_t task : group) {
      if (const std::optional<TaskResponse> obstacle = find_obstacle(task, group)) return give_up(*obstacle);
      responses[task] = tasks_[task].period_ps;
    }
    // Each round is safe by the one before it; later ones are tighter.
    bool has_changed = true;
    for (std::uint32_t round = 0; has_changed && round < kMostTaskRounds; ++round) {
      has_changed = false;
      std::vector<std::uint64_t> next = responses;
      for (const std::size_t task : group) {
        const std::optional<Wide> window = window_ps(task, responses);
        if (!window) return give_up({kUnknownPs, "may have runs that are longer than its period", task});
        next[task] = static_cast<std::uint64_t>(*window) + tasks_[task].jitter_ps;
        has_changed = has_changed || next[task] < responses[task];
      }
      responses = std::move(next);
    }
    for (const std::size_t task : group) answers_[task] = {responses[task], "", 0};
    return true;
  }

  const std::vector<PeriodicTask>& tasks_;
  const Surroundings& around_;
  bool is_one_group_ = false;         ///< all work counts against all tasks, whatever their numbers
  std::vector<std::uint32_t> cores_;  ///< that count, per class
  std::uint64_t scale_ = 0;
  std::vector<TaskWork> work_;
  std::vector<TaskResponse> answers_;
};

}  // namespace

std::vector<TaskResponse> task_responses(const std::vector<PeriodicTask>& tasks, const Surroundings& around) {
  require_sound(tasks);
  if (tasks.empty()) return {};
  return Analysis(tasks, around).run();
}

std::vector<ClassLoad> class_loads(const std::vector<PeriodicTask>& tasks) {
  require_sound(tasks);
  std::vector<ClassLoad> loads;
  if (tasks.empty()) return loads;
  const std::vector<std::uint32_t>& cores = tasks.front().problem.cores;
  constexpr unsigned kFractionBits = 40;  // rounded down, so that an overload is one
  for (std::uint32_t c = 0; c < cores.size(); ++c) {
    if (cores[c] == 0) continue;
    Wide sum = 0;
    double ratio = 0;
    for (const PeriodicTask& task : tasks) {
      Wide work = 0;
      for (const std::vector<std::uint64_t>& times : times_by_outcome(task)) {
        Wide of_outcome = 0;
        for (OpId op = 0; op < times.size(); ++op) {
          if (task.problem.ops[op].core_class == c && times[op] != kUnknownPs) of_outcome += times[op];
        }
        work = std::max(work, std::min(of_outcome, kMostPs));
      }
      sum += (work << kFractionBits) / task.period_ps;
      ratio += static_cast<double>(work) / static_cast<double>(task.period_ps);
    }
    if (ratio == 0) continue;
    loads.push_back({c, ratio / cores[c], sum > Wide{cores[c]} << kFractionBits});
  }
  return loads;
}

}  // namespace detent::verify
