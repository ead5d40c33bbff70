// detent tasks: task set + platform -> does every run of every network end by its deadline, and every chain in time?
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/model/schedule_options.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

struct TasksRequest {
  Request request{};  ///< `model` is the file of the task set
  ScheduleOptions schedule{};
  SimulationOptions simulation{};      ///< `runs` of the task with the longest period; others until it has ended
  std::uint64_t max_states = 100'000;  ///< symbolic states of the exact analysis; 0: none is made
};

/// Simulate the tasks on the workers of one pool, with drawn and with worst times of ops, bound the responses, and
/// judge deadlines and latencies.
/// @return  `detent.tasks/1`; violated where a deadline or latency is missed in a run or by the exact worst case, cores
///          have more work than time, or a run is longer than a bound (a fault of Detent); unknown where one of them is
///          neither proved nor seen to be missed
/// @throws InputError, std::invalid_argument  files, options that mean nothing
Answer judge_tasks(const TasksRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
