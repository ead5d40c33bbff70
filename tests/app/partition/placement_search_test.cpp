#include "app/partition/placement_search.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace detent::app {
namespace {

/// A chain of ops on two devices.
PlacementProblem chain(std::uint32_t ops, std::function<std::uint64_t(const Placement&)> objective_ps) {
  PlacementProblem problem{.objective_ps = std::move(objective_ps), .max_trials = 10'000};
  for (std::uint32_t op = 0; op < ops; ++op) {
    problem.choices.push_back({.devices = {0, 1}});
    problem.neighbours.emplace_back();
    if (op > 0) problem.neighbours[op].push_back(op - 1);
    if (op + 1 < ops) problem.neighbours[op].push_back(op + 1);
  }
  return problem;
}

std::uint64_t weighed(const Placement& placement, const std::vector<std::uint64_t>& first,
                      const std::vector<std::uint64_t>& second, std::uint64_t change) {
  std::uint64_t sum = 0;
  for (std::size_t op = 0; op < placement.size(); ++op) {
    sum += placement[op] == 0 ? first[op] : second[op];
    if (op > 0 && placement[op] != placement[op - 1]) sum += change;
  }
  return sum;
}

TEST(PlacementSearch, OpsThatAreFasterElsewhereAreMoved) {
  const auto objective = [](const Placement& it) { return weighed(it, {5, 1, 5, 1}, {1, 5, 1, 5}, 0); };
  const FoundPlacement found = search_placement(chain(4, objective), {{0, 0, 0, 0}}, {});
  EXPECT_EQ(found.placement, (Placement{1, 0, 1, 0}));
  EXPECT_EQ(found.objective_ps, 4U);
  EXPECT_TRUE(found.is_local_optimum);
  EXPECT_EQ(found.if_moved_ps[0], (std::vector<std::optional<std::uint64_t>>{8, 4}));
  EXPECT_EQ(found.if_moved_ps[1], (std::vector<std::optional<std::uint64_t>>{4, 8}));
}

TEST(PlacementSearch, NeighboursAndJoinedOpsMoveTogether) {
  // Alone, or as two, no op gains more than the two changes of device cost.
  const auto objective = [](const Placement& it) { return weighed(it, {9, 9, 9, 9, 9}, {1, 1, 1, 1, 30}, 20); };
  const FoundPlacement found = search_placement(chain(5, objective), {{0, 0, 0, 0, 0}}, {});
  EXPECT_EQ(found.placement, (Placement{1, 1, 1, 1, 0})) << "all of them, then the last one back";
  PlacementProblem fixed = chain(5, objective);
  fixed.choices[4].devices = {0};
  EXPECT_EQ(search_placement(fixed, {{0, 0, 0, 0, 0}}, {}).placement, (Placement{1, 1, 1, 1, 0}));
  const auto pair = [](const Placement& it) { return weighed(it, {9, 9, 9, 1, 1}, {20, 1, 1, 9, 9}, 5); };
  EXPECT_EQ(search_placement(chain(5, pair), {{0, 0, 0, 0, 0}}, {}).placement, (Placement{0, 1, 1, 0, 0}));
}

TEST(PlacementSearch, TheBestOfTheStartsCounts) {
  const auto objective = [](const Placement& it) -> std::uint64_t {  // two valleys
    if (it == Placement{1, 1, 1, 1}) return 1;
    if (it == Placement{1, 1, 1, 0}) return 5;
    return 10 + static_cast<std::uint64_t>(std::popcount(it[0] + 2 * it[1] + 4 * it[2] + 8 * it[3]));
  };
  PlacementProblem problem = chain(4, objective);
  for (auto& neighbours : problem.neighbours) neighbours.clear();
  EXPECT_EQ(search_placement(problem, {{0, 0, 0, 0}}, {}).objective_ps, 10U);
  EXPECT_EQ(search_placement(problem, {{0, 0, 0, 0}, {1, 1, 1, 0}}, {}).objective_ps, 1U);
  EXPECT_EQ(search_placement(problem, {{1, 1, 1, 1}, {0, 0, 0, 0}}, {}).objective_ps, 1U);
}

TEST(PlacementSearch, TrialsAreCountedAndEndTheSearch) {
  std::uint64_t calls = 0, told = 0;
  const auto objective = [&](const Placement& it) {
    ++calls;
    return weighed(it, {5, 5, 5, 5, 5, 5}, {1, 1, 1, 1, 1, 1}, 0);
  };
  PlacementProblem problem = chain(6, objective);
  problem.max_trials = 3;
  const FoundPlacement found = search_placement(problem, {Placement(6, 0), Placement(6, 0)},
                                                [&](std::uint64_t done, std::uint64_t) { told = done; });
  EXPECT_FALSE(found.is_local_optimum);
  EXPECT_EQ(found.trials, calls) << "a placement is tried once";
  EXPECT_EQ(told, calls);
  EXPECT_LE(calls, 5U);
  EXPECT_EQ(found.objective_ps, objective(found.placement));
  EXPECT_EQ(found.if_moved_ps[5][1 - found.placement[5]], std::nullopt) << "not tried";
}

}  // namespace
}  // namespace detent::app
