// Laws of bounds on whole chips: no run takes longer than a bound, no op ends outside its response, whatever the chip,
// graph, jitter, policy (a given order among them), mode and scheduler. RC_PARAMS="max_success=3000" makes a campaign.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/budget.hpp"
#include "app/bound/exact_bound.hpp"
#include "app/bound/smt_bound.hpp"
#include "app/bound/witness.hpp"
#include "app/deadline/deadline.hpp"
#include "properties/sim/random_chip.hpp"
#include "properties/sim/simulated.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kAnyGraph{
    .graph = {.most_ops = 24, .most_ps = 3'000, .mutexes = true, .npu = true, .delays = true}};

/// Times and releases of every size: much shorter than the overheads, or much longer.
GraphCase scaled(GraphCase g) {
  const std::uint64_t divisor = std::array{1U, 1U, 10U, 100U, 3'000U}[g.seed % 5];
  const auto shrink = [&](std::uint64_t& time_ps) { time_ps /= divisor; };
  for (OpSpec& op : g.graph.ops) {
    for (std::uint64_t* each : {&op.best_ps, &op.worst_ps, &op.release_min_ps, &op.release_max_ps}) shrink(*each);
  }
  for (Edge& edge : g.graph.edges) shrink(edge.min_ps), shrink(edge.max_ps);
  return g;
}

app::BoundSpec bound_spec(const GraphCase& g, const sim::SimOptions& options) {
  const bool is_closed_loop = g.mode == DETENT_MODE_CLOSED_LOOP;
  return {.jitter = options.jitter,
          .workers = options.engine.workers,
          .engine = {is_closed_loop ? std::optional(g.scheduler) : std::nullopt, options.migrating},
          .is_work_conserving = is_closed_loop && options.engine.policy != "given"};
}

sim::SimOptions chip_options(const GraphCase& g, const detent_desc& desc) {
  sim::SimOptions options = options_of(g);
  if (follows_order(g)) {
    options.engine.policy = "given";
    options.engine.order = order_of(desc, g.schedule);
  }
  options.runs = 3;
  options.migrating = migrates(g);
  options.timing_only = true;
  options.with_traces = false;
  options.keep_ends = true;
  return options;
}

void assert_within(const std::string& what, std::uint64_t seen_ps, std::uint64_t bound_ps) {
  RC_LOG() << what << " " << seen_ps << " ps, bound " << bound_ps << " ps\n";
  RC_ASSERT(seen_ps <= bound_ps);
}

/// The witness of the exact worst case takes as long in the engine. Not where its ends need an order of ties that
/// priorities cannot say (app/bound/witness.hpp).
void assert_witness_simulates(const GraphCase& g, const detent_desc& desc, const sim::Platform& platform,
                              const app::ExactBound& exact) {
  RC_ASSERT(exact.witness.has_value());
  RC_ASSERT(exact.witness->fault == "");
  const verify::ListRun& run = exact.witness->worst;
  RC_ASSERT(run.makespan_ps == exact.bound.bound_ps);
  std::vector<std::uint64_t> ends = run.end_ps;
  std::ranges::sort(ends);
  const bool has_ties = std::ranges::adjacent_find(ends) != ends.end();
  bool has_delays = false;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    has_delays = has_delays || desc.classes[c].kind == DETENT_CLASS_ASYNC;
  }
  RC_CLASSIFY(!exact.witness->shorter.empty(), "anomaly");
  if (has_ties && (has_delays || !std::ranges::is_sorted(exact.order.rank))) return;
  std::string why;
  const auto simulated_ps = app::simulate_run(desc, run, {platform, g.workers, exact.order}, why);
  RC_LOG() << "simulated " << simulated_ps.value_or(0) << " ps " << why << "\n";
  RC_ASSERT(simulated_ps == std::optional(run.makespan_ps));
}

void assert_bounds_hold(const GraphCase& g, const detent_desc& desc, const sim::Platform& platform,
                        const sim::SimOptions& options) {
  const sim::SimResult result = sim::simulate(desc, platform, options);
  if (result.failure) RC_FAIL(*result.failure);
  const bool all_worst = options.jitter.kind == sim::Jitter::Kind::kWorst;
  const app::BoundSpec spec = bound_spec(g, options);
  const app::PlatformProblems problems = app::timing_problems(desc, platform, spec);
  for (const verify::Bound& bound : app::platform_bounds(problems, platform, spec)) {
    if (bound.is_upper) assert_within(bound.name, result.max_ps, bound.bound_ps);
    if (!bound.is_upper && all_worst) assert_within(bound.name, bound.bound_ps, result.min_ps);
  }
  for (const verify::Response& response : app::platform_responses(problems, platform, spec)) {
    const sim::OpEnd& end = result.ends.at(response.op);
    assert_within("latest end of op " + std::to_string(response.op), end.latest_ps, response.max_ps);
    assert_within("earliest completion of op " + std::to_string(response.op), response.min_ps, end.earliest_ps);
  }
}

RC_GTEST_PROP(ChipBoundLaw, NoRunLeavesItsBoundsAndNoOpItsResponse, ()) {
  law_of(rc::gen::map(graphs(kAnyGraph), scaled), random_chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    assert_bounds_hold(g, model.desc(), random_chip(g), chip_options(g, model.desc()));
  });
}

