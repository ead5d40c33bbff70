// TimingProblem, name of a bound -> what the bound counts of each op, in whole picoseconds.
#include "verify/timing/budget.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "verify/timing/bounds.hpp"
#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

/// One way to divide: whole picoseconds, and shares of the same fraction.
struct Division {
  std::vector<Wide> path, others;  ///< by op, whole
  std::vector<Wide> shares;        ///< by op, times 1 / divisor
  Wide divisor = 1;

  explicit Division(std::size_t ops) : path(ops, 0), others(ops, 0), shares(ops, 0) {}

  [[nodiscard]] Wide value() const {
    Wide whole = 0, parts = 0;
    for (std::size_t op = 0; op < path.size(); ++op) {
      whole += path[op] + others[op];
      parts += shares[op];
    }
    return whole + divide_up(parts, divisor);
  }
};

std::vector<Wide> worst_times(const TimingProblem& problem) {
  std::vector<Wide> times;
  for (const TimedOp& op : problem.ops) times.emplace_back(op.worst_ps);
  return times;
}

Division serial_division(const TimingProblem& problem) {
  Division made(problem.ops.size());
  made.path = worst_times(problem);
  return made;
}

void add_mutexes(const TimingProblem& problem, const std::vector<Wide>& ahead_ps, Division& made) {
  std::vector<bool> counted(problem.ops.size(), false);
  for (const auto& holders : problem.exclusive) {
    for (const OpId op : holders) {
      if (holders.size() < 2 || counted[op]) continue;
      counted[op] = true;
      made.others[op] += problem.ops[op].worst_ps + (ahead_ps.empty() ? 0 : ahead_ps[op]);
    }
  }
}

/// Ops on a longest path of `left` count whole; they count nothing in `left` after that.
void count_longest_path(const TimingProblem& problem, const std::vector<std::uint32_t>& order, std::vector<Wide>& left,
                        Division& made) {
  const std::vector<Wide> before = left;
  static_cast<void>(take_longest_path(problem, order, left));
  for (std::size_t op = 0; op < left.size(); ++op) made.path[op] += before[op] - left[op];
}

/// Work beside the path by the cores; where they are one it counts whole.
void share(std::vector<Wide> work, std::uint32_t cores, Division& made) {
  if (cores != 1) {
    made.shares = std::move(work);
    made.divisor = cores;
    return;
  }
  for (std::size_t op = 0; op < work.size(); ++op) made.path[op] += work[op];
}

/// Graham's, and those of j further long paths, which hide behind the others.
std::vector<Division> long_path_divisions(const TimingProblem& problem, std::uint32_t most_hidden) {
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  std::uint32_t cores = 1;
  for (const TimedOp& op : problem.ops) cores = op.worst_ps != 0 ? problem.cores[op.core_class] : cores;
  Division path(problem.ops.size());
  std::vector<Wide> left = worst_times(problem);
  count_longest_path(problem, order, left, path);
  std::vector<Division> found;
  for (std::uint32_t j = 0; j <= most_hidden && j < cores; ++j) {
    if (j > 0 && take_longest_path(problem, order, left) == 0) break;
    Division& made = found.emplace_back(path);
    share(left, cores - j, made);
    add_mutexes(problem, {}, made);
  }
  return found;
}

/// Theorem 3.1: an op on the path counts whole, any other one its share of the cores of its type.
Division typed_division(const TimingProblem& problem, QueueView view) {
  const QueuedClasses queued = look_at_queues(problem, view);
  const std::uint64_t scale = common_denominator(queued.cores);
  if (scale == 0) return serial_division(problem);
  const std::vector<std::uint64_t> shares = core_shares(queued.cores, scale);
  std::vector<Wide> weight;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    const TimedOp& timed = problem.ops[op];
    weight.push_back(Wide{timed.worst_ps} * (scale - shares[timed.core_class]) + queued.ahead_ps[op] * scale);
  }
  std::vector<Wide> left = weight;
  static_cast<void>(take_longest_path(problem, sort_topologically(problem), left));
  Division made(problem.ops.size());
  made.divisor = scale;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    const TimedOp& timed = problem.ops[op];
    const bool is_on_path = left[op] != weight[op];
    if (is_on_path) made.others[op] = queued.ahead_ps[op];
    if (is_on_path || shares[timed.core_class] == scale) {
      made.path[op] = timed.worst_ps;
    } else {
      made.shares[op] = Wide{timed.worst_ps} * shares[timed.core_class];
    }
  }
  add_mutexes(problem, queued.ahead_ps, made);
  return made;
}

/// Every way in which a bound is reached; the least counts.
std::vector<Division> divisions_of(const TimingProblem& problem, std::string_view bound) {
  std::vector<Division> found;
  if (bound == "graham") found = long_path_divisions(problem, 0);
  if (bound == "he2022") found = long_path_divisions(problem, UINT32_MAX);
  if (bound == "typed") {
    found = {typed_division(problem, QueueView::kOneCore), typed_division(problem, QueueView::kOpsAhead)};
  }
  found.push_back(serial_division(problem));
  return found;
}

