// Two networks on the workers of one pool, under every schedule of its threads.
#include "verify/explore/threads/pool.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>
#include <tuple>

#include "runtime/base/atomic.h"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/support/desc_tables.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore::testing {
namespace {

using support::DescTables;
using support::GraphSpec;

GraphSpec graph(std::uint32_t ops, std::vector<support::Edge> edges) {
  GraphSpec spec = support::make_ops(ops);
  spec.edges = std::move(edges);
  support::add_dataflow(spec);
  return spec;
}

/// Explores and says what it took.
ThreadResult explore(const std::vector<PoolNetwork>& networks, ThreadOptions options, const char* what) {
  ThreadResult result = explore_pool(networks, options);
  std::cout << what << ": " << result.verdict.summary << "; " << result.statistics.threads << " threads, longest "
            << result.statistics.longest << "\n";
  if (result.failure) {
    std::cout << result.failure->law << ": " << result.failure->text << "\n";
    for (const std::string& line : result.failure->constraints) std::cout << "  " << line << "\n";
  }
  return result;
}

ThreadOptions every_schedule(std::uint32_t workers, MemoryModel memory = MemoryModel::kC11) {
  ThreadOptions options;
  options.engine.workers = workers;
  options.memory = memory;
  return options;
}

ThreadOptions sampled(std::uint32_t workers, std::uint64_t executions) {
  ThreadOptions options = every_schedule(workers);
  options.search = Search::kRotate;
  options.max_executions = executions;
  return options;
}

struct Networks {
  DescTables one{graph(1, {})}, two{graph(2, {})}, chain{graph(2, {{0, 1}})},
      diamond{graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})};
};

TEST(PoolThreads, EveryScheduleOfTwoNetworksOfTwoOpsEndsAndComputesWhatEachDoesAlone) {
  const Networks n;
  const DescTables& chain = kIsInstrumented ? n.one : n.chain;
  const DescTables& two = kIsInstrumented ? n.one : n.two;
  for (const std::int32_t priority : {0, 1}) {
    for (const auto& [a, b, what] :
         {std::tuple{&chain, &chain, "chains of 2 ops, 1 worker"}, std::tuple{&two, &two, "2 + 2 ops, 1 worker"}}) {
      const ThreadResult result = explore({{&a->desc, 0}, {&b->desc, priority}}, every_schedule(1), what);
      EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << result.verdict.summary;
      EXPECT_EQ(result.statistics.threads, 6U);
    }
  }
}

TEST(PoolThreads, EveryScheduleWithAFailureOrACancellationLeavesTheOtherNetworkAsItIs) {
  const Networks n;
  PoolNetwork fails{&n.one.desc, 0}, cancelled{&n.one.desc, 0};
  fails.failing_ops = {0};
  cancelled.cancel = true;
  for (const auto& [disturbed, what] : {std::pair{fails, "one fails"}, std::pair{cancelled, "one is cancelled"}}) {
    const ThreadResult result = explore(
        {disturbed, {&n.one.desc, 0}}, every_schedule(1, kIsInstrumented ? MemoryModel::kSc : MemoryModel::kC11), what);
    EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << result.verdict.summary;
  }
}

