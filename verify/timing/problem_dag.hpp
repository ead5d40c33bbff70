// Checks and sums over a TimingProblem that every bound needs. Internal to verify/timing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// Sums of times: 128 bits hold the sum of any number of 64-bit times that fits memory.
__extension__ using Wide = unsigned __int128;

/// @throws std::invalid_argument  tables of wrong length, an index outside its table
void require_sound(const TimingProblem& problem);
/// @throws std::invalid_argument  ranks are given, and are not one per op, all different
void require_order(const std::vector<std::uint32_t>& rank, std::size_t ops);
/// Why the definition of execution does not cover a problem, or times are beyond its analyses; empty: it does.
std::string outside_execution(const TimingProblem& problem);
/// Op ids in a topological order. @throws std::invalid_argument  a cycle
std::vector<std::uint32_t> sort_topologically(const TimingProblem& problem);
/// Takes the longest path of what is left, op by op from its end; they count nothing after that. @return  its length
Wide take_longest_path(const TimingProblem& problem, const std::vector<std::uint32_t>& order, std::vector<Wide>& left);
/// Work of the ops that share a mutex with another op; each op once, with what may stand before it in its core's queue.
/// @param ahead_ps  [ops], or empty: none
Wide mutexed_work(const TimingProblem& problem, const std::vector<Wide>& ahead_ps);
/// Is fixed_ps, a worst time or a scheduler's time kUnknownPs?
bool has_unknown_time(const TimingProblem& problem);
/// value / divisor, rounded up.
Wide divide_up(Wide value, Wide divisor);
/// Common denominator of all core counts (0 counts as 1), or 0 when it is unreasonably large.
std::uint64_t common_denominator(const std::vector<std::uint32_t>& cores);
/// scale / cores of each class, 0 for unbounded ones. scale is a multiple of all counts.
std::vector<std::uint64_t> core_shares(const std::vector<std::uint32_t>& cores, std::uint64_t scale);

/// Ops that a core of the class accepts at once.
std::uint32_t depth_of(const TimingProblem& problem, std::uint32_t core_class);

/// Two ways to count cores that queue ops. An op joins the core with the fewest, so it has at most depth - 1 before it,
/// and waits there although another core may be idle. Each is safe, so the lower result counts.
enum class QueueView : std::uint8_t {
  kOneCore,   ///< while an op waits, some core of its class works: the class is one core
  kOpsAhead,  ///< all cores work until the op has joined one; then at most depth - 1 ops of its class go before it
};
struct QueuedClasses {
  std::vector<std::uint32_t> cores;  ///< that count, per class
  std::vector<Wide> ahead_ps;        ///< [ops] longest time of the ops that may stand before it
};
QueuedClasses look_at_queues(const TimingProblem& problem, QueueView view);

/// Per op the largest sum of `weight(op)` over a path that ends with the op, the op included.
template <typename Weight>
std::vector<Wide> prefix_paths(const TimingProblem& problem, const std::vector<std::uint32_t>& order, Weight weight) {
  std::vector<Wide> path(problem.ops.size(), 0);
  for (const OpId op : order) {
    path[op] += weight(op);
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
      Wide& next = path[problem.targets[k]];
      next = next < path[op] ? path[op] : next;
    }
  }
  return path;
}

}  // namespace detent::verify
