// An upper bound, divided among what it counts: ops that it counts whole, shares of others, the scheduler, the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "verify/timing/list_run.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// What one op adds to an upper bound.
struct OpCharge {
  std::uint64_t path_ps = 0;  ///< its own time, where the bound counts it whole: it is on the path, or alone on a core
  std::uint64_t others_ps = 0;  ///< waiting: its share of the work beside the path, ops before it in a queue, a mutex
  std::uint64_t role_ps = 0;    ///< what the scheduler does for it
};

/// All that a bound counts. Shares of a picosecond are carried from op to op, so that the sum is the bound.
struct Budget {
  std::vector<OpCharge> ops{};  ///< by op
  std::uint64_t fixed_ps = 0;   ///< of the run
};
/// kUnknownPs where it does not fit.
std::uint64_t sum_ps(const Budget& budget);

/// The division of what serial_bound, graham_bound, typed_bound or long_paths_bound return; none where they return
/// kUnknownPs. It is made anew: from the bound it takes only whether that applies, so the sum can be held against it.
/// @param bound  "serial", "graham", "typed" or "he2022"
/// @throws std::invalid_argument  as the bounds do; no such bound
std::optional<Budget> bound_budget(const TimingProblem& problem, std::string_view bound);

/// The division of the longest path (list_times), and of all that the scheduler does: of a problem with_lists.
std::optional<Budget> path_budget(const TimingProblem& problem);

/// The division of the makespan of a run: the chain of ops, each of which begins where the one before it ends. An op of
/// the chain that the next one does not depend on has only kept a core or a mutex from it, and counts as waiting.
/// @return  none where something begins without an end at that time: the run left a core idle
std::optional<Budget> run_budget(const TimingProblem& problem, const ListRun& run);

}  // namespace detent::verify
