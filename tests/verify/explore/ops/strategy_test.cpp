#include "verify/explore/ops/strategy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "models/lower/lower.hpp"
#include "models/prepare/load.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/reach.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;
using Schedules = std::vector<std::vector<std::uint32_t>>;

Schedules draw(OpStrategy& strategy, std::size_t most) {
  Schedules schedules;
  strategy.run([&](const std::vector<std::uint32_t>& schedule, double) {
    schedules.push_back(schedule);
    return schedules.size() < most;
  });
  return schedules;
}

TEST(OpStrategy, EveryScheduleIsALinearExtensionAndRepeats) {
  const DescTables tables(
      testing::make_random_spec(5, {.op_count = 14, .percent_edges = 12, .region_count = 1, .region_bytes = 40}));
  const OpSpace space(tables.desc);
  for (const std::string& name : strategy_names()) {
    const Schedules schedules = draw(*make_strategy(name, space, {.seed = 3}), 200);
    EXPECT_EQ(make_strategy(name, space, {})->name(), name);
    EXPECT_FALSE(schedules.empty()) << name;
    for (const auto& schedule : schedules) EXPECT_TRUE(is_linear_extension(tables.desc, schedule)) << name;
    EXPECT_EQ(schedules, draw(*make_strategy(name, space, {.seed = 3}), 200)) << name;
  }
}

TEST(OpStrategy, UnknownStrategyAndImpossibleSizesAreRefused) {
  const DescTables tables(testing::make_ops(2));
  const OpSpace space(tables.desc);
  EXPECT_THROW(make_strategy("luck", space, {}), std::invalid_argument);
  EXPECT_THROW(make_strategy("pct", space, {.seed = 0, .pct_depth = 0}), std::invalid_argument);
  const DescTables many(testing::make_ops(kMaxDenseOps + 1));
  const OpSpace large(many.desc);
  EXPECT_THROW(make_pairs(large), std::invalid_argument);
  EXPECT_EQ(OpCoverage(large).pairs().unordered_known, false);
}

TEST(OpStrategy, DfsRunsEachTraceOnce) {
  const DescTables tables(testing::make_alike(3, {"w0", "r0"}));
  const OpSpace space(tables.desc);
  OpCoverage coverage(space);
  EXPECT_TRUE(make_dfs(space)->run([&](const auto& schedule, double) { return coverage.add(schedule); }));
  EXPECT_EQ(coverage.traces(), coverage.schedules());
  EXPECT_TRUE(count_traces(space.graph()).total == coverage.traces());
  EXPECT_EQ(coverage.pairs().conflicting_both, coverage.pairs().conflicting_total);
}

TEST(OpStrategy, PairsRunEveryUnorderedPairBothWaysInFewSchedules) {
  for (const char* name : {"yolov8n:64", "resnet18", "random:7:94", "series_parallel:3:94", "erdos:5:94", "wide:60"}) {
    const models::Model model = models::make_zoo_model(name);
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    const OpSpace space(lowered.desc());
    OpCoverage coverage(space);
    EXPECT_TRUE(make_pairs(space)->run([&](const auto& schedule, double) {
      EXPECT_TRUE(is_linear_extension(lowered.desc(), schedule));
      coverage.add(schedule);
      return true;
    }));
    EXPECT_EQ(coverage.pairs().unordered_both, coverage.pairs().unordered_total) << name;
    EXPECT_LE(coverage.schedules(), 16U) << name;
  }
}

TEST(OpStrategy, TriplesRunInEveryOrder) {
  const DescTables tables(testing::make_alike(5, {"w0"}));
  const OpSpace space(tables.desc);
  std::set<std::array<std::uint32_t, 3>> seen;
  EXPECT_TRUE(make_triples(space, {})->run([&](const std::vector<std::uint32_t>& s, double) {
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = i + 1; j < 5; ++j) {
        for (std::size_t k = j + 1; k < 5; ++k) seen.insert({s[i], s[j], s[k]});
      }
    }
    return true;
  }));
  EXPECT_EQ(seen.size(), 60U);  // 5 * 4 * 3
}

