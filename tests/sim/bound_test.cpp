// Simulated maxima with overheads never pass bounds over inflated op times. The bounds are computed here, from the
// papers' formulas.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

struct OpLoad {
  std::vector<double> weight_ps;
  std::vector<std::uint32_t> cores;  // cpu, npu
};

double cores_of(const OpLoad& load, const GraphOp& op) {
  return op.core_class == kDelay ? 1e18 : load.cores[op.core_class];
}

/// Han et al. 2019, theorem 3.1; with one class it is Graham's bound.
double typed_bound_ps(const Graph& graph, const OpLoad& load) {
  std::vector<double> path(graph.size());
  std::vector<double> volume(3);
  double longest = 0;
  for (std::size_t op = graph.size(); op-- > 0;) {
    for (const std::uint32_t next : graph[op].successors) path[op] = std::max(path[op], path[next]);
    path[op] += load.weight_ps[op] * (1 - 1 / cores_of(load, graph[op]));
    longest = std::max(longest, path[op]);
    volume[graph[op].core_class] += load.weight_ps[op] / cores_of(load, graph[op]);
  }
  return longest + volume[kCpu] + volume[kNpu];
}

Overheads random_overheads(Random& random) {
  Overheads o;
  o.dispatch_ps = random.below(20);
  o.queue_ps = random.below(20);
  o.lock_ps = random.below(20);
  o.wake_ps = random.below(40);
  o.log_ps = random.below(5);
  return o;
}

/// Largest share of the bound that a campaign reached.
double worst_share(std::uint64_t seed, const RandomGraphOptions& graph_options, detent_scheduler scheduler) {
  Random random(seed + 77);
  const Graph graph = random_graph(seed, graph_options);
  const GraphDesc tables(graph, false);
  OpLoad load;
  load.cores = {1 + random.below(6), 1 + random.below(3)};
  Platform platform = plain_platform({{"cpu", load.cores[0]}, {"npu", load.cores[1]}});
  platform.overheads = random_overheads(random);
  const auto overheads = overheads_per_op_ps(tables.desc(), platform);
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    EXPECT_EQ(overheads[op], overhead_per_op_ps(tables.desc(), platform, op));
    load.weight_ps.push_back(static_cast<double>(graph[op].worst_ps + overheads[op]));
  }
  SimOptions options;
  options.runs = 8;
  options.seed = seed;
  options.timing_only = true;
  options.policy = seed % 2 == 0 ? "random" : "critical-path";
  options.scheduler = scheduler;
  const SimResult result = simulate(tables.desc(), platform, options);
  EXPECT_FALSE(result.failure) << *result.failure << " seed " << seed;
  const double bound_ps = typed_bound_ps(graph, load) + static_cast<double>(overhead_per_run_ps(platform, 9));
  return bound_ps == 0 ? 0 : static_cast<double>(result.max_ps) / bound_ps;
}

void expect_all_below(const RandomGraphOptions& options, detent_scheduler scheduler, std::uint64_t seeds) {
  double highest = 0;
  for (std::uint64_t seed = 0; seed < effort(seeds); ++seed) {
    const double share = worst_share(seed, options, scheduler);
    ASSERT_LE(share, 1.0) << "seed " << seed;
    highest = std::max(highest, share);
  }
  testing::Test::RecordProperty("highest_share_of_bound", std::to_string(highest));
  EXPECT_GT(highest, 0.3) << "the bound says nothing";
}

constexpr RandomGraphOptions kShort{.max_ops = 60, .max_time_ps = 20, .range = true};
constexpr RandomGraphOptions kLong{.max_ops = 60, .max_time_ps = 400, .range = true};

TEST(Bound, HoldsWhenOverheadsOutweighTheOps) { expect_all_below(kShort, DETENT_SCHEDULER_ROLE, 600); }
TEST(Bound, HoldsWhenOpsOutweighTheOverheads) { expect_all_below(kLong, DETENT_SCHEDULER_ROLE, 600); }

TEST(Bound, HoldsOnTypedCoresWithDelays) {
  RandomGraphOptions options = kShort;
  options.npu = options.delays = true;
  expect_all_below(options, DETENT_SCHEDULER_ROLE, 600);
}

TEST(Bound, HoldsForAReleaseStorm) {
  for (std::uint32_t count = 1; count <= 64; count *= 2) {
    Graph graph(2 * count);
    for (std::uint32_t i = 0; i < count; ++i) {
      graph[i] = {1, 1, kCpu, 0, {}, {}};
      graph[count + i] = {5, 5, kDelay, 0, {}, {}};
    }
    const GraphDesc tables(graph, false);
    Platform platform = plain_platform({{"cpu", 2}});
    platform.overheads = {3, 2, 7, 11, 1};
    OpLoad load{{}, {2, 1}};
    const auto overheads = overheads_per_op_ps(tables.desc(), platform);
    for (std::uint32_t op = 0; op < graph.size(); ++op) {
      load.weight_ps.push_back(static_cast<double>(graph[op].worst_ps + overheads[op]));
    }
    SimOptions options;
    options.timing_only = true;
    const SimResult result = simulate(tables.desc(), platform, options);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_LE(static_cast<double>(result.max_ps),
              typed_bound_ps(graph, load) + static_cast<double>(overhead_per_run_ps(platform, 2)));
  }
}

TEST(Bound, HoldsForASchedulerThread) {
  RandomGraphOptions options = kShort;
  options.npu = options.delays = true;
  expect_all_below(options, DETENT_SCHEDULER_THREAD, 400);
}

TEST(Bound, NoOverheadsAddNothing) {
  const GraphDesc tables(random_graph(1, {.npu = true, .delays = true}), false);
  const Platform platform = plain_platform({{"cpu", 4}, {"npu", 1}});
  for (const std::uint64_t overhead_ps : overheads_per_op_ps(tables.desc(), platform)) EXPECT_EQ(overhead_ps, 0U);
  EXPECT_EQ(overhead_per_run_ps(platform, 4), 0U);
}

/// The bound cannot know who held the role last, so every taking of it costs the dearer of the two.
TEST(Bound, CountsTheLockAsContended) {
  const GraphDesc tables(Graph(3), false);
  Platform free = plain_platform({{"cpu", 2}});
  free.overheads.lock_ps = 500;
  Platform contended = plain_platform({{"cpu", 2}});
  contended.overheads.lock_contended_ps = 500;
  EXPECT_EQ(overheads_per_op_ps(tables.desc(), contended), overheads_per_op_ps(tables.desc(), free));
  EXPECT_EQ(overhead_per_run_ps(contended, 2), overhead_per_run_ps(free, 2));
  EXPECT_GT(overhead_per_op_ps(tables.desc(), contended, 0), 0U);
}

}  // namespace
}  // namespace detent::sim::test
