// Simulated runs for simulate, check and replay.
#include "cli/simulation.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "harness/run.hpp"

namespace detent::cli {

void add_simulation_options(CLI::App& command, SimulationOptions& options) {
  command.add_option("--platform", options.platform, "Chip: a name from detent list platforms, or a TOML file")
      ->capture_default_str();
  command.add_option("--workers", options.workers, "CPU workers; 0 = one per CPU core of the platform")
      ->check(CLI::Range(0U, DETENT_MAX_WORKERS))
      ->capture_default_str();
  command.add_option("--runs", options.runs, "Simulated runs")->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--jitter", options.jitter, "Op times within their range: worst, uniform or triangular, :spread")
      ->capture_default_str();
  command.add_option("--execute-runs", options.execute_runs, "Kernels really execute in the first N runs")
      ->capture_default_str();
  command.add_option("--input-seed", options.input_seed, "Seed of the input data")->capture_default_str();
  command.add_flag("--timing-only", options.timing_only, "Execute no kernels");
  command.add_flag("--no-npu", options.no_npu, "Keep every op of a network on the CPU");
}

bool uses_npu(const SimulationOptions& options, const sim::Platform& platform) {
  return !options.no_npu &&
         std::ranges::any_of(platform.classes, [](const sim::CoreClass& c) { return c.name == "npu"; });
}

sim::SimResult run_simulation(const Common& common, const SimulationOptions& options, const ScheduleOptions& schedule,
                              const LoadedModel& loaded, const sim::Platform& platform) {
  sim::SimOptions sim_options;
  sim_options.worker_count = options.workers;
  sim_options.runs = options.runs;
  sim_options.seed = common.seed;
  sim_options.input_seed = options.input_seed;
  sim_options.jitter = parse_jitter(options.jitter);
  sim_options.timing_only = options.timing_only;
  sim_options.execute_runs = options.execute_runs;
  sim_options.policy = schedule.policy;
  if (schedule.policy == "given") {
    if (schedule.order_file.empty()) throw std::invalid_argument("--policy given: add --order FILE");
    sim_options.order = read_order(schedule.order_file, loaded.desc());
  }
  sim_options.mode = parse_mode(schedule.mode);
  sim_options.scheduler = parse_scheduler(schedule.scheduler);
  Progress progress(common, "simulated runs");
  sim_options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  if (!options.timing_only) require_executable(loaded);
  return sim::simulate(loaded.desc(), platform, sim_options);
}

Json simulated_json(const sim::SimResult& result) {
  Json json;
  json["runs"] = result.runs;
  json["executed_runs"] = result.executed_runs;
  json["makespan_ps"] = {{"min", result.min_ps},
                         {"median", result.median_ps},
                         {"p99", result.p99_ps},
                         {"max", result.max_ps},
                         {"worst_seed", result.worst_seed}};
  Json use = Json::object();
  for (const sim::CoreUse& core : result.use) {
    const double share = result.worst.makespan_ps == 0
                             ? 0
                             : static_cast<double>(core.busy_ps) / static_cast<double>(result.worst.makespan_ps);
    use[core.core] = share;
  }
  json["utilisation"] = std::move(use);
  return json;
}

ReplayLine worst_replay_line(const Common& common, const SimulationOptions& options, const ScheduleOptions& schedule,
                             const ModelOptions& model, const sim::SimResult& result) {
  ReplayLine line;
  line.model = common.model;
  line.on = "sim";
  line.workers = options.workers;
  line.seed = result.worst_seed;
  line.mode = schedule.mode;
  line.policy = schedule.policy;
  line.split = model.split;
  line.input_seed = options.input_seed;
  line.platform = options.platform;
  line.jitter = options.jitter;
  line.npu = !options.no_npu;
  if (!result.digests.empty()) line.digest = harness::format_digest(result.digests.front());
  line.makespan_ps = result.max_ps;
  return line;
}

}  // namespace detent::cli
