// Laws of the search for long runs: it stays within what ops may take, below the exact worst case, and repeats.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "properties/sim/simulated.hpp"
#include "tests/build.hpp"
#include "verify/timing/exact.hpp"
#include "verify/timing/problem.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kSmall{.graph = {.most_ops = 10, .npu = true, .delays = true}, .most_workers = 3};

/// What exact times are of: ops begin by their ids. Without mutexes, for ids do not say which of two core classes
/// takes one first.
GraphCase by_id(GraphCase g) {
  g.mode = DETENT_MODE_CLOSED_LOOP;
  g.policy = "id";
  g.jitter = "uniform";
  return g;
}

sim::SimResult searched(const GraphCase& g, const models::LoweredModel& model, std::uint64_t runs) {
  sim::SimOptions options = options_of(g);
  options.search_runs = runs;
  return simulated(model, bare_platform(g), options);
}

verify::ExactTimes exact_of(const GraphCase& g, const models::LoweredModel& model) {
  verify::TimingInputs inputs;
  inputs.cores = cores_of(model.desc(), g);
  return verify::exact_times(verify::make_timing_problem(model.desc(), inputs), {.max_zones = 200'000});
}

std::string search_command(const GraphCase& g, const std::string& file) {
  return bare_command(g, file) + " --search 60";
}

RC_GTEST_PROP(SearchLaw, NoRunIsLongerThanTheExactWorstCase, ()) {
  law_of(rc::gen::map(graphs(kSmall), by_id), search_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::ExactTimes exact = exact_of(g, model);
    if (!exact.is_complete) return;
    const sim::SimResult result = searched(g, model, 60);
    RC_ASSERT(result.search->longest_ps <= exact.worst_ps);
    RC_ASSERT(result.max_ps <= exact.worst_ps);
    RC_ASSERT(result.search->all_worst_ps <= result.search->longest_ps);
  });
}

RC_GTEST_PROP(SearchLaw, TheLongestIsARunOfTheRangesAndRepeats, ()) {
  const GraphOptions any{.graph = {.most_ops = 16, .mutexes = true, .npu = true, .delays = true}};
  law_of(graphs(any), search_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = searched(g, model, 60);
    const sim::SearchResult& found = *result.search;
    RC_ASSERT(found.runs >= 1U && found.runs <= 60U);
    for (std::uint32_t op = 0; op < model.desc().op_count; ++op) {
      RC_ASSERT(found.longest.times_ps[op] >= model.desc().costs[op].best_ps);
      RC_ASSERT(found.longest.times_ps[op] <= model.desc().costs[op].worst_ps);
    }
    sim::SimOptions options = options_of(g);
    options.runs = 1;
    options.chosen = found.longest;
    const sim::SimResult alone = simulated(model, bare_platform(g), options);
    RC_ASSERT(alone.max_ps == found.longest_ps);
    const std::uint64_t drawn_ps = *std::max_element(result.makespans_ps.begin(), result.makespans_ps.end());
    RC_ASSERT(result.max_ps == std::max(drawn_ps, found.longest_ps));
    RC_ASSERT(result.worst.makespan_ps == result.max_ps);
    const sim::SimResult again = searched(g, model, 60);
    RC_ASSERT(again.search->longest == found.longest);
  });
}

/// The share of small graphs whose exact worst case a search of 2,000 runs reaches, and 2,000 drawn runs do.
/// DETENT_SEARCH_CASES gives another number of graphs.
TEST(SearchShare, NineOfTenSmallGraphsReachTheirExactWorstCase) {
  const char* const given = std::getenv("DETENT_SEARCH_CASES");
  const int wanted = given != nullptr ? std::atoi(given) : kIsInstrumented ? 10 : 40;
  const rc::Gen<GraphCase> gen = rc::gen::map(
      graphs({.graph = {.most_ops = 14, .most_ps = 1000, .npu = true, .delays = true}, .most_workers = 3}), by_id);
  int cases = 0, reached = 0, all_worst = 0, drawn = 0;
  for (std::uint64_t draw = 0; cases < wanted; ++draw) {
    GraphCase g = gen(rc::Random(draw), 100).value();
    if (g.graph.ops.size() < 6) continue;
    for (OpSpec& op : g.graph.ops) op.best_ps = std::max(op.best_ps, op.worst_ps * 3 / 10);
    const models::LoweredModel model = lowered(g);
    const verify::ExactTimes exact = exact_of(g, model);
    if (!exact.is_complete) continue;
    ++cases;
    sim::SimOptions options = options_of(g);
    options.runs = given != nullptr ? 2000 : 1;
    options.search_runs = 2000;
    options.with_traces = false;
    options.timing_only = true;
    const sim::SimResult result = simulated(model, bare_platform(g), options);
    reached += result.search->longest_ps == exact.worst_ps ? 1 : 0;
    all_worst += result.search->all_worst_ps == exact.worst_ps ? 1 : 0;
    drawn += *std::max_element(result.makespans_ps.begin(), result.makespans_ps.end()) == exact.worst_ps ? 1 : 0;
  }
  std::cout << cases << " graphs: the search reaches the exact worst case of " << reached << ", all worst times of "
            << all_worst << ", " << (given != nullptr ? "2000 drawn runs" : "one drawn run") << " of " << drawn << "\n";
  EXPECT_GE(reached * 10, cases * 9);
}

}  // namespace
}  // namespace detent::laws
