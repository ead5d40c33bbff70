// detent calibrate: what ops, and this machine itself, cost.
#include "app/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "app/calibrate/answer.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

constexpr const char* kFitModel = "calibration";

struct CalibrateOptions {
  Common common;
  app::ModelOptions model;
  std::vector<std::string> models;
  std::vector<std::string> fit;
  std::vector<std::uint32_t> workers;
  std::string out;
  std::string platform;
  std::uint32_t runs = 0;
  std::uint32_t cold_runs = 0;
  double max_error = 0;
  bool use_cold = false;
  bool host = false;
  bool validate = false;
};

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) throw std::invalid_argument("calibrate: -o is missing; add -o FILE.toml");
  write_file_atomically(path, text);
}

/// Only inputs are random here: --seed is theirs.
std::uint64_t input_seed_of(const CalibrateOptions& options) { return options.common.seeds.schedule; }

std::uint32_t or_default(std::uint32_t value, std::uint32_t usual) { return value != 0 ? value : usual; }

int calibrate_model(CalibrateOptions& options) {
  if (options.models.size() != 1) throw std::invalid_argument("calibrate: give one MODEL, or --host, or --validate");
  options.common.model = options.models.front();
  const std::uint32_t runs = or_default(options.runs, 50);
  const std::uint32_t cold_runs = or_default(options.cold_runs, std::max(runs / 5, 1U));
  app::TimedModel timed(options.common.model, options.model, input_seed_of(options));
  {
    Progress progress(options.common, "native runs");
    for (std::uint32_t run = 0; run < runs; ++run) {
      timed.sample(harness::CacheState::kWarm);
      progress.update(run + 1, runs + cold_runs);
    }
    for (std::uint32_t run = 0; run < cold_runs; ++run) {
      timed.sample(harness::CacheState::kCold);
      progress.update(runs + run + 1, runs + cold_runs);
    }
  }
  const sim::CostTable table = timed.table(options.use_cold, app::describe_host());
  if (table.ops.empty()) throw std::invalid_argument(options.common.model + ": no op with a name and a kernel");
  write_text(options.out, sim::format_costs(table));
  Json answer = app::json_header("calibrate", options.common);
  answer["file"] = options.out;
  answer["ops"] = table.ops.size();
  answer["runs"] = runs;
  answer["cold_runs"] = cold_runs;
  const harness::TimeStatistics whole = timed.makespans();
  if (!options.common.reproducible) {
    answer["host"] = {{"source", table.source},
                      {"clock_cost_ps", timed.clock_cost_ps()},
                      {"makespan_ps", {{"min", whole.min_ps}, {"median", whole.median_ps}, {"max", whole.max_ps}}},
                      {"ops", app::table_json(table)}};
  }
  write_json(options.common, answer);
  say(options.common,
      fmt::format("{}: {} over {} warm and {}, one worker: whole run min {} median {}", options.common.model,
                  counted(table.ops.size(), "op"), runs, counted(cold_runs, "cold run"), format_time(whole.min_ps),
                  format_time(whole.median_ps)));
  say(options.common, fmt::format("written to {}; use it with detent simulate {} --costs {}", options.out,
                                  options.common.model, options.out));
  return kHolds;
}

int calibrate_host(CalibrateOptions& options) {
  if (options.models.size() > 1) throw std::invalid_argument("calibrate --host: give at most one MODEL for kernels");
  options.common.model = options.models.empty() ? kFitModel : options.models.front();
  const std::uint32_t runs = or_default(options.runs, 9);
  app::TimedModel kernels(options.common.model, options.model, input_seed_of(options));
  app::TimedModel partner(options.common.model, options.model, input_seed_of(options));
  std::vector<double> corun;
  harness::HostCosts costs;
  {
    Progress progress(options.common, "measuring the host");
    costs = harness::measure_host({.rounds = runs});
    for (std::uint32_t run = 0; run < runs; ++run) {
      kernels.sample(harness::CacheState::kWarm);
      corun.push_back(costs.cpus > 1 ? kernels.corun_with(partner) : 1.0);
      progress.update(run + 1, runs);
    }
  }
  std::sort(corun.begin(), corun.end());
  const sim::Platform platform = app::host_platform(costs, {&kernels}, corun[(corun.size() - 1) / 2]);
  write_text(options.out, app::format_platform(platform));
  Json answer = app::json_header("calibrate", options.common);
  answer["file"] = options.out;
  if (!options.common.reproducible) {
    answer["host"] = app::host_json(platform);
    answer["host"]["source"] = platform.description;
    answer["host"]["arithmetic_corun_rate"] = costs.corun_rate;
  }
  write_json(options.common, answer);
  say(options.common, app::host_lines(platform));
  say(options.common, fmt::format("written to {}; use it with --platform {}", options.out, options.out));
  return kHolds;
}

