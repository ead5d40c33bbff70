// detent simulate: runs in simulated time.
#include <CLI/CLI.hpp>

#include "app/model/schedule_file.hpp"
#include "app/runs/simulated_run.hpp"
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
  const CLI::App* command = nullptr;
};

int simulate_command(SimulateOptions& options) {
  options.wanted.request = options.common;
  const std::vector<app::GivenOption> given = given_options(*options.command);
  app::follow_schedule_file(options.wanted.model.schedule, given, options.wanted.schedule.engine);
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
  auto& [common, wanted, self] = make_options(*command, action, simulate_command);
  wanted.simulation.runs = 1;
  self = command;
  add_scheduled_model(*command, common, wanted.model);
  add_schedule_file(*command, wanted.model.schedule, "--mode static follows them");
  add_outcome_option(*command, wanted.model);
  add_costs_option(*command, wanted.model);
  add_schedule_options(*command, wanted.schedule, true);
  add_simulation_options(*command, common, wanted.simulation, wanted.schedule.engine);
  add_campaign_options(*command, wanted.campaign);
  add_fault_options(*command, wanted.faults, true);
  add_folder(*command, "-o,--out", wanted.trace_directory,
             "Write trace.pftrace, trace.btf and trace.vcd into this directory");
}

}  // namespace detent::cli
