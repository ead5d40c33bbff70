// Task set on a platform -> bounds and exact values of responses, and the work of every class of cores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/tasks/task_members.hpp"
#include "reports/data/deadline.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/op_times.hpp"
#include "verify/timing/bounds.hpp"

namespace detent::app {

/// How the tasks are executed and timed.
struct TaskTimingSpec {
  sim::Jitter jitter{};
  std::uint32_t workers = 0;  ///< on CPUs; 0: one per CPU core
  std::string policy{};       ///< of each context
  std::uint64_t max_states = 0;
};

struct TaskTiming {
  std::vector<std::vector<verify::Bound>> bounds{};  ///< by member: "rta" and, where exact, "exact"
  std::vector<reports::ClassUse> classes{};
  std::uint64_t states = 0;  ///< of the exact analysis
};

/// @throws std::invalid_argument  networks that cannot share the platform
TaskTiming task_timing(const LoadedTasks& tasks, const sim::Platform& platform, const TaskTimingSpec& spec);

}  // namespace detent::app
