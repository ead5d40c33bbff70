// detent simulate: runs in simulated time.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/runs/simulated_run.hpp"
#include "app/simulate/campaign_identity.hpp"
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

/// Ops of the worst run with the core each ran on.
int simulate_command(SimulateOptions options) {
  app::SimulateRequest& wanted = options.wanted;
  wanted.request = options.common;
  const sim::Platform platform = app::simulated_platform(wanted.simulation);
  wanted.model.use_npu = app::uses_npu(wanted.simulation, platform);
  wanted.model.weights = !wanted.simulation.timing_only;
  wanted.model.outcome_seed = options.common.seeds.schedule;
  const app::LoadedModel loaded = app::load(options.common.model, wanted.model);
  wanted.model.outcomes = loaded.outcomes;
  std::optional<app::CampaignPart> part;
  if (app::parse_faults(wanted.faults).empty()) {
    const std::string identity = app::needs_identity(wanted.campaign)
                                     ? app::campaign_identity(given_options(*options.command), loaded, platform)
                                     : "";
    part.emplace(wanted.campaign, wanted.simulation.runs, loaded.desc().op_count, identity);
    if (!part->note().empty()) say(options.common, part->note());
  }
  const StopOnInterrupt stop;
  const app::Answer answer =
      app::simulate(wanted, loaded, platform, part ? &*part : nullptr, progress_of(options.common, "simulated runs"));
  return show(options.common, answer);
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Execute MODEL on a simulated chip");
  options->wanted.simulation.runs = 1;
  options->command = command;
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_set_option(*command, options->wanted.model.set);
  add_outcome_option(*command, options->wanted.model);
  add_costs_option(*command, options->wanted.model);
  add_schedule_options(*command, options->wanted.schedule, true);
  add_simulation_options(*command, options->common, options->wanted.simulation, options->wanted.schedule.engine);
  add_campaign_options(*command, options->wanted.campaign);
  add_fault_options(*command, options->wanted.faults, true);
  command
      ->add_option("-o,--out", options->wanted.trace_directory,
                   "Write trace.pftrace, trace.btf and trace.vcd into this directory")
      ->type_name("DIR");
  command->callback([options, &action] { action = [options] { return simulate_command(*options); }; });
}

}  // namespace detent::cli
