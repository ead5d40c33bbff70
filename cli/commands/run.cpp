// detent run: one native run.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/runs/native_run.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct RunOptions {
  Common common;
  app::RunRequest wanted;
};

int run_command(RunOptions options) {
  options.wanted.request = options.common;
  try {
    return show(options.common, app::run_once(options.wanted));
  } catch (const app::RunRefused& refused) {
    write_json(options.common, refused.answer());
    throw;
  }
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  options->wanted.schedule.engine.workers = detent_default_worker_count();
  CLI::App* command = app.add_subcommand("run", "Execute MODEL once on this machine");
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_schedule_options(*command, options->wanted.schedule, false);
  command
      ->add_option("--workers", options->wanted.schedule.engine.workers,
                   "Engine threads; 0 = serial. Default: TVMRT_NUM_WORKERS, else the cores, at most 3")
      ->check(whole_number(0, DETENT_MAX_WORKERS));
  add_input_seed(*command, options->common);
  command->add_option("--input", options->wanted.input_file, "Raw input data instead of seeded data")
      ->type_name("FILE");
  command->add_option("--output", options->wanted.output_file, "Write the raw outputs")->type_name("FILE");
  add_fault_options(*command, options->wanted.faults, false);
  add_audit_option(*command, options->wanted.no_audit);
  command->callback([options, &action] { action = [options] { return run_command(*options); }; });
}

}  // namespace detent::cli
