// Timing problems as problems of the list scheduler (tests/support).
#include "tests/verify/timing/list_schedule.hpp"

#include <algorithm>
#include <numeric>

#include "tests/support/list_schedule.hpp"
#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {
namespace {

support::ListSchedule schedule_of(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                                  const std::vector<std::uint64_t>& times_ps,
                                  const std::vector<std::uint32_t>& tie_rank) {
  support::ListProblem list{.ops = {}, .cores = problem.cores, .begin_ps = problem.fixed_ps};
  std::replace(list.cores.begin(), list.cores.end(), 0U, support::kUnbounded);
  for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
    list.ops.push_back(
        {.duration_ps = times_ps[op],
         .core_class = problem.ops[op].core_class,
         .rank = rank[op],
         .tie_rank = tie_rank[op],
         .successors = {problem.targets.begin() + problem.first[op], problem.targets.begin() + problem.first[op + 1]},
         .mutexes = {}});
  }
  for (std::uint32_t mutex = 0; mutex < problem.exclusive.size(); ++mutex) {
    for (const std::uint32_t op : problem.exclusive[mutex]) list.ops[op].mutexes.push_back(mutex);
  }
  return support::list_schedule(list);
}

}  // namespace

std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps, const std::vector<std::uint32_t>& tie_rank) {
  return schedule_of(problem, rank, times_ps, tie_rank).makespan_ps;
}

std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps) {
  return list_schedule(problem, rank, times_ps, rank);
}

std::vector<std::uint64_t> list_completions(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                                            const std::vector<std::uint64_t>& times_ps,
                                            const std::vector<std::uint32_t>& tie_rank) {
  return schedule_of(problem, rank, times_ps, tie_rank).end_ps;
}

TimingProblem make_problem(const std::vector<std::uint64_t>& worst_ps,
                           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, std::uint32_t cores) {
  TimingProblem problem;
  problem.cores = {cores};
  problem.first.push_back(0);
  for (std::uint32_t op = 0; op < worst_ps.size(); ++op) {
    problem.ops.push_back({worst_ps[op], worst_ps[op], 0});
    for (const auto& [from, to] : edges) {
      if (from == op) problem.targets.push_back(to);
    }
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  return problem;
}

TimingProblem make_random_problem(std::uint64_t seed, std::uint32_t most_ops) {
  Random random{seed};
  const std::uint32_t count = 1 + random.below(most_ops);
  std::vector<std::uint64_t> worst(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  const std::uint32_t percent = 5 + random.below(50);
  for (std::uint32_t a = 0; a < count; ++a) {
    worst[a] = random.below(20);
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (random.below(100) < percent) edges.emplace_back(a, b);
    }
  }
  TimingProblem problem = make_problem(worst, edges, 1);
  problem.fixed_ps = random.below(3);
  problem.cores.clear();
  for (std::uint32_t classes = 1 + random.below(3); classes > 0; --classes)
    problem.cores.push_back(1 + random.below(4));
  if (problem.cores.size() > 1 && random.below(2) == 0) problem.cores.back() = 0;
  for (TimedOp& op : problem.ops) {
    op.best_ps = random.below(static_cast<std::uint32_t>(op.worst_ps) + 1);
    op.core_class = random.below(static_cast<std::uint32_t>(problem.cores.size()));
  }
  problem.exclusive.resize(random.below(3));
  for (auto& holders : problem.exclusive) {
    for (std::uint32_t op = 0; op < count; ++op) {
      if (random.below(4) == 0) holders.push_back(op);
    }
  }
  return problem;
}

std::vector<std::uint32_t> identity_rank(std::size_t count) {
  std::vector<std::uint32_t> rank(count);
  std::iota(rank.begin(), rank.end(), 0U);
  return rank;
}

std::vector<std::uint32_t> random_rank(std::uint64_t seed, std::size_t count) {
  std::vector<std::uint32_t> rank = identity_rank(count);
  Random random{seed};
  for (std::size_t i = count; i-- > 1;) std::swap(rank[i], rank[random.below(static_cast<std::uint32_t>(i + 1))]);
  return rank;
}

}  // namespace detent::verify::testing
