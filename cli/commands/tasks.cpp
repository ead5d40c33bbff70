// detent tasks: networks that are released again and again on one chip.
#include <CLI/CLI.hpp>

#include "app/tasks/judge_tasks.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct TasksOptions {
  Common common;
  app::TasksRequest wanted;
};

int tasks_command(TasksOptions& options) {
  options.wanted.request = options.common;
  const StopOnInterrupt stop;
  return show(options.common, app::judge_tasks(options.wanted, progress_of(options.common, "simulated runs")));
}

}  // namespace

void add_tasks(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "tasks", "Does every run of several periodic networks on one chip end by its deadline, every chain in time?");
  auto& [common, wanted] = make_options(*command, action, tasks_command);
  command
      ->add_option("FILE", common.model,
                   "detent.task_set/1 (TOML): [[tasks]] with name, model, period, and if need be deadline, priority "
                   "(lower first), offset, jitter, contexts, costs; [[chains]] with name, tasks, latency")
      ->required();
  add_common(*command, common, false);
  auto& simulation = wanted.simulation;
  simulation.runs = 20;
  add_chip_of_times(*command, simulation.platform, simulation.cores, wanted.schedule.engine.workers);
  choose(command->add_option("--policy", wanted.schedule.engine.policy, "Which ready op of a network begins first"),
         {"id", "priority", "critical-path", "fifo"})
      ->capture_default_str();
  command
      ->add_option("--runs", simulation.runs,
                   "Simulated runs of the task with the longest period; others until it has ended")
      ->check(whole_number(1))
      ->capture_default_str();
  command
      ->add_option("--max-states", wanted.max_states,
                   "Symbolic states of the exact analysis of all runs until the releases repeat; 0: none is made")
      ->capture_default_str();
  add_spread_of_times(*command, simulation.jitter, simulation.no_npu);
  command->add_flag("--no-overheads", simulation.no_overheads, "The runtime costs nothing");
  add_chip_flags(*command, simulation.no_contention, simulation.private_ports);
}

}  // namespace detent::cli
