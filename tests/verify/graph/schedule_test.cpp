// Schedules as evidence.
#include "verify/graph/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using namespace testing;

TEST(AdjacentSchedule, EveryUnorderedPairCanBeNeighboursInBothOrders) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DescTables tables(make_random_spec(seed, {.op_count = 12}));
    const Order order(tables.desc);
    const auto reach = close_naively(tables.desc);
    for (std::uint32_t a = 0; a < 12; ++a) {
      for (std::uint32_t b = 0; b < 12; ++b) {
        if (a == b || reach[a][b] || reach[b][a]) continue;
        const auto schedule = make_adjacent_schedule(order, a, b);
        ASSERT_TRUE(is_linear_extension(tables.desc, schedule));
        const auto at = std::find(schedule.begin(), schedule.end(), a);
        ASSERT_EQ(*(at + 1), b);
      }
    }
  }
}

TEST(AdjacentSchedule, OrderedPairsAreRefused) {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 1}, {1, 2}};
  const DescTables tables(spec);
  const Order order(tables.desc);
  EXPECT_THROW(make_adjacent_schedule(order, 1, 0), std::invalid_argument);
  EXPECT_THROW(make_adjacent_schedule(order, 0, 2), std::invalid_argument);
  EXPECT_THROW(make_adjacent_schedule(order, 1, 1), std::invalid_argument);
  EXPECT_EQ(make_adjacent_schedule(order, 0, 1), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(RandomSchedule, IsALinearExtensionAndSeedsDiffer) {
  const DescTables tables(make_random_spec(4, {.op_count = 30, .percent_edges = 5}));
  const Order order(tables.desc);
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    seen.insert(make_random_schedule(order, seed));
    EXPECT_TRUE(is_linear_extension(tables.desc, make_random_schedule(order, seed)));
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(LinearExtension, BrokenOnesAreRejected) {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 1}};
  const DescTables tables(spec);
  EXPECT_TRUE(is_linear_extension(tables.desc, {2, 0, 1}));
  EXPECT_FALSE(is_linear_extension(tables.desc, {1, 0, 2}));
  EXPECT_FALSE(is_linear_extension(tables.desc, {0, 1}));
  EXPECT_FALSE(is_linear_extension(tables.desc, {0, 0, 1}));
  EXPECT_FALSE(is_linear_extension(tables.desc, {0, 1, 3}));
}

}  // namespace
}  // namespace detent::verify
