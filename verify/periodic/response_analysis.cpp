#include "verify/periodic/response_analysis.hpp"

#include <algorithm>
#include <optional>

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

/// What one task asks of every class, and the longest way through it.
struct TaskWork {
  std::vector<Wide> work{};             ///< [classes] of one run
  std::vector<Wide> longest_op{};       ///< [classes]
  std::vector<std::uint32_t> width{};   ///< [classes] ops of one run that can run at once, at most
  std::vector<std::uint64_t> shares{};  ///< [classes] common denominator over cores; 0: no op of it waits for a core
  Wide alone_ps = 0;  ///< path and own work, without others; not yet divided by the common denominator
};

class Analysis {
 public:
  explicit Analysis(const std::vector<PeriodicTask>& tasks) : tasks_(tasks) {
    const TimingProblem& any = tasks.front().problem;
    is_one_group_ =
        std::ranges::any_of(tasks, [](const PeriodicTask& task) { return mutexed_work(task.problem, {}) > 0; });
    for (std::uint32_t c = 0; c < any.cores.size(); ++c) is_one_group_ = is_one_group_ || depth_of(any, c) > 1;
    cores_ = look_at_queues(any, QueueView::kOneCore).cores;
    scale_ = common_denominator(cores_);
    if (scale_ == 0) return;
    for (const PeriodicTask& task : tasks) work_.push_back(work_of(task.problem));
    for (std::size_t i = 0; i < tasks.size(); ++i) work_[i].shares = shares_of(i);
    for (std::size_t i = 0; i < tasks.size(); ++i) work_[i].alone_ps = alone_ps(i);
    answers_.resize(tasks.size());
  }

  std::vector<TaskResponse> run() {
    if (scale_ == 0) {
      return std::vector<TaskResponse>(
          tasks_.size(), {kUnknownPs, "has classes whose numbers of cores have no common denominator", 0});
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
  [[nodiscard]] TaskWork work_of(const TimingProblem& problem) const {
    TaskWork made{.work = std::vector<Wide>(cores_.size(), 0), .longest_op = std::vector<Wide>(cores_.size(), 0)};
    for (const TimedOp& op : problem.ops) {
      made.work[op.core_class] += op.worst_ps;
      made.longest_op[op.core_class] = std::max(made.longest_op[op.core_class], Wide{op.worst_ps});
    }
    made.width = widths(problem);
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
    const std::vector<Wide> paths = prefix_paths(problem, sort_topologically(problem), [&](OpId op) {
      const TimedOp& timed = problem.ops[op];
      return Wide{timed.worst_ps} * (scale_ - shares[timed.core_class]) + blocking[timed.core_class] * scale_;
    });
    Wide sum = paths.empty() ? 0 : *std::ranges::max_element(paths);
    for (std::uint32_t c = 0; c < cores_.size(); ++c) sum += work_[task].work[c] * shares[c];
    return sum + mutexed_work(problem, {}) * scale_;
  }

  /// Runs of `other` that can execute within a window of this length.
  [[nodiscard]] Wide runs_within(std::size_t other, Wide window_ps, std::uint64_t response_ps) const {
    return divide_up(window_ps + response_ps, tasks_[other].period_ps);
  }

  /// From release to end, at most; none: more than the period leaves.
  [[nodiscard]] std::optional<Wide> window_ps(std::size_t task, const std::vector<std::uint64_t>& responses) const {
    const std::uint64_t period_ps = tasks_[task].period_ps, jitter_ps = tasks_[task].jitter_ps;
    if (jitter_ps > period_ps) return std::nullopt;
    const Wide most = period_ps - jitter_ps;
    Wide window = divide_up(work_[task].alone_ps, scale_);
    for (std::uint32_t step = 0; window <= most && step < kMostWindowSteps; ++step) {
      Wide sum = work_[task].alone_ps;
      for (std::size_t other = 0; other < tasks_.size(); ++other) {
        if (!interferes(other, task)) continue;
        Wide of_run = 0;
        for (std::uint32_t c = 0; c < cores_.size(); ++c) of_run += work_[other].work[c] * work_[task].shares[c];
        const Wide runs = runs_within(other, window, responses[other]);
        if (of_run != 0 && runs > (kMostPs * scale_) / of_run) return std::nullopt;
        sum += runs * of_run;
      }
      const Wide next = divide_up(sum, scale_);
      if (next <= window) return window;
      window = next;
    }
    return std::nullopt;
  }

  /// What keeps the task from having a bound, before any window is looked at.
  [[nodiscard]] std::optional<TaskResponse> find_obstacle(std::size_t task) const {
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
      const bool goes_first = !is_one_group_ && tasks_[other].priority < tasks_[task].priority;
      if (goes_first && answers_[other].response_ps == kUnknownPs) {
        return TaskResponse{kUnknownPs, "goes first and has no bound itself", other};
      }
    }
    return std::nullopt;
  }

  /// All tasks of the group: they keep their periods, or nothing is said of any of them.
  void solve(const std::vector<std::size_t>& group) {
    const auto give_up = [&](const TaskResponse& why) {
      for (const std::size_t task : group) answers_[task] = why;
    };
    std::vector<std::uint64_t> responses;
    for (const TaskResponse& answer : answers_) responses.push_back(answer.response_ps);
    for (const std::size_t task : group) {
      if (const std::optional<TaskResponse> obstacle = find_obstacle(task)) return give_up(*obstacle);
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
  }

  const std::vector<PeriodicTask>& tasks_;
  bool is_one_group_ = false;         ///< all work counts against all tasks, whatever their numbers
  std::vector<std::uint32_t> cores_;  ///< that count, per class
  std::uint64_t scale_ = 0;
  std::vector<TaskWork> work_;
  std::vector<TaskResponse> answers_;
};

}  // namespace

std::vector<TaskResponse> task_responses(const std::vector<PeriodicTask>& tasks) {
  require_sound(tasks);
  if (tasks.empty()) return {};
  return Analysis(tasks).run();
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
      for (const TimedOp& op : task.problem.ops) {
        if (op.core_class == c && op.worst_ps != kUnknownPs) work += op.worst_ps;
      }
      work = std::min(work, kMostPs);
      sum += (work << kFractionBits) / task.period_ps;
      ratio += static_cast<double>(work) / static_cast<double>(task.period_ps);
    }
    if (ratio == 0) continue;
    loads.push_back({c, ratio / cores[c], sum > Wide{cores[c]} << kFractionBits});
  }
  return loads;
}

}  // namespace detent::verify
