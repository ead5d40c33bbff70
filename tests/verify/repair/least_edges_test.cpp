// The least set of edges: small examples, and every set of edges of small graphs by force.
#include "verify/repair/least_edges.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <random>

namespace detent::verify {

void PrintTo(const Arc& arc, std::ostream* out) { *out << arc.from << "->" << arc.to; }

namespace {

using Arcs = std::vector<Arc>;

/// Bit b of row a: a path from a to b. Floyd and Warshall, which verify/ does not use.
std::vector<std::uint32_t> paths_between(std::uint32_t count, const Arcs& arcs, const Arcs& more) {
  std::vector<std::uint32_t> rows(count, 0);
  for (const Arcs* list : {&arcs, &more}) {
    for (const Arc& arc : *list) rows[arc.from] |= 1U << arc.to;
  }
  for (std::uint32_t via = 0; via < count; ++via) {
    for (std::uint32_t from = 0; from < count; ++from) {
      if ((rows[from] >> via & 1U) != 0) rows[from] |= rows[via];
    }
  }
  return rows;
}

bool orders_all(std::uint32_t count, const Arcs& arcs, const Arcs& more, const Arcs& wanted) {
  const std::vector<std::uint32_t> rows = paths_between(count, arcs, more);
  return std::ranges::all_of(wanted, [&](const Arc& pair) { return (rows[pair.from] >> pair.to & 1U) != 0; });
}

Arcs draw_arcs(std::mt19937& random, std::uint32_t count, unsigned one_in) {
  Arcs arcs;
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = from + 1; to < count; ++to) {
      if (random() % one_in == 0) arcs.push_back({from, to});
    }
  }
  return arcs;
}

/// By trying every set of ascending arcs, the small ones first.
std::size_t least_by_force(std::uint32_t count, const Arcs& arcs, const Arcs& wanted) {
  Arcs all;
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = from + 1; to < count; ++to) all.push_back({from, to});
  }
  for (std::size_t size = 0;; ++size) {
    for (std::uint32_t set = 0; set < 1U << all.size(); ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) != size) continue;
      Arcs chosen;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((set >> i & 1U) != 0) chosen.push_back(all[i]);
      }
      if (orders_all(count, arcs, chosen, wanted)) return size;
    }
  }
}

TEST(LeastEdges, NothingIsMissingWhereThePairsAreOrdered) {
  const LeastEdges found = find_least_edges(3, {{0, 1}, {1, 2}}, {{0, 2}});
  EXPECT_TRUE(found.arcs.empty());
  EXPECT_TRUE(found.is_least);
}

TEST(LeastEdges, OnePairIsItsOwnEdge) {
  const LeastEdges found = find_least_edges(4, {{0, 1}, {2, 3}}, {{0, 3}});
  EXPECT_EQ(found.arcs, (Arcs{{0, 3}}));
  EXPECT_TRUE(found.is_least);
}

TEST(LeastEdges, AnEdgeBetweenTwoChainsServesSeveralPairs) {
  const LeastEdges found = find_least_edges(4, {{0, 1}, {2, 3}}, {{0, 2}, {1, 3}});
  EXPECT_EQ(found.arcs, (Arcs{{1, 2}}));
  EXPECT_TRUE(found.is_least);
}

TEST(LeastEdges, AllOpsThatWriteOneByteBecomeAChain) {
  Arcs wanted;
  for (std::uint32_t a = 0; a < 40; ++a) {
    for (std::uint32_t b = a + 1; b < 40; ++b) wanted.push_back({a, b});
  }
  const LeastEdges found = find_least_edges(40, {}, wanted);
  EXPECT_EQ(found.arcs.size(), 39U);
  EXPECT_TRUE(found.is_least);
}

TEST(LeastEdges, TwoReadersAndTwoWritersNeedThreeEdgesNotFour) {
  const Arcs wanted = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
  const LeastEdges found = find_least_edges(4, {}, wanted);
  EXPECT_EQ(found.arcs.size(), 3U);
  EXPECT_TRUE(found.is_least);
  EXPECT_TRUE(orders_all(4, {}, found.arcs, wanted));
}

TEST(LeastEdges, NoSmallerSetOrdersSmallGraphs) {
  std::mt19937 random(16);
  for (int i = 0; i < 600; ++i) {
    const std::uint32_t count = i < 500 ? 5 : 6;
    const Arcs arcs = draw_arcs(random, count, 3 + static_cast<unsigned>(i) % 3);
    const Arcs wanted = draw_arcs(random, count, 2 + static_cast<unsigned>(i) % 2);
    const LeastEdges found = find_least_edges(count, arcs, wanted);
    ASSERT_TRUE(found.is_least) << i;
    ASSERT_TRUE(orders_all(count, arcs, found.arcs, wanted)) << i;
    ASSERT_EQ(found.arcs.size(), least_by_force(count, arcs, wanted))
        << i << " arcs " << ::testing::PrintToString(arcs) << " wanted " << ::testing::PrintToString(wanted);
  }
}

TEST(LeastEdges, WithoutWorkTheAnswerIsRightAndNotCalledLeast) {
  std::mt19937 random(4);
  std::size_t unproved = 0;
  for (int i = 0; i < 50; ++i) {
    const Arcs arcs = draw_arcs(random, 24, 8);
    const Arcs wanted = draw_arcs(random, 24, 6);
    const LeastEdges quick = find_least_edges(24, arcs, wanted, {.max_work = 1});
    const LeastEdges found = find_least_edges(24, arcs, wanted, {.max_work = 2'000'000});
    ASSERT_TRUE(orders_all(24, arcs, quick.arcs, wanted));
    ASSERT_TRUE(orders_all(24, arcs, found.arcs, wanted));
    ASSERT_LE(found.arcs.size(), quick.arcs.size());
    unproved += quick.is_least ? 0U : 1U;
  }
  EXPECT_GT(unproved, 0U);
}

TEST(LeastEdges, ManyPairsOfManyNodesAreOrderedQuickly) {
  Arcs wanted;
  constexpr std::uint32_t kCount = 30'000;
  for (std::uint32_t a = 0; a + 7 < kCount; ++a) {
    for (const std::uint32_t step : {1U, 3U, 7U}) wanted.push_back({a, a + step});
  }
  const LeastEdges found = find_least_edges(kCount, {}, wanted);
  EXPECT_EQ(found.arcs.size(), kCount - 1) << "a chain, and one edge to each of the last six";
}

}  // namespace
}  // namespace detent::verify
