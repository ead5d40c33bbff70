// Checks and sums over a TimingProblem that every bound needs.
#include "verify/timing/problem_dag.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace detent::verify {
namespace {

void require(bool fact, const char* what) {
  if (!fact) throw std::invalid_argument(std::string("timing problem: ") + what);
}

}  // namespace

void require_sound(const TimingProblem& problem) {
  require(problem.first.size() == problem.ops.size() + 1, "first has one entry per op and one more");
  require(problem.first.front() == 0 && problem.first.back() == problem.targets.size(), "first covers targets");
  require(std::is_sorted(problem.first.begin(), problem.first.end()), "first does not descend");
  const auto is_op = [&](OpId op) { return op < problem.ops.size(); };
  require(std::all_of(problem.targets.begin(), problem.targets.end(), is_op), "every target is an op");
  require(problem.queue_depth.empty() || problem.queue_depth.size() == problem.cores.size(), "a depth per class");
  for (const TimedOp& op : problem.ops) require(op.core_class < problem.cores.size(), "every core class is listed");
  for (const auto& holders : problem.exclusive) {
    require(std::all_of(holders.begin(), holders.end(), is_op), "every holder of a mutex is an op");
  }
}

void require_order(const std::vector<std::uint32_t>& rank, std::size_t ops) {
  std::vector<std::uint32_t> sorted = rank;
  std::ranges::sort(sorted);
  const bool is_order = std::ranges::adjacent_find(sorted) == sorted.end();
  require(rank.empty() || (rank.size() == ops && is_order), "one rank per op, all different");
}

std::string outside_execution(const TimingProblem& problem) {
  if (has_unknown_time(problem)) return "an op's time is not known";
  Wide sum = problem.fixed_ps;
  for (const TimedOp& op : problem.ops) {
    if (op.role_ps != 0)
      return "the scheduler takes time, which delays ops beside their own; give --no-overheads or --cores";
    if (op.best_ps > op.worst_ps) return "an op's best time is above its worst";
    if (depth_of(problem, op.core_class) > 1) return "cores of a class queue ops";
    sum += op.worst_ps;
  }
  if (sum > Wide{1} << 61U) return "times add up to more than 2^61 ps";
  return "";
}

std::vector<std::uint32_t> sort_topologically(const TimingProblem& problem) {
  std::vector<std::uint32_t> waiting(problem.ops.size(), 0);
  for (const std::uint32_t target : problem.targets) ++waiting[target];
  std::vector<std::uint32_t> order;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    if (waiting[op] == 0) order.push_back(op);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t k = problem.first[order[i]]; k < problem.first[order[i] + 1]; ++k) {
      if (--waiting[problem.targets[k]] == 0) order.push_back(problem.targets[k]);
    }
  }
  require(order.size() == problem.ops.size(),
          "ops wait for one another in a cycle, so that no run ends; detent verify names it");
  return order;
}

Wide take_longest_path(const TimingProblem& problem, const std::vector<std::uint32_t>& order, std::vector<Wide>& left) {
  std::vector<Wide> path(left.size(), 0);          // longest that ends with the op
  std::vector<std::uint32_t> before(left.size());  // op before it on that path; itself: none
  OpId last = 0;
  for (OpId op = 0; op < left.size(); ++op) before[op] = op;
  for (const OpId op : order) {
    path[op] += left[op];
    if (path[op] > path[last]) last = op;
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      const OpId next = problem.targets[k];
      if (path[op] <= path[next]) continue;
      path[next] = path[op];
      before[next] = op;
    }
  }
  const Wide length = left.empty() ? 0 : path[last];
  for (OpId op = last; length > 0; op = before[op]) {
    left[op] = 0;
    if (before[op] == op) break;
  }
  return length;
}

Wide mutexed_work(const TimingProblem& problem, const std::vector<Wide>& ahead_ps) {
  std::vector<bool> counted(problem.ops.size(), false);
  Wide sum = 0;
  for (const auto& holders : problem.exclusive) {
    if (holders.size() < 2) continue;
    for (const OpId op : holders) {
      if (!counted[op]) sum += problem.ops[op].worst_ps + (ahead_ps.empty() ? 0 : ahead_ps[op]);
      counted[op] = true;
    }
  }
  return sum;
}

bool has_unknown_time(const TimingProblem& problem) {
  return problem.fixed_ps == kUnknownPs || std::any_of(problem.ops.begin(), problem.ops.end(), [](const TimedOp& op) {
           return op.worst_ps == kUnknownPs || op.role_ps == kUnknownPs;
         });
}

Wide divide_up(Wide value, Wide divisor) { return value / divisor + (value % divisor != 0 ? 1 : 0); }

std::uint64_t common_denominator(const std::vector<std::uint32_t>& cores) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  std::uint64_t denominator = 1;
  for (const std::uint32_t count : cores) {
    if (count == 0) continue;
    denominator = denominator / std::gcd(denominator, std::uint64_t{count}) * count;
    if (denominator > kLargest) return 0;
  }
  return denominator;
}

std::vector<std::uint64_t> core_shares(const std::vector<std::uint32_t>& cores, std::uint64_t scale) {
  std::vector<std::uint64_t> shares;
  for (const std::uint32_t count : cores) shares.push_back(count == 0 ? 0 : scale / count);
  return shares;
}

std::uint32_t depth_of(const TimingProblem& problem, std::uint32_t core_class) {
  return problem.queue_depth.empty() ? 1 : problem.queue_depth[core_class];
}

namespace {

/// Sum of the `count` longest ops of a class, per op of it without the op itself.
void add_longest_others(const TimingProblem& problem, std::uint32_t core_class, std::size_t count,
                        std::vector<Wide>& ahead_ps) {
  std::vector<std::uint32_t> ops;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    if (problem.ops[op].core_class == core_class) ops.push_back(op);
  }
  std::sort(ops.begin(), ops.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(problem.ops[b].worst_ps, a) < std::pair(problem.ops[a].worst_ps, b);
  });
  Wide longest = 0;
  for (std::size_t i = 0; i < std::min(count, ops.size()); ++i) longest += problem.ops[ops[i]].worst_ps;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ahead_ps[ops[i]] = longest;
    if (i >= count) continue;
    ahead_ps[ops[i]] -= problem.ops[ops[i]].worst_ps;
    if (count < ops.size()) ahead_ps[ops[i]] += problem.ops[ops[count]].worst_ps;
  }
}

}  // namespace

QueuedClasses look_at_queues(const TimingProblem& problem, QueueView view) {
  QueuedClasses queued{problem.cores, std::vector<Wide>(problem.ops.size(), 0)};
  for (std::uint32_t c = 0; c < problem.cores.size(); ++c) {
    const std::uint32_t depth = depth_of(problem, c);
    if (depth < 2 || problem.cores[c] < 2) continue;
    if (view == QueueView::kOneCore) {
      queued.cores[c] = 1;
    } else {
      add_longest_others(problem, c, depth - 1, queued.ahead_ps);
    }
  }
  return queued;
}

}  // namespace detent::verify