TEST(OpStrategy, PctFindsAReuseAfterAChainOf16) {
  const DescTables tables(testing::make_reuse_after_chain(16));
  const OpSpace space(tables.desc);
  ASSERT_EQ(space.pairs().size(), 1U);
  std::size_t runs = 0;
  bool found = false;
  make_pct(space, {.seed = 1, .pct_depth = 2})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    ++runs;
    const auto at = [&](std::uint32_t op) { return std::find(schedule.begin(), schedule.end(), op); };
    found = at(18) < at(1);
    return !found && runs < 1000;
  });
  EXPECT_TRUE(found);
}

TEST(OpCoverage, CountsTracesPairsAndUnseenMass) {
  const DescTables tables(testing::make_program({{"w0"}, {"w0"}, {"r1"}}));
  const OpSpace space(tables.desc);
  OpCoverage coverage(space);
  EXPECT_EQ(coverage.unseen_mass(), 1);
  EXPECT_TRUE(coverage.add({0, 1, 2}));
  EXPECT_FALSE(coverage.add({0, 2, 1}));
  EXPECT_EQ(coverage.unseen_mass(), 0);
  EXPECT_TRUE(coverage.add({1, 0, 2}));
  EXPECT_DOUBLE_EQ(coverage.unseen_mass(), 1.0 / 3);
  const PairCoverage pairs = coverage.pairs();
  EXPECT_EQ(pairs.conflicting_both, 1U);
  EXPECT_EQ(pairs.conflicting_total, 1U);
  EXPECT_EQ(pairs.unordered_both, 2U);  // 0 and 1, 1 and 2
  EXPECT_EQ(pairs.unordered_total, 3U);
}

TEST(OpReach, OneWorkerHasOneTrace) {
  const DescTables tables(testing::make_program({{"w0"}, {"w0"}}));
  const OpSpace space(tables.desc);
  EXPECT_EQ(is_trace_reachable(space, {0, 1}, {.workers = 1}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {1, 0}, {.workers = 1}), Reach::kNo);
  EXPECT_EQ(is_trace_reachable(space, {1, 0}, {.workers = 2}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {1, 0}, {.workers = 0}), Reach::kNo);
}

TEST(OpReach, AHeldOpKeepsItsWorker) {
  // Four writers of one variable, run backwards: each op but the last started must be held.
  const DescTables tables(testing::make_alike(4, {"w0"}));
  const OpSpace space(tables.desc);
  EXPECT_EQ(is_trace_reachable(space, {3, 2, 1, 0}, {.workers = 3}), Reach::kNo);
  EXPECT_EQ(is_trace_reachable(space, {3, 2, 1, 0}, {.workers = 4}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {1, 2, 3, 0}, {.workers = 2}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {3, 2, 1, 0}, {.workers = 4, .max_states = 0}), Reach::kYes);
}

TEST(OpReach, AnEffectMayComeBeforeTheCompletionThatStartsOthers) {
  // 0 -> 3, 0 -> 4; 2 starts late by id unless 0 takes effect and goes on running: trace 0, 2 before 3 and 4.
  GraphSpec spec = testing::make_ops(5);
  for (auto& op : spec.ops) op.writes = {{0, 0, 8}};
  spec.edges = {{0, 2}, {0, 3}};
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  EXPECT_EQ(is_trace_reachable(space, {0, 1, 4, 2, 3}, {.workers = 2}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {0, 1, 4, 2, 3}, {.workers = 2, .max_states = 0}), Reach::kUnknown);
}

TEST(OpReach, AMutexKeepsTheSecondOpFromStarting) {
  GraphSpec spec = testing::make_ops(2);
  spec.mutex_count = 1;
  for (auto& op : spec.ops) {
    op.mutexes = {0};
    op.writes = {{0, 0, 8}};
  }
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  EXPECT_EQ(is_trace_reachable(space, {0, 1}, {.workers = 2}), Reach::kYes);
  EXPECT_EQ(is_trace_reachable(space, {1, 0}, {.workers = 2}), Reach::kNo);
}

}  // namespace
}  // namespace detent::verify::explore
