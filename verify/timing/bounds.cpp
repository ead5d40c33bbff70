// TimingProblem -> lower and upper bounds on its makespan, exact in 128-bit integers.
#include "verify/timing/bounds.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr const char* kWorkConserving =
    "non-preemptive and work-conserving: a free core takes a ready op at once, whatever the priorities; "
    "op times at most their worst, overheads included";

/// Largest sum of `weight` over the ops of a path.
template <typename Weight>
Wide longest_path(const TimingProblem& problem, Weight weight) {
  const std::vector<Wide> paths = prefix_paths(problem, sort_topologically(problem), weight);
  return paths.empty() ? 0 : *std::max_element(paths.begin(), paths.end());
}

Wide longest_worst_path(const TimingProblem& problem) {
  return longest_path(problem, [&](OpId op) { return Wide{problem.ops[op].worst_ps}; });
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

Wide role_work(const TimingProblem& problem) {
  Wide sum = 0;
  for (const TimedOp& op : problem.ops) sum += op.role_ps;
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

/// Caps by the serial bound, which needs no assumption on cores or mutexes, and adds the scheduler's work.
Wide finish_upper(const TimingProblem& problem, Wide value) {
  return std::min(value, total_work(problem)) + role_work(problem);
}

/// Do several cores of the class queue ops? Then an op may wait behind a busy one beside an idle one.
bool queues_ops(const TimingProblem& problem, std::uint32_t core_class) {
  return problem.cores[core_class] > 1 && depth_of(problem, core_class) > 1;
}

std::string with_mutex_note(const TimingProblem& problem, std::string text) {
  if (mutexed_work(problem, {}) > 0) text += "; the work of ops that share a mutex is added";
  return text;
}

/// min over j of len + (vol - sum of the lengths of j + 1 long paths) / (cores - j). It holds for all times up to the
/// worst ones, yet is not monotone: of shorter worst times, which have other longest paths, it may be larger.
Wide long_paths_value(const TimingProblem& problem, std::uint32_t cores) {
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  std::vector<Wide> left;
  for (const TimedOp& op : problem.ops) left.emplace_back(op.worst_ps);
  Wide outside = total_work(problem);
  const Wide length = take_longest_path(problem, order, left);
  outside -= length;
  Wide least = length + divide_up(outside, cores);
  for (std::uint32_t j = 1; j < cores && outside > 0; ++j) {
    outside -= take_longest_path(problem, order, left);
    least = std::min(least, length + divide_up(outside, cores - j));
  }
  return least;
}

/// Theorem 3.1 with every term multiplied by the common denominator of the core counts.
Wide typed_value(const TimingProblem& problem, QueueView view) {
  const QueuedClasses queued = look_at_queues(problem, view);
  const std::uint64_t scale = common_denominator(queued.cores);
  if (scale == 0) return total_work(problem);
  const std::vector<std::uint64_t> shares = core_shares(queued.cores, scale);
  Wide value = longest_path(problem, [&](std::uint32_t id) {
    const TimedOp& op = problem.ops[id];
    return Wide{op.worst_ps} * (scale - shares[op.core_class]) + queued.ahead_ps[id] * scale;
  });
  const std::vector<Wide> work = work_by_class(problem);
  for (std::uint32_t c = 0; c < work.size(); ++c) value += work[c] * shares[c];
  return divide_up(value, scale) + mutexed_work(problem, queued.ahead_ps);
}

}  // namespace

Bound critical_path(const TimingProblem& problem) {
  require_sound(problem);
  return make_bound(problem, "critical_path", longest_worst_path(problem), false);
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
  Bound bound = make_bound(problem, "serial", total_work(problem) + role_work(problem), true);
  bound.assumptions = "an op runs whenever the run is unfinished; op times at most their worst, overheads included";
  return bound;
}

Bound graham_bound(const TimingProblem& problem) {
  require_sound(problem);
  const Wide work = total_work(problem);
  const std::optional<std::uint32_t> only = find_only_bounded_class(problem);
  const auto refused = [](const char* reason) {
    return Bound{"graham", kUnknownPs, true, false, std::string("does not apply: ") + reason};
  };
  if (!only && work > 0) return refused("ops with time on several classes, or on delays");
  if (only && queues_ops(problem, *only)) {
    return refused("several cores queue ops, so that one may wait behind a busy core beside an idle one");
  }
  const Wide length = longest_worst_path(problem);
  const Wide value = only ? length + divide_up(work - length, problem.cores[*only]) + mutexed_work(problem, {}) : 0;
  Bound bound = make_bound(problem, "graham", finish_upper(problem, value), true);
  bound.assumptions = with_mutex_note(problem, std::string("identical cores; ") + kWorkConserving);
  return bound;
}

Bound long_paths_bound(const TimingProblem& problem) {
  Bound bound = graham_bound(problem);
  bound.name = "he2022";
  const std::optional<std::uint32_t> only = find_only_bounded_class(problem);
  if (!only || bound.bound_ps == kUnknownPs) return bound;
  if (mutexed_work(problem, {}) > 0) {
    return {"he2022", kUnknownPs, true, false,
            "does not apply: ops share a mutex, and may wait for it beside idle cores"};
  }
  bound = make_bound(problem, "he2022", finish_upper(problem, long_paths_value(problem, problem.cores[*only])), true);
  bound.assumptions = std::string("identical cores; ") + kWorkConserving;
  return bound;
}

Bound typed_bound(const TimingProblem& problem) {
  require_sound(problem);
  const Wide value = std::min(typed_value(problem, QueueView::kOneCore), typed_value(problem, QueueView::kOpsAhead));
  Bound bound = make_bound(problem, "typed", finish_upper(problem, value), true);
  bound.assumptions = with_mutex_note(problem, std::string("each op bound to one class of cores; ") + kWorkConserving);
  for (std::uint32_t c = 0; c < problem.cores.size(); ++c) {
    if (!queues_ops(problem, c)) continue;
    bound.assumptions += "; an op joins the core with the shortest queue, and waits there beside idle ones";
    break;
  }
  return bound;
}

std::vector<Bound (*)(const TimingProblem&)> upper_bounds() {
  return {serial_bound, graham_bound, typed_bound, long_paths_bound};
}

std::vector<Bound> all_bounds(const TimingProblem& problem) {
  std::vector<Bound> bounds{critical_path(problem), work_per_core(problem)};
  for (const auto bound : upper_bounds()) {
    Bound made = bound(problem);
    const bool may_not_apply = bound == &graham_bound || bound == &long_paths_bound;
    if (!may_not_apply || made.bound_ps != kUnknownPs) bounds.push_back(std::move(made));
  }
  return bounds;
}

Verdict check_bound(std::uint64_t simulated_max_ps, const std::vector<Bound>& bounds) {
  Verdict verdict{Property::kBound, Outcome::kUnknown, "no upper bound is known", {}};
  const std::string maximum = format_time(simulated_max_ps);
  const std::string simulated = "simulated maximum " + maximum + " (an optimistic estimate)";
  for (const Bound& bound : bounds) {
    if (!bound.is_upper || bound.bound_ps == kUnknownPs) continue;
    const bool is_exceeded = simulated_max_ps > bound.bound_ps;
    const std::string limit = is_exceeded ? format_time(bound.bound_ps) : format_time_up(bound.bound_ps);
    std::string text = simulated + (is_exceeded ? " exceeds the " : " <= ") + bound.name + " bound " + limit;
    if (is_exceeded && limit == maximum) text += " by " + format_time(simulated_max_ps - bound.bound_ps);
    if (is_exceeded) {
      verdict.outcome = Outcome::kViolated;
      verdict.witnesses.push_back({text + "; assumptions: " + bound.assumptions, {}, {}});
    }
    if (verdict.outcome == Outcome::kUnknown) verdict.outcome = Outcome::kHolds;
    if (verdict.outcome == Outcome::kHolds || verdict.witnesses.size() == 1) verdict.summary = text;
  }
  return verdict;
}

}  // namespace detent::verify
