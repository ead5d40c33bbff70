// detent calibrate: what ops, and this machine itself, cost.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "app/calibrate/calibrate.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "sim/cost/cost_table.hpp"

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

Json times_json(const sim::MeasuredTimes& times) {
  return {{"min_ps", times.min_ps}, {"median_ps", times.median_ps}, {"p99_ps", times.p99_ps}, {"max_ps", times.max_ps}};
}

Json table_json(const sim::CostTable& table) {
  Json ops = Json::array();
  for (const sim::MeasuredOp& op : table.ops) {
    ops.push_back(
        {{"op", op.name}, {"kernel", op.kernel}, {"warm", times_json(op.warm)}, {"cold", times_json(op.cold)}});
  }
  return ops;
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) throw std::invalid_argument("calibrate: where to? add -o FILE.toml");
  write_file_atomically(path, text);
}

std::uint32_t or_default(std::uint32_t value, std::uint32_t usual) { return value != 0 ? value : usual; }

int calibrate_model(CalibrateOptions& options) {
  if (options.models.size() != 1) throw std::invalid_argument("calibrate: give one MODEL, or --host, or --validate");
  options.common.model = options.models.front();
  const std::uint32_t runs = or_default(options.runs, 50);
  const std::uint32_t cold_runs = or_default(options.cold_runs, std::max(runs / 5, 1U));
  app::TimedModel timed(options.common.model, options.model, options.common.seed);
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
  Json answer = json_header("calibrate", options.common);
  answer["file"] = options.out;
  answer["ops"] = table.ops.size();
  answer["runs"] = runs;
  answer["cold_runs"] = cold_runs;
  const harness::TimeStatistics whole = timed.makespans();
  if (!options.common.reproducible) {
    answer["host"] = {{"source", table.source},
                      {"clock_cost_ps", timed.clock_cost_ps()},
                      {"makespan_ps", {{"min", whole.min_ps}, {"median", whole.median_ps}, {"max", whole.max_ps}}},
                      {"ops", table_json(table)}};
  }
  write_json(options.common, answer);
  say(options.common, fmt::format("{}: {} ops over {} warm and {} cold runs, one worker: whole run min {} median {}",
                                  options.common.model, table.ops.size(), runs, cold_runs, format_time(whole.min_ps),
                                  format_time(whole.median_ps)));
  say(options.common, fmt::format("written to {}; use it with detent simulate {} --costs {}", options.out,
                                  options.common.model, options.out));
  return kHolds;
}

Json host_json(const sim::Platform& platform) {
  const sim::CoreClass& cpu = platform.classes.front();
  const sim::Overheads& o = platform.overheads;
  Json efficiency = Json::object();
  for (const auto& [kernel, value] : cpu.kernel_efficiency) efficiency[kernel] = value;
  return {{"cpus", cpu.count},
          {"clock_hz", cpu.clock_hz},
          {"flops_per_cycle", cpu.flops_per_cycle},
          {"kernel_efficiency", efficiency},
          {"l1_bytes", cpu.l1_bytes},
          {"l2_bytes", cpu.l2_bytes},
          {"cache_bytes_per_cycle", cpu.cache_bytes_per_cycle},
          {"core_bytes_per_s", cpu.dram_bytes_per_s},
          {"dram_bytes_per_s", platform.dram_bytes_per_s},
          {"threads_per_core", cpu.threads_per_core},
          {"corun_rate", cpu.corun_rate},
          {"overheads_ps",
           {{"dispatch", o.dispatch_ps},
            {"queue", o.queue_ps},
            {"lock", o.lock_ps},
            {"lock_contended", o.lock_contended_ps},
            {"wake", o.wake_ps},
            {"interrupt", o.interrupt_ps},
            {"log", o.log_ps}}}};
}

void say_host(const Common& common, const sim::Platform& platform) {
  const sim::CoreClass& cpu = platform.classes.front();
  const sim::Overheads& o = platform.overheads;
  say(common, fmt::format("{} CPUs at {:.2f} GHz, {:.1f} flops per cycle, memory {:.1f} GB/s by one, {:.1f} by all{}",
                          cpu.count, static_cast<double>(cpu.clock_hz) * 1e-9, cpu.flops_per_cycle,
                          static_cast<double>(cpu.dram_bytes_per_s) * 1e-9,
                          static_cast<double>(platform.dram_bytes_per_s) * 1e-9,
                          cpu.threads_per_core > 1 ? fmt::format(", pairs at {:.2f} speed", cpu.corun_rate) : ""));
  say(common,
      fmt::format("dispatch {}  queue {}  lock {} / {}  wake {}  interrupt {}  log {}", format_time(o.dispatch_ps),
                  format_time(o.queue_ps), format_time(o.lock_ps), format_time(o.lock_contended_ps),
                  format_time(o.wake_ps), format_time(o.interrupt_ps), format_time(o.log_ps)));
}

