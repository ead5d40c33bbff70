// Laws of op-level exploration.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "properties/law.hpp"
#include "tests/support/desc_tables.hpp"
#include "tests/verify/explore/ops/by_force.hpp"
#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/reach.hpp"
#include "verify/explore/ops/strategy.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::laws {
namespace {

using verify::explore::Constraint;
using verify::explore::Count128;
using verify::explore::count_by_enumeration;
using verify::explore::count_by_recurrence;
using verify::explore::count_traces;
using verify::explore::estimate_traces;
using verify::explore::explore_ops;
using verify::explore::is_trace_reachable;
using verify::explore::make_pairs;
using verify::explore::make_random_walk;
using verify::explore::make_strategy;
using verify::explore::OpCoverage;
using verify::explore::OpExploreReport;
using verify::explore::OpFailure;
using verify::explore::OpRunner;
using verify::explore::OpSpace;
using verify::explore::order_under;
using verify::explore::Reach;
using verify::explore::ReachOptions;
using verify::explore::strategy_names;
using verify::explore::TraceEstimate;
using Schedule = std::vector<std::uint32_t>;

RC_GTEST_PROP(TraceLaw, CountsEqualForceAndEachOther, ()) {
  law_of(graphs({.graph = {.most_ops = 7, .mutexes = true, .commutes = true}}), explore_command,
         [](const GraphCase& g) {
           const GraphSpec& spec = g.graph;
           const support::DescTables tables(spec);
           const OpSpace space(tables.desc);
           const Count128 force = verify::testing::TracesByForce(spec).traces();
           RC_ASSERT(count_traces(space.graph()).total == force);
           RC_ASSERT(count_by_recurrence(space.graph(), 1 << 16).total == force);
           RC_ASSERT(count_by_enumeration(space.graph(), UINT64_MAX).total == force);
         });
}

RC_GTEST_PROP(TraceLaw, OneTraceExactlyWhereNoPairIsOpen, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    RC_ASSERT((count_traces(space.graph()).total == 1) == space.pairs().empty());
  });
}

RC_GTEST_PROP(TraceLaw, EqualTracesGiveEqualBytes, ()) {
  law_of(graphs({.graph = {.most_ops = 8}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    OpRunner runner(model.desc(), {.input_seed = 0, .backends = {}, .observe = true, .skipped = {}});
    RC_ASSERT(runner.error().status == DETENT_OK);
    OpCoverage coverage(space);
    std::map<std::uint64_t, std::pair<std::uint64_t, std::vector<harness::Observation>>> of_trace;
    std::uint32_t left = 40;
    make_random_walk(space, {.seed = g.seed})->run([&](const Schedule& schedule, double) {
      const std::uint64_t digest = runner.run(schedule).digest;
      const std::pair shown{digest, runner.observations()};
      RC_ASSERT((of_trace.emplace(coverage.fingerprint_of(schedule), shown).first->second == shown));
      return --left != 0;
    });
  });
}

/// Knuth's estimate has no bias: far fewer than one in a million draws of 2000 is off by 10 standard errors.
RC_GTEST_PROP(TraceLaw, EstimatesLieNearTheCount, ()) {
  law_of(graphs({.graph = {.most_ops = 9}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    const auto total = static_cast<double>(count_traces(space.graph()).total);
    const TraceEstimate estimate = estimate_traces(space.graph(), 2000, g.seed);
    RC_ASSERT(estimate.total >= total * 0.999 - 10 * estimate.standard_error);
    RC_ASSERT(estimate.total <= total * 1.001 + 10 * estimate.standard_error);
  });
}

RC_GTEST_PROP(StrategyLaw, SchedulesAreLinearExtensions, ()) {
  law_of(graphs(), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    for (const std::string& name : strategy_names()) {
      std::uint32_t left = 5;
      make_strategy(name, space, {.seed = g.seed})->run([&](const Schedule& schedule, double) {
        RC_ASSERT(verify::is_linear_extension(model.desc(), schedule));
        return --left != 0;
      });
    }
  });
}

RC_GTEST_PROP(StrategyLaw, EqualSeedsGiveEqualSchedules, ()) {
  law_of(graphs({.graph = {.most_ops = 10}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    const auto schedules_of = [&](const std::string& name) {
      std::vector<Schedule> all;
      make_strategy(name, space, {.seed = g.seed})->run([&](const Schedule& schedule, double) {
        all.push_back(schedule);
        return all.size() < 5;
      });
      return all;
    };
    for (const std::string& name : strategy_names()) RC_ASSERT(schedules_of(name) == schedules_of(name));
  });
}

RC_GTEST_PROP(StrategyLaw, DfsRunsEachTraceOnce, ()) {
  law_of(graphs({.graph = {.most_ops = 6}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    const Count128 total = count_traces(space.graph()).total;
    if (total > 500) return;
    const OpExploreReport report = explore_ops(space, {.budget = 1000});
    RC_ASSERT(report.finished);
    RC_ASSERT(report.executions == total);
    RC_ASSERT(report.redundant() == 0U);
  });
}

RC_GTEST_PROP(StrategyLaw, PairsCoverEveryUnorderedPairBothWays, ()) {
  law_of(graphs({.graph = {.most_ops = 20}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    OpCoverage coverage(space);
    RC_ASSERT(make_pairs(space)->run([&](const Schedule& schedule, double) {
      coverage.add(schedule);
      return true;
    }));
    RC_ASSERT(coverage.pairs().unordered_both == coverage.pairs().unordered_total);
    RC_ASSERT(coverage.pairs().conflicting_both == coverage.pairs().conflicting_total);
  });
}

RC_GTEST_PROP(FailureLaw, MinimalConstraintsFailAndReverseTheirPair, ()) {
  law_of(graphs({.graph = {.most_ops = 8}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    const OpExploreReport report = explore_ops(space, {.budget = 50});
    RC_ASSERT((report.verdict.outcome == verify::Outcome::kViolated) == (report.racing_pairs != 0));
    if (!report.failure) return;
    const OpFailure& failure = *report.failure;
    RC_ASSERT(verify::is_linear_extension(model.desc(), failure.schedule));
    RC_ASSERT(order_under(space, failure.constraints) == failure.schedule);
    const auto at = [&](std::uint32_t op) {
      return std::find(failure.schedule.begin(), failure.schedule.end(), op) - failure.schedule.begin();
    };
    for (const Constraint& c : failure.constraints) RC_ASSERT(at(c.first) < at(c.then));
    OpRunner again(model.desc(), {});
    RC_ASSERT(again.run(failure.schedule).digest == failure.digest);
  });
}

RC_GTEST_PROP(ReachLaw, EnoughWorkersReachEveryTraceAndOneReachesTheSerialOne, ()) {
  law_of(graphs({.graph = {.most_ops = 7}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const OpSpace space(model.desc());
    std::uint32_t left = 10;
    make_random_walk(space, {.seed = g.seed})->run([&](const Schedule& schedule, double) {
      const ReachOptions all{.workers = model.desc().op_count, .max_states = 1'000'000};
      RC_ASSERT(is_trace_reachable(space, schedule, all) == Reach::kYes);
      return --left != 0;
    });
    RC_ASSERT(is_trace_reachable(space, order_under(space, {}), {.workers = 1}) == Reach::kYes);
  });
}

}  // namespace
}  // namespace detent::laws
