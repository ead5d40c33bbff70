// Checks and sums over a TimingProblem that every bound needs.
#include "verify/timing/problem_dag.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

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
  const auto is_op = [&](std::uint32_t op) { return op < problem.ops.size(); };
  require(std::all_of(problem.targets.begin(), problem.targets.end(), is_op), "every target is an op");
  for (const TimedOp& op : problem.ops) require(op.core_class < problem.cores.size(), "every core class is listed");
  for (const auto& holders : problem.exclusive) {
    require(std::all_of(holders.begin(), holders.end(), is_op), "every holder of a mutex is an op");
  }
}

std::vector<std::uint32_t> sort_topologically(const TimingProblem& problem) {
  std::vector<std::uint32_t> waiting(problem.ops.size(), 0);
  for (const std::uint32_t target : problem.targets) ++waiting[target];
  std::vector<std::uint32_t> order;
  for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
    if (waiting[op] == 0) order.push_back(op);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t k = problem.first[order[i]]; k < problem.first[order[i] + 1]; ++k) {
      if (--waiting[problem.targets[k]] == 0) order.push_back(problem.targets[k]);
    }
  }
  require(order.size() == problem.ops.size(), "the ops form a DAG (there is a cycle)");
  return order;
}

/// Work of the ops that share a mutex with another op; each op once.
Wide mutexed_work(const TimingProblem& problem) {
  std::vector<bool> counted(problem.ops.size(), false);
  Wide sum = 0;
  for (const auto& holders : problem.exclusive) {
    if (holders.size() < 2) continue;
    for (const std::uint32_t op : holders) {
      if (!counted[op]) sum += problem.ops[op].worst_ps;
      counted[op] = true;
    }
  }
  return sum;
}

bool has_unknown_time(const TimingProblem& problem) {
  return problem.fixed_ps == kUnknownPs || std::any_of(problem.ops.begin(), problem.ops.end(),
                                                       [](const TimedOp& op) { return op.worst_ps == kUnknownPs; });
}

Wide divide_up(Wide value, Wide divisor) { return value / divisor + (value % divisor != 0 ? 1 : 0); }

/// Common denominator of all core counts, or 0 when it is unreasonably large.
std::uint64_t common_denominator(const TimingProblem& problem) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  std::uint64_t denominator = 1;
  for (const std::uint32_t cores : problem.cores) {
    if (cores == 0) continue;
    denominator = denominator / std::gcd(denominator, std::uint64_t{cores}) * cores;
    if (denominator > kLargest) return 0;
  }
  return denominator;
}

}  // namespace detent::verify
