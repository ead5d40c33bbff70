// Task set on a platform -> the periodic tasks that the analyses of verify/periodic take.
#pragma once

#include <string>
#include <vector>

#include "app/tasks/task_timing.hpp"
#include "verify/periodic/task.hpp"

namespace detent::app {

/// Members of a task set as tasks, in their order, over the core classes of all. Each of by_op and by_total gives upper
/// bounds on responses, so the lower one counts.
struct TaskProblems {
  std::vector<verify::PeriodicTask> bare{};  ///< nothing is added to the times of ops
  /// With the runtime's steps, and what the others on the chip add to each op.
  std::vector<verify::PeriodicTask> by_op{};
  /// With the runtime's steps, and for each run the time that the DRAM needs for all its bytes.
  std::vector<verify::PeriodicTask> by_total{};
  verify::Surroundings around{};  ///< of by_op and by_total
  std::vector<std::string> class_names{};
  std::string unknown{};        ///< why no bound holds, and the remedy; empty: they may
  std::string outside_exact{};  ///< why the runs are not those of the definition of execution; empty: they are
  bool has_branches = false;    ///< of some task: an op may take no time
};

/// @throws std::invalid_argument  networks that cannot share the platform
TaskProblems task_problems(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec);

}  // namespace detent::app
