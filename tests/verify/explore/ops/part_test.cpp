#include "verify/explore/ops/part.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;

DependenceGraph chains(std::uint32_t length) {
  std::vector<EventPair> edges, conflicts;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (i + 1 < length) edges.insert(edges.end(), {{2 * i, 2 * i + 2}, {2 * i + 1, 2 * i + 3}});
    for (std::uint32_t j = 0; j < length; ++j) conflicts.emplace_back(std::minmax({2 * i, 2 * j + 1}));
  }
  return make_dependence_graph(2 * length, edges, conflicts);
}

std::vector<std::uint64_t> leaves_from(const DependenceGraph& graph, std::uint64_t first, std::uint64_t count,
                                       std::uint64_t (*count_leaves)(const DependenceGraph&)) {
  std::vector<std::uint64_t> leaves;
  with_walk(graph, [&](auto walk) {
    if (count != 0) {
      walk.enumerate_from(first, count_leaves, [&](const auto& leaf) {
        leaves.push_back(leaf.fingerprint);
        return leaves.size() < count;
      });
    }
  });
  return leaves;
}

TEST(EnumerateFrom, SlicesAreThoseOfTheWholeEnumeration) {
  const DependenceGraph graph = chains(4);  // C(8, 4) = 70 traces
  const auto all = leaves_from(graph, 0, 1000, count_quickly);
  ASSERT_EQ(all.size(), 70U);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 70U);
  for (const auto count_leaves : {count_quickly, +[](const DependenceGraph&) { return std::uint64_t{0}; }}) {
    for (std::uint64_t first = 0; first <= 70; ++first) {
      const std::vector<std::uint64_t> rest(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
      EXPECT_EQ(leaves_from(graph, first, 1000, count_leaves), rest) << first;
    }
  }
}

TEST(EnumerateFrom, FarLeavesOfAGreatEnumerationAreReached) {
  const DependenceGraph graph = chains(16);  // C(32, 16) = 601,080,390
  EXPECT_EQ(count_quickly(graph), 601'080'390U);
  EXPECT_EQ(leaves_from(graph, 601'080'385, 1000, count_quickly).size(), 5U);
  EXPECT_EQ(leaves_from(graph, 601'080'390, 1000, count_quickly).size(), 0U);
}

/// All parts of an exploration in `shards`, merged.
OpExploreReport explore_in_shards(const OpSpace& space, const OpExploreOptions& options, std::uint64_t shards) {
  const std::uint64_t planned = planned_schedules(space, options);
  std::vector<OpPart> parts;
  for (std::uint64_t i = 0; i < shards; ++i) {
    const std::uint64_t first = planned * i / shards;
    parts.push_back(explore_part(space, options, first, planned * (i + 1) / shards - first));
    EXPECT_TRUE(parts.back().finished());
  }
  return merge_parts(space, options, parts);
}

void expect_equal(const OpExploreReport& a, const OpExploreReport& b) {
  EXPECT_EQ(a.verdict.outcome, b.verdict.outcome);
  EXPECT_EQ(a.verdict.summary, b.verdict.summary);
  EXPECT_EQ(a.executions, b.executions);
  EXPECT_EQ(a.seen, b.seen);
  EXPECT_EQ(a.differing, b.differing);
  EXPECT_EQ(a.differing_share, b.differing_share);
  EXPECT_EQ(a.unseen_mass, b.unseen_mass);
  EXPECT_EQ(a.serial_digest, b.serial_digest);
  EXPECT_EQ(a.pairs.conflicting_both, b.pairs.conflicting_both);
  EXPECT_EQ(a.pairs.unordered_both, b.pairs.unordered_both);
  EXPECT_EQ(a.reachable.checked, b.reachable.checked);
  EXPECT_EQ(a.reachable.reachable, b.reachable.reachable);
  ASSERT_EQ(a.schedules.size(), b.schedules.size());
  for (std::size_t i = 0; i < a.schedules.size(); ++i) {
    EXPECT_EQ(a.schedules[i].order, b.schedules[i].order);
    EXPECT_EQ(a.schedules[i].digest, b.schedules[i].digest);
  }
  ASSERT_EQ(a.failure.has_value(), b.failure.has_value());
  if (!a.failure) return;
  EXPECT_EQ(a.failure->schedule, b.failure->schedule);
}

