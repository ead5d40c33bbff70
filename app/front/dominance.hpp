// Which of several plans are on the front between memory and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace detent::app {

/// What a plan costs.
struct PlanCost {
  std::uint64_t bytes = 0;
  std::uint64_t time_ps = 0;  ///< exact worst case, or a bound on it; UINT64_MAX: none is known
  bool is_exact = false;
};

/// Another plan that takes no more bytes and whose worst case is known to be no more than this one's time.
struct Dominated {
  std::size_t by = 0;
  bool is_by_bound = false;  ///< the time of this plan is a bound alone: its worst case may be lower, then it is not
};

/// @param costs  ascending by bytes; of equal ones the earlier counts
/// @return  for each: the fastest plan before it that dominates it; none: it is on the front
std::vector<std::optional<Dominated>> find_dominated(const std::vector<PlanCost>& costs);

/// Is a plan that none dominates on the front, whatever the worst cases below bounds are? Where no other takes as few
/// bytes, or its time and those of all that take no more bytes are exact.
bool is_front_known(const std::vector<PlanCost>& costs, std::size_t plan);

}  // namespace detent::app
