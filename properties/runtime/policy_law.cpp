// Laws of policies: ranks are permutations, and each policy orders as it says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "properties/law.hpp"

namespace detent::laws {
namespace {

rc::Gen<GraphCase> many_ops() { return graphs({.graph = {.most_ops = 40, .delays = true}}); }

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

RC_GTEST_PROP(PolicyLaw, RanksArePermutations, ()) {
  law_of(many_ops(), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    detent_random_state state{g.seed};
    assert_permutation(rank(detent_policy_id(), desc));
    assert_permutation(rank(detent_policy_priority(), desc));
    assert_permutation(rank(detent_policy_critical_path(), desc));
    assert_permutation(rank(detent_policy_random(&state), desc));
  });
}

/// Ops without time tie with their successors, and ties go by id.
RC_GTEST_PROP(PolicyLaw, CriticalPathPutsPredecessorsThatTakeTimeFirst, ()) {
  law_of(many_ops(), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const std::vector<std::uint32_t> ranks = rank(detent_policy_critical_path(), desc);
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t i = 0; i < next.count && desc.costs[op].worst_ps != 0; ++i) {
        RC_ASSERT(ranks[op] < ranks[desc.successors[next.first + i]]);
      }
    }
  });
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

RC_GTEST_PROP(PolicyLaw, CriticalPathOrdersByBottomLevelThenId, ()) {
  law_of(many_ops(), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const std::vector<std::uint64_t> bottom = bottom_levels(desc);
    std::vector<std::uint32_t> order(desc.op_count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return bottom[a] > bottom[b]; });
    const std::vector<std::uint32_t> ranks = rank(detent_policy_critical_path(), desc);
    for (std::uint32_t i = 0; i < order.size(); ++i) RC_ASSERT(ranks[order[i]] == i);
  });
}

RC_GTEST_PROP(PolicyLaw, PriorityOrdersByPriorityThenId, ()) {
  law_of(many_ops(), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::vector<std::uint32_t> ranks = rank(detent_policy_priority(), model.desc());
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const bool j_first = model.desc().ops[j].priority <= model.desc().ops[i].priority;  // ties: the lower id
        RC_ASSERT((ranks[j] < ranks[i]) == j_first);
      }
    }
  });
}

/// The schedule's order, then two of its ops swapped: an extension or not.
RC_GTEST_PROP(PolicyLaw, GivenAcceptsExactlyLinearExtensions, ()) {
  law_of(many_ops(), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    std::vector<std::uint32_t> order = order_of(desc, g.schedule);
    std::swap(order[g.faulty_op], order[g.seed % order.size()]);
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
  });
}

}  // namespace
}  // namespace detent::laws
