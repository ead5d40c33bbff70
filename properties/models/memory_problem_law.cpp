// Laws of memory problems: the search against every order of the buffers, and what does not depend on the search.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "models/plan/problem/problem.hpp"
#include "models/plan/problem/solution_check.hpp"
#include "models/plan/problem/solve.hpp"
#include "properties/law.hpp"

namespace detent::models::packing {
namespace {

std::vector<Buffer> pick_buffers(int most) {
  const auto pick = [](int least, int below) { return *rc::gen::inRange(least, below); };
  const bool is_aligned = pick(0, 3) == 0;
  const int moments = pick(2, 8);
  std::vector<Buffer> buffers;
  for (int i = pick(1, most + 1); i > 0; --i) {
    const int lower = pick(0, moments);
    buffers.push_back({.id = std::to_string(i),
                       .lower = lower,
                       .upper = pick(lower + 1, moments + 2),
                       .size_bytes = static_cast<std::uint64_t>(pick(1, 10)),
                       .align_bytes = is_aligned ? std::uint64_t{1} << pick(0, 4) : 1});
  }
  return buffers;
}

/// The least height, by force: each buffer of each order at the lowest place that is free. The buffers of a lowest
/// placement, taken by their offsets, get no higher places so.
std::uint64_t least_height(const std::vector<Buffer>& buffers) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t least = UINT64_MAX;
  do {
    std::vector<std::uint64_t> offsets(buffers.size());
    std::uint64_t height = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Buffer& buffer = buffers[order[i]];
      const auto is_free = [&](std::uint64_t offset) {
        for (std::size_t k = 0; k < i; ++k) {
          const Buffer& other = buffers[order[k]];
          if (buffer.lower < other.upper && other.lower < buffer.upper &&
              offset < offsets[order[k]] + other.size_bytes && offsets[order[k]] < offset + buffer.size_bytes)
            return false;
        }
        return true;
      };
      while (!is_free(offsets[order[i]])) offsets[order[i]] += buffer.align_bytes;
      height = std::max(height, offsets[order[i]] + buffer.size_bytes);
    }
    least = std::min(least, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

RC_GTEST_PROP(MemoryProblemLaw, TheSearchFindsTheLeastHeightOfAllOrders, ()) {
  laws::law_of_values([] {
    const MemoryProblem problem{.buffers = pick_buffers(6)};
    const std::uint64_t least = least_height(problem.buffers);
    RC_ASSERT(lower_bound_bytes(problem.buffers) <= least);
    const Solution lowest = solve_memory_problem(problem, {.max_nodes = 100'000});
    RC_ASSERT(lowest.is_proven);
    RC_ASSERT(lowest.height_bytes == least);
    RC_ASSERT(find_placement_faults(problem.buffers, lowest.offsets_bytes, least).empty());
    RC_ASSERT(solve_memory_problem(problem, {.capacity_bytes = least}).is_placed);
    if (least == 1) return;
    const Solution none = solve_memory_problem(problem, {.capacity_bytes = least - 1});
    RC_ASSERT(!none.is_placed && none.is_proven);
  });
}

RC_GTEST_PROP(MemoryProblemLaw, UnderAnyLimitAPlacementIsValidAndRepeats, ()) {
  laws::law_of_values([] {
    const MemoryProblem problem{.buffers = pick_buffers(60)};
    const SolveOptions options{.max_nodes = *rc::gen::inRange<std::uint64_t>(1, 500)};
    const Solution first = solve_memory_problem(problem, options);
    RC_ASSERT(find_placement_faults(problem.buffers, first.offsets_bytes, first.height_bytes).empty());
    RC_ASSERT(first.height_bytes >= first.lower_bound_bytes);
    RC_ASSERT(first.nodes <= options.max_nodes);
    RC_ASSERT(solve_memory_problem(problem, options).offsets_bytes == first.offsets_bytes);
  });
}

}  // namespace
}  // namespace detent::models::packing
