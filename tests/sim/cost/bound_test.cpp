// Simulated maxima with overheads never pass bounds over inflated op times, and hand-computed runs in which every step
// of the engine is paid reach them. The bounds are computed here, from the papers' formulas.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cost/overhead.hpp"
#include "sim/simulate.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

struct OpLoad {
  std::vector<double> weight_ps;
  std::vector<std::uint32_t> cores;  // cpu, npu
  double serial_ps = 0;
};

double cores_of(const OpLoad& load, const GraphOp& op) {
  return op.core_class == kDelay ? 1e18 : load.cores[op.core_class];
}

/// Han et al. 2019, theorem 3.1; with one class it is Graham's bound. Plus what the engine does one step at a time.
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
  return longest + volume[kCpu] + volume[kNpu] + load.serial_ps;
}

/// Worst times and what the engine adds to them.
OpLoad make_load(const Graph& graph, const detent_desc& desc, const Platform& platform,
                 std::vector<std::uint32_t> cores, const EngineKind& engine = {}) {
  OpLoad load{{}, std::move(cores), 0};
  const EngineOverhead overhead = engine_overhead(desc, platform, engine);
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    load.weight_ps.push_back(static_cast<double>(graph[op].worst_ps + overhead.local_ps[op]));
    load.serial_ps += static_cast<double>(overhead.role_ps[op]);
  }
  load.serial_ps += static_cast<double>(overhead.run_ps);
  return load;
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
  const std::vector<std::uint32_t> cores = {1 + random.below(6), 1 + random.below(3)};
  Platform platform = plain_platform({{"cpu", cores[0]}, {"npu", cores[1]}});
  platform.overheads = random_overheads(random);
  const OpLoad load = make_load(graph, tables.desc(), platform, cores, {scheduler, false});
  SimOptions options;
  options.runs = 8;
  options.seeds.schedule = seed;
  options.timing_only = true;
  options.engine.policy = seed % 2 == 0 ? "random" : "critical-path";
  options.engine.scheduler = scheduler;
  const SimResult result = simulate(tables.desc(), platform, options);
  EXPECT_FALSE(result.failure) << *result.failure << " seed " << seed;
  const double bound_ps = typed_bound_ps(graph, load);
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
    SimOptions options;
    options.timing_only = true;
    const SimResult result = simulate(tables.desc(), platform, options);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_LE(static_cast<double>(result.max_ps),
              typed_bound_ps(graph, make_load(graph, tables.desc(), platform, {2, 1})));
  }
}

TEST(Bound, HoldsForASchedulerThread) {
  RandomGraphOptions options = kShort;
  options.npu = options.delays = true;
  expect_all_below(options, DETENT_SCHEDULER_THREAD, 400);
}

TEST(Bound, NoOverheadsAddNothing) {
  const GraphDesc tables(random_graph(1, {.npu = true, .delays = true}), false);
  const EngineOverhead overhead = engine_overhead(tables.desc(), plain_platform({{"cpu", 4}, {"npu", 1}}));
  for (const std::uint64_t local_ps : overhead.local_ps) EXPECT_EQ(local_ps, 0U);
  for (const std::uint64_t role_ps : overhead.role_ps) EXPECT_EQ(role_ps, 0U);
  EXPECT_EQ(overhead.run_ps, 0U);
}

/// The bound cannot know who held the role last, so every taking of it costs the dearer of the two.
TEST(Bound, CountsTheLockAsContended) {
  const GraphDesc tables(Graph(3), false);
  Platform free = plain_platform({{"cpu", 2}});
  free.overheads.lock_ps = 500;
  Platform contended = plain_platform({{"cpu", 2}});
  contended.overheads.lock_contended_ps = 500;
  const EngineOverhead of_free = engine_overhead(tables.desc(), free);
  const EngineOverhead of_contended = engine_overhead(tables.desc(), contended);
  EXPECT_EQ(of_contended.role_ps, of_free.role_ps);
  EXPECT_EQ(of_contended.run_ps, of_free.run_ps);
  EXPECT_EQ(of_contended.role_ps[0], 500U);
}

// Runs in which every step is paid, one after the other. Each cost is a power of ten, so that a digit of the makespan
// counts its steps: a term with another factor or sign shows.

