// Laws of bounds: no list schedule exceeds one, whatever the ranks and times. Closed loop, bare cores.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "properties/law.hpp"
#include "tests/verify/random_graph.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/budget.hpp"
#include "verify/timing/problem.hpp"
#include "verify/timing/response.hpp"

namespace detent::laws {
namespace {

using verify::testing::list_completions;
using verify::testing::list_schedule;
using verify::testing::random_rank;

constexpr GraphOptions kTimed{.graph = {.most_ops = 20, .mutexes = true, .npu = true, .delays = true}};

verify::TimingProblem problem_of(const models::LoweredModel& model, const GraphCase& g) {
  verify::TimingInputs inputs;
  inputs.cores = cores_of(model.desc(), g);
  return verify::make_timing_problem(model.desc(), inputs);
}

/// A time of each op's range.
std::vector<std::uint64_t> draw_times(const verify::TimingProblem& problem, verify::testing::Random& random) {
  std::vector<std::uint64_t> times;
  for (const verify::TimedOp& op : problem.ops) {
    times.push_back(op.best_ps + random.below(static_cast<std::uint32_t>(op.worst_ps - op.best_ps) + 1));
  }
  return times;
}

/// Of the list schedule that the case's seed ranks, all ops taking their worst time.
std::uint64_t worst_makespan(const verify::TimingProblem& problem, const GraphCase& g) {
  std::vector<std::uint64_t> times;
  for (const verify::TimedOp& op : problem.ops) times.push_back(op.worst_ps);
  return list_schedule(problem, random_rank(g.seed, times.size()), times);
}

RC_GTEST_PROP(ListBoundLaw, NoListScheduleExceedsABound, ()) {
  law_of(graphs(kTimed), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::TimingProblem problem = problem_of(model, g);
    const std::vector<verify::Bound> bounds = verify::all_bounds(problem);
    verify::testing::Random random{g.seed};
    for (int round = 0; round < 8; ++round) {
      const auto rank = random_rank(random.next(), problem.ops.size());
      const auto tie_rank = random_rank(random.next(), problem.ops.size());
      const std::uint64_t makespan_ps = list_schedule(problem, rank, draw_times(problem, random), tie_rank);
      RC_ASSERT(verify::check_bound(makespan_ps, bounds).outcome == verify::Outcome::kHolds);
    }
  });
}

RC_GTEST_PROP(ListBoundLaw, NoOpCompletesOutsideItsResponse, ()) {
  law_of(graphs(kTimed), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::TimingProblem problem = problem_of(model, g);
    const std::vector<verify::Response> responses = verify::response_bounds(problem);
    const std::vector<verify::Response> coarse = verify::response_bounds(problem, {.exact_ops = 0});
    verify::testing::Random random{g.seed};
    for (int round = 0; round < 8; ++round) {
      const auto rank = random_rank(random.next(), problem.ops.size());
      const auto times = draw_times(problem, random);
      const auto ends_ps = list_completions(problem, rank, times, random_rank(random.next(), problem.ops.size()));
      for (std::size_t op = 0; op < ends_ps.size(); ++op) {
        RC_ASSERT(responses[op].min_ps <= ends_ps[op]);
        RC_ASSERT(ends_ps[op] <= responses[op].max_ps);
        RC_ASSERT(responses[op].max_ps <= coarse[op].max_ps);
      }
    }
  });
}

RC_GTEST_PROP(ListBoundLaw, LowerBoundsHoldWhenAllOpsTakeTheirWorstTime, ()) {
  law_of(graphs(kTimed), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::TimingProblem problem = problem_of(model, g);
    const std::uint64_t makespan_ps = worst_makespan(problem, g);
    for (const verify::Bound& bound : verify::all_bounds(problem)) {
      if (!bound.is_upper) RC_ASSERT(bound.bound_ps <= makespan_ps);
    }
  });
}

RC_GTEST_PROP(ListBoundLaw, OneCoreTakesExactlyTheSerialBound, ()) {
  law_of(graphs({.graph = {.most_ops = 20}, .most_workers = 1}), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::TimingProblem problem = problem_of(model, g);
    const std::uint64_t makespan_ps = worst_makespan(problem, g);
    for (const verify::Bound& bound : verify::all_bounds(problem)) {
      if (bound.is_upper) RC_ASSERT(bound.bound_ps == makespan_ps);
    }
  });
}

/// Nothing of a bound is left over, whatever it counts.
RC_GTEST_PROP(ListBoundLaw, BudgetsSumToTheirBounds, ()) {
  law_of(graphs(kTimed), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::TimingProblem problem = problem_of(model, g);
    for (const verify::Bound& bound : verify::all_bounds(problem)) {
      if (!bound.is_upper) continue;
      const auto budget = verify::bound_budget(problem, bound.name);
      RC_ASSERT(budget.has_value());
      RC_ASSERT(verify::sum_ps(*budget) == bound.bound_ps);
      for (std::size_t op = 0; op < budget->ops.size(); ++op) {
        const std::uint64_t worst_ps = problem.ops[op].worst_ps;
        RC_ASSERT(budget->ops[op].path_ps == 0 || budget->ops[op].path_ps == worst_ps);
      }
    }
  });
}

/// Bounds grow with every time (schedules need not). Not he2022: with other times other paths are the longest.
RC_GTEST_PROP(ListBoundLaw, ShorterTimesNeverRaiseABound, ()) {
  law_of(graphs(kTimed), bound_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    verify::TimingProblem problem = problem_of(model, g);
    const std::vector<verify::Bound> before = verify::all_bounds(problem);
    for (verify::TimedOp& op : problem.ops) op.worst_ps = op.best_ps;
    const std::vector<verify::Bound> after = verify::all_bounds(problem);
    for (const verify::Bound& bound : before) {
      if (bound.name == "he2022") continue;
      const auto same = std::find_if(after.begin(), after.end(), [&](const auto& b) { return b.name == bound.name; });
      if (same != after.end()) RC_ASSERT(same->bound_ps <= bound.bound_ps);
    }
  });
}

}  // namespace
}  // namespace detent::laws
