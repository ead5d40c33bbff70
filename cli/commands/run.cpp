// detent run: native runs.
#include <CLI/CLI.hpp>

#include "app/model/worker_count.hpp"
#include "app/runs/measured_run.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/together_run.hpp"
#include "app/settings/schedule_file.hpp"
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
  bool is_together = false;
  const CLI::Option* workers = nullptr;
  const CLI::App* command = nullptr;
  [[nodiscard]] bool has_workers() const { return workers->count() != 0; }
};

int run_command(RunOptions& options) {
  options.wanted.request = options.common;
  options.wanted.model.outcome_seed = options.common.seeds.schedule;
  if (!options.has_workers()) options.wanted.schedule.engine.workers = app::default_workers();
  app::follow_schedule_file(options.wanted.model.schedule, given_options(*options.command), app::WorkersOf::kAllLists,
                            options.wanted.schedule.engine);
  app::settle_split(options.wanted, options.is_together);
  try {
    check_networks(options.wanted.others);
    if (options.is_together) {
      const StopOnInterrupt stop;
      return show(options.common, app::run_models_together(options.wanted, progress_of(options.common, "rounds")));
    }
    if (!options.wanted.others.empty() || !options.wanted.priorities.empty()) {
      throw std::invalid_argument("run: several models run with --together; give it, or one MODEL");
    }
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
  CLI::App* command = app.add_subcommand("run", "Execute MODEL on this machine");
  auto& [common, wanted, is_together, workers, self] = make_options(*command, action, run_command);
  self = command;
  wanted.model.split = app::kAutoSplit;
  add_scheduled_model(*command, common, wanted.model, AutoSplit::kOffered);
  add_schedule_file(*command, wanted.model.schedule, "--mode static follows them");
  add_outcome_option(*command, wanted.model);
  add_prepared_option(*command, add_device_option(*command, wanted.model.device), wanted.model.device);
  add_schedule_options(*command, wanted.schedule, false);
  workers = command
                ->add_option(
                    "--workers", wanted.schedule.engine.workers,
                    "Engine threads; 0 = serial. Default: TVMRT_NUM_WORKERS, else OMP_NUM_THREADS, else the cores, at "
                    "most 3")
                ->check(whole_number(0, DETENT_MAX_WORKERS));
  add_input_seed(*command, common);
  command
      ->add_option(
          "--input", wanted.inputs,
          "Data of an input instead of seeded data, raw or .npy, once per input; a FILE alone: all inputs, raw")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--output", wanted.outputs,
                   "Write an output, as .npy where the file is called so, else raw; a FILE alone: all outputs, raw")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  add_file(*command, "--log", wanted.log_file, "Write the runtime's log of the run, for detent log");
  CLI::Option* const repeat =
      command->add_option("--repeat", wanted.repeat, "Measure N runs on one context, run by run and op by op")
          ->type_name("N")
          ->capture_default_str()
          ->check(whole_number(1, 1'000'000));
  command->add_option("--warmup", wanted.warmup, "Runs before them that do not count")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(0, 1'000'000));
  command
      ->add_flag(
          "--keep-memory", wanted.keep_memory,
          "Between the runs of --repeat write the inputs again and nothing else, as an application does; without "
          "it each run finds the memory that the first one found, and none what an earlier run has left")
      ->needs(repeat);
  command->add_flag("--sweep", wanted.sweep,
                    "Measure serial runs, then all numbers of workers up to --workers, modes and policies, --repeat "
                    "runs each");
  add_networks(*command, wanted.others, wanted.priorities,
               "With --together: the models that share the workers with MODEL");
  command->add_flag("--together", is_together,
                    "Run MODEL and OTHERS at the same time on one pool of workers, --repeat rounds, and compare the "
                    "outputs of each with those that it computes alone");
  add_folder(*command, "-o,--out", wanted.trace_directory,
             "Write trace.pftrace, trace.btf and trace.vcd of the longest run into this directory");
  add_fault_options(*command, wanted.faults, false);
  add_audit_option(*command, wanted.no_audit);
}

}  // namespace detent::cli
