// Laws of op-level exploration.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "properties/verify/arbitrary.hpp"
#include "tests/verify/explore/ops_by_force.hpp"
#include "verify/explore/ops_count.hpp"
#include "verify/explore/ops_coverage.hpp"
#include "verify/explore/ops_explore.hpp"
#include "verify/explore/ops_reach.hpp"
#include "verify/explore/ops_strategy.hpp"
#include "verify/schedule.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescSpec;
using testing::DescTables;
using testing::pick_below;
using testing::pick_spec;

RC_GTEST_PROP(TraceLaw, CountsEqualForceAndEachOther, ()) {
  const DescSpec spec = pick_spec({.most_ops = 7, .mutexes = true});
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  const Count128 force = testing::TracesByForce(spec).traces();
  RC_ASSERT(count_traces(space.graph()).total == force);
  RC_ASSERT(count_by_recurrence(space.graph(), 1 << 16).total == force);
  RC_ASSERT(count_by_enumeration(space.graph(), UINT64_MAX).total == force);
}

RC_GTEST_PROP(TraceLaw, OneTraceExactlyWhereNoPairIsOpen, ()) {
  const DescTables tables(pick_spec({.most_ops = 12, .mutexes = true}));
  const OpSpace space(tables.desc);
  RC_ASSERT((count_traces(space.graph()).total == 1) == space.pairs().empty());
}

RC_GTEST_PROP(TraceLaw, EqualTracesGiveEqualBytes, ()) {
  const DescTables tables(pick_spec({.most_ops = 8}));
  const OpSpace space(tables.desc);
  OpRunner runner(tables.desc, {.input_seed = 0, .backends = {}, .observe = true, .skipped = {}});
  if (runner.error().status != DETENT_OK) return;
  OpCoverage coverage(space);
  std::map<std::uint64_t, std::pair<std::uint64_t, std::vector<harness::Observation>>> of_trace;
  std::uint32_t left = 40;
  make_random_walk(space, {.seed = pick_below(1000)})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    const std::uint64_t digest = runner.run(schedule).digest;
    const std::pair shown{digest, runner.observations()};
    RC_ASSERT(of_trace.emplace(coverage.fingerprint_of(schedule), shown).first->second == shown);
    return --left != 0;
  });
}

RC_GTEST_PROP(StrategyLaw, SchedulesAreLinearExtensions, ()) {
  const DescTables tables(pick_spec());
  const OpSpace space(tables.desc);
  const std::string name = strategy_names()[pick_below(static_cast<std::uint32_t>(strategy_names().size()))];
  std::uint32_t left = 20;
  make_strategy(name, space, {.seed = pick_below(1000)})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    RC_ASSERT(is_linear_extension(tables.desc, schedule));
    return --left != 0;
  });
}

RC_GTEST_PROP(StrategyLaw, PairsCoverEveryUnorderedPairBothWays, ()) {
  const DescTables tables(pick_spec({.most_ops = 20}));
  const OpSpace space(tables.desc);
  OpCoverage coverage(space);
  RC_ASSERT(make_pairs(space)->run([&](const std::vector<std::uint32_t>& schedule, double) {
    coverage.add(schedule);
    return true;
  }));
  RC_ASSERT(coverage.pairs().unordered_both == coverage.pairs().unordered_total);
  RC_ASSERT(coverage.pairs().conflicting_both == coverage.pairs().conflicting_total);
}

RC_GTEST_PROP(FailureLaw, MinimalConstraintsFailAndReverseTheirPair, ()) {
  const DescTables tables(pick_spec({.most_ops = 8}));
  const OpSpace space(tables.desc);
  const OpExploreReport report = explore_ops(space, {.budget = 50});
  RC_ASSERT((report.verdict.outcome == Outcome::kViolated) == (report.racing_pairs != 0));
  if (!report.failure) return;
  const OpFailure& failure = *report.failure;
  RC_ASSERT(is_linear_extension(tables.desc, failure.schedule));
  RC_ASSERT(order_under(space, failure.constraints) == failure.schedule);
  const auto at = [&](std::uint32_t op) {
    return std::find(failure.schedule.begin(), failure.schedule.end(), op) - failure.schedule.begin();
  };
  for (const Constraint& c : failure.constraints) RC_ASSERT(at(c.first) < at(c.then));
  OpRunner again(tables.desc, {});
  RC_ASSERT(again.run(failure.schedule).digest == failure.digest);
}

RC_GTEST_PROP(ReachLaw, EnoughWorkersReachEveryTraceAndOneReachesTheSerialOne, ()) {
  const DescTables tables(pick_spec({.most_ops = 7}));
  const OpSpace space(tables.desc);
  std::uint32_t left = 10;
  make_random_walk(space, {.seed = pick_below(1000)})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    const ReachOptions all{.workers = tables.desc.op_count, .max_states = 1'000'000};
    RC_ASSERT(is_trace_reachable(space, schedule, all) == Reach::kYes);
    return --left != 0;
  });
  RC_ASSERT(is_trace_reachable(space, order_under(space, {}), {.workers = 1}) == Reach::kYes);
}

}  // namespace
}  // namespace detent::verify::explore
