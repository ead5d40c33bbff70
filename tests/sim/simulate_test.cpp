#include "sim/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "harness/run_native.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

const RandomGraphOptions kRanges{.max_ops = 60, .max_time_ps = 1000, .npu = true, .delays = true, .range = true};

Platform small_platform() { return plain_platform({{"cpu", 3}, {"npu", 1}}); }

/// Everything a result says, as text, for comparison byte by byte.
std::string text_of(const SimResult& result) {
  std::string text = std::to_string(result.worst_seed) + ":" + std::to_string(result.worst_run);
  for (const std::uint64_t makespan_ps : result.makespans_ps) text += " " + std::to_string(makespan_ps);
  for (const auto* run : {&result.worst, &result.typical}) {
    text += "\n" + std::to_string(run->makespan_ps) + " " + std::to_string(run->digest);
    for (const auto& span : run->trace.spans) {
      text += "\n" + std::to_string(span.op) + " " + std::to_string(span.slot) + " " + std::to_string(span.begin_ps) +
              " " + std::to_string(span.end_ps) + " " + std::to_string(span.begin_sequence);
    }
  }
  for (const std::uint64_t digest : result.digests) text += "\n" + std::to_string(digest);
  return text;
}

TEST(Simulate, SameSeedSameBytesAgainAndAgain) {
  const Platform platform = find_platform("quad_npu");
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const GraphDesc tables(random_graph(seed, kRanges));
    SimOptions options;
    options.runs = 12;
    options.seeds.schedule = seed;
    options.engine.policy = seed % 2 == 0 ? "random" : "id";
    const SimResult first = simulate(tables.desc(), platform, options);
    const SimResult second = simulate(tables.desc(), platform, options);
    ASSERT_FALSE(first.failure) << *first.failure;
    ASSERT_EQ(text_of(first), text_of(second)) << "seed " << seed;
  }
}

TEST(Simulate, WorstSeedRepeatsTheWorstRunAlone) {
  const Platform platform = find_platform("quad_npu");
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const GraphDesc tables(random_graph(seed, kRanges));
    SimOptions options;
    options.runs = 30;
    options.seeds.schedule = seed;
    options.engine.policy = seed % 2 == 0 ? "random" : "critical-path";
    const SimResult campaign = simulate(tables.desc(), platform, options);
    options.runs = 1;
    options.seeds.schedule = campaign.worst_seed;
    const SimResult alone = simulate(tables.desc(), platform, options);
    ASSERT_EQ(alone.max_ps, campaign.max_ps);
    ASSERT_EQ(alone.worst_seed, campaign.worst_seed);
    ASSERT_EQ(alone.worst.trace.spans.size(), campaign.worst.trace.spans.size());
    for (std::size_t i = 0; i < alone.worst.trace.spans.size(); ++i) {
      ASSERT_EQ(alone.worst.trace.spans[i].op, campaign.worst.trace.spans[i].op);
      ASSERT_EQ(alone.worst.trace.spans[i].end_ps, campaign.worst.trace.spans[i].end_ps);
    }
  }
}

TEST(Simulate, DigestsAreTheNativeOnes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GraphDesc tables(random_graph(seed, kRanges));
    harness::NativeOptions native;
    native.engine.workers = 0;
    native.seeds.input = 5;
    const harness::Run reference = harness::run_native(tables.desc(), native);
    ASSERT_EQ(reference.result.error.status, DETENT_OK);
    SimOptions options;
    options.runs = 5;
    options.seeds.schedule = seed;
    options.seeds.input = 5;
    options.engine.policy = "random";
    const SimResult result = simulate(tables.desc(), find_platform("quad_npu"), options);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_EQ(result.executed_runs, 3U);
    ASSERT_EQ(result.digests, std::vector<std::uint64_t>{reference.digest}) << "seed " << seed;
  }
}

