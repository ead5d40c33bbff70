// Several networks on one simulated chip: who is served first, that no worker is idle while it could execute something,
// and that nobody computes anything else than alone.
#include "sim/together/together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

const RandomGraphOptions kGraphs{.max_ops = 24, .max_time_ps = 1000, .npu = true, .range = true};

/// One op of one run of one network, in the chip's time.
struct Executed {
  std::size_t network = 0;
  std::uint32_t core_class = 0;
  std::uint64_t ready_ps = 0, begin_ps = 0, end_ps = 0;
};

std::vector<Executed> all_executed(const std::vector<PeriodicNetwork>& networks, const TogetherResult& result) {
  std::vector<Executed> all;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const detent_desc& desc = *networks[i].desc;
    for (const harness::Run& run : result.networks[i].traces) {
      const std::uint64_t begin_ps = run.result.begin_ps;
      std::vector<std::uint64_t> ready(desc.op_count, 0);
      for (const harness::Span& span : run.trace.spans) {
        const detent_slice& next = desc.ops[span.op].successors;
        for (std::uint32_t k = 0; k < next.count; ++k) {
          std::uint64_t& at = ready[desc.successors[next.first + k]];
          at = std::max(at, span.end_ps);
        }
      }
      EXPECT_EQ(run.trace.spans.size(), desc.op_count);
      for (const harness::Span& span : run.trace.spans) {
        all.push_back({i, desc.ops[span.op].core_class, begin_ps + ready[span.op], begin_ps + span.begin_ps,
                       begin_ps + span.end_ps});
      }
    }
  }
  return all;
}

/// An op that waits while one of a network with a higher number begins on a worker of its class; -1: none does.
std::string overtaken(const std::vector<PeriodicNetwork>& networks, const std::vector<Executed>& all) {
  for (const Executed& waits : all) {
    for (const Executed& begins : all) {
      if (begins.core_class != waits.core_class ||
          networks[begins.network].priority <= networks[waits.network].priority)
        continue;
      if (waits.ready_ps < begins.begin_ps && begins.begin_ps < waits.begin_ps) {
        return "network " + std::to_string(begins.network) + " begins an op at " + std::to_string(begins.begin_ps) +
               " while network " + std::to_string(waits.network) + " waits from " + std::to_string(waits.ready_ps);
      }
    }
  }
  return "";
}

/// While an op waits, every worker of its class executes something.
std::string idle_beside_work(const std::vector<Executed>& all, const std::vector<std::uint32_t>& workers) {
  for (const Executed& waits : all) {
    std::uint64_t busy_ps = 0;
    for (const Executed& other : all) {
      if (other.core_class != waits.core_class) continue;
      const std::uint64_t from = std::max(other.begin_ps, waits.ready_ps), to = std::min(other.end_ps, waits.begin_ps);
      if (from < to) busy_ps += to - from;
    }
    const std::uint64_t waited_ps = waits.begin_ps - waits.ready_ps;
    if (busy_ps != waited_ps * workers[waits.core_class]) {
      return "network " + std::to_string(waits.network) + " waits for " + std::to_string(waited_ps) + " ps from " +
             std::to_string(waits.ready_ps) + ", in which its class works for " + std::to_string(busy_ps) + " ps";
    }
  }
  return "";
}

