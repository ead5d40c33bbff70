// detent check: the main job. Static laws, native runs, simulated runs, bounds, report.
#include <CLI/CLI.hpp>
#include <stdexcept>

#include "app/bundle/make_bundle.hpp"
#include "app/settings/schedule_file.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct CheckCommandOptions {
  Common common;
  app::BundleRequest bundle;
  bool no_audit = false;
  const CLI::App* command = nullptr;
};

int check_command(CheckCommandOptions& options) {
  app::BundleRequest& bundle = options.bundle;
  app::CheckOptions& check = bundle.check.check;
  check.request = options.common;
  check.audit = !options.no_audit;
  check.scales_runs = options.command->count("--runs") == 0;
  check.on_step = show_step;
  bundle.given = given_options(*options.command);
  app::follow_schedule_file(check.model.schedule, bundle.given, app::WorkersOf::kCpuLists, check.schedule.engine);
  if (!bundle.directory.empty()) {
    const StopOnInterrupt stop;
    return show(options.common,
                app::make_bundle(bundle, screen_width(), progress_of(options.common, "simulated runs")));
  }
  if (!bundle.requirements.empty()) throw std::invalid_argument("--requirements: only a bundle has them; add --bundle");
  if (bundle.check.directory.empty())
    throw std::invalid_argument(
        "check: --out is missing; write detent check MODEL --out DIR [options], or --bundle DIR instead");
  const app::CheckStart start = app::start_check(bundle.check);
  const StopOnInterrupt stop;
  const app::Answer answer =
      app::report_check(bundle.check, start, screen_width(), progress_of(options.common, "simulated runs"));
  return show(options.common, answer);
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("check", "The main job: prove, run, simulate, bound, and write the report");
  auto& [common, bundle, no_audit, self] = make_options(*command, action, check_command);
  self = command;
  app::CheckRequest& wanted = bundle.check;
  app::CheckOptions& check = wanted.check;
  add_scheduled_model(*command, common, check.model, AutoSplit::kOffered);
  add_schedule_file(*command, check.model.schedule, "--mode static follows them");
  add_outcome_option(*command, check.model);
  add_device_option(*command, check.model.device);
  add_failures_option(*command, check.model);
  add_costs_option(*command, check.model);
  add_schedule_options(*command, check.schedule, true);
  add_simulation_options(*command, common, check.simulation, check.schedule.engine);
  command->get_option("--runs")->description(
      "Simulated runs; where it is not given, of more than 20,000 ops fewer: 4,000,000 ops executed in all, 20 runs at "
      "least");
  add_coverage_option(*command, check.schedules);
  command->add_option("--max-states", check.max_states,
                      "Symbolic states of the exact worst case that the report shows beside the bounds; more: it is "
                      "left out; 0: it is not looked for; default: about a second, 20000 at most");
  add_audit_option(*command, no_audit);
  command->add_flag("--coverage", wanted.coverage,
                    "Imported C kernels: execute the native runs and orders once more by kernels that count, and write "
                    "which lines, branches and functions were executed: coverage.html, coverage.xml (Cobertura); needs "
                    "gcovr");
  add_ci_options(*command, wanted.ci, false);
  add_folder(
      *command, "-o,--out", wanted.directory,
      "Directory for report.html, report.json, findings.sarif and trace.pftrace, .btf, .vcd; with --coverage for its "
      "pages");
  add_folder(*command, "--bundle", bundle.directory,
             "Directory for the evidence of the check, whole or not at all: the same files, copies of every input, and "
             "bundle.json, by which detent verify-bundle finds a changed byte; implies --reproducible");
  add_file(*command, "--requirements", bundle.requirements,
           "With --bundle: ids of requirements and the properties that each rests on, detent.requirements/1");
}

}  // namespace detent::cli