TEST(PoolThreads, SampledSchedulesOnTwoWorkersBreakNoLaw) {
  const Networks n;
  ThreadOptions options = sampled(2, effort(4'000U));
  options.spurious_wakeups = 1;
  options.runs = 2;
  const ThreadResult result = explore({{&n.diamond.desc, 1}, {&n.two.desc, 0}, {&n.chain.desc, 1}}, options,
                                      "three networks, 2 workers, 2 runs");
  EXPECT_FALSE(result.failure.has_value()) << result.verdict.summary;
}

TEST(PoolThreads, SampledSchedulesOfOpsThatAreForSomeWorkersBreakNoLaw) {
  GraphSpec first = graph(4, {{0, 1}}), second = graph(2, {});
  first.ops[0].workers = 2;
  first.ops[1].workers = 1;
  first.ops[2].workers = 3;
  second.ops[1].workers = 2;
  const DescTables a{first}, b{second};
  for (const std::int32_t priority : {0, 1}) {
    const ThreadResult result = explore({{&a.desc, 0}, {&b.desc, priority}}, sampled(2, effort(3'000U)),
                                        "6 ops, 5 of them for some of 2 workers");
    EXPECT_FALSE(result.failure.has_value()) << result.verdict.summary;
  }
}

// Found by it: a worker that has left its completion to the holder of the role comes back before it is counted, and is
// given a second op.
TEST(PoolThreads, SampledSchedulesOfWideNetworksLoseNoOp) {
  const DescTables wide(graph(4, {}));
  for (const std::uint32_t workers : {2U, 3U}) {
    const ThreadResult result =
        explore({{&wide.desc, 0}, {&wide.desc, 0}}, sampled(workers, effort(10'000U)), "4 + 4 ops");
    EXPECT_FALSE(result.failure.has_value()) << result.verdict.summary;
  }
}

TEST(PoolThreads, SampledWholeLivesJoinAndLeaveAsTheyLike) {
  const Networks n;
  ThreadOptions options = sampled(2, effort(2'000U));
  options.whole_life = true;
  const ThreadResult result = explore({{&n.two.desc, 0}, {&n.one.desc, -1}}, options, "whole life, 2 workers");
  EXPECT_FALSE(result.failure.has_value()) << result.verdict.summary;
}

/// Words of one name count as if they had been accessed with acquire and release alone.
class WeakWord final : public OrderFilter {
 public:
  explicit WeakWord(std::string name) : name_(std::move(name)) {}
  std::uint32_t order_of(const void*, const void* base, std::uint32_t offset_bytes, std::uint32_t access) override {
    const bool is_meant =
        name_of_pool_word(*static_cast<const detent_worker_pool*>(base), offset_bytes).starts_with(name_);
    return is_meant && (access & kAccessRelaxed) == 0 ? access | kAccessPaired : access;
  }

 private:
  std::string name_;
};

// Each side writes its word and then reads the other's: docs/ENGINE.md, "Write mine, then read yours".
TEST(PoolThreads, ReadyWordsAndStatesOfWorkersNeedOneOrderOfAll) {
  const Networks n;
  for (const char* const word : {"ready word", "state of worker"}) {
    WeakWord weak(word);
    ThreadOptions options = every_schedule(1);
    options.orders = &weak;
    options.minimise = false;
    options.max_steps = 3000;
    const ThreadResult result = explore({{&n.two.desc, 0}, {&n.one.desc, 0}}, options, word);
    ASSERT_TRUE(result.failure.has_value()) << word;
    EXPECT_EQ(result.failure->law, "deadlock") << word;
  }
}

TEST(PoolThreads, AReplayDoesTheSameStepsEachTime) {
  const Networks n;
  const std::vector<PoolNetwork> networks{{&n.one.desc, 0}, {&n.one.desc, 0}};
  const std::string choices = "t1:0x1.2x30#0000000000000000";
  const ThreadReplay first = replay_pool(networks, every_schedule(1), choices);
  EXPECT_EQ(replay_pool(networks, every_schedule(1), choices).listing, first.listing);
}

TEST(PoolThreads, WhatAPoolCannotHaveIsRefused) {
  const Networks n;
  const std::vector<PoolNetwork> networks{{&n.one.desc, 0}};
  EXPECT_THROW(explore_pool({}, every_schedule(1)), std::invalid_argument);
  EXPECT_THROW(explore_pool(networks, every_schedule(0)), std::invalid_argument);
  ThreadOptions options = every_schedule(1);
  options.engine.mode = DETENT_MODE_STATIC;
  EXPECT_THROW(explore_pool(networks, options), std::invalid_argument);
  options = every_schedule(1);
  options.op_deadline_ps = 1;
  EXPECT_THROW(explore_pool(networks, options), std::invalid_argument);
  GraphSpec later = graph(1, {});
  later.ops[0].core_class = 1;
  const DescTables asynchronous(later);
  EXPECT_THROW(explore_pool({{.desc = &asynchronous.desc}}, every_schedule(1)), std::invalid_argument);
  EXPECT_THROW(explore_pool({{.desc = &n.one.desc, .failing_ops = {7}}}, every_schedule(1)), std::invalid_argument);
}

}  // namespace
}  // namespace detent::verify::explore::testing