TEST(Together, AWorkerServesTheLowestNumberFirstAndNeverRestsBesideWork) {
  const Platform platform = plain_platform({{"cpu", 2}, {"npu", 1}});
  for (std::uint64_t seed = 0; seed < effort(400U); ++seed) {
    const GraphDesc a(random_graph(3 * seed, kGraphs)), b(random_graph(3 * seed + 1, kGraphs)),
        c(random_graph(3 * seed + 2, kGraphs));
    const auto number = [&](std::uint64_t i) { return static_cast<std::int32_t>((seed / (1 + i)) % 3) - 1; };
    const std::vector<PeriodicNetwork> networks{{.desc = &a.desc(), .priority = number(0), .period_ps = 700},
                                                {.desc = &b.desc(), .priority = number(1), .period_ps = 0},
                                                {.desc = &c.desc(), .priority = number(2), .period_ps = 5000}};
    const TogetherResult result =
        simulate_together(networks, platform, {.runs = 3, .seeds = {.input = 1, .schedule = seed}, .keep_runs = true});
    ASSERT_FALSE(result.failure) << *result.failure;
    const std::vector<Executed> all = all_executed(networks, result);
    ASSERT_EQ(overtaken(networks, all), "") << "seed " << seed;
    std::vector<std::uint32_t> workers{2, 1};
    ASSERT_EQ(idle_beside_work(all, workers), "") << "seed " << seed;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const TogetherResult alone =
          simulate_together({networks[i]}, platform, {.runs = 3, .seeds = {.input = 1, .schedule = seed}});
      ASSERT_EQ(result.networks[i].digests, alone.networks[0].digests) << "seed " << seed;
      ASSERT_EQ(result.networks[i].digests.size(), 1U);
    }
  }
}

TEST(Together, ANetworkAloneTakesAsLongAsWithoutAPool) {
  const Platform platform = plain_platform({{"cpu", 3}, {"npu", 1}});
  for (std::uint64_t seed = 0; seed < effort(400U); ++seed) {
    const GraphDesc graph(random_graph(seed, kGraphs));
    SimOptions options;
    options.seeds.schedule = seed;
    options.runs = 4;
    options.with_traces = false;
    const SimResult usual = simulate(graph.desc(), platform, options);
    const TogetherResult shared =
        simulate_together({{.desc = &graph.desc()}}, platform, {.runs = 4, .seeds = {.input = 0, .schedule = seed}});
    ASSERT_FALSE(shared.failure) << *shared.failure;
    ASSERT_EQ(shared.networks[0].responses_ps, usual.makespans_ps) << "seed " << seed;
  }
}

TEST(Together, ANetworkAloneOnEveryChipTakesAsLongAsWithoutAPool) {
  for (const char* const name : {"am62a", "corstone300_u55", "imx93", "orin_nano", "quad_npu", "rk3588", "tda4vm"}) {
    Platform platform = find_platform(name);
    platform.overheads = {};  // the steps of a pool are others
    RandomGraphOptions graphs = kGraphs;
    graphs.npu = std::string(name) != "orin_nano";
    graphs.max_time_ps = 1'000'000;
    for (std::uint64_t seed = 0; seed < effort(20U); ++seed) {
      const GraphDesc graph(random_graph(seed, graphs));
      SimOptions options;
      options.seeds.schedule = seed;
      options.with_traces = false;
      options.timing_only = true;
      const SimResult usual = simulate(graph.desc(), platform, options);
      const TogetherResult shared = simulate_together({{.desc = &graph.desc()}}, platform,
                                                      {.seeds = {.input = 0, .schedule = seed}, .timing_only = true});
      ASSERT_FALSE(shared.failure) << *shared.failure;
      ASSERT_EQ(shared.networks[0].responses_ps, usual.makespans_ps) << name << ", seed " << seed;
    }
  }
}

// Alone on two cores the reader comes before the writer; where another network has one of them, after it.
TEST(Together, ARacingNetworkComputesSomethingElseBesideAnother) {
  support::GraphSpec racing = support::make_ops(4);
  racing.regions = support::workspaces({128});
  racing.edges = {{0, 3}, {1, 2}};
  const std::uint64_t times_ps[] = {10, 20, 5, 5};
  for (std::size_t op = 0; op < 4; ++op) racing.ops[op].best_ps = racing.ops[op].worst_ps = times_ps[op];
  racing.ops[2].writes = {{0, 0, 8}};
  racing.ops[3].reads = {{0, 0, 8}};
  racing.ops[3].writes = {{0, 64, 8}};
  const support::DescTables races(racing);
  const GraphDesc other(Graph{{.best_ps = 1000, .worst_ps = 1000, .successors = {}, .mutexes = {}}});
  const std::vector<PeriodicNetwork> networks{{.desc = &other.desc()}, {.desc = &races.desc}};
  const Platform platform = plain_platform({{"cpu", 2}});
  const TogetherResult together = simulate_together(networks, platform, {});
  const TogetherResult alone = simulate_together({networks[1]}, platform, {});
  ASSERT_FALSE(together.failure) << *together.failure;
  ASSERT_EQ(together.networks[1].digests.size(), 1U);
  EXPECT_NE(together.networks[1].digests, alone.networks[0].digests);
}