/// Op times follow from bytes and flops, so that ops share the DRAM. A graph file cannot say that.
RC_GTEST_PROP(ChipBoundLaw, NoRunLeavesItsBoundsWhereOpsShareTheDram, ()) {
  law_of_values(graphs(kAnyGraph), [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    detent_desc desc = model.desc();
    std::vector<detent_op_cost> costs(desc.costs, desc.costs + desc.op_count);
    for (std::size_t op = 0; op < g.graph.ops.size(); ++op) {
      if ((g.seed + op) % 4 == 0) continue;
      const std::uint64_t work = 1 + g.graph.ops[op].worst_ps;
      costs[op] = {UINT64_MAX, UINT64_MAX, work / 300, work / 10 * (op % 3), work / 20};
    }
    desc.costs = costs.data();
    assert_bounds_hold(g, desc, random_chip(g), chip_options(g, desc));
  });
}

void assert_channels_sum(const sim::Interference& others) {
  std::vector<std::uint64_t> per_op_ps(others.per_op_ps.size(), 0);
  std::uint64_t per_run_ps = 0;
  for (const sim::InterferenceChannel& channel : others.channels) {
    per_run_ps += channel.per_run_ps;
    for (std::size_t op = 0; op < per_op_ps.size(); ++op) per_op_ps[op] += channel.per_op_ps[op];
  }
  RC_ASSERT(per_op_ps == others.per_op_ps);
  RC_ASSERT(per_run_ps == others.per_run_ps);
}

/// Own times, overheads, clients of the DRAM, loads: whatever a bound counts stands in a row, and nothing twice. Where
/// an op takes longer, no bound but he2022 becomes lower.
RC_GTEST_PROP(ChipBoundLaw, BudgetsSumToTheirBoundsAndNoneFallsWithALongerOp, ()) {
  law_of_values(rc::gen::map(graphs(kAnyGraph), scaled), [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    detent_desc desc = model.desc();
    std::vector<detent_op_cost> costs(desc.costs, desc.costs + desc.op_count);
    for (std::size_t op = 0; op < g.graph.ops.size(); ++op) {
      const std::uint64_t work = 1 + g.graph.ops[op].worst_ps;
      if ((g.seed + op) % 3 != 0) costs[op] = {UINT64_MAX, UINT64_MAX, work / 30, work / 10, work / 20};
    }
    desc.costs = costs.data();
    const sim::Platform platform = random_chip(g);
    app::BoundSpec spec = bound_spec(g, chip_options(g, desc));
    const app::PlatformProblems problems = app::timing_problems(desc, platform, spec);
    assert_channels_sum(problems.others_by_op);
    assert_channels_sum(problems.others_by_total);
    const std::vector<verify::Bound> bounds = app::platform_bounds(problems, platform, spec);
    for (const verify::Bound& bound : bounds) {
      if (!bound.is_upper || bound.bound_ps == verify::kUnknownPs) continue;
      const auto budget = app::analytic_budget(bound.name, desc, problems, platform);
      RC_LOG() << bound.name << " " << bound.bound_ps << " ps, budget " << budget->bound_ps << " ps\n";
      RC_ASSERT(budget->bound_ps == bound.bound_ps);
    }
    spec.longer = {static_cast<std::uint32_t>(g.seed % desc.op_count)};
    const std::vector<verify::Bound> longer =
        app::platform_bounds(app::timing_problems(desc, platform, spec), platform, spec);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (bounds[i].name != "he2022") assert_within(bounds[i].name, bounds[i].bound_ps, longer[i].bound_ps);
    }
  });
}

