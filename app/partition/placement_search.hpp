// Search for the placement of ops on devices with the lowest time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/partition/placement.hpp"

namespace detent::app {

struct PlacementProblem {
  std::vector<OpChoices> choices{};                               ///< by op
  std::vector<std::vector<std::uint32_t>> neighbours{};           ///< by op: those that an edge joins with it
  std::function<std::uint64_t(const Placement&)> objective_ps{};  ///< the same for the same placement
  std::uint64_t max_trials = 0;                                   ///< calls of objective_ps, but for one of each start
};

struct FoundPlacement {
  Placement placement{};
  std::uint64_t objective_ps = 0;
  std::uint64_t trials = 0;       ///< placements that were tried
  bool is_local_optimum = false;  ///< no move of the search makes it shorter; false: max_trials ended it
  /// By op and choice: the objective with this op alone moved there; none: not tried.
  std::vector<std::vector<std::optional<std::uint64_t>>> if_moved_ps{};
};

/// Local search from each start. A move puts on another device: one op, one op with one neighbour, or one op with all
/// that edges join with it over ops of its device. The result is never longer than a start, and with the same problem
/// always the same.
/// @param starts  at least one; each op on one of its choices
FoundPlacement search_placement(const PlacementProblem& problem, const std::vector<Placement>& starts,
                                const OnProgress& on_progress);

}  // namespace detent::app
