// detent calibrate: what ops, and this machine itself, cost.
#include <CLI/CLI.hpp>

#include "app/calibrate/measure.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int calibrate_command(Question<app::CalibrateRequest>& options) {
  options.wanted.request = options.common;
  const char* const what = options.wanted.validate ? "rounds of native runs" : "native runs";
  const app::Answer answer = app::calibrate(options.wanted, progress_of(options.common, what));
  return show(options.common, answer);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("calibrate", "Measure what ops, and this machine itself, cost");
  auto& [common, wanted] = make_options(*command, action, calibrate_command);
  add_common(*command, common, false);
  add_split_option(*command, wanted.model.split);
  add_winograd_option(*command, wanted.model);
  command->add_option("MODEL", wanted.models, "Model to measure; with --validate: models to predict");
  add_file(*command, "-o,--out", wanted.out, "File to write: detent.costs/1, or detent.platform/1 with --host");
  command->add_option("--runs", wanted.runs, "Warm runs, or rounds. Default: 50; 9 with --host, 15 with --validate")
      ->check(whole_number(1, 1'000'000));
  command->add_option("--cold-runs", wanted.cold_runs, "Runs with every op's operands flushed. Default: a fifth")
      ->check(whole_number(1, 1'000'000));
  command->add_flag("--use-cold", wanted.use_cold, "Say in the file that simulation takes the cold times");
  command->add_flag("--host", wanted.host, "Measure the machine itself: cores, memory, overheads");
  command->add_flag("--validate", wanted.validate, "Predict configurations that were not fitted, and measure them");
  command->add_option("--fit", wanted.fit, "Models to fit kernels on. Default: calibration");
  command->add_option("--workers", wanted.workers, "Numbers of workers to compare. Default: 1 2")->delimiter(',');
  command->add_option("--platform", wanted.platform, "Platform file instead of measuring the host")
      ->type_name("PLATFORM");
  command->add_option("--max-error", wanted.max_error, "Exit 1 when a row is off by more than this many percent");
}

}  // namespace detent::cli
