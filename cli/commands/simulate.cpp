// detent simulate: runs in simulated time.
#include <CLI/CLI.hpp>
#include <stdexcept>

#include "app/runs/simulated_run.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/simulate/together.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct SimulateOptions {
  Common common;
  app::SimulateRequest wanted;
  std::vector<std::string> others{};
  std::vector<std::int32_t> priorities{};
  std::vector<std::string> periods{};
  const CLI::App* command = nullptr;
};

/// What belongs to one network is not taken with several.
void refuse_single_options(const SimulateOptions& options) {
  static const char* const kSingle[] = {
      "--out",     "--campaign",     "--resume",      "--shard",       "--merge",      "--sensitivity",
      "--outcome", "--keep-worst",   "--migrate",     "--order",       "--fail-op",    "--late-op",
      "--hang-op", "--answer-twice", "--cancel-at",   "--deadline-op", "--fail-start", "--schedule",
      "--search",  "--deadline",     "--fail-device", "--late-device", "--hang-device"};
  for (const char* const name : kSingle) {
    const CLI::Option* const option = options.command->get_option_no_throw(name);
    if (option != nullptr && option->count() != 0) {
      throw std::invalid_argument(std::string(name) + ": is of one network; leave it out, or simulate one MODEL");
    }
  }
}

int simulate_together_command(SimulateOptions& options) {
  refuse_single_options(options);
  app::TogetherRequest wanted{.request = options.common,
                              .models = {options.common.model},
                              .priorities = options.priorities,
                              .periods = options.periods,
                              .model = options.wanted.model,
                              .schedule = options.wanted.schedule,
                              .simulation = options.wanted.simulation};
  wanted.models.insert(wanted.models.end(), options.others.begin(), options.others.end());
  const StopOnInterrupt stop;
  return show(options.common, app::simulate_models_together(wanted, progress_of(options.common, "simulated runs")));
}

int simulate_command(SimulateOptions& options) {
  check_networks(options.others);
  if (!options.others.empty()) return simulate_together_command(options);
  if (!options.priorities.empty() || !options.periods.empty()) {
    throw std::invalid_argument("--priorities and --period are of several networks; name them behind MODEL");
  }
  options.wanted.request = options.common;
  const std::vector<app::GivenOption> given = given_options(*options.command);
  app::follow_schedule_file(options.wanted.model.schedule, given, app::WorkersOf::kCpuLists,
                            options.wanted.schedule.engine);
  app::settle_split(options.wanted);
  const app::SimulationStart start = app::start_simulation(options.wanted, given);
  options.wanted.model.outcomes = start.loaded.outcomes;
  if (start.part && !start.part->note().empty()) say(options.common, start.part->note());
  const StopOnInterrupt stop;
  const app::Answer answer = app::simulate(options.wanted, start.loaded, start.platform, start.part.get(),
                                           progress_of(options.common, "simulated runs"));
  return show(options.common, answer);
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("simulate", "Execute MODEL on a simulated chip");
  auto& [common, wanted, others, priorities, periods, self] = make_options(*command, action, simulate_command);
  wanted.simulation.runs = 1;
  self = command;
  add_scheduled_model(*command, common, wanted.model, AutoSplit::kOffered);
  add_schedule_file(*command, wanted.model.schedule, "--mode static follows them");
  add_outcome_option(*command, wanted.model);
  add_prepared_option(*command, add_device_option(*command, wanted.model.device), wanted.model.device);
  add_costs_option(*command, wanted.model);
  add_schedule_options(*command, wanted.schedule, true);
  add_simulation_options(*command, common, wanted.simulation, wanted.schedule.engine);
  add_campaign_options(*command, wanted.campaign);
  add_fault_options(*command, wanted.faults, true);
  add_networks(*command, others, priorities, "More models: all run at once on the same workers, --runs runs of each");
  command
      ->add_option("--period", periods,
                   "With OTHERS: release each model every TIME, in their order, or all of them; 0: when its last run "
                   "has ended. Default: 0")
      ->type_name("TIME,TIME")
      ->delimiter(',');
  add_folder(*command, "-o,--out", wanted.trace_directory,
             "Write trace.pftrace, trace.btf and trace.vcd into this directory");
}

}  // namespace detent::cli
