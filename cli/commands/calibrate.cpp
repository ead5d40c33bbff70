// detent calibrate: what ops, and this machine itself, cost.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/calibrate/measure.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct CalibrateOptions {
  Common common;
  app::CalibrateRequest wanted;
};

int calibrate_command(CalibrateOptions options) {
  options.wanted.request = options.common;
  const char* const what = options.wanted.validate ? "rounds of native runs" : "native runs";
  const app::Answer answer = app::calibrate(options.wanted, progress_of(options.common, what));
  return show(options.common, answer);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "Measure what ops, and this machine itself, cost");
  add_common(*command, options->common, false);
  add_model_options(*command, options->wanted.model);
  command->add_option("MODEL", options->wanted.models, "Model to measure; with --validate: models to predict");
  command
      ->add_option("-o,--out", options->wanted.out, "File to write: detent.costs/1, or detent.platform/1 with --host")
      ->type_name("FILE");
  command
      ->add_option("--runs", options->wanted.runs,
                   "Warm runs, or rounds. Default: 50; 9 with --host, 15 with --validate")
      ->check(whole_number(1, 1'000'000));
  command
      ->add_option("--cold-runs", options->wanted.cold_runs, "Runs with every op's operands flushed. Default: a fifth")
      ->check(whole_number(1, 1'000'000));
  command->add_flag("--use-cold", options->wanted.use_cold, "Say in the file that simulation takes the cold times");
  command->add_flag("--host", options->wanted.host, "Measure the machine itself: cores, memory, overheads");
  command->add_flag("--validate", options->wanted.validate,
                    "Predict configurations that were not fitted, and measure them");
  command->add_option("--fit", options->wanted.fit, "Models to fit kernels on. Default: calibration");
  command->add_option("--workers", options->wanted.workers, "Numbers of workers to compare. Default: 1 2")
      ->delimiter(',');
  command->add_option("--platform", options->wanted.platform, "Platform file instead of measuring the host")
      ->type_name("PLATFORM");
  command->add_option("--max-error", options->wanted.max_error,
                      "Exit 1 when a row is off by more than this many percent");
  command->callback([options, &action] { action = [options] { return calibrate_command(*options); }; });
}

}  // namespace detent::cli
