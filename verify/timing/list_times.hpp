// Exact times of static lists: each core executes its ops in a fixed order, so the longest path decides.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/response.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// The ops of one core, in the order in which it executes them.
struct CoreList {
  std::uint32_t core_class = 0;
  std::vector<OpId> ops{};
};

/// When ops end that begin as soon as the one before them in their list and all that they wait for have ended.
struct ListTimes {
  std::uint64_t best_ps = 0, worst_ps = 0;  ///< makespans when all ops take their best or worst times; fixed_ps is in
                                            ///< the worst
  std::vector<Response> responses{};        ///< by op, likewise; extremes that are attained
  /// Two ops that share a mutex and that neither edges nor lists order: times without mutexes then.
  std::optional<std::pair<OpId, OpId>> unordered{};
};

/// A problem with an edge from each op of a list to the next one. @param lists  each bounded op once
TimingProblem with_lists(const TimingProblem& problem, const std::vector<CoreList>& lists);

/// Core and order are fixed, so no op ends later where others take less (no anomalies), and the longest path over edges
/// and lists is the exact makespan. role_ps is left out.
/// @return  kUnknownPs where a time is unknown or a sum does not fit
/// @throws std::invalid_argument  as the bounds do; lists and edges that wait for each other in a circle
ListTimes list_times(const TimingProblem& problem, const std::vector<CoreList>& lists);

/// Two ops that share a mutex and that no path orders; none: paths order all that do.
std::optional<std::pair<OpId, OpId>> find_unordered_holders(const TimingProblem& problem);

}  // namespace detent::verify