/// dispatch 1, queue 10, lock 100, wake 1,000, two logs 10,000, interrupt 100,000.
Platform digits_platform(std::uint32_t npus) {
  Platform platform = plain_platform({{"cpu", 1}, {"npu", npus}});
  platform.overheads = {1, 10, 100, 1'000, 5'000, 0, 100'000, 0};
  platform.classes[1].npu = npu::NpuConfig{};
  return platform;
}

Graph chain_of(std::uint32_t length, std::uint32_t core_class) {
  Graph graph(length);
  for (std::uint32_t op = 0; op < length; ++op) {
    graph[op].core_class = core_class;
    graph[op].best_ps = graph[op].worst_ps = 1'000'000;
    if (op + 1 < length) graph[op].successors = {op + 1};
  }
  return graph;
}

std::uint64_t digits_makespan(const Graph& graph, detent_scheduler scheduler) {
  const GraphDesc tables(graph, false);
  SimOptions options;
  options.timing_only = true;
  options.engine.scheduler = scheduler;
  const SimResult result = simulate(tables.desc(), digits_platform(1), options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return result.max_ps;
}

std::uint64_t digits_bound(const Graph& graph, detent_scheduler scheduler) {
  const GraphDesc tables(graph, false);
  const OpLoad load = make_load(graph, tables.desc(), digits_platform(1), {1, 1}, {scheduler, false});
  return static_cast<std::uint64_t>(typed_bound_ps(graph, load) + 0.5);
}

/// The scheduler sleeps while the NPU works and the worker of the NPU while the scheduler works, so every op costs two
/// wake-ups, an interrupt, a dispatch with two logs, a lock and four queue steps (ready, given, put, taken); the first
/// op is ready before the run. The run itself takes the role once.
TEST(Bound, IsReachedByAChainUnderASchedulerThread) {
  for (const std::uint32_t core_class : {kNpu, kCpu}) {
    const Graph chain = chain_of(3, core_class);
    const std::uint64_t interrupts_ps = core_class == kNpu ? 300'000 : 0;
    EXPECT_EQ(digits_makespan(chain, DETENT_SCHEDULER_THREAD), 3'000'000U + interrupts_ps + 36'000 + 403 + 110);
    EXPECT_EQ(digits_bound(chain, DETENT_SCHEDULER_THREAD), digits_makespan(chain, DETENT_SCHEDULER_THREAD));
  }
}

/// A delay is dispatched under the role, and its answer is settled by the thread of interrupts, which sleeps to
/// nobody's cost. Three queue steps each (ready, given, taken). At the end slot 0 is woken.
TEST(Bound, IsReachedByAChainOfDelays) {
  const Graph chain = chain_of(3, kDelay);
  EXPECT_EQ(digits_makespan(chain, DETENT_SCHEDULER_ROLE), 3'000'000U + 30'000 + 1'000 + 403 + 80);
  EXPECT_EQ(digits_bound(chain, DETENT_SCHEDULER_ROLE), digits_makespan(chain, DETENT_SCHEDULER_ROLE));
  // A scheduler thread is woken for each answer, and by nobody at the end.
  EXPECT_EQ(digits_makespan(chain, DETENT_SCHEDULER_THREAD), 3'000'000U + 30'000 + 3'000 + 403 + 80);
  EXPECT_EQ(digits_bound(chain, DETENT_SCHEDULER_THREAD), digits_makespan(chain, DETENT_SCHEDULER_THREAD));
}

/// With the scheduler as a role, a worker that finds it free settles its own op: no step into the CompleteQueue and
/// none out of it, which the bound cannot know. Slot 0 sleeps meanwhile and is woken at the end.
TEST(Bound, IsMissedByTheCostOfOneQueueWhereTheFinisherSchedules) {
  const Graph one = chain_of(1, kNpu);
  EXPECT_EQ(digits_makespan(one, DETENT_SCHEDULER_ROLE), 1'000'000U + 100'000 + 10'000 + 2'000 + 200 + 10 + 1);
  EXPECT_EQ(digits_bound(one, DETENT_SCHEDULER_ROLE), digits_makespan(one, DETENT_SCHEDULER_ROLE) + 20);
}

/// An op that begins on another core pays for the way once; only where loads can drive it away.
TEST(Bound, CountsOneMigrationPerOpWhereThereAreLoads) {
  const GraphDesc tables(Graph(1), false);
  Platform platform = plain_platform({{"cpu", 2}});
  platform.overheads.migrate_ps = 70;
  EXPECT_EQ(engine_overhead(tables.desc(), platform, {{}, true}).local_ps[0], 0U);
  platform.loads = {{"load", "cpu", 0, 1'000, 100, 0, 0}};
  EXPECT_EQ(engine_overhead(tables.desc(), platform, {{}, true}).local_ps[0], 70U);
  EXPECT_EQ(engine_overhead(tables.desc(), platform, {{}, false}).local_ps[0], 0U);
}

/// An engine that is not named may be any: both wake-ups, and that of slot 0.
TEST(Bound, OfAnyEngineIsThatOfTheDearest) {
  const GraphDesc tables(chain_of(2, kNpu), false);
  const Platform platform = digits_platform(1);
  const EngineOverhead any = engine_overhead(tables.desc(), platform, {{}, false});
  const EngineOverhead thread = engine_overhead(tables.desc(), platform, {DETENT_SCHEDULER_THREAD, false});
  const EngineOverhead role = engine_overhead(tables.desc(), platform, {DETENT_SCHEDULER_ROLE, false});
  EXPECT_EQ(any.local_ps, thread.local_ps);
  EXPECT_EQ(any.local_ps[0], role.local_ps[0] + 1'000);
  EXPECT_EQ(any.role_ps, role.role_ps);
  EXPECT_EQ(any.run_ps, role.run_ps);
  EXPECT_EQ(any.run_ps, thread.run_ps + 1'000);
}

}  // namespace
}  // namespace detent::sim::test