int calibrate_host(CalibrateOptions& options) {
  if (options.models.size() > 1) throw std::invalid_argument("calibrate --host: give at most one MODEL for kernels");
  options.common.model = options.models.empty() ? kFitModel : options.models.front();
  const std::uint32_t runs = or_default(options.runs, 9);
  app::TimedModel kernels(options.common.model, options.model, options.common.seed);
  app::TimedModel partner(options.common.model, options.model, options.common.seed);
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
  Json answer = json_header("calibrate", options.common);
  answer["file"] = options.out;
  if (!options.common.reproducible) {
    answer["host"] = host_json(platform);
    answer["host"]["source"] = platform.description;
    answer["host"]["arithmetic_corun_rate"] = costs.corun_rate;
  }
  write_json(options.common, answer);
  say_host(options.common, platform);
  say(options.common, fmt::format("written to {}; use it with --platform {}", options.out, options.out));
  return kHolds;
}

Json op_errors_json(const app::OpErrors& errors) {
  Json ops = Json::array();
  for (const app::OpErrors::Op& op : errors.ops) {
    ops.push_back({{"op", op.name},
                   {"kernel", op.kernel},
                   {"basis", op.basis},
                   {"predicted_ps", op.predicted_ps},
                   {"measured_ps", op.measured_ps}});
  }
  return {{"model", errors.model}, {"median_error", errors.median}, {"p90_error", errors.p90}, {"ops", ops}};
}

Json validation_json(const app::Validation& validation) {
  Json rows = Json::array();
  for (const app::ValidationRow& row : validation.rows) {
    rows.push_back({{"model", row.model},
                    {"workers", row.workers},
                    {"fitted_on", row.fitted_on},
                    {"predicted_ps", row.predicted_ps},
                    {"measured_ps", row.measured_ps},
                    {"measured_min_ps", row.measured_min_ps},
                    {"error", row.error()}});
  }
  Json ops = Json::array();
  for (const app::OpErrors& errors : validation.ops) ops.push_back(op_errors_json(errors));
  return {{"source", app::describe_host()}, {"rows", rows}, {"ops", ops}, {"platform", host_json(validation.platform)}};
}

void say_validation(const Common& common, const app::Validation& validation) {
  say(common, fmt::format("{:<14} {:>7}  {:<26} {:>10} {:>10} {:>7}", "model", "workers", "fitted on", "predicted",
                          "measured", "error"));
  for (const app::ValidationRow& row : validation.rows) {
    say(common, fmt::format("{:<14} {:>7}  {:<26} {:>10} {:>10} {:>+6.1f} %", row.model, row.workers, row.fitted_on,
                            format_time(row.predicted_ps), format_time(row.measured_ps), 100 * row.error()));
  }
  for (const app::OpErrors& errors : validation.ops) {
    say(common, fmt::format("{}: {} single ops, error median {:.1f} %, 90 % of them below {:.1f} %", errors.model,
                            errors.ops.size(), 100 * errors.median, 100 * errors.p90));
  }
}

int validate(CalibrateOptions& options) {
  app::ValidationOptions wanted;
  wanted.models =
      options.models.empty() ? std::vector<std::string>{"yolov8n", "resnet18", "mobilenetv2"} : options.models;
  wanted.fit = options.fit.empty() ? std::vector<std::string>{kFitModel} : options.fit;
  wanted.workers = options.workers.empty() ? std::vector<std::uint32_t>{1, 2} : options.workers;
  wanted.runs = or_default(options.runs, 15);
  wanted.platform = options.platform;
  wanted.input_seed = options.common.seed;
  Progress progress(options.common, "rounds of native runs");
  wanted.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  for (const std::string& model : wanted.models)
    options.common.model += (options.common.model.empty() ? "" : " ") + model;
  const app::Validation validation = app::validate_predictions(wanted);
  if (!options.out.empty()) write_file_atomically(options.out, app::format_platform(validation.platform));
  Json answer = json_header("calibrate", options.common);
  answer["fit"] = wanted.fit;
  answer["runs"] = wanted.runs;
  answer["rows"] = validation.rows.size();
  if (!options.common.reproducible) answer["host"] = validation_json(validation);
  write_json(options.common, answer);
  say_validation(options.common, validation);
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