/// Ops that are for some workers only, on as many plain cores as there are workers.
RC_GTEST_PROP(ChipBoundLaw, AffinityLeavesBoundsThatHold, ()) {
  constexpr GraphOptions kPinned{.graph = {.most_ops = 20, .most_ps = 1'000, .mutexes = true, .affinity = true}};
  law_of_values(graphs(kPinned), [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    assert_bounds_hold(g, model.desc(), bare_platform(g), chip_options(g, model.desc()));
  });
}

/// NPUs alone: every number of them and every depth of their queues.
RC_GTEST_PROP(ChipBoundLaw, NpuQueuesOfAnyDepth, ()) {
  law_of_values(graphs({.graph = {.most_ops = 16, .most_ps = 1'000, .npu = true}}), [](const GraphCase& g) {
    GraphCase on_npu = g;
    for (OpSpec& op : on_npu.graph.ops) op.core_class = GraphShape::kNpu;
    on_npu.mode = DETENT_MODE_CLOSED_LOOP;
    const models::LoweredModel model = lowered(on_npu);
    for (std::uint32_t count = 1; count <= 3; ++count) {
      for (std::uint32_t depth = 1; depth <= 3; ++depth) {
        sim::Platform chip = sim::plain_platform({{"cpu", on_npu.workers}, {"npu", count}});
        chip.classes[1].npu = sim::npu::NpuConfig{};
        chip.classes[1].queue_depth = depth;
        assert_bounds_hold(on_npu, model.desc(), chip, chip_options(on_npu, model.desc()));
      }
    }
  });
}

/// A deadline that is proven is kept by runs that nobody has looked at; the run that misses one does so. With more time
/// no verdict gets worse.
RC_GTEST_PROP(ChipBoundLaw, ADeadlineThatHoldsIsKeptByOtherRuns, ()) {
  law_of_values(rc::gen::map(graphs(kAnyGraph), scaled), [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::Platform platform = random_chip(g);
    sim::SimOptions options = chip_options(g, model.desc());
    const app::BoundSpec spec = bound_spec(g, options);
    const app::PlatformProblems problems = app::timing_problems(model.desc(), platform, spec);
    const sim::SimResult seen = simulated(model, platform, options);
    const app::DeadlineEvidence evidence{.bounds = app::platform_bounds(problems, platform, spec),
                                         .seen = app::LongestSeen{seen.max_ps, ""}};
    options.seeds.schedule += 1'000;
    options.runs = 6;
    const std::uint64_t other_ps = simulated(model, platform, options).max_ps;
    std::vector<std::uint64_t> deadlines = {1, seen.max_ps, other_ps};
    for (const verify::Bound& bound : evidence.bounds) {
      if (bound.bound_ps != verify::kUnknownPs) deadlines.push_back(bound.bound_ps);
    }
    for (const std::uint64_t exactly : std::vector(deadlines)) {
      if (exactly > 1) deadlines.push_back(exactly - 1);
    }
    std::ranges::sort(deadlines);
    const auto rank = [](verify::Outcome outcome) {
      return outcome == verify::Outcome::kViolated ? 0 : outcome == verify::Outcome::kUnknown ? 1 : 2;
    };
    int before = 0;
    for (const std::uint64_t deadline_ps : deadlines) {
      if (deadline_ps == 0) continue;
      const verify::Outcome outcome = app::judge_deadline({deadline_ps, "law"}, evidence).verdict.outcome;
      RC_LOG() << "deadline " << deadline_ps << ": " << verify::outcome_name(outcome) << "\n";
      if (outcome == verify::Outcome::kHolds) RC_ASSERT(std::max(seen.max_ps, other_ps) <= deadline_ps);
      if (seen.max_ps > deadline_ps) RC_ASSERT(outcome == verify::Outcome::kViolated);
      RC_ASSERT(rank(outcome) >= before);
      before = rank(outcome);
    }
  });
}

/// Where nothing costs anything but ops, the closed loop does what the definition of execution says.
RC_GTEST_PROP(ChipBoundLaw, NoRunLeavesItsExactTimesAndTheseNoBound, ()) {
  law_of_values(
      graphs({.graph = {.most_ops = 10, .most_ps = 60, .mutexes = true, .npu = true, .delays = true}}),
      [](const GraphCase& drawn) {
        GraphCase g = drawn;
        g.mode = DETENT_MODE_CLOSED_LOOP;
        if (g.policy == "random") g.policy = "id";
        const models::LoweredModel model = lowered(g);
        const auto npus = static_cast<std::uint32_t>(1 + g.seed % 3);
        const sim::Platform platform = sim::plain_platform({{"cpu", g.workers}, {"npu", npus}});
        sim::SimOptions options = options_of(g);
        options.timing_only = true;
        options.with_traces = false;
        options.keep_ends = true;
        const sim::SimResult result = simulated(model, platform, options);
        const app::BoundSpec spec = bound_spec(g, options);
        const app::PlatformProblems problems = app::timing_problems(model.desc(), platform, spec);
        const app::ExactBound exact = app::exact_bound(model.desc(), problems, platform, spec, {.policy = g.policy});
        RC_CLASSIFY(exact.bound.exact, "exact");
        if (!exact.bound.exact) return;
        assert_within("makespan", result.max_ps, exact.bound.bound_ps);
        assert_witness_simulates(g, model.desc(), platform, exact);
        if (model.desc().op_count <= 8 && g.seed % 4 == 0) {
          const app::ProvedBound proved = app::smt_bound(problems, platform, spec, {.seconds = 0}, g.policy, exact);
          RC_CLASSIFY(proved.summary.is_complete, "by Z3 too");
          RC_ASSERT(proved.summary.is_complete);
          RC_ASSERT(proved.fault == "");
        }
        assert_within("shortest makespan", exact.summary.best_ps, result.min_ps);
        for (const verify::Bound& bound : app::platform_bounds(problems, platform, spec)) {
          if (bound.is_upper) assert_within("exact against " + bound.name, exact.bound.bound_ps, bound.bound_ps);
        }
        for (const verify::Response& response : exact.responses) {
          const sim::OpEnd& end = result.ends.at(response.op);
          assert_within("latest end of op " + std::to_string(response.op), end.latest_ps, response.max_ps);
          assert_within("earliest end of op " + std::to_string(response.op), response.min_ps, end.earliest_ps);
        }
      });
}

}  // namespace
}  // namespace detent::laws
