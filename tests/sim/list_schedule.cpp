#include "tests/sim/list_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace detent::sim::test {
namespace {

/// By op: its place among all in the order of (priority, id).
std::vector<std::uint64_t> completion_ranks(const Graph& graph) {
  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(graph[a].priority, a) < std::tuple(graph[b].priority, b);
  });
  std::vector<std::uint64_t> ranks(graph.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

}  // namespace

support::ListSchedule list_schedule(const Graph& graph, const std::vector<std::uint64_t>& durations_ps,
                                    const std::vector<std::uint32_t>& cores, const std::vector<std::uint64_t>& rank,
                                    bool by_arrival) {
  support::ListProblem problem;
  problem.by_arrival = by_arrival;
  problem.cores = cores;
  problem.cores.resize(4, 0);
  problem.cores[kDelay] = support::kUnbounded;
  const std::vector<std::uint64_t> tie_ranks = completion_ranks(graph);
  for (std::size_t op = 0; op < graph.size(); ++op) {
    problem.ops.push_back({.duration_ps = durations_ps[op],
                           .core_class = graph[op].core_class,
                           .rank = rank[op],
                           .tie_rank = tie_ranks[op],
                           .successors = graph[op].successors,
                           .mutexes = graph[op].mutexes});
  }
  return support::list_schedule(problem);
}

}  // namespace detent::sim::test
