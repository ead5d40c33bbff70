// Simulated makespans without overheads equal list scheduling from its definition, op by op, ties included.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/list_schedule.hpp"

namespace detent::sim::test {
namespace {

struct Case {
  RandomGraphOptions graph;
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

void expect_equal(std::uint64_t seed, const Case& c) {
  const Graph graph = random_graph(seed, c.graph);
  const GraphDesc tables(graph, false);
  const std::uint32_t cpus = 1 + static_cast<std::uint32_t>(seed % c.max_cpus);
  SimOptions options;
  options.jitter.kind = Jitter::Kind::kWorst;
  options.policy = c.policy;
  options.scheduler = c.scheduler;
  options.timing_only = true;
  const auto platform = plain_platform({{"cpu", cpus}, {"npu", c.npus}});
  const SimResult result = simulate(tables.desc(), platform, options);
  ASSERT_FALSE(result.failure) << *result.failure << " seed " << seed;
  const ListSchedule expected = list_schedule(graph, worst_times(graph), {cpus, c.npus}, ranks(graph, c.policy));
  ASSERT_EQ(result.max_ps, expected.makespan_ps) << "seed " << seed << " cpus " << cpus;
  ASSERT_EQ(result.worst.trace.spans.size(), graph.size()) << "seed " << seed;
  for (const auto& span : result.worst.trace.spans) {
    ASSERT_EQ(span.begin_ps, expected.begin_ps[span.op]) << "seed " << seed << " op " << span.op;
    ASSERT_EQ(span.end_ps, expected.end_ps[span.op]) << "seed " << seed << " op " << span.op;
  }
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
  options.policy = "priority";
  options.timing_only = true;
  const SimResult result = simulate(tables.desc(), plain_platform({{"cpu", 2}}), options);
  ASSERT_FALSE(result.failure) << *result.failure;
  EXPECT_EQ(result.max_ps, 110U);
}

}  // namespace
}  // namespace detent::sim::test
