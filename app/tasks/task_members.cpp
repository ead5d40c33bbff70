#include "app/tasks/task_members.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/explore/combinations.hpp"
#include "models/core/outcomes.hpp"

namespace detent::app {
namespace {

/// Longest period of a context: sums of a few of them fit 64 bits.
constexpr std::uint64_t kMostPeriodPs = std::uint64_t{1} << 61U;

/// A file beside that of the task set, or else the name as it is.
std::string beside(const std::string& path, const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(path).parent_path() / name;
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) ? file.string() : name;
}

/// Which ops run under which outcomes.
/// @throws std::invalid_argument  an op that may fail has a watchdog
void add_outcomes(const std::string& name, const ModelOptions& options, Task& task) {
  const models::Model& model = task.loaded.model;
  if (model.decisions.empty()) return;
  const Combinations combinations = combinations_of(name, options);
  if (combinations.has_watchdogs) {
    throw std::invalid_argument(name +
                                ": an op that may fail has a watchdog, whose time no bound of overlapping runs " +
                                "counts; leave watchdog out and let its worst time stand for it");
  }
  for (const std::string& text : combinations.texts) {
    task.outcomes.push_back(models::ops_that_run(model, models::read_outcomes(model, text, std::nullopt)));
    task.outcomes.back().resize(task.loaded.desc().op_count, true);  // releases and transfers of all ops
  }
  task.has_every_outcome = combinations.is_whole;
  task.branches = describe_combinations(combinations);
}

Task load_task(const std::string& path, const TaskRow& row, const ModelOptions& options) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: task '{}': {}", path, row.name, what));
  };
  ModelOptions own = options;
  own.guards = ModelOptions::Guards::kKept;
  if (!row.costs.empty()) own.costs = beside(path, row.costs);
  Task task{.loaded = load(beside(path, row.model), own), .row = row};
  add_outcomes(beside(path, row.model), own, task);
  const models::TimeDemands& demands = task.loaded.model.demands;
  if (!row.period_ps && !demands.period_ps) {
    refuse("neither it nor its model has a period; add period = \"10ms\"");
  }
  task.period_ps = row.period_ps ? *row.period_ps : *demands.period_ps;
  if (task.period_ps > kMostPeriodPs / row.contexts) refuse("the period of a context is above 2^61 ps (26 days)");
  if (row.offset_ps >= task.period_ps) refuse("the offset is not below the period; take whole periods off it");
  if (row.jitter_ps > task.period_ps) refuse("the jitter is above the period, so that releases may pass one another");
  const std::uint64_t next_ps = task.period_ps * row.contexts;
  if (row.deadline_ps) {
    task.deadline_ps = *row.deadline_ps;
    task.deadline_source = path;
  } else if (demands.deadline_ps) {
    task.deadline_ps = *demands.deadline_ps;
    task.deadline_source = row.model;
  } else {
    task.deadline_ps = next_ps;
    task.deadline_source = "the next release";
  }
  return task;
}

}  // namespace

LoadedTasks load_tasks(const std::string& path, const TaskSet& set, const ModelOptions& options) {
  LoadedTasks made;
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    const TaskRow& row = set.tasks[i];
    made.tasks.push_back(load_task(path, row, options));
    for (std::uint32_t context = 0; context < row.contexts; ++context) {
      const std::uint64_t period_ps = made.tasks.back().period_ps;
      made.members.push_back({i, period_ps * row.contexts, row.offset_ps + context * period_ps});
    }
  }
  return made;
}

}  // namespace detent::app
