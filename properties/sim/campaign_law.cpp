// Laws of campaigns: repeatable, the same bytes as natively, one campaign however it is cut.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "properties/sim/simulated.hpp"
#include "sim/cost/jitter.hpp"
#include "verify/explore/ops/runner.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kAny{.graph = {.most_ops = 12, .mutexes = true, .npu = true, .delays = true}};
constexpr GraphOptions kRaceFree{.graph = {.most_ops = 12, .mutexes = true, .npu = true, .delays = true},
                                 .race_free = true};

RC_GTEST_PROP(RepeatLaw, SameSeedSameBytes, ()) {
  law_of(graphs(kAny), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    RC_ASSERT(text_of(simulated_on_chip(g, model)) == text_of(simulated_on_chip(g, lowered(g))));
  });
}

RC_GTEST_PROP(RepeatLaw, TheWorstSeedAloneRepeatsTheWorstRun, ()) {
  law_of(graphs(kAny), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult campaign = simulated_on_chip(g, model);
    sim::SimOptions alone = options_of(g);
    alone.runs = 1;
    alone.seeds.schedule = campaign.worst_seed;
    const sim::SimResult again = simulated(model, sim::find_platform("quad_npu"), alone);
    RC_ASSERT(again.max_ps == campaign.max_ps);
    RC_ASSERT(again.worst.trace.spans.size() == campaign.worst.trace.spans.size());
    for (std::size_t i = 0; i < again.worst.trace.spans.size(); ++i) {
      RC_ASSERT(again.worst.trace.spans[i].op == campaign.worst.trace.spans[i].op);
      RC_ASSERT(again.worst.trace.spans[i].begin_ps == campaign.worst.trace.spans[i].begin_ps);
    }
  });
}

RC_GTEST_PROP(DigestLaw, SimulationGivesTheNativeSerialBytes, ()) {
  law_of(graphs(kRaceFree), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_on_chip(g, model);
    RC_ASSERT(result.executed_runs == 3U);
    RC_ASSERT(result.digests == std::vector<std::uint64_t>{serial_digest(model.desc())});
  });
}

RC_GTEST_PROP(DigestLaw, AGivenOrderRunsInThatOrderWithItsBytes, ()) {
  law_of(graphs({.graph = {.most_ops = 12, .mutexes = true}}), simulated_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::vector<std::uint32_t> order = order_of(model.desc(), g.schedule);
    const sim::SimResult result = simulated_in_order(g, model);
    auto spans = result.worst.trace.spans;
    std::sort(spans.begin(), spans.end(),
              [](const auto& a, const auto& b) { return a.begin_sequence < b.begin_sequence; });
    RC_ASSERT(spans.size() == order.size());
    for (std::size_t i = 0; i < spans.size(); ++i) RC_ASSERT(spans[i].op == order[i]);
    verify::explore::OpRunner runner(model.desc(), {});
    RC_ASSERT(result.digests == std::vector<std::uint64_t>{runner.run(order).digest});
  });
}

RC_GTEST_PROP(DigestLaw, WithoutKernelsTimesAreTheSame, ()) {
  law_of(graphs(kAny), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    sim::SimOptions options = options_of(g);
    options.timing_only = true;
    const sim::SimResult timed = simulated(model, sim::find_platform("quad_npu"), options);
    RC_ASSERT(timed.digests.empty());
    RC_ASSERT(timed.makespans_ps == simulated_on_chip(g, model).makespans_ps);
  });
}

RC_GTEST_PROP(CampaignLaw, PartsJoinToTheWhole, ()) {
  law_of(graphs(kAny), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult whole = simulated_bare(g, model);
    const std::uint64_t cut = 1 + g.seed % (whole.runs - 1);
    std::vector<std::uint64_t> joined;
    for (const sim::RunRange part : {sim::RunRange{0, cut}, sim::RunRange{cut, whole.runs - cut}}) {
      sim::SimOptions options = options_of(g);
      options.part = part;
      const sim::SimResult result = simulated(model, bare_platform(g), options);
      joined.insert(joined.end(), result.makespans_ps.begin(), result.makespans_ps.end());
    }
    RC_ASSERT(joined == whole.makespans_ps);
  });
}

RC_GTEST_PROP(CampaignLaw, KnownRunsAndTheRestAreTheWhole, ()) {
  law_of(graphs(kAny), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult whole = simulated_bare(g, model);
    const auto count = static_cast<std::ptrdiff_t>(g.seed % (whole.runs + 1));
    sim::KnownRuns known{{whole.makespans_ps.begin(), whole.makespans_ps.begin() + count}, whole.digests};
    sim::SimOptions options = options_of(g);
    options.known = &known;
    const sim::SimResult resumed = simulated(model, bare_platform(g), options);
    RC_ASSERT(text_of(resumed) == text_of(whole));
  });
}

RC_GTEST_PROP(CampaignLaw, StatisticsAreThoseOfTheMakespans, ()) {
  law_of(graphs(kAny), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    sim::SimOptions options = options_of(g);
    options.runs = 1 + g.seed % 40;
    const sim::SimResult result = simulated(model, bare_platform(g), options);
    std::vector<std::uint64_t> sorted = result.makespans_ps;
    std::sort(sorted.begin(), sorted.end());
    RC_ASSERT(sorted.size() == options.runs);
    RC_ASSERT(result.min_ps == sorted.front());
    RC_ASSERT(result.max_ps == sorted.back());
    RC_ASSERT(result.median_ps == sorted[(sorted.size() + 1) / 2 - 1]);
    RC_ASSERT(result.p99_ps == sorted[(99 * sorted.size() + 99) / 100 - 1]);
    RC_ASSERT(result.makespans_ps[result.worst_run] == result.max_ps);
    RC_ASSERT(result.worst_seed == sim::run_seed(options.seeds.schedule, result.worst_run));
  });
}

/// A constant jitter draws the same time in every run; only the random policy then tells runs apart.
RC_GTEST_PROP(CampaignLaw, WithoutJitterAndRandomPolicyAllRunsAreEqual, ()) {
  const auto still = [](GraphCase g) {
    g.jitter = "worst";
    if (g.policy == "random") g.policy = "priority";
    return g;
  };
  law_of(rc::gen::map(graphs(kAny), still), chip_command, [](const GraphCase& g) {
    const sim::SimResult result = simulated_on_chip(g, lowered(g));
    RC_ASSERT(result.min_ps == result.max_ps);
  });
}

}  // namespace
}  // namespace detent::laws