TEST(Simulate, TimingOnlyGivesTheSameTimesAndNoDigest) {
  const GraphDesc tables(random_graph(3, kRanges));
  SimOptions options;
  options.runs = 20;
  const SimResult executed = simulate(tables.desc(), small_platform(), options);
  options.timing_only = true;
  const SimResult timed = simulate(tables.desc(), small_platform(), options);
  EXPECT_EQ(timed.makespans_ps, executed.makespans_ps);
  EXPECT_EQ(timed.executed_runs, 0U);
  EXPECT_TRUE(timed.digests.empty());
  EXPECT_EQ(executed.digests.size(), 1U);
}

TEST(Simulate, SpansLastWhatTheRangesAllowAlsoWithOverheads) {
  const Graph graph = random_graph(11, kRanges);
  const GraphDesc tables(graph);
  SimOptions options;
  options.runs = 50;
  const SimResult result = simulate(tables.desc(), find_platform("quad_npu"), options);
  ASSERT_EQ(result.worst.trace.spans.size(), graph.size());
  for (const auto& span : result.worst.trace.spans) {
    EXPECT_GE(span.end_ps - span.begin_ps, graph[span.op].best_ps);
    if (graph[span.op].core_class == kDelay) continue;  // ends when the scheduler has seen it
    EXPECT_LE(span.end_ps - span.begin_ps, graph[span.op].worst_ps);
  }
}

TEST(Simulate, QuantilesAreNearestRank) {
  const GraphDesc tables(random_graph(5, kRanges));
  SimOptions options;
  options.runs = 101;
  const SimResult result = simulate(tables.desc(), small_platform(), options);
  auto sorted = result.makespans_ps;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(result.min_ps, sorted[0]);
  EXPECT_EQ(result.median_ps, sorted[50]);
  EXPECT_EQ(result.p99_ps, sorted[99]);
  EXPECT_EQ(result.max_ps, sorted[100]);
  EXPECT_EQ(result.makespans_ps[result.worst_run], result.max_ps);
  EXPECT_EQ(result.worst.makespan_ps, result.max_ps);
  EXPECT_EQ(result.typical.makespan_ps, result.median_ps);
}

TEST(Simulate, MutexesExclude) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Graph graph = random_graph(seed, {.max_ops = 40, .max_time_ps = 30, .npu = true});
    Random random(seed);
    for (auto& op : graph) {
      for (std::uint32_t mutex = 0; mutex < 3; ++mutex) {
        if (random.below(4) == 0) op.mutexes.push_back(mutex);
      }
    }
    const GraphDesc tables(graph, false);
    const SimResult result = simulate(tables.desc(), small_platform(), {.timing_only = true});
    ASSERT_FALSE(result.failure) << *result.failure;
    auto spans = result.worst.trace.spans;
    std::sort(spans.begin(), spans.end(),
              [](const auto& a, const auto& b) { return a.begin_sequence < b.begin_sequence; });
    std::vector<std::uint64_t> free_ps(3);
    for (const auto& span : spans) {
      for (const std::uint32_t mutex : graph[span.op].mutexes) {
        ASSERT_GE(span.begin_ps, free_ps[mutex]) << "seed " << seed << " op " << span.op << " mutex " << mutex;
        free_ps[mutex] = span.end_ps;
      }
    }
  }
}

TEST(Simulate, EveryModeRunsAndAgreesOnTheDigest) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const GraphDesc tables(random_graph(seed, {.max_ops = 40, .max_time_ps = 100, .range = true}));
    std::vector<std::uint64_t> digests;
    for (const auto mode : {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
      const SimResult result =
          simulate(tables.desc(), find_platform("quad_npu"), {.engine = {.mode = mode}, .runs = 4});
      ASSERT_FALSE(result.failure) << *result.failure << " mode " << mode;
      ASSERT_EQ(result.digests.size(), 1U);
      digests.push_back(result.digests[0]);
    }
    EXPECT_EQ(std::count(digests.begin(), digests.end(), digests[0]), 4) << "seed " << seed;
  }
}

