#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <detent/policy.h>

#include "tests/runtime/desc_builder.hpp"

namespace detent {
namespace {

using test::DescBuilder;
using test::make_diamond;

struct Ranking {
  detent_status status = DETENT_OK;
  std::vector<std::uint32_t> ranks;
};

Ranking rank(const detent_policy& policy, const detent_desc& desc) {
  Ranking result;
  result.ranks.resize(desc.op_count);
  std::vector<std::uint64_t> work(2 * std::size_t{desc.op_count});
  result.status = policy.rank(policy.self, &desc, result.ranks.data(), work.data());
  return result;
}

bool is_permutation(std::vector<std::uint32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != i) return false;
  }
  return true;
}

using Ranks = std::vector<std::uint32_t>;

TEST(Policy, IdIsTheIdentity) {
  DescBuilder diamond = make_diamond();
  const detent_policy policy = detent_policy_id();
  EXPECT_EQ(rank(policy, diamond.refresh()).ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_STREQ(policy.name, "id");
  EXPECT_FALSE(policy.strict);
  EXPECT_FALSE(policy.per_run);
}

TEST(Policy, PriorityIsSignedAndTiesGoToTheLowerId) {
  DescBuilder diamond = make_diamond();
  diamond.ops[0].priority = 5;
  diamond.ops[1].priority = -7;
  diamond.ops[2].priority = 5;
  diamond.ops[3].priority = INT32_MIN;
  EXPECT_EQ(rank(detent_policy_priority(), diamond.refresh()).ranks, (Ranks{2, 1, 3, 0}));
}

TEST(Policy, FifoRanksByTheOrderInWhichOpsBecomeReady) {
  DescBuilder diamond = make_diamond();
  const detent_policy policy = detent_policy_fifo();
  EXPECT_EQ(rank(policy, diamond.refresh()).ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_STREQ(policy.name, "fifo");
  EXPECT_TRUE(policy.by_arrival);
  DescBuilder cyclic = make_diamond();
  cyclic.add_edge(3, 1);
  EXPECT_EQ(rank(policy, cyclic.refresh()).status, DETENT_CYCLE);
}

TEST(Policy, CriticalPathTakesTheLongestRemainingPathFirst) {
  DescBuilder diamond = make_diamond();
  diamond.costs = {{0, 10, 0, 0, 0}, {0, 5, 0, 0, 0}, {0, 50, 0, 0, 0}, {0, 1, 0, 0, 0}};
  EXPECT_EQ(rank(detent_policy_critical_path(), diamond.refresh()).ranks, (Ranks{0, 2, 1, 3}));
}

TEST(Policy, CriticalPathUsesFlopsWhereTimesAreUnknownAndOneWithoutBoth) {
  DescBuilder diamond = make_diamond();
  EXPECT_EQ(rank(detent_policy_critical_path(), diamond.refresh()).ranks, (Ranks{0, 1, 2, 3}));
  diamond.costs.assign(4, {UINT64_MAX, UINT64_MAX, 1, 0, 0});
  diamond.costs[2].flops = 100;
  EXPECT_EQ(rank(detent_policy_critical_path(), diamond.refresh()).ranks, (Ranks{0, 2, 1, 3}));
}

TEST(Policy, CriticalPathSumsSaturate) {
  DescBuilder diamond = make_diamond();
  diamond.costs.assign(4, {0, UINT64_MAX - 1, 0, 0, 0});
  const Ranking ranking = rank(detent_policy_critical_path(), diamond.refresh());
  EXPECT_EQ(ranking.status, DETENT_OK);
  EXPECT_TRUE(is_permutation(ranking.ranks));
}

TEST(Policy, CriticalPathReportsBrokenGraphs) {
  DescBuilder cyclic = make_diamond();
  cyclic.add_edge(3, 0);
  EXPECT_EQ(rank(detent_policy_critical_path(), cyclic.refresh()).status, DETENT_CYCLE);
  DescBuilder dangling = make_diamond();
  dangling.refresh();
  dangling.successors[0] = 77;
  EXPECT_EQ(rank(detent_policy_critical_path(), dangling.refresh()).status, DETENT_SUCCESSOR_RANGE);
  DescBuilder torn = make_diamond();
  torn.refresh();
  torn.ops[1].successors.count = 1000;
  EXPECT_EQ(rank(detent_policy_critical_path(), torn.refresh()).status, DETENT_TABLE_RANGE);
}

TEST(Policy, RandomIsRepeatableFromItsSeedAndAdvances) {
  DescBuilder chain;
  for (int i = 0; i < 50; ++i) chain.add_op({});
  detent_random_state a{42};
  detent_random_state b{42};
  const Ranking first = rank(detent_policy_random(&a), chain.refresh());
  const Ranking same = rank(detent_policy_random(&b), chain.refresh());
  const Ranking second = rank(detent_policy_random(&a), chain.refresh());
  EXPECT_TRUE(is_permutation(first.ranks));
  EXPECT_TRUE(is_permutation(second.ranks));
  EXPECT_EQ(first.ranks, same.ranks);
  EXPECT_NE(first.ranks, second.ranks);
  EXPECT_TRUE(detent_policy_random(&a).per_run);
}

TEST(Policy, RandomReachesEveryOrderOfThreeEvenly) {
  DescBuilder three;
  for (int i = 0; i < 3; ++i) three.add_op({});
  detent_random_state state{7};
  std::vector<int> seen(27);
  for (int round = 0; round < 6000; ++round) {
    const Ranks ranks = rank(detent_policy_random(&state), three.refresh()).ranks;
    ++seen[ranks[0] * 9 + ranks[1] * 3 + ranks[2]];
  }
  EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](int n) { return n > 850 && n < 1150; }), 6);
}

