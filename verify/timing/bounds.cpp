// TimingProblem -> lower and upper bounds on its makespan, exact in 128-bit integers.
#include "verify/timing/bounds.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr const char* kWorkConserving =
    "non-preemptive and work-conserving: a free core takes a ready op at once, whatever the priorities; "
    "op times at most their worst, overheads included";

/// Largest sum of `weight` over the ops of a path.
Wide longest_path(const TimingProblem& problem, const std::function<Wide(const TimedOp&)>& weight) {
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  std::vector<Wide> start(problem.ops.size(), 0);
  Wide longest = 0;
  for (const std::uint32_t op : order) {
    const Wide end = start[op] + weight(problem.ops[op]);
    longest = std::max(longest, end);
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      Wide& next = start[problem.targets[k]];
      next = std::max(next, end);
    }
  }
  return longest;
}

std::vector<Wide> work_by_class(const TimingProblem& problem) {
  std::vector<Wide> work(problem.cores.size(), 0);
  for (const TimedOp& op : problem.ops) work[op.core_class] += op.worst_ps;
  return work;
}

Wide total_work(const TimingProblem& problem) {
  Wide sum = 0;
  for (const TimedOp& op : problem.ops) sum += op.worst_ps;
  return sum;
}

/// Fills in value + fixed_ps, or kUnknownPs where a time is unknown or the sum does not fit.
Bound make_bound(const TimingProblem& problem, const char* name, Wide value, bool is_upper) {
  Bound bound{name, kUnknownPs, is_upper, false, is_upper ? kWorkConserving : "all ops take their worst time"};
  const Wide sum = value + problem.fixed_ps;
  if (!has_unknown_time(problem) && sum < kUnknownPs) bound.bound_ps = static_cast<std::uint64_t>(sum);
  return bound;
}

/// Class of all ops with time; none when there are several, or it is unbounded.
std::optional<std::uint32_t> find_only_bounded_class(const TimingProblem& problem) {
  std::optional<std::uint32_t> only;
  for (const TimedOp& op : problem.ops) {
    if (op.worst_ps == 0) continue;
    if (only && *only != op.core_class) return std::nullopt;
    only = op.core_class;
  }
  if (!only || problem.cores[*only] == 0) return std::nullopt;
  return only;
}

/// Adds the mutex term and caps by the serial bound, which needs no assumption on cores or mutexes.
Wide add_mutexed_work(const TimingProblem& problem, Wide value) {
  return std::min(value + mutexed_work(problem), total_work(problem));
}

std::string with_mutex_note(const TimingProblem& problem, std::string text) {
  if (mutexed_work(problem) > 0) text += "; the work of ops that share a mutex is added";
  return text;
}

/// Theorem 3.1 with every term multiplied by the common denominator of the core counts.
Wide typed_value(const TimingProblem& problem) {
  const std::uint64_t scale = common_denominator(problem);
  if (scale == 0) return total_work(problem);
  const auto share = [&](std::uint32_t core_class) -> std::uint64_t {
    return problem.cores[core_class] == 0 ? 0 : scale / problem.cores[core_class];
  };
  Wide value =
      longest_path(problem, [&](const TimedOp& op) { return Wide{op.worst_ps} * (scale - share(op.core_class)); });
  const std::vector<Wide> work = work_by_class(problem);
  for (std::uint32_t c = 0; c < work.size(); ++c) value += work[c] * share(c);
  return divide_up(value, scale);
}

}  // namespace

Bound critical_path(const TimingProblem& problem) {
  require_sound(problem);
  const Wide length = longest_path(problem, [](const TimedOp& op) { return Wide{op.worst_ps}; });
  return make_bound(problem, "critical_path", length, false);
}

Bound work_per_core(const TimingProblem& problem) {
  require_sound(problem);
  const std::vector<Wide> work = work_by_class(problem);
  Wide most = 0;
  for (std::size_t c = 0; c < work.size(); ++c) {
    if (problem.cores[c] != 0) most = std::max(most, divide_up(work[c], problem.cores[c]));
  }
  return make_bound(problem, "work_per_core", most, false);
}

Bound serial_bound(const TimingProblem& problem) {
  require_sound(problem);
  static_cast<void>(sort_topologically(problem));
  Bound bound = make_bound(problem, "serial", total_work(problem), true);
  bound.assumptions = "an op runs whenever the run is unfinished; op times at most their worst, overheads included";
  return bound;
}

Bound graham_bound(const TimingProblem& problem) {
  require_sound(problem);
  const Wide work = total_work(problem);
  const std::optional<std::uint32_t> only = find_only_bounded_class(problem);
  if (!only && work > 0) {
    Bound bound{"graham", kUnknownPs, true, false, "does not apply: ops with time on several classes, or on delays"};
    return bound;
  }
  const Wide length = longest_path(problem, [](const TimedOp& op) { return Wide{op.worst_ps}; });
  const Wide value = only ? length + divide_up(work - length, problem.cores[*only]) : 0;
  Bound bound = make_bound(problem, "graham", add_mutexed_work(problem, value), true);
  bound.assumptions = with_mutex_note(problem, std::string("identical cores; ") + kWorkConserving);
  return bound;
}

Bound typed_bound(const TimingProblem& problem) {
  require_sound(problem);
  Bound bound = make_bound(problem, "typed", add_mutexed_work(problem, typed_value(problem)), true);
  bound.assumptions = with_mutex_note(problem, std::string("each op bound to one class of cores; ") + kWorkConserving);
  return bound;
}

std::vector<Bound> all_bounds(const TimingProblem& problem) {
  std::vector<Bound> bounds{critical_path(problem), work_per_core(problem), serial_bound(problem)};
  const Bound graham = graham_bound(problem);
  if (graham.bound_ps != kUnknownPs) bounds.push_back(graham);
  bounds.push_back(typed_bound(problem));
  return bounds;
}

Verdict check_bound(std::uint64_t simulated_max_ps, const std::vector<Bound>& bounds) {
  Verdict verdict{"bound", Outcome::kUnknown, "no upper bound is known", {}};
  const std::string simulated =
      "simulated maximum " + std::to_string(simulated_max_ps) + " ps (an optimistic estimate)";
  for (const Bound& bound : bounds) {
    if (!bound.is_upper || bound.bound_ps == kUnknownPs) continue;
    const std::string text = simulated + (simulated_max_ps <= bound.bound_ps ? " <= " : " exceeds the ") + bound.name +
                             " bound " + std::to_string(bound.bound_ps) + " ps";
    if (simulated_max_ps > bound.bound_ps) {
      verdict.outcome = Outcome::kViolated;
      verdict.witnesses.push_back({text + "; assumptions: " + bound.assumptions, {}, {}});
    }
    if (verdict.outcome == Outcome::kUnknown) verdict.outcome = Outcome::kHolds;
    if (verdict.outcome == Outcome::kHolds || verdict.witnesses.size() == 1) verdict.summary = text;
  }
  return verdict;
}

}  // namespace detent::verify
