#include "app/calibrate/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/calibrate/answer.hpp"
#include "app/calibrate/calibrate.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

constexpr const char* kFitModel = "calibration";

/// Only inputs are random here: --seed is theirs.
std::uint64_t input_seed_of(const CalibrateRequest& options) { return options.request.seeds.schedule; }

std::uint32_t or_default(std::uint32_t value, std::uint32_t usual) { return value != 0 ? value : usual; }

Answer calibrate_model(CalibrateRequest& options, const OnProgress& on_progress) {
  if (options.models.size() != 1) throw std::invalid_argument("calibrate: give one MODEL, or --host, or --validate");
  options.request.model = options.models.front();
  const std::uint32_t runs = or_default(options.runs, 50);
  const std::uint32_t cold_runs = or_default(options.cold_runs, std::max(runs / 5, 1U));
  TimedModel timed(options.request.model, options.model, input_seed_of(options));
  for (std::uint32_t run = 0; run < runs + cold_runs; ++run) {
    timed.sample(run < runs ? harness::CacheState::kWarm : harness::CacheState::kCold);
    if (on_progress) on_progress(run + 1, runs + cold_runs);
  }
  const sim::CostTable table = timed.table(options.use_cold, describe_host());
  if (table.ops.empty()) throw std::invalid_argument(options.request.model + ": no op with a name and a kernel");
  write_file_atomically(options.out, sim::format_costs(table));
  Json answer = json_header("calibrate", options.request);
  answer["file"] = options.out;
  answer["ops"] = table.ops.size();
  answer["runs"] = runs;
  answer["cold_runs"] = cold_runs;
  const harness::TimeStatistics whole = timed.makespans();
  if (!options.request.reproducible) {
    answer["host"] = {{"source", table.source},
                      {"clock_cost_ps", timed.clock_cost_ps()},
                      {"makespan_ps", {{"min", whole.min_ps}, {"median", whole.median_ps}, {"max", whole.max_ps}}},
                      {"ops", table_json(table)}};
  }
  Lines lines;
  lines.push_back(fmt::format("{}: {} over {} warm and {}, one worker: whole run min {} median {}",
                              options.request.model, counted(table.ops.size(), "op"), runs,
                              counted(cold_runs, "cold run"), format_time(whole.min_ps), format_time(whole.median_ps)));
  lines.push_back(fmt::format("written to {}; use it with detent simulate {} --costs {}", options.out,
                              options.request.model, options.out));
  return {std::move(answer), std::move(lines), verify::Outcome::kHolds};
}

Answer calibrate_host(CalibrateRequest& options, const OnProgress& on_progress) {
  if (options.models.size() > 1) throw std::invalid_argument("calibrate --host: give at most one MODEL for kernels");
  options.request.model = options.models.empty() ? kFitModel : options.models.front();
  const std::uint32_t runs = or_default(options.runs, 9);
  TimedModel kernels(options.request.model, options.model, input_seed_of(options));
  TimedModel partner(options.request.model, options.model, input_seed_of(options));
  std::vector<double> corun;
  const harness::HostCosts costs = harness::measure_host({.rounds = runs});
  for (std::uint32_t run = 0; run < runs; ++run) {
    kernels.sample(harness::CacheState::kWarm);
    corun.push_back(costs.cpus > 1 ? kernels.corun_with(partner) : 1.0);
    if (on_progress) on_progress(run + 1, runs);
  }
  std::sort(corun.begin(), corun.end());
  const sim::Platform platform = host_platform(costs, {&kernels}, corun[(corun.size() - 1) / 2]);
  write_file_atomically(options.out, format_platform(platform));
  Json answer = json_header("calibrate", options.request);
  answer["file"] = options.out;
  if (!options.request.reproducible) {
    answer["host"] = host_json(platform);
    answer["host"]["source"] = platform.description;
    answer["host"]["arithmetic_corun_rate"] = costs.corun_rate;
  }
  Lines lines = host_lines(platform);
  lines.push_back(fmt::format("written to {}; use it with --platform {}", options.out, options.out));
  return {std::move(answer), std::move(lines), verify::Outcome::kHolds};
}

Answer validate(CalibrateRequest& options, const OnProgress& on_progress) {
  ValidationOptions wanted;
  wanted.models =
      options.models.empty() ? std::vector<std::string>{"yolov8n", "resnet18", "mobilenetv2"} : options.models;
  wanted.fit = options.fit.empty() ? std::vector<std::string>{kFitModel} : options.fit;
  wanted.workers = options.workers.empty() ? std::vector<std::uint32_t>{1, 2} : options.workers;
  wanted.runs = or_default(options.runs, 15);
  wanted.platform = options.platform;
  wanted.input_seed = input_seed_of(options);
  wanted.progress = on_progress;
  for (const std::string& model : wanted.models)
    options.request.model += (options.request.model.empty() ? "" : " ") + model;
  const Validation validation = validate_predictions(wanted);
  if (!options.out.empty()) write_file_atomically(options.out, format_platform(validation.platform));
  Json answer = json_header("calibrate", options.request);
  answer["fit"] = wanted.fit;
  answer["runs"] = wanted.runs;
  answer["rows"] = validation.rows.size();
  if (!options.request.reproducible) answer["host"] = validation_json(validation);
  Lines lines = validation_lines(validation);
  const auto off = [&](const ValidationRow& row) { return std::abs(row.error()) * 100 > options.max_error; };
  const auto bad = std::count_if(validation.rows.begin(), validation.rows.end(), off);
  const bool is_off = options.max_error > 0 && bad != 0;
  if (is_off) {
    lines.push_back(
        fmt::format("{} of {} rows are off by more than {} %", bad, validation.rows.size(), options.max_error));
  }
  return {std::move(answer), std::move(lines), is_off ? verify::Outcome::kViolated : verify::Outcome::kHolds};
}

}  // namespace

Answer calibrate(CalibrateRequest options, const OnProgress& on_progress) {
  if (options.host && options.validate) throw std::invalid_argument("calibrate: --host or --validate, not both");
  if (!options.validate && (!options.fit.empty() || options.max_error > 0 || !options.platform.empty())) {
    throw std::invalid_argument("calibrate: --fit, --max-error and --platform belong to --validate");
  }
  if (!options.validate && options.out.empty())
    throw std::invalid_argument("calibrate: -o is missing; add -o FILE.toml");
  if (options.validate) return validate(options, on_progress);
  return options.host ? calibrate_host(options, on_progress) : calibrate_model(options, on_progress);
}

}  // namespace detent::app
