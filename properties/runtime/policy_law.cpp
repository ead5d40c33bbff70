// Laws of policies: ranks are permutations, and each policy orders as it says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "properties/runtime/random_desc.hpp"

namespace detent::laws {
namespace {

std::vector<std::uint32_t> rank(const detent_policy& policy, const detent_desc& desc) {
  std::vector<std::uint32_t> ranks(desc.op_count);
  std::vector<std::uint64_t> work(2 * std::size_t{desc.op_count});
  RC_ASSERT(policy.rank(policy.self, &desc, ranks.data(), work.data()) == DETENT_OK);
  return ranks;
}

void assert_permutation(std::vector<std::uint32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) RC_ASSERT(ranks[i] == i);
}

RC_GTEST_PROP(PolicyLaw, RanksArePermutations, (std::uint64_t seed)) {
  RandomDesc random(seed, 60);
  const detent_desc& desc = random.builder().desc();
  detent_random_state state{seed};
  assert_permutation(rank(detent_policy_id(), desc));
  assert_permutation(rank(detent_policy_priority(), desc));
  assert_permutation(rank(detent_policy_critical_path(), desc));
  assert_permutation(rank(detent_policy_random(&state), desc));
}

RC_GTEST_PROP(PolicyLaw, CriticalPathPutsPredecessorsFirst, (std::uint64_t seed)) {
  RandomDesc random(seed, 60);
  const detent_desc& desc = random.builder().desc();
  const std::vector<std::uint32_t> ranks = rank(detent_policy_critical_path(), desc);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) RC_ASSERT(ranks[op] < ranks[desc.successors[next.first + i]]);
  }
}

/// Longest path by relaxation until nothing changes: shares nothing with the policy.
std::vector<std::uint64_t> bottom_levels(const detent_desc& desc) {
  std::vector<std::uint64_t> bottom(desc.op_count, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      std::uint64_t longest = 0;
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t i = 0; i < next.count; ++i) {
        longest = std::max(longest, bottom[desc.successors[next.first + i]]);
      }
      const std::uint64_t level = longest + desc.costs[op].worst_ps;
      changed = changed || level != bottom[op];
      bottom[op] = level;
    }
  }
  return bottom;
}

RC_GTEST_PROP(PolicyLaw, CriticalPathOrdersByBottomLevelThenId, (std::uint64_t seed)) {
  RandomDesc random(seed, 40);
  const detent_desc& desc = random.builder().desc();
  const std::vector<std::uint64_t> bottom = bottom_levels(desc);
  std::vector<std::uint32_t> order(desc.op_count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return bottom[a] > bottom[b]; });
  const std::vector<std::uint32_t> ranks = rank(detent_policy_critical_path(), desc);
  for (std::uint32_t i = 0; i < order.size(); ++i) RC_ASSERT(ranks[order[i]] == i);
}

RC_GTEST_PROP(PolicyLaw, PriorityOrdersByPriorityThenId, (std::uint64_t seed)) {
  RandomDesc random(seed, 60);
  test::DescBuilder& b = random.builder();
  for (detent_op& op : b.ops) op.priority = static_cast<std::int32_t>(random.random().next());
  const std::vector<std::uint32_t> ranks = rank(detent_policy_priority(), b.desc());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      const bool j_first = b.ops[j].priority <= b.ops[i].priority;  // ties: the lower id
      RC_ASSERT((ranks[j] < ranks[i]) == j_first);
    }
  }
}

RC_GTEST_PROP(PolicyLaw, GivenAcceptsExactlyLinearExtensions, (std::uint64_t seed)) {
  RandomDesc random(seed, 20);
  const detent_desc& desc = random.builder().desc();
  std::vector<std::uint32_t> order(desc.op_count);
  std::iota(order.begin(), order.end(), 0u);
  const std::uint32_t swaps = random.random().below(4);
  for (std::uint32_t i = 0; i < swaps; ++i) {
    std::swap(order[random.random().below(desc.op_count)], order[random.random().below(desc.op_count)]);
  }
  std::vector<std::uint32_t> position(desc.op_count);
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  bool extension = true;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      extension = extension && position[op] < position[desc.successors[next.first + i]];
    }
  }
  const detent_given_order given{order.data(), desc.op_count};
  const detent_policy policy = detent_policy_given(&given);
  std::vector<std::uint32_t> ranks(desc.op_count);
  std::vector<std::uint64_t> work(2 * std::size_t{desc.op_count});
  const detent_status status = policy.rank(policy.self, &desc, ranks.data(), work.data());
  RC_ASSERT(status == (extension ? DETENT_OK : DETENT_INVALID_ARGUMENT));
  if (extension) RC_ASSERT(ranks == position);
}

}  // namespace
}  // namespace detent::laws