TEST(OpParts, EveryStrategyGivesTheReportOfOneProcess) {
  const DescTables tables(testing::make_alike(3, {"u0", "u1", "w0"}));
  const OpSpace space(tables.desc, {});
  for (const std::string& name : strategy_names()) {
    if (!can_begin_anywhere(name)) continue;
    SCOPED_TRACE(name);
    const OpExploreOptions options{.strategy = name, .budget = 2500, .seed = 3};
    for (const std::uint64_t shards : {1U, 2U, 7U}) {
      expect_equal(explore_in_shards(space, options, shards), explore_ops(space, options));
    }
  }
}

TEST(OpParts, TracesOfAllShardsAreEachThereOnce) {
  const DescTables tables(testing::make_alike(6, {"w0"}));  // 6! orders
  const OpSpace space(tables.desc, {});
  const OpExploreOptions options{.budget = 10'000};
  ASSERT_EQ(planned_schedules(space, options), 720U);
  std::set<std::uint64_t> seen;
  std::uint64_t executed = 0;
  for (std::uint64_t i = 0; i < 8; ++i) {
    const OpPart part = explore_part(space, options, 90 * i, 90);
    executed += part.traces.size();
    seen.insert(part.traces.begin(), part.traces.end());
  }
  EXPECT_EQ(executed, 720U);
  EXPECT_EQ(seen.size(), 720U);
}

TEST(OpParts, MoreShardsThanSchedulesLeaveSomeEmpty) {
  const DescTables tables(testing::make_reuse_after_chain(3));
  const OpSpace space(tables.desc, {});
  expect_equal(explore_in_shards(space, {}, 5), explore_ops(space, {}));
}

TEST(OpParts, APartThatSaysOtherThanItsSchedulesIsFoundOut) {
  const DescTables tables(testing::make_reuse_after_chain(3));
  const OpSpace space(tables.desc, {});
  OpPart part = explore_part(space, {}, 0, 2);
  part.differs[1] = part.differs[1] == 0 ? 1 : 0;
  EXPECT_THROW(merge_parts(space, {}, {part}), std::runtime_error);
}

TEST(OpParts, SchedulesThatTheExplorationDoesNotHaveAreFoundOut) {
  const DescTables tables(testing::make_reuse_after_chain(3));
  const OpSpace space(tables.desc, {});
  OpPart part = explore_part(space, {}, 0, 2);
  part.add(1234, {}, 0);
  EXPECT_THROW(merge_parts(space, {}, {part}), std::runtime_error);
}

TEST(OpParts, OnlyPairsAndTriplesCannotBeginAnywhere) {
  const DescTables tables(testing::make_alike(3, {"u0", "u1"}));
  const OpSpace space(tables.desc, {});
  for (const std::string& name : strategy_names()) {
    std::vector<std::vector<std::uint32_t>> all, rest;
    const auto collect = [](auto& into, std::size_t most) {
      return [&into, most](const std::vector<std::uint32_t>& schedule, double) {
        into.push_back(schedule);
        return into.size() < most;
      };
    };
    make_strategy(name, space, {.seed = 5})->run(collect(all, 1100));
    if (all.size() < 3) continue;
    const std::uint64_t first = all.size() > 1000 ? 998 : 2;
    make_strategy(name, space, {.seed = 5})->run_from(first, collect(rest, all.size() - first));
    EXPECT_EQ(rest, std::vector(all.begin() + static_cast<std::ptrdiff_t>(first), all.end())) << name;
  }
  EXPECT_FALSE(can_begin_anywhere("pairs") || can_begin_anywhere("triples"));
}

}  // namespace
}  // namespace detent::verify::explore
