// detent run: native runs.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/model/worker_count.hpp"
#include "app/runs/measured_run.hpp"
#include "app/runs/native_run.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct RunOptions {
  Common common;
  app::RunRequest wanted;
  const CLI::Option* workers = nullptr;
  [[nodiscard]] bool has_workers() const { return workers->count() != 0; }
};

int run_command(RunOptions options) {
  options.wanted.request = options.common;
  options.wanted.model.outcome_seed = options.common.seeds.schedule;
  if (!options.has_workers()) options.wanted.schedule.engine.workers = app::default_workers();
  try {
    if (!app::is_measured(options.wanted)) return show(options.common, app::run_once(options.wanted));
    const StopOnInterrupt stop;
    const app::Answer answer = app::measure_runs(options.wanted, progress_of(options.common, "runs"));
    return show(options.common, answer);
  } catch (const app::RunRefused& refused) {
    write_json(options.common, refused.answer());
    throw;
  }
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Execute MODEL on this machine");
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_set_option(*command, options->wanted.model.set);
  add_outcome_option(*command, options->wanted.model);
  add_schedule_options(*command, options->wanted.schedule, false);
  options->workers =
      command
          ->add_option(
              "--workers", options->wanted.schedule.engine.workers,
              "Engine threads; 0 = serial. Default: TVMRT_NUM_WORKERS, else OMP_NUM_THREADS, else the cores, at "
              "most 3")
          ->check(whole_number(0, DETENT_MAX_WORKERS));
  add_input_seed(*command, options->common);
  command
      ->add_option(
          "--input", options->wanted.inputs,
          "Data of an input instead of seeded data, raw or .npy, once per input; a FILE alone: all inputs, raw")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--output", options->wanted.outputs,
                   "Write an output, as .npy where the file is called so, else raw; a FILE alone: all outputs, raw")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  command->add_option("--log", options->wanted.log_file, "Write the runtime's log of the run, for detent log")
      ->type_name("FILE");
  command->add_option("--repeat", options->wanted.repeat, "Measure N runs on one context, run by run and op by op")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(1, 1'000'000));
  command->add_option("--warmup", options->wanted.warmup, "Runs before them that do not count")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(0, 1'000'000));
  command->add_flag("--sweep", options->wanted.sweep,
                    "Measure serial runs, then all numbers of workers up to --workers, modes and policies, --repeat "
                    "runs each");
  command
      ->add_option("-o,--out", options->wanted.trace_directory,
                   "Write trace.pftrace, trace.btf and trace.vcd of the longest run into this directory")
      ->type_name("DIR");
  add_fault_options(*command, options->wanted.faults, false);
  add_audit_option(*command, options->wanted.no_audit);
  command->callback([options, &action] { action = [options] { return run_command(*options); }; });
}

}  // namespace detent::cli