int validate(CalibrateOptions& options) {
  app::ValidationOptions wanted;
  wanted.models =
      options.models.empty() ? std::vector<std::string>{"yolov8n", "resnet18", "mobilenetv2"} : options.models;
  wanted.fit = options.fit.empty() ? std::vector<std::string>{kFitModel} : options.fit;
  wanted.workers = options.workers.empty() ? std::vector<std::uint32_t>{1, 2} : options.workers;
  wanted.runs = or_default(options.runs, 15);
  wanted.platform = options.platform;
  wanted.input_seed = input_seed_of(options);
  wanted.progress = progress_of(options.common, "rounds of native runs");
  for (const std::string& model : wanted.models)
    options.common.model += (options.common.model.empty() ? "" : " ") + model;
  const app::Validation validation = app::validate_predictions(wanted);
  wanted.progress = nullptr;  // its line is gone
  if (!options.out.empty()) write_file_atomically(options.out, app::format_platform(validation.platform));
  Json answer = app::json_header("calibrate", options.common);
  answer["fit"] = wanted.fit;
  answer["runs"] = wanted.runs;
  answer["rows"] = validation.rows.size();
  if (!options.common.reproducible) answer["host"] = app::validation_json(validation);
  write_json(options.common, answer);
  say(options.common, app::validation_lines(validation));
  const auto off = [&](const app::ValidationRow& row) { return std::abs(row.error()) * 100 > options.max_error; };
  const auto bad = std::count_if(validation.rows.begin(), validation.rows.end(), off);
  if (options.max_error <= 0 || bad == 0) return kHolds;
  say(options.common,
      fmt::format("{} of {} rows are off by more than {} %", bad, validation.rows.size(), options.max_error));
  return kViolated;
}

int calibrate_command(CalibrateOptions options) {
  if (options.host && options.validate) throw std::invalid_argument("calibrate: --host or --validate, not both");
  if (!options.validate && (!options.fit.empty() || options.max_error > 0 || !options.platform.empty())) {
    throw std::invalid_argument("calibrate: --fit, --max-error and --platform belong to --validate");
  }
  if (options.validate) return validate(options);
  return options.host ? calibrate_host(options) : calibrate_model(options);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "Measure what ops, and this machine itself, cost");
  add_common(*command, options->common, false);
  add_model_options(*command, options->model);
  command->add_option("MODEL", options->models, "Model to measure; with --validate: models to predict");
  command->add_option("-o,--out", options->out, "File to write: detent.costs/1, or detent.platform/1 with --host")
      ->type_name("FILE");
  command->add_option("--runs", options->runs, "Warm runs, or rounds. Default: 50; 9 with --host, 15 with --validate")
      ->check(CLI::Range(1U, 1'000'000U));
  command->add_option("--cold-runs", options->cold_runs, "Runs with every op's operands flushed. Default: a fifth")
      ->check(CLI::Range(1U, 1'000'000U));
  command->add_flag("--use-cold", options->use_cold, "Say in the file that simulation takes the cold times");
  command->add_flag("--host", options->host, "Measure the machine itself: cores, memory, overheads");
  command->add_flag("--validate", options->validate, "Predict configurations that were not fitted, and measure them");
  command->add_option("--fit", options->fit, "Models to fit kernels on. Default: calibration");
  command->add_option("--workers", options->workers, "Numbers of workers to compare. Default: 1 2")->delimiter(',');
  command->add_option("--platform", options->platform, "Platform file instead of measuring the host");
  command->add_option("--max-error", options->max_error, "Exit 1 when a row is off by more than this many percent");
  command->callback([options, &action] { action = [options] { return calibrate_command(*options); }; });
}

}  // namespace detent::cli