TEST(Policy, GivenIsStrictAndKeepsTheOrder) {
  DescBuilder diamond = make_diamond();
  const Ranks order{0, 2, 1, 3};
  const detent_given_order given{order.data(), 4};
  const detent_policy policy = detent_policy_given(&given);
  EXPECT_EQ(rank(policy, diamond.refresh()).ranks, (Ranks{0, 2, 1, 3}));
  EXPECT_TRUE(policy.strict);
}

/// Policies can be called before any check: successors that leave their table, and edges that lead to no op.
TEST(Policy, GivenOrderOfABrokenGraphIsRefused) {
  DescBuilder diamond = make_diamond();
  detent_desc desc = diamond.refresh();
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  std::vector<std::uint32_t> successors(desc.successors, desc.successors + desc.successor_count);
  desc.ops = ops.data();
  desc.successors = successors.data();
  const Ranks order{0, 1, 2, 3};
  const detent_given_order given{order.data(), 4};
  const auto status_with = [&](std::uint32_t first, std::uint32_t count) {
    ops[3].successors.first = first;
    ops[3].successors.count = count;
    const detent_status arrival = rank(detent_policy_fifo(), desc).status;
    const detent_status path = rank(detent_policy_critical_path(), desc).status;
    EXPECT_EQ(arrival, path);
    const detent_status as_given = rank(detent_policy_given(&given), desc).status;
    EXPECT_EQ(as_given == DETENT_OK, path == DETENT_OK);
    return path;
  };
  EXPECT_EQ(status_with(0, 0), DETENT_OK);
  EXPECT_EQ(status_with(desc.successor_count, 0), DETENT_OK) << "nothing, at the end of the table";
  EXPECT_EQ(status_with(desc.successor_count + 1, 0), DETENT_TABLE_RANGE);
  EXPECT_EQ(status_with(desc.successor_count, 1), DETENT_TABLE_RANGE);
  EXPECT_EQ(status_with(0, 0), DETENT_OK);
  successors[0] = desc.op_count;
  EXPECT_EQ(status_with(0, 0), DETENT_SUCCESSOR_RANGE);
}

TEST(Policy, GivenOrderMustBeALinearExtension) {
  DescBuilder diamond = make_diamond();
  for (const Ranks& order : {Ranks{1, 0, 2, 3}, Ranks{0, 1, 3, 2}, Ranks{0, 1, 1, 3}, Ranks{0, 1, 2}, Ranks{0, 1, 2, 9},
                             Ranks{0, 1, 2, 3, 3}}) {
    const detent_given_order given{order.data(), static_cast<std::uint32_t>(order.size())};
    EXPECT_EQ(rank(detent_policy_given(&given), diamond.refresh()).status, DETENT_INVALID_ARGUMENT);
  }
  const detent_given_order none{nullptr, 4};
  EXPECT_EQ(rank(detent_policy_given(&none), diamond.refresh()).status, DETENT_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace detent
