// Laws of the schedule abstraction: no run leaves it, exact or played, whatever the ranks, times and limits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "properties/law.hpp"
#include "tests/verify/random_graph.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/abstraction/schedule_graph.hpp"
#include "verify/timing/exact.hpp"
#include "verify/timing/problem.hpp"

namespace detent::laws {
namespace {

using verify::AbstractionOptions;
using verify::AbstractTimes;
using verify::TimingProblem;

constexpr GraphOptions kTyped{.graph = {.most_ops = 14, .mutexes = true, .npu = true, .delays = true}};

TimingProblem typed_problem(const GraphCase& g) {
  const models::LoweredModel model = lowered(g);
  verify::TimingInputs inputs;
  inputs.cores = cores_of(model.desc(), g);
  return verify::make_timing_problem(model.desc(), inputs);
}

/// Widths of 1 to 3 and, in one of four cases, a limit that ends it early.
AbstractionOptions draw_options(const TimingProblem& problem, verify::testing::Random& random) {
  AbstractionOptions options{.order = {.rank = verify::testing::random_rank(random.next(), problem.ops.size())}};
  options.width = 1 + random.below(3);
  if (random.below(4) == 0) options.max_states = 1 + random.below(30);
  return options;
}

RC_GTEST_PROP(AbstractionLaw, HoldsTheExactTimesOfEveryOp, ()) {
  law_of(graphs(kTyped), bound_command, [](const GraphCase& g) {
    const TimingProblem problem = typed_problem(g);
    verify::testing::Random random{g.seed};
    for (const bool by_arrival : {false, true}) {
      AbstractionOptions options = draw_options(problem, random);
      options.order.by_arrival = by_arrival;
      const verify::ExactTimes exact = verify::exact_times(problem, {.order = options.order, .max_zones = 20'000});
      if (!exact.is_complete) continue;
      const AbstractTimes times = verify::abstract_times(problem, options);
      RC_ASSERT(exact.worst_ps <= times.worst_ps);
      RC_ASSERT(times.best_ps <= exact.best_ps);
      for (std::size_t op = 0; op < problem.ops.size(); ++op) {
        RC_ASSERT(exact.responses[op].max_ps <= times.responses[op].max_ps);
        RC_ASSERT(times.responses[op].min_ps <= exact.responses[op].min_ps);
      }
    }
  });
}

/// Of models that zones are too many for, too.
RC_GTEST_PROP(AbstractionLaw, NoListScheduleLeavesIt, ()) {
  GraphOptions large = kTyped;
  large.graph.most_ops = 40;
  law_of(graphs(large), bound_command, [](const GraphCase& g) {
    const TimingProblem problem = typed_problem(g);
    verify::testing::Random random{g.seed};
    AbstractionOptions options = draw_options(problem, random);
    options.max_states = std::min<std::uint64_t>(options.max_states, 2'000);
    const AbstractTimes times = verify::abstract_times(problem, options);
    for (int round = 0; round < 8; ++round) {
      std::vector<std::uint64_t> times_ps;
      for (const verify::TimedOp& op : problem.ops) {
        times_ps.push_back(op.best_ps + random.below(static_cast<std::uint32_t>(op.worst_ps - op.best_ps) + 1));
      }
      const auto ties = verify::testing::random_rank(random.next(), problem.ops.size());
      const auto ends_ps = verify::testing::list_completions(problem, options.order.rank, times_ps, ties);
      RC_ASSERT(*std::ranges::max_element(ends_ps) <= times.worst_ps);
      RC_ASSERT(times.best_ps <= *std::ranges::max_element(ends_ps));
      for (std::size_t op = 0; op < ends_ps.size(); ++op) {
        RC_ASSERT(times.responses[op].min_ps <= ends_ps[op]);
        RC_ASSERT(ends_ps[op] <= times.responses[op].max_ps);
      }
    }
  });
}

/// One op after another, whatever the cores: nothing is lost.
RC_GTEST_PROP(AbstractionLaw, ChainsAreExact, ()) {
  law_of(graphs(kTyped), bound_command, [](const GraphCase& g) {
    TimingProblem problem = typed_problem(g);
    const auto ops = static_cast<std::uint32_t>(problem.ops.size());
    problem.targets.clear();
    problem.first.assign(1, 0);
    for (std::uint32_t op = 0; op < ops; ++op) {
      if (op + 1 < ops) problem.targets.push_back(op + 1);
      problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
    }
    const AbstractTimes times = verify::abstract_times(problem);
    std::uint64_t best_ps = 0, worst_ps = 0;
    for (std::uint32_t op = 0; op < ops; ++op) {
      best_ps += problem.ops[op].best_ps;
      worst_ps += problem.ops[op].worst_ps;
      RC_ASSERT(times.responses[op].min_ps == best_ps);
      RC_ASSERT(times.responses[op].max_ps == worst_ps);
    }
    RC_ASSERT(times.best_ps == best_ps);
    RC_ASSERT(times.worst_ps == worst_ps);
  });
}

}  // namespace
}  // namespace detent::laws
