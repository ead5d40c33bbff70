// Simulated makespans without overheads equal list scheduling from its definition, op by op, ties included.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/list_schedule.hpp"
#include "tests/sim/scale_graph.hpp"

namespace detent::sim::test {
namespace {

struct Case {
  RandomGraphOptions graph{};
  std::uint32_t max_cpus = 4;
  std::uint32_t npus = 1;
  std::string policy = "id";
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
};

std::vector<std::uint64_t> worst_times(const Graph& graph) {
  std::vector<std::uint64_t> times;
  for (const auto& op : graph) times.push_back(op.worst_ps);
  return times;
}

/// Longest path to the end in worst times, own time included.
std::vector<std::uint64_t> bottom_levels(const Graph& graph) {
  std::vector<std::uint64_t> level(graph.size());
  for (std::size_t op = graph.size(); op-- > 0;) {
    for (const std::uint32_t next : graph[op].successors) level[op] = std::max(level[op], level[next]);
    level[op] += graph[op].worst_ps;
  }
  return level;
}

std::vector<std::uint64_t> ranks(const Graph& graph, const std::string& policy) {
  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto level = bottom_levels(graph);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (policy == "priority") return graph[a].priority < graph[b].priority;
    if (policy == "critical-path") return level[a] > level[b];
    return false;
  });
  std::vector<std::uint64_t> rank(graph.size());
  for (std::uint64_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

/// Cores per class: cpu, npu, none for delays, dsp.
using Cores = std::vector<std::uint32_t>;

Platform platform_with(const Cores& cores) {
  std::vector<std::pair<std::string, std::uint32_t>> classes{{"cpu", cores.at(kCpu)}};
  if (cores.size() > kNpu && cores[kNpu] > 0) classes.emplace_back("npu", cores[kNpu]);
  if (cores.size() > kDsp && cores[kDsp] > 0) classes.emplace_back("dsp", cores[kDsp]);
  return plain_platform(classes);
}

void expect_schedule(const Graph& graph, const Cores& cores, const std::string& policy, detent_scheduler scheduler,
                     std::uint64_t seed) {
  const GraphDesc tables(graph, false);
  SimOptions options;
  options.jitter.kind = Jitter::Kind::kWorst;
  options.engine.policy = policy;
  options.engine.scheduler = scheduler;
  options.timing_only = true;
  const SimResult result = simulate(tables.desc(), platform_with(cores), options);
  ASSERT_FALSE(result.failure) << *result.failure << " seed " << seed;
  const support::ListSchedule expected = list_schedule(graph, worst_times(graph), cores, ranks(graph, policy));
  ASSERT_EQ(result.max_ps, expected.makespan_ps) << "seed " << seed << " cpus " << cores[kCpu];
  ASSERT_EQ(result.worst.trace.spans.size(), graph.size()) << "seed " << seed;
  for (const auto& span : result.worst.trace.spans) {
    ASSERT_EQ(span.begin_ps, expected.begin_ps[span.op]) << "seed " << seed << " op " << span.op;
    ASSERT_EQ(span.end_ps, expected.end_ps[span.op]) << "seed " << seed << " op " << span.op;
  }
}

void expect_equal(std::uint64_t seed, const Case& c) {
  const std::uint32_t cpus = 1 + static_cast<std::uint32_t>(seed % c.max_cpus);
  expect_schedule(random_graph(seed, c.graph), {cpus, c.npus}, c.policy, c.scheduler, seed);
}

TEST(Exactness, IdenticalCoresWithHeavyTies) {
  for (std::uint64_t seed = 0; seed < effort(1500u); ++seed) ASSERT_NO_FATAL_FAILURE(expect_equal(seed, {}));
}

TEST(Exactness, TypedCores) {
  for (std::uint64_t seed = 0; seed < effort(1500u); ++seed) {
    Case c;
    c.graph.npu = true;
    c.npus = 1 + static_cast<std::uint32_t>(seed / 7 % 3);
    ASSERT_NO_FATAL_FAILURE(expect_equal(seed, c));
  }
}

TEST(Exactness, DelaysNeedNoCore) {
  for (std::uint64_t seed = 0; seed < effort(1000u); ++seed) {
    Case c;
    c.graph.npu = c.graph.delays = true;
    ASSERT_NO_FATAL_FAILURE(expect_equal(seed, c));
  }
}

TEST(Exactness, UpTo60Cores) {
  for (std::uint64_t seed = 0; seed < effort(200u); ++seed) {
    Case c;
    c.graph.max_ops = 300;
    c.graph.max_time_ps = 9;
    c.max_cpus = 60;
    c.npus = 4;
    ASSERT_NO_FATAL_FAILURE(expect_equal(seed, c));
  }
}

TEST(Exactness, EachPolicy) {
  for (std::uint64_t seed = 0; seed < effort(400u); ++seed) {
    for (const char* policy : {"priority", "critical-path"}) {
      Case c;
      c.graph.npu = true;
      c.policy = policy;
      ASSERT_NO_FATAL_FAILURE(expect_equal(seed, c));
    }
  }
}

TEST(Exactness, SchedulerAsAThread) {
  for (std::uint64_t seed = 0; seed < effort(500u); ++seed) {
    Case c;
    c.graph.npu = c.graph.delays = true;
    c.scheduler = DETENT_SCHEDULER_THREAD;
    ASSERT_NO_FATAL_FAILURE(expect_equal(seed, c));
  }
}

/// All that an op can have, on up to 64 cores of three classes.
void expect_rich_equal(std::uint64_t seed, std::uint32_t ops, const Cores& cores) {
  ScaleGraphOptions options;
  options.ops = ops;
  options.max_time_ps = seed % 2 == 0 ? 6 : 1'000'000;  // heavy ties, or hardly any
  options.reach = 20 + 8 * (cores[kCpu] + cores[kNpu] + cores[kDsp]);
  options.npu_percent = 20;
  options.dsp_percent = 10;
  options.delay_percent = 5;
  options.release_percent = 3;
  options.mutex_percent = 15;
  options.mutexes = 2 + static_cast<std::uint32_t>(seed % 30);
  const char* policies[] = {"id", "priority", "critical-path"};
  expect_schedule(scale_graph(seed, options), cores, policies[seed % 3],
                  seed % 5 == 0 ? DETENT_SCHEDULER_THREAD : DETENT_SCHEDULER_ROLE, seed);
}

TEST(Exactness, ClassesPrioritiesMutexesDelaysReleases) {
  for (std::uint64_t seed = 0; seed < effort(600u); ++seed) {
    const auto cpus = 1 + static_cast<std::uint32_t>(seed % 5);
    const Cores cores{cpus, 1 + static_cast<std::uint32_t>(seed % 3), 0, 1 + static_cast<std::uint32_t>(seed % 2)};
    ASSERT_NO_FATAL_FAILURE(expect_rich_equal(seed, 1 + static_cast<std::uint32_t>(seed * 7 % 200), cores));
  }
}

TEST(Exactness, SixtyFourCoresOfThreeClasses) {
  for (std::uint64_t seed = 0; seed < effort(40u); ++seed) {
    const auto cpus = 40 + static_cast<std::uint32_t>(seed % 17);
    ASSERT_NO_FATAL_FAILURE(expect_rich_equal(seed, 3000, {cpus, 62 - cpus, 0, 1}));  // 63: one slot may schedule
  }
  const Graph wide = scale_graph(1, {.ops = 5000, .reach = 2000});
  ASSERT_NO_FATAL_FAILURE(expect_schedule(wide, {64}, "id", DETENT_SCHEDULER_ROLE, 1));
}

TEST(Exactness, AHundredThousandOps) {
  ASSERT_NO_FATAL_FAILURE(expect_rich_equal(1, effort(100'000u), {48, 12, 0, 3}));
  ASSERT_NO_FATAL_FAILURE(expect_rich_equal(2, effort(100'000u), {4, 1, 0, 1}));
}

TEST(Exactness, FreeWorkersStartBeforeTheNextCompletionOfTheSameInstant) {
  // Ops 0 and 1 end together. After op 0 its successor 2 (bad priority) is the only ready op and takes the core that
  // is free, although op 1's completion, which would release the better op 3, happens at the same instant.
  Graph graph(4);
  graph[0] = {10, 10, kCpu, 0, {2}, {}};
  graph[1] = {10, 10, kCpu, 0, {3}, {}};
  graph[2] = {100, 100, kCpu, 5, {}, {}};
  graph[3] = {7, 7, kCpu, -5, {}, {}};
  const GraphDesc tables(graph, false);
  SimOptions options;
  options.engine.policy = "priority";
  options.timing_only = true;
  const SimResult result = simulate(tables.desc(), plain_platform({{"cpu", 2}}), options);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.max_ps, 110U);
}

}  // namespace
}  // namespace detent::sim::test
