#include "verify/timing/segments.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr std::size_t kMostOps = 20'000;

/// How many ops precede each op.
std::vector<std::size_t> count_ancestors(const TimingProblem& problem, const std::vector<std::uint32_t>& order) {
  const std::size_t words = (problem.ops.size() + 63) / 64;
  std::vector<std::uint64_t> above(problem.ops.size() * words, 0);
  std::vector<std::size_t> counts(problem.ops.size(), 0);
  for (const OpId op : order) {
    std::uint64_t* const mine = &above[op * words];
    for (std::size_t w = 0; w < words; ++w) counts[op] += static_cast<std::size_t>(std::popcount(mine[w]));
    mine[op / 64] |= std::uint64_t{1} << (op % 64);
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      std::uint64_t* const next = &above[problem.targets[k] * words];
      for (std::size_t w = 0; w < words; ++w) next[w] |= mine[w];
    }
  }
  return counts;
}

TimingProblem reversed(const TimingProblem& problem) {
  TimingProblem made;
  made.ops = problem.ops;
  made.first.assign(problem.ops.size() + 1, 0);
  for (const std::uint32_t target : problem.targets) ++made.first[target + 1];
  for (std::size_t i = 1; i < made.first.size(); ++i) made.first[i] += made.first[i - 1];
  made.targets.resize(problem.targets.size());
  std::vector<std::uint32_t> place(made.first.begin(), made.first.end() - 1);
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      made.targets[place[problem.targets[k]]++] = op;
    }
  }
  return made;
}

class Segments {
 public:
  explicit Segments(const TimingProblem& problem)
      : problem_(problem),
        has_mutex_(problem.ops.size(), false),
        is_between_(problem.ops.size(), false),
        path_(problem.ops.size(), kNone) {
    for (const auto& holders : problem.exclusive) {
      for (const OpId op : holders) has_mutex_[op] = has_mutex_[op] || holders.size() > 1;
    }
  }

  /// Paths that hold all ops, each continued greedily; by class those that lead through it.
  bool is_free(const std::vector<OpId>& between) {
    if (std::ranges::any_of(between, [&](OpId op) { return has_mutex_[op]; })) return false;
    std::vector<std::vector<bool>> passes;  // by path, by class
    for (const OpId op : between) is_between_[op] = true;
    for (const OpId op : between) {
      if (path_[op] == kNone) {
        path_[op] = passes.size();
        passes.emplace_back(problem_.cores.size(), false);
      }
      passes[path_[op]][problem_.ops[op].core_class] = true;
      continue_path(op);
    }
    for (const OpId op : between) is_between_[op] = false;
    for (std::size_t c = 0; c < problem_.cores.size(); ++c) {
      const auto count = std::ranges::count_if(passes, [&](const auto& path) { return path[c]; });
      if (problem_.cores[c] != 0 && static_cast<std::uint32_t>(count) > problem_.cores[c]) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  void continue_path(OpId op) {
    for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
      std::size_t& next = path_[problem_.targets[k]];
      if (next != kNone || !is_between_[problem_.targets[k]]) continue;
      next = path_[op];
      return;
    }
  }

  const TimingProblem& problem_;
  std::vector<bool> has_mutex_;
  std::vector<bool> is_between_;
  std::vector<std::size_t> path_;  // by op
};

}  // namespace

std::vector<FreeSegment> free_segments(const TimingProblem& problem) {
  if (problem.ops.size() > kMostOps) return {};
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  const std::vector<std::size_t> above = count_ancestors(problem, order);
  const TimingProblem back = reversed(problem);
  const std::vector<std::size_t> below = count_ancestors(back, sort_topologically(back));
  std::vector<OpId> by_depth(order.begin(),
                             order.end());  // a join op has as many before it as its place in any topological order
  std::ranges::stable_sort(by_depth, {}, [&](OpId op) { return above[op]; });
  std::vector<FreeSegment> found;
  Segments segments(problem);
  FreeSegment open;
  bool is_open = false;
  for (const OpId op : by_depth) {
    const bool is_join = above[op] + below[op] + 1 == problem.ops.size();
    if (!is_join) {
      open.between.push_back(op);
      continue;
    }
    open.to = op;
    if (is_open && !open.between.empty() && segments.is_free(open.between)) found.push_back(open);
    open = {op, op, {}};
    is_open = true;
  }
  std::ranges::sort(found, {}, &FreeSegment::from);
  return found;
}

}  // namespace detent::verify
