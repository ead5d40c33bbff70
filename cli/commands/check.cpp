// detent check: the main job. Static laws, native runs, simulated runs, bounds, report.
#include <CLI/CLI.hpp>

#include "app/check/reported_check.hpp"
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
  app::CheckRequest wanted;
  bool no_audit = false;
  const CLI::App* command = nullptr;
};

int check_command(CheckCommandOptions& options) {
  options.wanted.check.request = options.common;
  options.wanted.check.audit = !options.no_audit;
  app::CheckOptions& check = options.wanted.check;
  app::follow_schedule_file(check.model.schedule, given_options(*options.command), app::WorkersOf::kCpuLists,
                            check.schedule.engine);
  const app::CheckStart start = app::start_check(options.wanted);
  const StopOnInterrupt stop;
  const app::Answer answer =
      app::report_check(options.wanted, start, screen_width(), progress_of(options.common, "simulated runs"));
  return show(options.common, answer);
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("check", "The main job: prove, run, simulate, bound, and write the report");
  auto& [common, wanted, no_audit, self] = make_options(*command, action, check_command);
  self = command;
  app::CheckOptions& check = wanted.check;
  add_scheduled_model(*command, common, check.model);
  add_schedule_file(*command, check.model.schedule, "--mode static follows them");
  add_outcome_option(*command, check.model);
  add_costs_option(*command, check.model);
  add_schedule_options(*command, check.schedule, true);
  add_simulation_options(*command, common, check.simulation, check.schedule.engine);
  add_coverage_option(*command, check.schedules);
  add_audit_option(*command, no_audit);
  command->add_flag("--coverage", wanted.coverage,
                    "Imported C kernels: execute the native runs and orders once more by kernels that count, and write "
                    "which lines, branches and functions were executed: coverage.html, coverage.xml (Cobertura); needs "
                    "gcovr");
  add_ci_options(*command, wanted.ci, false);
  add_folder(
      *command, "-o,--out", wanted.directory,
      "Directory for report.html, report.json, findings.sarif and trace.pftrace, .btf, .vcd; with --coverage for its "
      "pages")
      ->required();
}

}  // namespace detent::cli
