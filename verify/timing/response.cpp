// TimingProblem -> completion bounds per op.
#include "verify/timing/response.hpp"

#include <algorithm>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

/// Scaled share of one core of each class: scale / cores, 0 for unbounded classes.
std::vector<std::uint64_t> core_shares(const TimingProblem& problem, std::uint64_t scale) {
  std::vector<std::uint64_t> shares;
  for (const std::uint32_t cores : problem.cores) shares.push_back(cores == 0 ? 0 : scale / cores);
  return shares;
}

/// Per op the largest sum of `weight` over a path that ends with the op, the op included.
template <typename Weight>
std::vector<Wide> prefix_paths(const TimingProblem& problem, const std::vector<std::uint32_t>& order, Weight weight) {
  std::vector<Wide> path(problem.ops.size(), 0);
  for (const std::uint32_t op : order) {
    path[op] += weight(problem.ops[op]);
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      path[problem.targets[k]] = std::max(path[problem.targets[k]], path[op]);
    }
  }
  return path;
}

/// Per op the sum of `value` over all ops that succeed it. 64 columns of the closure at a time, one word per op.
std::vector<Wide> successor_sums(const TimingProblem& problem, const std::vector<std::uint32_t>& order,
                                 const std::vector<Wide>& value) {
  const std::size_t count = problem.ops.size();
  std::vector<Wide> sums(count, 0);
  std::vector<std::uint64_t> reach(count);
  for (std::size_t begin = 0; begin < count; begin += 64) {
    const std::size_t end = std::min(begin + 64, count);
    std::ranges::fill(reach, 0);
    for (std::size_t i = end; i-- > 0;) {
      const std::uint32_t op = order[i];
      std::uint64_t word = 0;
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) word |= reach[problem.targets[k]];
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        sums[op] += value[order[begin + static_cast<std::size_t>(__builtin_ctzll(rest))]];
      }
      reach[op] = i >= begin ? word | std::uint64_t{1} << (i - begin) : word;
    }
  }
  return sums;
}

std::uint64_t narrowed(Wide value) { return value < kUnknownPs ? static_cast<std::uint64_t>(value) : kUnknownPs; }

}  // namespace

std::vector<Response> response_bounds(const TimingProblem& problem, std::uint32_t exact_ops) {
  require_sound(problem);
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  const std::uint64_t denominator = common_denominator(problem);
  const std::uint64_t scale = denominator == 0 ? 1 : denominator;
  // Without a common denominator every class counts as one core: looser, and still safe.
  const std::vector<std::uint64_t> shares =
      denominator == 0 ? std::vector<std::uint64_t>(problem.cores.size(), 1) : core_shares(problem, scale);

  std::vector<Wide> value;
  Wide total = 0;
  Wide serial = 0;
  for (const TimedOp& op : problem.ops) {
    value.push_back(Wide{op.worst_ps} * shares[op.core_class]);
    total += value.back();
    serial += op.worst_ps;
  }
  const std::vector<Wide> fastest = prefix_paths(problem, order, [](const TimedOp& op) { return Wide{op.best_ps}; });
  const std::vector<Wide> slowest = prefix_paths(
      problem, order, [&](const TimedOp& op) { return Wide{op.worst_ps} * (scale - shares[op.core_class]); });
  const bool is_small = problem.ops.size() <= exact_ops;
  const std::vector<Wide> later =
      is_small ? successor_sums(problem, order, value) : std::vector<Wide>(problem.ops.size(), 0);
  const bool is_known = !has_unknown_time(problem);
  const Wide mutexed = mutexed_work(problem);

  std::vector<Response> responses;
  for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
    const Wide bound = divide_up(slowest[op] + total - later[op], scale) + mutexed;
    const Wide most = std::min(bound, serial) + problem.fixed_ps;
    responses.push_back({op, narrowed(fastest[op]), is_known ? narrowed(most) : kUnknownPs});
  }
  return responses;
}

}  // namespace detent::verify