TEST(Simulate, EachSlotSitsOnACoreOfItsOwn) {
  Graph graph(2);
  graph[1].core_class = kNpu;
  const GraphDesc tables(graph);
  const SimResult result = simulate(tables.desc(), find_platform("quad_npu"), {.engine = {.workers = 2}});
  EXPECT_EQ(result.slot_names, (std::vector<std::string>{"cpu0", "cpu1", "npu0"}));
  const SimResult thread = simulate(tables.desc(), find_platform("quad_npu"),
                                    {.engine = {.workers = 1, .scheduler = DETENT_SCHEDULER_THREAD}});
  EXPECT_EQ(thread.slot_names, (std::vector<std::string>{"scheduler", "cpu0", "npu0"}));
}

TEST(Simulate, DelaysHaveALaneOfTheirOwn) {
  Graph graph(3);
  graph[0].successors = {1};
  graph[1] = {40, 40, kDelay, 0, {2}, {}};
  const GraphDesc tables(graph);
  for (const auto scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
    const SimResult result =
        simulate(tables.desc(), plain_platform({{"cpu", 2}}), {.engine = {.scheduler = scheduler}});
    ASSERT_EQ(result.worst.trace.spans.size(), 3U);
    for (const auto& span : result.worst.trace.spans) {
      ASSERT_LT(span.slot, result.slot_names.size());
      EXPECT_EQ(result.slot_names[span.slot] == "delays", span.op == 1) << span.op;
    }
    EXPECT_EQ(result.use.size() + 1, result.slot_names.size());
  }
}

TEST(Simulate, UseIsTheBusyTimeOfTheWorstRun) {
  Graph graph(3);
  for (auto& op : graph) op.best_ps = op.worst_ps = 10;
  const GraphDesc tables(graph);
  const SimResult result = simulate(tables.desc(), plain_platform({{"cpu", 2}}), {});
  ASSERT_EQ(result.use.size(), 2U);
  EXPECT_EQ(result.max_ps, 20U);
  EXPECT_EQ(result.use[0].busy_ps + result.use[1].busy_ps, 30U);
}

TEST(Simulate, TracesTellHowManyOpsAreReady) {
  const GraphDesc tables(random_graph(1, {}));
  const SimResult result = simulate(tables.desc(), small_platform(), {.runs = 3});
  for (const harness::Run* const run : {&result.worst, &result.typical}) {
    EXPECT_TRUE(std::ranges::any_of(run->trace.events,
                                    [](const harness::Event& event) { return event.kind == DETENT_EVENT_READY; }));
    EXPECT_EQ(run->trace.spans.size(), tables.desc().op_count);
    EXPECT_EQ(run->trace.dropped, 0U);
  }
}

TEST(Simulate, ProgressReachesTheEnd) {
  const GraphDesc tables(random_graph(1, {}));
  std::uint64_t last = 0;
  std::uint64_t calls = 0;
  SimOptions options;
  options.runs = 1000;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_TRUE(done > last || ++calls == 1) << "the first call tells where the campaign begins";
    EXPECT_EQ(total, 1000U);
    last = done;
  };
  simulate(tables.desc(), small_platform(), options);
  EXPECT_EQ(last, 1000U);
}

TEST(Simulate, AThrowingCallbackReachesTheCallerAndLaterCallsWork) {
  const GraphDesc tables(random_graph(1, {}));
  SimOptions options;
  options.runs = 1000;
  options.progress = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("interrupted"); };
  EXPECT_THROW(simulate(tables.desc(), small_platform(), options), std::runtime_error);
  options.progress = nullptr;
  EXPECT_FALSE(simulate(tables.desc(), small_platform(), options).failure);
}

TEST(Simulate, B70_MoreWorkersThanCoresAreRefused) {
  const GraphDesc tables(random_graph(1, {}));
  EXPECT_THROW(simulate(tables.desc(), find_platform("quad_npu"), {.engine = {.workers = 5}}), std::invalid_argument);
}

