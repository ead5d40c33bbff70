#include "verify/timing/list_times.hpp"

#include <algorithm>

#include <detent/limits.h>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

std::uint64_t fitted(Wide time, bool is_known) {
  return is_known && time < kUnknownPs ? static_cast<std::uint64_t>(time) : kUnknownPs;
}

/// Is there a path from one op to another?
bool precedes(const TimingProblem& problem, OpId from, OpId to) {
  std::vector<bool> seen(problem.ops.size(), false);
  std::vector<OpId> open = {from};
  while (!open.empty() && !seen[to]) {
    const OpId op = open.back();
    open.pop_back();
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      const OpId next = problem.targets[k];
      if (!seen[next]) open.push_back(next);
      seen[next] = true;
    }
  }
  return seen[to];
}

}  // namespace

TimingProblem with_lists(const TimingProblem& problem, const std::vector<CoreList>& lists) {
  std::vector<std::uint32_t> next(problem.ops.size(), DETENT_NONE);
  for (const CoreList& list : lists) {
    for (std::size_t i = 1; i < list.ops.size(); ++i) next[list.ops[i - 1]] = list.ops[i];
  }
  TimingProblem made = problem;
  made.targets.clear();
  made.first.assign(1, 0);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    made.targets.insert(made.targets.end(), problem.targets.begin() + problem.first[op],
                        problem.targets.begin() + problem.first[op + 1]);
    if (next[op] != DETENT_NONE) made.targets.push_back(next[op]);
    made.first.push_back(static_cast<std::uint32_t>(made.targets.size()));
  }
  return made;
}

std::optional<std::pair<OpId, OpId>> find_unordered_holders(const TimingProblem& problem) {
  std::vector<std::uint32_t> place(problem.ops.size());
  std::uint32_t count = 0;
  for (const OpId op : sort_topologically(problem)) place[op] = count++;
  for (std::vector<std::uint32_t> holders : problem.exclusive) {
    std::ranges::sort(holders, {}, [&](OpId op) { return place[op]; });
    for (std::size_t i = 1; i < holders.size(); ++i) {
      if (!precedes(problem, holders[i - 1], holders[i])) return std::pair<OpId, OpId>(holders[i - 1], holders[i]);
    }
  }
  return std::nullopt;
}

ListTimes list_times(const TimingProblem& problem, const std::vector<CoreList>& lists) {
  require_sound(problem);
  const TimingProblem listed = with_lists(problem, lists);
  const std::vector<std::uint32_t> order = sort_topologically(listed);
  const std::vector<Wide> best = prefix_paths(listed, order, [&](OpId op) { return Wide{listed.ops[op].best_ps}; });
  const std::vector<Wide> worst = prefix_paths(listed, order, [&](OpId op) { return Wide{listed.ops[op].worst_ps}; });
  const bool is_known = !has_unknown_time(problem);
  ListTimes made;
  Wide first = 0, last = problem.fixed_ps;
  for (OpId op = 0; op < listed.ops.size(); ++op) {
    first = std::max(first, best[op]);
    last = std::max(last, worst[op] + problem.fixed_ps);
    made.responses.push_back({op, fitted(best[op], true), fitted(worst[op] + problem.fixed_ps, is_known)});
  }
  made.best_ps = fitted(first, true);
  made.worst_ps = fitted(last, is_known);
  made.unordered = find_unordered_holders(listed);
  return made;
}

}  // namespace detent::verify
