// Simulated runs for simulate, check and replay.
#include "cli/simulation.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "app/model/order_file.hpp"
#include "app/simulate/jitter_text.hpp"
#include "cli/command_line.hpp"
#include "harness/run.hpp"

namespace detent::cli {
namespace {

constexpr const char* kCoresPrefix = "cores:";

/// "4" or "cpu=2,npu=1". @throws std::invalid_argument
std::vector<std::pair<std::string, std::uint32_t>> parse_cores(const std::string& text) {
  std::vector<std::pair<std::string, std::uint32_t>> cores;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    const std::size_t equals = item.find('=');
    const std::string name = equals == std::string::npos ? "cpu" : item.substr(0, equals);
    const std::string number = equals == std::string::npos ? item : item.substr(equals + 1);
    std::uint32_t count = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    const bool is_number = error == std::errc() && stop == number.data() + number.size() && !number.empty();
    if (name.empty() || !is_number || count == 0 || count > 1'000'000) {
      throw std::invalid_argument("--cores " + text + ": write a number of CPU cores, or a list such as cpu=2,npu=1");
    }
    cores.emplace_back(name, count);
    at = end + 1;
  }
  return cores;
}

}  // namespace

std::string platform_word(const std::string& platform, const std::string& cores) {
  if (!cores.empty() && !platform.empty()) throw std::invalid_argument("give --platform or --cores, not both");
  if (!cores.empty()) return kCoresPrefix + cores;
  return platform.empty() ? "quad_npu" : platform;
}

sim::Platform choose_platform(const std::string& word, bool no_overheads) {
  sim::Platform platform = word.starts_with(kCoresPrefix)
                               ? sim::plain_platform(parse_cores(word.substr(std::string(kCoresPrefix).size())))
                               : sim::find_platform(word);
  if (no_overheads) platform.overheads = {};
  return platform;
}

void simplify_chip(sim::Platform& platform, bool no_contention, bool private_ports) {
  if (no_contention) platform.contention = sim::Contention::kNone;
  for (sim::CoreClass& core : platform.classes) {
    if (core.npu && private_ports) core.npu->private_ports = true;
  }
}

void add_simulation_options(CLI::App& command, SimulationOptions& options) {
  command.add_option("--platform", options.platform,
                     "Chip: a name from detent list platforms, or a TOML file. Default: quad_npu");
  command.add_option("--cores", options.cores, "Bare cores without overheads instead of a chip: 4, or cpu=2,npu=1");
  command.add_option("--workers", options.workers, "CPU workers; 0 = one per CPU core of the platform")
      ->check(CLI::Range(0U, DETENT_MAX_WORKERS))
      ->capture_default_str();
  command.add_option("--runs", options.runs, "Simulated runs")->check(whole_number(1))->capture_default_str();
  command
      .add_option("--jitter", options.jitter,
                  "Op times within their range: worst, uniform, triangular, empirical, pareto or lognormal, each with "
                  ":spread (the last two :spread:shape); rules such as conv2d_f32=uniform:0.2,npu=worst,pareto; "
                  ";corr=core:0.5")
      ->capture_default_str();
  command.add_option("--execute-runs", options.execute_runs, "Kernels really execute in the first N runs")
      ->capture_default_str();
  command.add_option("--input-seed", options.input_seed, "Seed of the input data")->capture_default_str();
  command.add_flag("--timing-only", options.timing_only, "Execute no kernels");
  command.add_flag("--no-overheads", options.no_overheads,
                   "The runtime costs nothing: dispatch, queue, lock, wake-up, log");
  command.add_flag("--no-contention", options.no_contention, "Every client of the DRAM sees its whole bandwidth");
  command.add_flag("--private-ports", options.private_ports, "NPU operands have full-bandwidth ports of their own");
  command.add_flag("--migrating", options.migrating, "Workers move to idle cores of their class, away from loads");
  command.add_flag("--no-npu", options.no_npu, "Keep every op of a network on the CPU");
}

bool uses_npu(const SimulationOptions& options, const sim::Platform& platform) {
  return !options.no_npu &&
         std::ranges::any_of(platform.classes, [](const sim::CoreClass& c) { return c.name == "npu"; });
}

sim::SimOptions simulation_options(const Common& common, const SimulationOptions& options,
                                   const ScheduleOptions& schedule, const app::LoadedModel& loaded) {
  sim::SimOptions sim_options;
  sim_options.worker_count = options.workers;
  sim_options.runs = options.runs;
  sim_options.seed = common.seed;
  sim_options.input_seed = options.input_seed;
  sim_options.jitter = app::parse_jitter(options.jitter);
  sim_options.timing_only = options.timing_only;
  sim_options.migrating = options.migrating;
  sim_options.execute_runs = options.execute_runs;
  sim_options.policy = schedule.policy;
  check_order_file(schedule);
  if (schedule.policy == "given") sim_options.order = app::read_order(schedule.order_file, loaded.desc());
  sim_options.mode = parse_mode(schedule.mode);
  sim_options.scheduler = parse_scheduler(schedule.scheduler);
  sim_options.backends = loaded.backends;
  sim_options.costs = loaded.costs.get();
  return sim_options;
}

sim::SimResult run_simulation(const Common& common, const SimulationOptions& options, const ScheduleOptions& schedule,
                              const app::LoadedModel& loaded, const sim::Platform& platform,
                              const std::function<void(sim::SimOptions&)>& adjust) {
  sim::SimOptions sim_options = simulation_options(common, options, schedule, loaded);
  if (adjust) adjust(sim_options);
  Progress progress(common, "simulated runs");
  sim_options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  if (!options.timing_only) app::require_executable(loaded);
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
                         {"worst_seed", result.worst_seed},
                         {"mean", result.mean_ps},
                         {"standard_error", result.standard_error_ps}};
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

app::ReplayLine worst_replay_line(const Common& common, const SimulationOptions& options,
                                  const ScheduleOptions& schedule, const app::ModelOptions& model,
                                  const sim::SimResult& result) {
  app::ReplayLine line;
  line.model = common.model;
  line.on = "sim";
  line.workers = options.workers;
  line.seed = result.worst_seed;
  line.mode = schedule.mode;
  line.scheduler = schedule.scheduler;
  line.policy = schedule.policy;
  line.split = model.split;
  line.input_seed = options.input_seed;
  line.platform = platform_word(options.platform, options.cores);
  line.overheads = !options.no_overheads;
  line.jitter = options.jitter;
  line.costs = model.costs;
  line.npu = !options.no_npu;
  line.contention = !options.no_contention;
  line.private_ports = options.private_ports;
  line.migrating = options.migrating;
  if (!result.digests.empty()) line.digest = harness::format_digest(result.digests.front());
  line.makespan_ps = result.max_ps;
  return line;
}

}  // namespace detent::cli
