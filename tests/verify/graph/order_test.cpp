// Closure against Floyd and Warshall; counts; refusal of cycles.
#include "verify/graph/order.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using namespace testing;

TEST(Order, PositionsRespectEdgesAndPreferLowIds) {
  GraphSpec spec = make_ops(4);
  spec.edges = {{3, 0}, {2, 1}};
  const DescTables tables(spec);
  const Order order(tables.desc);
  EXPECT_EQ(order.ops(), (std::vector<std::uint32_t>{2, 1, 3, 0}));
  EXPECT_EQ(order.position_of(3), 2U);
}

TEST(Order, IdsAreKeptWhenEdgesAscend) {
  const DescTables tables(make_random_spec(5, {.op_count = 50, .shuffle_ids = false}));
  const Order order(tables.desc);
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_EQ(order.op_at(i), i);
}

TEST(Order, B20_CycleIsRefused) {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 1}, {1, 2}, {2, 1}};
  const DescTables tables(spec);
  EXPECT_THROW(Order order(tables.desc), std::invalid_argument);
}

TEST(Order, B22_SuccessorOutOfRangeIsRefused) {
  GraphSpec spec = make_ops(2);
  spec.edges = {{0, 1}};
  DescTables tables(spec);
  tables.successors[0] = 7;
  EXPECT_THROW(Order order(tables.desc), std::invalid_argument);
}

TEST(ReachBlock, EqualsFloydWarshallOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::uint32_t n = 1 + static_cast<std::uint32_t>(seed * 7 % 180);
    const DescTables tables(make_random_spec(seed, {.op_count = n, .percent_edges = 1 + n % 7}));
    const auto naive = close_naively(tables.desc);
    const Order order(tables.desc);
    ReachBlock block(order, 64);
    for (std::uint32_t first = 0; first < n; first += 64) {
      block.compute(first);
      for (std::uint32_t p = 0; p < first + block.column_count(); ++p) {
        for (std::uint32_t c = 0; c < block.column_count(); ++c) {
          ASSERT_EQ(block.precedes(p, c), naive[order.op_at(p)][order.op_at(first + c)])
              << seed << " " << p << " " << c;
        }
      }
    }
  }
}

TEST(RelatePairs, AgreesWithTheNaiveClosureForAllPairs) {
  const DescTables tables(make_random_spec(3, {.op_count = 150, .percent_edges = 2}));
  const auto naive = close_naively(tables.desc);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t a = 0; a < 150; ++a) {
    for (std::uint32_t b = 0; b < 150; ++b) {
      if (a != b) pairs.emplace_back(a, b);
    }
  }
  const std::vector<Relation> relations = relate_pairs(Order(tables.desc), pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const Relation expected = naive[a][b] ? Relation::kBefore : naive[b][a] ? Relation::kAfter : Relation::kUnordered;
    ASSERT_EQ(relations[i], expected) << a << " " << b;
  }
}

TEST(CountUnorderedPairs, DiamondHasOne) {
  GraphSpec spec = make_ops(4);
  spec.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const DescTables tables(spec);
  EXPECT_EQ(count_unordered_pairs(tables.desc, Order(tables.desc)), 1U);
}

TEST(CountUnorderedPairs, DelaysOrderButDoNotCount) {
  GraphSpec spec = make_ops(4);
  spec.ops[3].flags = DETENT_OP_DELAY;
  spec.ops[3].kernel = 1;
  spec.ops[3].core_class = 1;
  spec.edges = {{0, 3}, {3, 1}};
  const DescTables tables(spec);
  EXPECT_EQ(count_unordered_pairs(tables.desc, Order(tables.desc)), 2U);
}

TEST(CountUnorderedPairs, NoOpsHaveNoPairs) {
  const DescTables tables(make_ops(0));
  EXPECT_EQ(count_unordered_pairs(tables.desc, Order(tables.desc)), 0U);
}

TEST(CountUnorderedPairs, EqualsTheNaiveCountAcrossBlocks) {
  const DescTables tables(make_random_spec(11, {.op_count = 300, .percent_edges = 1}));
  const auto naive = close_naively(tables.desc);
  std::uint64_t expected = 0;
  for (std::uint32_t a = 0; a < 300; ++a) {
    for (std::uint32_t b = a + 1; b < 300; ++b) expected += !naive[a][b] && !naive[b][a] ? 1 : 0;
  }
  EXPECT_EQ(count_unordered_pairs(tables.desc, Order(tables.desc)), expected);
}

TEST(CountUnorderedPairs, TwentyThousandOpsInTwoChains) {
  GraphSpec spec = make_ops(20000);
  for (std::uint32_t i = 0; i + 2 < 20000; ++i) spec.edges.emplace_back(i, i + 2);
  const DescTables tables(spec);
  EXPECT_EQ(count_unordered_pairs(tables.desc, Order(tables.desc)), 10000U * 10000U);
}

}  // namespace
}  // namespace detent::verify