TEST(Together, B20_B50_WhatCannotBeBoundIsAFailureOfItsNetwork) {
  const Platform platform = plain_platform({{"cpu", 2}});
  const GraphDesc good(Graph{{.best_ps = 1, .worst_ps = 1, .successors = {}, .mutexes = {}}});
  support::GraphSpec circle = support::make_ops(3);
  circle.edges = {{0, 1}, {1, 2}, {2, 1}};
  const support::DescTables bad(circle);
  const TogetherResult cycle =
      simulate_together({{.desc = &good.desc()}, {.desc = &bad.desc}}, platform, {.timing_only = true});
  ASSERT_TRUE(cycle.failure);
  EXPECT_NE(cycle.failure->find("B20"), std::string::npos);
  EXPECT_EQ(cycle.failed_network, 1U);
  support::GraphSpec half = support::make_ops(1);
  half.regions = support::workspaces({600});
  const support::DescTables first(half), second(half);
  Platform small = platform;
  small.memory_bytes = 1000;  // enough for each of them
  for (const bool timing_only : {true, false}) {
    const TogetherResult full =
        simulate_together({{.desc = &first.desc}, {.desc = &second.desc}}, small, {.timing_only = timing_only});
    ASSERT_TRUE(full.failure);
    EXPECT_NE(full.failure->find("B50"), std::string::npos);
    EXPECT_EQ(full.failed_network, 1U);
  }
}

TEST(Together, EachRunLeavesOutTheOpsOfOneCombinationOfOutcomes) {
  const GraphDesc graph(Graph{{.best_ps = 10, .worst_ps = 10, .successors = {1}, .mutexes = {}},
                              {.best_ps = 300, .worst_ps = 300, .successors = {2}, .mutexes = {}},
                              {.best_ps = 4000, .worst_ps = 4000, .successors = {}, .mutexes = {}}});
  PeriodicNetwork network{.desc = &graph.desc(), .period_ps = 10'000};
  network.outcomes = {{true, true, false}, {true, false, true}};
  const Platform platform = plain_platform({{"cpu", 1}});
  const TogetherResult result = simulate_together({network}, platform, {.runs = 40, .timing_only = true});
  const std::vector<std::uint64_t>& seen = result.networks[0].responses_ps;
  EXPECT_GT(std::ranges::count(seen, 310U), 5);
  EXPECT_GT(std::ranges::count(seen, 4010U), 5);
  EXPECT_EQ(std::ranges::count(seen, 310U) + std::ranges::count(seen, 4010U), 40);
  EXPECT_THROW(static_cast<void>(simulate_together({network}, platform, {})), std::invalid_argument);
  network.outcomes[1].pop_back();
  EXPECT_THROW(static_cast<void>(simulate_together({network}, platform, {.timing_only = true})), std::invalid_argument);
}

TEST(Together, TheSameSeedGivesTheSameResponsesWithOverheadsToo) {
  const Platform platform = find_platform("quad_npu");
  for (std::uint64_t seed = 0; seed < effort(40U); ++seed) {
    const GraphDesc a(random_graph(seed, kGraphs)), b(random_graph(seed + 1000, kGraphs));
    const std::vector<PeriodicNetwork> networks{{.desc = &a.desc(), .period_ps = 20'000'000},
                                                {.desc = &b.desc(), .priority = 1}};
    const TogetherOptions options{.runs = 5, .seeds = {.input = 1, .schedule = seed}};
    const TogetherResult first = simulate_together(networks, platform, options);
    const TogetherResult second = simulate_together(networks, platform, options);
    ASSERT_FALSE(first.failure) << *first.failure;
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(first.networks[i].responses_ps, second.networks[i].responses_ps);
      ASSERT_EQ(first.networks[i].digests.size(), 1U);
    }
  }
}

