// One run of the definition of execution with given times: a list scheduler that plays events.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// A run, from its begin on, without fixed_ps.
struct ListRun {
  std::vector<std::uint64_t> time_ps{}, begin_ps{}, end_ps{};  ///< by op
  std::vector<std::uint32_t> core{};                           ///< by op: of its class, the lowest that was free
  std::vector<OpId> order{};                                   ///< in which ops ended
  std::uint64_t makespan_ps = 0;
};

/// Shares no code with the zones of exact_times, so that each can be held against the other.
/// @param problem   sound, a DAG, one op at a time on each core
/// @param times_ps  by op
/// @param ties      every op once: which of the ops that end at one instant is handled first
ListRun play_list_run(const TimingProblem& problem, const ReadyOrder& order, const std::vector<std::uint64_t>& times_ps,
                      const std::vector<OpId>& ties);

}  // namespace detent::verify
