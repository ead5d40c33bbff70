// The static lists that a bind computes: where each op goes, by when it could start there.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "runtime/engine/context.h"
#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

constexpr std::uint64_t kMicrosecond = 1'000'000;  // ps

/// Homes of three unordered ops on two workers; the second worker counts as awake 30 us after the start.
/// @param mutexes  of op 0, which takes 1000 us, and of op 1, which takes 100 us; op 2 has none
std::vector<std::uint32_t> homes(std::vector<std::uint32_t> of_first, std::vector<std::uint32_t> of_second) {
  Graph graph(3, {});
  graph.cost_ps = {1000 * kMicrosecond, 100 * kMicrosecond, 10 * kMicrosecond};
  graph.mutexes = {std::move(of_first), std::move(of_second), {}};
  const Bound bound(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2});
  EXPECT_EQ(bound.status(), DETENT_OK);
  const Lists& lists = bound.context()->fixed.lists;
  std::vector<std::uint32_t> home(3, DETENT_NONE);
  for (std::uint32_t worker = 0; worker < 2; ++worker) {
    for (std::uint32_t i = lists.first[worker]; i < lists.first[worker + 1]; ++i) home[lists.entries[i].op] = worker;
  }
  return home;
}

using Homes = std::vector<std::uint32_t>;

TEST(ListLayout, AnOpGoesWhereItCanStartEarliest) { EXPECT_EQ(homes({}, {}), (Homes{0, 1, 1})); }

/// Op 1 waits for op 0 to release the mutex, so its worker is busy until 1100 us and op 2 goes to the other.
TEST(ListLayout, AnOpStartsAfterTheLastHolderOfEachOfItsMutexes) {
  EXPECT_EQ(homes({0}, {0}), (Homes{0, 1, 0}));
  EXPECT_EQ(homes({0}, {0, 1}), (Homes{0, 1, 0})) << "the first of two is held";
  EXPECT_EQ(homes({1}, {0, 1}), (Homes{0, 1, 0})) << "the second of two is held";
  EXPECT_EQ(homes({0, 1}, {1}), (Homes{0, 1, 0})) << "the holder took it as its second";
  EXPECT_EQ(homes({0}, {1}), (Homes{0, 1, 1})) << "another mutex";
}

}  // namespace
}  // namespace detent::test