TEST(Together, ResponsesCountFromTheReleaseAndOverrunsAreTold) {
  const Platform platform = plain_platform({{"cpu", 1}});
  const GraphDesc graph(Graph{{.best_ps = 100, .worst_ps = 100, .successors = {1}, .mutexes = {}},
                              {.best_ps = 100, .worst_ps = 100, .successors = {}, .mutexes = {}}});
  const TogetherResult late =
      simulate_together({{.desc = &graph.desc(), .period_ps = 150}}, platform, {.runs = 3, .timing_only = true});
  EXPECT_EQ(late.networks[0].responses_ps, (std::vector<std::uint64_t>{200, 250, 300}));
  EXPECT_EQ(late.networks[0].overruns, 3U);
  const TogetherResult timely =
      simulate_together({{.desc = &graph.desc(), .period_ps = 200}}, platform, {.runs = 3, .timing_only = true});
  EXPECT_EQ(timely.networks[0].responses_ps, (std::vector<std::uint64_t>{200, 200, 200}));
  EXPECT_EQ(timely.networks[0].overruns, 0U);
  EXPECT_EQ(timely.end_ps, 600U);
}

TEST(Together, RunsAreWantedFromTheOffsetOnUntilTheEndAndReleasedLate) {
  const Platform platform = plain_platform({{"cpu", 1}});
  const GraphDesc graph(Graph{{.best_ps = 100, .worst_ps = 100, .successors = {}, .mutexes = {}}});
  const TogetherResult timely = simulate_together({{.desc = &graph.desc(), .period_ps = 1000, .offset_ps = 300}},
                                                  platform, {.runs = 50, .until_ps = 3300, .timing_only = true});
  EXPECT_EQ(timely.networks[0].begins_ps, (std::vector<std::uint64_t>{300, 1300, 2300}));
  EXPECT_EQ(timely.networks[0].responses_ps, (std::vector<std::uint64_t>{100, 100, 100}));
  EXPECT_EQ(timely.slot_names, (std::vector<std::string>{"cpu0"}));
  const TogetherResult late = simulate_together({{.desc = &graph.desc(), .period_ps = 1000, .release_jitter_ps = 70}},
                                                platform, {.runs = 60, .timing_only = true});
  const std::vector<std::uint64_t>& responses = late.networks[0].responses_ps;
  ASSERT_EQ(responses.size(), 60U);
  for (std::size_t run = 0; run < responses.size(); ++run) {
    EXPECT_EQ(late.networks[0].begins_ps[run], 1000 * run + responses[run] - 100) << "responses count the lateness";
  }
  EXPECT_EQ(*std::ranges::min_element(responses), 100U);
  EXPECT_EQ(*std::ranges::max_element(responses), 170U);
  EXPECT_TRUE(std::ranges::any_of(responses, [](std::uint64_t ps) { return ps != 100 && ps != 170; }));
}

