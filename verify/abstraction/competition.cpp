#include "verify/abstraction/competition.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {

Competition::Competition(const TimingProblem& problem, ReadyOrder order)
    : problem_(problem),
      order_(std::move(order)),
      words_(problem.ops.size() <= kMostOps ? (problem.ops.size() + 63) / 64 : 0),
      before_(problem.ops.size()),
      mutexes_(problem.ops.size()),
      scarce_(problem.cores.size(), false),
      never_waits_(problem.ops.size(), false) {
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) before_[problem.targets[k]].push_back(op);
  }
  for (std::uint32_t mutex = 0; mutex < problem.exclusive.size(); ++mutex) {
    if (problem.exclusive[mutex].size() < 2) continue;
    for (const OpId op : problem.exclusive[mutex]) mutexes_[op].push_back(mutex);
  }
  if (order_.rank.empty()) {
    order_.rank.resize(problem.ops.size());
    std::iota(order_.rank.begin(), order_.rank.end(), 0U);
  }
  place_.resize(problem.ops.size());
  const std::vector<std::uint32_t> sorted = sort_topologically(problem);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) place_[sorted[i]] = i;
  const Bits ancestors = find_ancestors();
  find_never_waiting(ancestors);
  find_going_before(ancestors);
}

bool Competition::get(const Bits& rows, OpId row, OpId column) const {
  return words_ != 0 && (rows[row * words_ + column / 64] >> (column % 64) & 1U) != 0;
}

void Competition::set(Bits& rows, OpId row, OpId column) const {
  rows[row * words_ + column / 64] |= std::uint64_t{1} << (column % 64);
}

Competition::Bits Competition::find_ancestors() const {
  Bits rows(problem_.ops.size() * words_, 0);
  if (words_ == 0) return rows;
  for (const OpId op : sort_topologically(problem_)) {
    for (const OpId p : before_[op]) {
      for (std::size_t w = 0; w < words_; ++w) rows[op * words_ + w] |= rows[p * words_ + w];
      set(rows, op, p);
    }
  }
  return rows;
}

/// So many paths hold all `ops`: of those that no path orders there are no more. As few as there can be (Dilworth)
/// where a matching between ops and their ancestors is the largest (Kuhn).
std::size_t Competition::paths_of(const std::vector<OpId>& ops, const Bits& ancestors) const {
  constexpr std::size_t kNone = SIZE_MAX, kMostMatched = 500;
  std::vector<std::size_t> next(ops.size(), kNone);  // by op: who follows it on its path
  std::vector<bool> seen;
  const std::function<bool(std::size_t)> follows = [&](std::size_t i) {
    for (std::size_t p = ops.size(); p-- > 0;) {
      if (next[p] != kNone || !get(ancestors, ops[i], ops[p])) continue;
      next[p] = i;
      return true;
    }
    for (std::size_t p = 0; p < ops.size() && ops.size() <= kMostMatched; ++p) {
      if (seen[p] || !get(ancestors, ops[i], ops[p])) continue;
      seen[p] = true;
      if (!follows(next[p])) continue;
      next[p] = i;
      return true;
    }
    return false;
  };
  std::size_t paths = ops.size();
  for (std::size_t i = 0; i < ops.size(); ++i) {
    seen.assign(ops.size(), false);
    if (follows(i)) --paths;
  }
  return paths;
}

void Competition::find_never_waiting(const Bits& ancestors) {
  for (std::uint32_t c = 0; c < problem_.cores.size(); ++c) {
    std::vector<OpId> ops;
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      if (problem_.ops[op].core_class == c) ops.push_back(op);
    }
    const std::uint32_t cores = problem_.cores[c];
    scarce_[c] = cores != 0 && ops.size() > cores && (words_ == 0 || paths_of(ops, ancestors) > cores);
    for (const OpId op : ops) never_waits_[op] = !scarce_[c] && mutexes_[op].empty();
  }
}

/// Has every one of `others` ended before the last predecessor of the op ends?
bool Competition::needs_every(OpId op, const std::vector<OpId>& others, const Bits& ancestors) const {
  return !before_[op].empty() && std::ranges::all_of(others, [&](OpId other) {
    return std::ranges::any_of(before_[op], [&](OpId p) { return get(ancestors, p, other); });
  });
}

/// An op is ready from the end of the last of its predecessors on. Where all predecessors of `first` are ancestors of
/// `op`, it is ready no later; where they end before the last predecessor of `op` does, it is ready earlier.
void Competition::find_going_before(const Bits& ancestors) {
  goes_before_.assign(problem_.ops.size() * words_, 0);
  if (words_ == 0) return;
  for (OpId op = 0; op < problem_.ops.size(); ++op) {
    for (OpId first = 0; first < problem_.ops.size(); ++first) {
      if (first == op || problem_.ops[first].core_class != problem_.ops[op].core_class) continue;
      const bool is_ready_too = std::ranges::all_of(before_[first], [&](OpId p) { return get(ancestors, op, p); });
      const bool goes =
          rank(first) < rank(op) ? is_ready_too : by_arrival() && needs_every(op, before_[first], ancestors);
      if (goes) set(goes_before_, first, op);
    }
  }
}

}  // namespace detent::verify