std::optional<Budget> budget_of(const TimingProblem& problem, const Division& division) {
  Budget made{.fixed_ps = problem.fixed_ps};
  Wide parts = 0, counted = 0, sum = problem.fixed_ps;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    parts += division.shares[op];
    const Wide others = division.others[op] + divide_up(parts, division.divisor) - counted;
    counted = divide_up(parts, division.divisor);
    sum += division.path[op] + others + problem.ops[op].role_ps;
    if (sum >= kUnknownPs) return std::nullopt;
    made.ops.push_back(
        {static_cast<std::uint64_t>(division.path[op]), static_cast<std::uint64_t>(others), problem.ops[op].role_ps});
  }
  return made;
}

Bound known_bound(const TimingProblem& problem, std::string_view bound) {
  if (bound == "serial") return serial_bound(problem);
  if (bound == "graham") return graham_bound(problem);
  if (bound == "typed") return typed_bound(problem);
  if (bound == "he2022") return long_paths_bound(problem);
  throw std::invalid_argument("budget: no bound '" + std::string(bound) + "' is a sum of ops");
}

/// Which op, handled before it at the same instant, an op of a run has waited for, and whether it depends on that.
struct Link {
  OpId op = 0;
  bool is_edge = false;
};

/// Places of ops in the order of ends, and who precedes whom.
class Chain {
 public:
  Chain(const TimingProblem& problem, const ListRun& run)
      : problem_(problem), run_(run), place_(run.order.size()), before_(problem.ops.size()) {
    for (std::size_t i = 0; i < run.order.size(); ++i) place_[run.order[i]] = i;
    for (OpId op = 0; op < problem.ops.size(); ++op) {
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
        before_[problem.targets[k]].push_back(op);
      }
    }
  }

  /// An op that ended where `op` began: one that it depends on, else one that was on its core, else one that held
  /// something; none: nothing ended then.
  [[nodiscard]] std::optional<Link> link_of(OpId op) const {
    for (const OpId p : before_[op]) {
      if (ends_at(p, op)) return Link{p, true};
    }
    std::optional<Link> found;
    for (std::size_t i = place_[op]; i-- > 0;) {
      const OpId other = run_.order[i];
      if (run_.end_ps[other] < run_.begin_ps[op]) break;
      if (!ends_at(other, op)) continue;
      const bool was_on_core =
          problem_.ops[other].core_class == problem_.ops[op].core_class && run_.core[other] == run_.core[op];
      if (was_on_core) return Link{other, false};
      if (!found) found = Link{other, false};
    }
    return found;
  }

 private:
  [[nodiscard]] bool ends_at(OpId other, OpId op) const {
    return run_.end_ps[other] == run_.begin_ps[op] && place_[other] < place_[op];
  }

  const TimingProblem& problem_;
  const ListRun& run_;
  std::vector<std::size_t> place_;  // in the order of ends, by op
  std::vector<std::vector<OpId>> before_;
};

}  // namespace

std::uint64_t sum_ps(const Budget& budget) {
  Wide sum = budget.fixed_ps;
  for (const OpCharge& op : budget.ops) sum += Wide{op.path_ps} + op.others_ps + op.role_ps;
  return sum < kUnknownPs ? static_cast<std::uint64_t>(sum) : kUnknownPs;
}

std::optional<Budget> bound_budget(const TimingProblem& problem, std::string_view bound) {
  if (known_bound(problem, bound).bound_ps == kUnknownPs) return std::nullopt;
  const std::vector<Division> all = divisions_of(problem, bound);
  return budget_of(problem, *std::ranges::min_element(all, {}, &Division::value));
}

std::optional<Budget> path_budget(const TimingProblem& problem) {
  require_sound(problem);
  if (has_unknown_time(problem)) return std::nullopt;
  Division made(problem.ops.size());
  std::vector<Wide> left = worst_times(problem);
  count_longest_path(problem, sort_topologically(problem), left, made);
  return budget_of(problem, made);
}

std::optional<Budget> run_budget(const TimingProblem& problem, const ListRun& run) {
  Budget made{.ops = std::vector<OpCharge>(problem.ops.size()), .fixed_ps = problem.fixed_ps};
  if (run.order.empty()) return made;
  const Chain chain(problem, run);
  Link link{run.order.back(), true};
  while (true) {
    OpCharge& charge = made.ops[link.op];
    (link.is_edge ? charge.path_ps : charge.others_ps) = run.time_ps[link.op];
    if (run.begin_ps[link.op] == 0) return made;
    const std::optional<Link> before = chain.link_of(link.op);
    if (!before) return std::nullopt;
    link = *before;
  }
}

}  // namespace detent::verify