TEST(Together, TheChipTellsTheOpsOfTheNetworksApart) {
  Platform platform = find_platform("rk3588");
  platform.overheads = {};
  platform.overheads.interrupt_ps = 1'000'000;  // what ops on the NPU alone cost
  const GraphDesc cpu(Graph{{.best_ps = 1, .worst_ps = 1, .successors = {}, .mutexes = {}}});
  const GraphDesc npu(Graph{{.best_ps = 100, .worst_ps = 100, .core_class = kNpu, .successors = {1}, .mutexes = {}},
                            {.best_ps = 100, .worst_ps = 100, .core_class = kNpu, .successors = {}, .mutexes = {}}});
  const TogetherResult result =
      simulate_together({{.desc = &cpu.desc()}, {.desc = &npu.desc()}}, platform, {.timing_only = true});
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.networks[0].responses_ps, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(result.networks[1].responses_ps, (std::vector<std::uint64_t>{2'000'200}));
}

TEST(Together, AClockThatRunsOverIsAFailure) {
  constexpr std::uint64_t kQuarter = std::uint64_t{1} << 62;
  const auto simulated = [](std::uint64_t last_ps) {
    const GraphDesc graph(Graph{{.best_ps = kQuarter, .worst_ps = kQuarter, .successors = {1}, .mutexes = {}},
                                {.best_ps = kQuarter, .worst_ps = kQuarter, .successors = {2}, .mutexes = {}},
                                {.best_ps = kQuarter, .worst_ps = kQuarter, .successors = {3}, .mutexes = {}},
                                {.best_ps = last_ps, .worst_ps = last_ps, .successors = {}, .mutexes = {}}});
    return simulate_together({{.desc = &graph.desc()}}, plain_platform({{"cpu", 1}}), {.timing_only = true});
  };
  const TogetherResult fits = simulated(kQuarter / 2);
  EXPECT_FALSE(fits.failure);
  EXPECT_EQ(fits.end_ps, 3 * kQuarter + kQuarter / 2);
  const TogetherResult passes = simulated(kQuarter);
  ASSERT_TRUE(passes.failure);
  EXPECT_TRUE(passes.failure->find("the clock of the simulation passes 2^64 ps; simulate fewer runs") !=
              std::string::npos)
      << *passes.failure;
  // SystemC's clock counts on from one simulation to the next, so that a short one may pass the end, too.
  const GraphDesc one(Graph{{.best_ps = kQuarter, .worst_ps = kQuarter, .successors = {}, .mutexes = {}}});
  const TogetherResult later =
      simulate_together({{.desc = &one.desc()}}, plain_platform({{"cpu", 1}}), {.timing_only = true});
  ASSERT_TRUE(later.failure);
  EXPECT_EQ(*later.failure, "the clock of the simulation passes 2^64 ps; simulate fewer runs");
}

TEST(Together, ProgressIsOfTheRunsOfAllNetworks) {
  const GraphDesc graph(random_graph(1, kGraphs));
  std::vector<PeriodicNetwork> networks(2, {.desc = &graph.desc()});
  std::uint64_t told = 0;
  TogetherOptions options{.runs = 5};
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 10U);
  };
  EXPECT_FALSE(simulate_together(networks, plain_platform({{"cpu", 2}, {"npu", 1}}), options).failure);
  EXPECT_EQ(told, 10U);
}

TEST(Together, WhatCannotBeIsRefused) {
  const GraphDesc graph(random_graph(1, kGraphs));
  const Platform platform = plain_platform({{"cpu", 2}, {"npu", 1}});
  const std::vector<PeriodicNetwork> one{{.desc = &graph.desc()}};
  EXPECT_THROW(simulate_together({}, platform, {}), std::invalid_argument);
  EXPECT_THROW(simulate_together(std::vector<PeriodicNetwork>(17, one[0]), platform, {}), std::invalid_argument);
  EXPECT_THROW(simulate_together(one, platform, {.runs = 0}), std::invalid_argument);
  EXPECT_THROW(simulate_together(one, platform, {.engine = {.mode = DETENT_MODE_STATIC}}), std::invalid_argument);
  EXPECT_THROW(simulate_together(one, platform, {.engine = {.policy = "random"}}), std::invalid_argument);
  EXPECT_THROW(simulate_together(one, plain_platform({{"cpu", 33}, {"npu", 1}}), {}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::sim::test
