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
};

/// @throws std::invalid_argument  a period of 0, classes that differ, or a problem that the bounds refuse
void require_sound(const std::vector<PeriodicTask>& tasks);

}  // namespace detent::verify
