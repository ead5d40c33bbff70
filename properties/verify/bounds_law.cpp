// Laws of bounds: no list schedule exceeds one, whatever the ranks and times.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/verify/arbitrary.hpp"
#include "tests/verify/list_schedule.hpp"
#include "verify/timing/response.hpp"

namespace detent::verify {
namespace {

using namespace testing;

RC_GTEST_PROP(BoundsLaw, NoListScheduleExceedsABound, ()) {
  const TimingProblem problem = make_random_problem(*rc::gen::arbitrary<std::uint64_t>(), 25);
  Random random{*rc::gen::arbitrary<std::uint64_t>()};
  const std::vector<Bound> bounds = all_bounds(problem);
  for (int round = 0; round < 8; ++round) {
    const auto rank = random_rank(random.next(), problem.ops.size());
    const auto tie_rank = random_rank(random.next(), problem.ops.size());
    std::vector<std::uint64_t> times;
    for (const TimedOp& op : problem.ops) {
      times.push_back(op.best_ps + random.below(static_cast<std::uint32_t>(op.worst_ps - op.best_ps) + 1));
    }
    RC_ASSERT(check_bound(list_schedule(problem, rank, times, tie_rank), bounds).outcome == Outcome::kHolds);
  }
}

RC_GTEST_PROP(BoundsLaw, NoOpCompletesOutsideItsResponse, ()) {
  const TimingProblem problem = make_random_problem(*rc::gen::arbitrary<std::uint64_t>(), 25);
  Random random{*rc::gen::arbitrary<std::uint64_t>()};
  const std::vector<Response> responses = response_bounds(problem);
  const std::vector<Response> coarse = response_bounds(problem, 0);
  for (int round = 0; round < 8; ++round) {
    const auto rank = random_rank(random.next(), problem.ops.size());
    std::vector<std::uint64_t> times;
    for (const TimedOp& op : problem.ops) {
      times.push_back(op.best_ps + random.below(static_cast<std::uint32_t>(op.worst_ps - op.best_ps) + 1));
    }
    const auto ends_ps = list_completions(problem, rank, times, random_rank(random.next(), problem.ops.size()));
    for (std::size_t op = 0; op < ends_ps.size(); ++op) {
      RC_ASSERT(responses[op].min_ps <= ends_ps[op]);
      RC_ASSERT(ends_ps[op] <= responses[op].max_ps);
      RC_ASSERT(responses[op].max_ps <= coarse[op].max_ps);
    }
  }
}

RC_GTEST_PROP(BoundsLaw, LowerBoundsHoldWhenAllOpsTakeTheirWorstTime, ()) {
  const TimingProblem problem = make_random_problem(*rc::gen::arbitrary<std::uint64_t>(), 25);
  const auto rank = random_rank(*rc::gen::arbitrary<std::uint64_t>(), problem.ops.size());
  std::vector<std::uint64_t> times;
  for (const TimedOp& op : problem.ops) times.push_back(op.worst_ps);
  const std::uint64_t makespan_ps = list_schedule(problem, rank, times);
  for (const Bound& bound : all_bounds(problem)) {
    if (!bound.is_upper) RC_ASSERT(bound.bound_ps <= makespan_ps);
  }
}

RC_GTEST_PROP(BoundsLaw, OneCoreTakesExactlyTheSerialBound, ()) {
  const auto times =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 1000)));
  const TimingProblem problem = make_problem(times, pick_edges(static_cast<std::uint32_t>(times.size())), 1);
  const std::uint64_t makespan_ps = list_schedule(problem, identity_rank(times.size()), times);
  for (const Bound& bound : all_bounds(problem)) {
    if (bound.is_upper) RC_ASSERT(bound.bound_ps == makespan_ps);
  }
}

}  // namespace
}  // namespace detent::verify
