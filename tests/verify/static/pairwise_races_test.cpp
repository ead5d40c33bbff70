// Races of very many ops: the same as by the closure, and what is said of pairs that are not counted.
#include "verify/static/pairwise_races.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/verify/random_graph.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/static/conflict_pairs.hpp"

namespace detent::verify {
namespace {

using namespace testing;

void expect_equal_lists(const RaceList& x, const RaceList& y) {
  EXPECT_EQ(x.count, y.count);
  EXPECT_EQ(x.pairs, y.pairs);
  ASSERT_EQ(x.listed.size(), y.listed.size());
  for (std::size_t i = 0; i < x.listed.size(); ++i) {
    const Race &a = x.listed[i], &b = y.listed[i];
    EXPECT_TRUE(a.op_a == b.op_a && a.op_b == b.op_b && a.kind == b.kind && a.region == b.region &&
                a.offset_bytes == b.offset_bytes && a.size_bytes == b.size_bytes && a.tensor_a == b.tensor_a &&
                a.tensor_b == b.tensor_b)
        << i;
  }
}

struct Tally {
  std::size_t racing = 0, race_free = 0, counted = 0, ordered = 0;
};

void expect_equal(const GraphSpec& spec, const RaceOptions& options, Tally& tally) {
  const DescTables tables(spec);
  const RaceReport whole = find_races(tables.desc, {.max_listed = options.max_listed});
  const RaceReport pairwise = find_races(tables.desc, options);
  expect_equal_lists(pairwise.races, whole.races);
  expect_equal_lists(pairwise.order_dependent, whole.order_dependent);
  if (pairwise.conflicting_pairs) EXPECT_EQ(pairwise.conflicting_pairs, whole.conflicting_pairs);
  EXPECT_EQ(pairwise.are_all_ordered, whole.are_all_ordered);
  if (pairwise.are_all_ordered) EXPECT_EQ(pairwise.races.count, 0U);
  if (pairwise.are_all_ordered) ++tally.ordered;
  if (!pairwise.unordered_pairs) ++tally.counted;
  ++(whole.races.count > 0 ? tally.racing : tally.race_free);
}

TEST(PairwiseRaces, EqualThoseOfTheClosure) {
  Tally tally;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const RandomSpec shape{.op_count = 2 + seed % 30,
                           .percent_edges = 10 + seed % 50,
                           .max_reads = 1 + seed % 3,
                           .max_writes = 1,
                           .percent_strided = seed % 2 * 50,
                           .mutex_count = seed % 3,
                           .group_count = seed % 3};
    const GraphSpec spec = make_random_spec(seed, shape);
    expect_equal(spec, {.max_counted_ops = 0, .max_conflicts_per_op = 1000, .max_decided_pairs = 30'000}, tally);
    expect_equal(spec, {.max_listed = 3, .max_counted_ops = 0, .max_decided_pairs = 30'000}, tally);
  }
  EXPECT_GT(tally.racing, 100U);
  EXPECT_GT(tally.ordered, 50U);
  EXPECT_EQ(tally.counted, 600U);
}

/// Every op after the one before: all conflicts are ordered, and none is counted.
TEST(PairwiseRaces, ManyConflictsThatPathsOrderAreNotCounted) {
  GraphSpec spec = make_random_spec(4, {.op_count = 60, .percent_edges = 5, .shuffle_ids = false});
  for (std::uint32_t i = 0; i + 1 < 60; ++i) {
    const bool is_there = std::any_of(spec.edges.begin(), spec.edges.end(),
                                      [&](const auto& edge) { return edge.from == i && edge.to == i + 1; });
    if (!is_there) spec.edges.emplace_back(i, i + 1);
  }
  const DescTables tables(spec);
  const RaceReport report = find_races(tables.desc, {.max_counted_ops = 59, .max_conflicts_per_op = 1});
  EXPECT_FALSE(report.unordered_pairs);
  EXPECT_FALSE(report.conflicting_pairs);
  EXPECT_EQ(
      judge_races(tables.desc, report).summary,
      "pairs not counted above 131072 ops: no conflicting pair is unordered, so on no schedule do two ops meet on "
      "a byte that one writes");
  EXPECT_TRUE(find_races(tables.desc, {.max_counted_ops = 60}).unordered_pairs) << "60 ops are not above 60";
}

TEST(PairwiseRaces, ManyConflictsOfWhichOneRacesAreLeftToTheClosure) {
  GraphSpec spec = make_ops(40);
  for (std::uint32_t i = 0; i < 40; ++i) {
    spec.ops[i].writes = {{0, 0, 64}};
    if (i > 1) spec.edges.emplace_back(i - 1, i);
  }
  spec.edges.emplace_back(0, 2);
  const DescTables tables(spec);
  EXPECT_FALSE(find_races_pairwise(tables.desc, {.max_decided_pairs = 779}));
  const RaceReport report = find_races(tables.desc, {.max_counted_ops = 0, .max_decided_pairs = 779});
  EXPECT_EQ(report.races.count, 1U);
  EXPECT_EQ(report.unordered_pairs, 1U);
  const auto pairwise = find_races_pairwise(tables.desc, {.max_decided_pairs = 780});
  ASSERT_TRUE(pairwise) << "40 * 39 / 2";
  EXPECT_EQ(pairwise->races.count, 1U);
  EXPECT_EQ(pairwise->conflicting_pairs, 780U) << "more than are counted where paths order all";
}

/// The closure takes time by the square of the ops, so of more of them more pairs are decided.
TEST(PairwiseRaces, MorePairsOfAnOpAreDecidedTheMoreOpsThereAre) {
  EXPECT_EQ(most_decided_pairs(0), 0U);
  EXPECT_EQ(most_decided_pairs(16'384), 16U * 16'384);
  EXPECT_EQ(most_decided_pairs(131'072), 128U * 131'072);
  EXPECT_EQ(most_decided_pairs(1'000'000), 134'217'728U) << "512 MiB of them";
  EXPECT_EQ(most_decided_pairs(100'000'000), 1'600'000'000U);
}

TEST(PairwiseRaces, TheVerdictSaysWhatIsNotCounted) {
  const DescTables tables(reuse_after_one_reader());
  const RaceReport report = find_races(tables.desc, {.max_counted_ops = 0});
  EXPECT_EQ(judge_races(tables.desc, report).summary,
            "5 conflicting pairs of ops (unordered pairs not counted above 131072 ops): 1 racing pair, 1 hazard");
}

TEST(AdjacentConflicts, OnlyThoseThatNoWriteLiesBetween) {
  GraphSpec spec = make_ops(5);  // write, read, read, write of half, read of all
  spec.ops[0].writes = {{0, 0, 64}};
  spec.ops[1].reads = {{0, 0, 64}};
  spec.ops[2].reads = {{0, 32, 32}};
  spec.ops[3].writes = {{0, 0, 32}};
  spec.ops[4].reads = {{0, 0, 64}};
  const DescTables tables(spec);
  const Order order(tables.desc);
  const AccessTable table(tables.desc, order);
  EXPECT_EQ(find_adjacent_conflicts(table, 5), (std::vector<PositionPair>{{0, 1}, {0, 2}, {1, 3}, {0, 4}, {3, 4}}));
  const auto pairs = find_conflicting_pairs(table, 5, 100);
  ASSERT_TRUE(pairs);
  std::vector<PositionPair> listed;
  for (std::uint32_t to = 0; to < pairs->size(); ++to) {
    for (const std::uint32_t from : (*pairs)[to]) listed.push_back({from, to});
  }
  EXPECT_EQ(listed, (std::vector<PositionPair>{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {0, 4}, {3, 4}}));
  EXPECT_FALSE(find_conflicting_pairs(table, 5, 5)) << "six met";
}

/// Paths along adjacent conflicts are paths along all, on random graphs with an edge for each of them.
TEST(AdjacentConflicts, PathsAlongThemOrderAllConflicts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    GraphSpec spec =
        make_random_spec(seed, {.op_count = 20, .percent_edges = 0, .percent_strided = 40, .shuffle_ids = false});
    const DescTables loose(spec);
    const Order before(loose.desc);
    const auto adjacent = find_adjacent_conflicts(AccessTable(loose.desc, before), 20);
    ASSERT_TRUE(adjacent);
    for (const PositionPair& pair : *adjacent) spec.edges.emplace_back(pair.from, pair.to);
    EXPECT_EQ(find_races(DescTables(spec).desc).races.count, 0U) << seed;
    if (spec.edges.empty()) continue;
    spec.edges.erase(spec.edges.begin() + static_cast<std::ptrdiff_t>(seed % spec.edges.size()));
    const DescTables fewer(spec);
    const Order order(fewer.desc);
    const auto still = find_adjacent_conflicts(AccessTable(fewer.desc, order), 20);
    EXPECT_EQ(have_paths(order, *still), find_races(fewer.desc).races.count == 0) << seed;
  }
}

}  // namespace
}  // namespace detent::verify
