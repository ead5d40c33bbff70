// TaskSet -> its networks, loaded, and the contexts that execute them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "app/tasks/task_file.hpp"

namespace detent::app {

/// A task of the file with what its model's file adds.
struct Task {
  LoadedModel loaded;
  TaskRow row{};
  std::uint64_t period_ps = 0;    ///< between releases, whichever context takes them
  std::uint64_t deadline_ps = 0;  ///< after the nominal release
  std::string deadline_source{};  ///< who demands it
  /// Where it has branches: which ops of the Desc run, by combination of outcomes; of the first where there are too
  /// many.
  std::vector<std::vector<bool>> outcomes{};
  bool has_every_outcome = true;  ///< `outcomes` has all combinations
  std::string branches{};         ///< "all 4 combinations of outcomes"; empty: it has none
};

/// One context of a task: takes every `contexts`-th release.
struct TaskMember {
  std::size_t task = 0;
  std::uint64_t period_ps = 0, offset_ps = 0;
};

struct LoadedTasks {
  std::vector<Task> tasks{};
  std::vector<TaskMember> members{};  ///< in the order of the tasks
};

/// Models and tables of costs are paths beside the file of the task set, or else as any command takes them.
/// @param options  of every model
/// @throws InputError, std::invalid_argument  a model that cannot be loaded, a task without a period, times that no
///                                            member can have
LoadedTasks load_tasks(const std::string& path, const TaskSet& set, const ModelOptions& options);

}  // namespace detent::app
