// Periodic task: a DAG that is released again and again, and how urgent it is.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// A DAG that is executed once per period by a context of its own: a run begins when it is released and the run before
/// it has ended. Run k is wanted at offset_ps + k * period_ps, its *nominal release*, and released by at most jitter_ps
/// later. Responses count from nominal releases.
struct PeriodicTask {
  TimingProblem problem;        ///< all tasks have the same classes of cores, with the same cores and depths
  std::int32_t priority = 0;    ///< ops of a lower number begin first
  std::uint64_t period_ps = 0;  ///< above 0
  std::uint64_t jitter_ps = 0;
  std::uint64_t offset_ps = 0;
  std::vector<std::uint32_t> rank{};  ///< order of its own ops, as in ReadyOrder; empty: ids
  /// Most that a run adds to each window that it reaches into, whatever the numbers: what is done for one op at a time
  /// of all tasks (steps under the scheduler role, waiting that is counted once for all). kUnknownPs: not known.
  std::uint64_t serial_ps = 0;
  /// Worst times of ops by combination of outcomes of its branches, none above that of the problem: every run has one
  /// of them, and ops that it leaves out still wait for a core. Empty: no branches, or every op counts.
  std::vector<std::vector<std::uint64_t>> worst_by_outcome_ps{};
};

/// Work of higher priority than every op, on one core: within a window of length L it takes it for
/// (floor((L + jitter_ps) / period_ps) + 2) * duration_ps at most.
struct WindowLoad {
  std::uint64_t period_ps = 0;  ///< above 0
  std::uint64_t jitter_ps = 0;
  std::uint64_t duration_ps = 0;
};

/// What a chip adds to every window, beside the tasks.
struct Surroundings {
  std::uint64_t once_ps = 0;  ///< to each
  std::vector<WindowLoad> loads{};
};

/// @throws std::invalid_argument  a period of 0, classes that differ, times of outcomes that do not fit the ops, or a
///                                problem that the bounds refuse
void require_sound(const std::vector<PeriodicTask>& tasks);

}  // namespace detent::verify
