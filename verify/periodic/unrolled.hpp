// Periodic tasks -> one DAG that holds every run until their releases repeat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/periodic/task.hpp"
#include "verify/timing/exact.hpp"

namespace detent::verify {

/// Runs of all tasks whose nominal releases lie before the least common multiple of their periods. A release is an op
/// of a class without cores, which takes until then; the ops of a run follow it and the run before.
struct UnrolledTasks {
  struct Run {
    std::size_t task = 0;
    std::uint64_t nominal_ps = 0;  ///< release, counted from the earliest of all
    OpId first_op{};               ///< its ops count through from here
  };
  TimingProblem problem{};
  ReadyOrder order{};  ///< by the numbers of the tasks, then by run, then as each task orders its ops
  std::vector<Run> runs{};
  std::uint64_t hyperperiod_ps = 0;
};

/// @return  none where the hyperperiod passes 2^61 ps, there would be more than max_ops ops, or an offset is not below
///          its period
/// @throws std::invalid_argument  as require_sound
std::optional<UnrolledTasks> unroll(const std::vector<PeriodicTask>& tasks, std::uint32_t max_ops);

/// Responses that are attained, when tasks are released by one clock at their offsets.
struct ExactResponses {
  std::vector<std::uint64_t> response_ps{};  ///< by task; empty: not known
  std::string reason{};                      ///< why not
  std::uint64_t zones = 0;                   ///< looked at
};

/// The longest responses of all runs for ever, by exact_times of the unrolled tasks: when all runs of a hyperperiod
/// have ended before the next begins, that one is the same again.
/// @return  not known where tasks share a number (no order is defined between them), where unroll or exact_times has no
///          answer, or where a run may still execute when the releases repeat
/// @throws std::invalid_argument  as require_sound
ExactResponses exact_responses(const std::vector<PeriodicTask>& tasks, std::uint64_t max_zones);

}  // namespace detent::verify