TEST(Simulate, AMissingCoreClassIsRefused) {
  Graph graph(1);
  graph[0].core_class = kNpu;
  const GraphDesc tables(graph);
  EXPECT_THROW(simulate(tables.desc(), plain_platform({{"cpu", 4}}), {}), std::invalid_argument);
}

TEST(Simulate, ZeroRunsAndBadSpreadsAreRefused) {
  const GraphDesc tables(random_graph(1, {}));
  EXPECT_THROW(simulate(tables.desc(), small_platform(), {.runs = 0}), std::invalid_argument);
  for (const double spread : {-0.1, std::numeric_limits<double>::quiet_NaN(), 1e9}) {
    SimOptions options;
    options.jitter.spread = spread;
    EXPECT_THROW(simulate(tables.desc(), small_platform(), options), std::invalid_argument);
  }
}

TEST(Simulate, AnUnknownPolicyIsRefused) {
  const GraphDesc tables(random_graph(1, {}));
  EXPECT_THROW(simulate(tables.desc(), small_platform(), {.engine = {.policy = "best"}}), std::invalid_argument);
}

TEST(Simulate, B20_ACycleIsAFailureNamedByItsNumber) {
  Graph graph(2);
  graph[0].successors = {1};
  graph[1].successors = {0};
  const GraphDesc tables(graph);
  for (const bool timing_only : {false, true}) {
    const SimResult result = simulate(tables.desc(), small_platform(), {.timing_only = timing_only});
    ASSERT_TRUE(result.failure);
    EXPECT_NE(result.failure->find("B20"), std::string::npos) << *result.failure;
  }
}

TEST(Simulate, B50_RegionsLargerThanThePlatformsMemory) {
  const GraphDesc tables(random_graph(1, {}));
  Platform platform = small_platform();
  platform.memory_bytes = 10;
  for (const bool timing_only : {false, true}) {
    const SimResult result = simulate(tables.desc(), platform, {.timing_only = timing_only});
    ASSERT_TRUE(result.failure);
    EXPECT_NE(result.failure->find("B50"), std::string::npos) << *result.failure;
  }
}

TEST(Simulate, OverflowOfSimulatedTimeIsAFailure) {
  Graph graph(3);
  for (auto& op : graph) op.best_ps = op.worst_ps = UINT64_MAX / 2;
  graph[0].successors = {1};
  graph[1].successors = {2};
  const GraphDesc tables(graph);
  const SimResult result = simulate(tables.desc(), small_platform(), {});
  ASSERT_TRUE(result.failure);
  EXPECT_NE(result.failure->find("2^64"), std::string::npos) << *result.failure;
  EXPECT_TRUE(result.at_limit);
  EXPECT_FALSE(simulate(GraphDesc(Graph(3)).desc(), small_platform(), {}).failure);
}

TEST(Simulate, GivenOrderIsFollowed) {
  Graph graph(4);
  for (auto& op : graph) op.best_ps = op.worst_ps = 10;
  const GraphDesc tables(graph);
  SimOptions options;
  options.engine.policy = "given";
  options.engine.order = {2, 0, 3, 1};
  options.engine.workers = 1;
  const SimResult result = simulate(tables.desc(), small_platform(), options);
  ASSERT_FALSE(result.failure) << *result.failure;
  std::vector<std::uint32_t> started;
  for (const auto& span : result.worst.trace.spans) started.push_back(span.op);
  EXPECT_EQ(started, options.engine.order);
}

TEST(Simulate, TimingOnlyNeedsNoMemoryForHugeRegions) {
  const GraphDesc tables(random_graph(2, {}));
  detent_region huge = tables.desc().regions[0];
  huge.size_bytes = DETENT_MAX_BYTES;
  detent_desc desc = tables.desc();
  desc.regions = &huge;
  const SimResult result = simulate(desc, small_platform(), {.timing_only = true});
  EXPECT_FALSE(result.failure) << *result.failure;
}

}  // namespace
}  // namespace detent::sim::test
