// Paths: every step of the search against Floyd and Warshall; the same for pairs of values.
#include "verify/graph/paths.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tests/verify/random_plan.hpp"
#include "verify/graph/precedence.hpp"
#include "verify/graph/values.hpp"

namespace detent::verify {
namespace {

using namespace testing;

std::vector<PositionPair> all_pairs(std::uint32_t count) {
  std::vector<PositionPair> pairs;
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) pairs.push_back({a, b});
  }
  return pairs;
}

void expect_equal_to_closure(const GraphSpec& spec, const std::vector<PositionPair>& pairs, std::uint32_t most_marked) {
  const DescTables tables(spec);
  const auto naive = close_naively(tables.desc);
  const Order order(tables.desc);
  const std::vector<bool> found = find_paths(order, pairs, {.most_marked = most_marked});
  ASSERT_EQ(found.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_EQ(found[i], naive[order.op_at(pairs[i].from)][order.op_at(pairs[i].to)])
        << pairs[i].from << " " << pairs[i].to << " marked " << most_marked;
  }
}

TEST(Paths, EqualTheClosureOfRandomGraphsHoweverFarTheSearchGoes) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const std::uint32_t n = 2 + seed * 7 % 90;
    const GraphSpec spec = make_random_spec(seed, {.op_count = n, .percent_edges = 1 + seed % 7});
    for (const std::uint32_t most_marked : {0U, 1U, 5U, 256U}) expect_equal_to_closure(spec, all_pairs(n), most_marked);
  }
}

TEST(Paths, OneFinderAnswersListAfterList) {
  const GraphSpec spec = make_random_spec(7, {.op_count = 300, .percent_edges = 2});
  const DescTables tables(spec);
  const auto naive = close_naively(tables.desc);
  const Order order(tables.desc);
  PathFinder paths(order, {.most_marked = 1});
  EXPECT_TRUE(paths.find({}).empty());
  for (std::uint32_t step : {90U, 7U, 31U}) {  // few targets, many, few again
    std::vector<PositionPair> pairs;
    for (std::uint32_t to = 299; to > step; to -= step) {
      for (std::uint32_t from = 0; from < to; from += 5) pairs.push_back({from, to});
    }
    const std::vector<bool> found = paths.find(pairs);
    ASSERT_EQ(found.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(found[i], naive[order.op_at(pairs[i].from)][order.op_at(pairs[i].to)]) << step << " " << i;
    }
  }
}

TEST(Paths, MoreTargetsThanLanesOfASweep) {
  const GraphSpec spec = make_random_spec(5, {.op_count = 600, .percent_edges = 1});
  std::vector<PositionPair> pairs;
  for (std::uint32_t to = 1; to < 600; ++to) {
    for (std::uint32_t from = to % 7; from < to; from += 7) pairs.push_back({from, to});
  }
  expect_equal_to_closure(spec, pairs, 0);
}

TEST(Paths, TheEndsOfTwoLongChains) {
  constexpr std::uint32_t kOps = kMaxClosedOps + 2;
  GraphSpec spec;
  spec.ops.resize(kOps);
  for (std::uint32_t i = 0; i + 2 < kOps; ++i) spec.edges.emplace_back(i, i + 2);
  const DescTables tables(spec);
  const Order order(tables.desc);
  const std::vector<PositionPair> ends = {{0, kOps - 1}, {0, kOps - 2}, {kOps - 1, 0}, {3, 3}};
  EXPECT_EQ(find_paths(order, ends), (std::vector<bool>{false, true, false, false}));
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> ops = {{kOps - 1, 0}, {kOps - 2, 0}, {0, 2}, {7, 8}};
  EXPECT_EQ(relate_pairs(order, ops),
            (std::vector<Relation>{Relation::kUnordered, Relation::kAfter, Relation::kBefore, Relation::kUnordered}));
}

TEST(Paths, NoPairsAskForNothing) {
  const DescTables tables(make_ops(3));
  EXPECT_TRUE(find_paths(Order(tables.desc), {}).empty());
}

using DisorderTuple = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;

std::vector<DisorderTuple> disorder_of(const Order& order, const Values& values, const std::vector<ValuePair>& pairs,
                                       std::uint32_t max_closed_ops) {
  std::vector<DisorderTuple> result;
  for (const Disorder& one : find_disorder(order, values, pairs, max_closed_ops))
    result.emplace_back(one.pair, one.user_before, one.user_after);
  return result;
}

TEST(Paths, ValuesOutOfOrderAreTheSameWithTheClosureAndWithout) {
  std::size_t in_order = 0, out_of_order = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random{seed};
    const RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {.most_ops = 9});
    const Order order(plan.desc);
    const Values values(plan.desc, order);
    std::vector<ValuePair> pairs;
    for (std::uint32_t b = 0; b < values.all().size(); ++b) {
      for (std::uint32_t a = 0; a < b; ++a) pairs.push_back({a, b});
    }
    const std::vector<DisorderTuple> expected = disorder_of(order, values, pairs, 100);
    ASSERT_EQ(disorder_of(order, values, pairs, 0), expected) << seed;
    out_of_order += expected.size();
    in_order += pairs.size() - expected.size();
  }
  EXPECT_GT(in_order, 300U);
  EXPECT_GT(out_of_order, 300U);
}

}  // namespace
}  // namespace detent::verify
