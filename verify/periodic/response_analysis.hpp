// Response-time analysis of periodic DAGs on shared typed cores, whatever their phases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/periodic/task.hpp"

namespace detent::verify {

/// No run of the task ends later than so long after its nominal release.
struct TaskResponse {
  std::uint64_t response_ps = kUnknownPs;  ///< at most period_ps of the task; kUnknownPs: not known
  std::string reason{};                    ///< why not known: what is true of task `because_of`
  std::size_t because_of = 0;
};

/// Upper bounds on the responses of all tasks, by task: each of these runs ends before its task's next nominal release,
/// on any phases and any times of ops up to their worst, when ops of the lowest priority number begin first, nothing
/// is interrupted and no core is idle beside a ready op of its class.
///
/// From the end of a run back along the predecessors that ended last, every instant since the release belongs to an op
/// of that path that executes, or that is ready and waits. While it waits all cores of its class execute others: ops
/// of the same run, ops of runs of the same or a lower number, which add up over the window, and at most one op per
/// core of a higher number, which had begun before. So with work W_c of class c in the window and M_c cores,
///   R = jitter + max over paths of sum of C_v (1 - 1/M) + B_c  +  sum over c of (own work + W_c) / M_c
/// where B_c is the longest op of a higher number, and W_c counts ceil((R + X) / T) runs of every task of the same or a
/// lower number, X being its own response. All tasks of one number are taken to keep their periods until the first that
/// does not; there is none where every R found in this way is at most its period.
///
/// In a class with a core for every op that can run at once (a run of each task, by chains that cover its ops) nothing
/// waits, and nothing is added. Where a core queues ops, or ops share a mutex, no number is told from another: then the
/// work of all tasks adds up.
///
/// Instants that belong to no op (PeriodicTask::serial_ps of every run in the window, of higher numbers too; what
/// `around` takes) are added once: the argument holds for the others. Where there are such of runs, all tasks are first
/// taken to keep their periods. If not all do, groups of one number are judged as above, and runs of higher numbers are
/// counted by their shortest one, window / shortest + 2 of each task, since a context executes one at a time.
///
/// Branches: of its own run and of every other that combination counts which gives most; they need not be the same.
/// @throws std::invalid_argument  as require_sound, or a cycle
std::vector<TaskResponse> task_responses(const std::vector<PeriodicTask>& tasks, const Surroundings& around = {});

/// Cores of one class against what all tasks want of them.
struct ClassLoad {
  std::uint32_t core_class = 0;
  double utilisation = 0;      ///< worst times over periods, of all cores of the class: above 1 is too much
  bool is_overloaded = false;  ///< in exact arithmetic: where all ops take their worst times, the backlog has no bound
};
/// Of every class that has cores and ops with time. Of branches the combination with most work for the class counts.
/// @throws std::invalid_argument  as require_sound
std::vector<ClassLoad> class_loads(const std::vector<PeriodicTask>& tasks);

}  // namespace detent::verify
