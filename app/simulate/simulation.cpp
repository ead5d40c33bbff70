// Simulated runs for simulate, check and replay.
#include "app/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "app/catalogue/catalogue.hpp"
#include "app/model/order_file.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulated_figures.hpp"
#include "base/words/list.hpp"
#include "harness/run.hpp"
#include "reports/json/simulated_json.hpp"
#include "sim/chip/cores.hpp"

namespace detent::app {
namespace {

constexpr const char* kCoresPrefix = "cores:";

/// "4" or "cpu=2,npu=1". @throws std::invalid_argument
std::vector<std::pair<std::string, std::uint32_t>> parse_cores(const std::string& text) {
  std::vector<std::pair<std::string, std::uint32_t>> cores;
  for (const std::string_view word : split_at_commas(text)) {
    const std::string item(word);
    const std::size_t equals = item.find('=');
    const std::string name = equals == std::string::npos ? "cpu" : item.substr(0, equals);
    const std::string number = equals == std::string::npos ? item : item.substr(equals + 1);
    std::uint32_t count = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    const bool is_number = error == std::errc() && stop == number.data() + number.size() && !number.empty();
    if (name.empty() || !is_number || count == 0 || count > 1'000'000) {
      refuse_other_name(text, "a number of cores");
      throw std::invalid_argument("--cores " + text + ": write a number of CPU cores, or a list such as cpu=2,npu=1");
    }
    cores.emplace_back(name, count);
  }
  return cores;
}

}  // namespace

std::string platform_word(const std::string& platform, const std::string& cores) {
  if (!cores.empty() && !platform.empty()) {
    throw std::invalid_argument("--platform: cannot stand beside --cores; leave one of them out");
  }
  if (!cores.empty()) return kCoresPrefix + cores;
  return platform.empty() ? "quad_npu" : platform;
}

sim::Platform choose_platform(const std::string& word, bool no_overheads) {
  refuse_other_name(word, "a platform");
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

sim::Platform simulated_platform(const SimulationOptions& options) {
  sim::Platform platform = choose_platform(platform_word(options.platform, options.cores), options.no_overheads);
  simplify_chip(platform, options.no_contention, options.private_ports);
  return platform;
}

std::string accelerator_of(const sim::Platform& platform) {
  const auto named = std::ranges::find(platform.classes, "npu", &sim::CoreClass::name);
  const auto place =
      named != platform.classes.end() ? named : std::ranges::find_if(platform.classes, &sim::CoreClass::is_accelerator);
  return place == platform.classes.end() ? "" : place->name;
}

std::string accelerator_of(const SimulationOptions& options, const sim::Platform& platform) {
  return options.no_npu ? "" : accelerator_of(platform);
}

sim::SimOptions simulation_options(const Request& request, const SimulationOptions& options,
                                   const ScheduleOptions& schedule, const LoadedModel& loaded) {
  sim::SimOptions sim_options;
  sim_options.engine = engine_of(schedule, loaded.desc());
  sim_options.runs = options.runs;
  sim_options.search_runs = options.search.value_or(0);
  sim_options.seeds = request.seeds;
  sim_options.jitter = parse_jitter(options.jitter);
  sim_options.timing_only = options.timing_only;
  sim_options.migrating = options.migrating;
  sim_options.execute_runs = options.execute_runs;
  sim_options.backends = loaded.backends;
  // Kernels of C refuse the tables of a run without execution, whose ops have no tensors.
  if (options.timing_only && loaded.module) sim_options.backends = {any_kernel_backend()};
  sim_options.costs = loaded.costs.get();
  return sim_options;
}

void require_simulated_schedule(const LoadedModel& loaded, const sim::Platform& platform,
                                const harness::EngineSpec& engine) {
  if (loaded.given_workers == 0) return;
  sim::SimOptions options;
  options.engine = engine;
  const sim::CoreMap cores = sim::map_cores(loaded.desc(), platform, options);
  if (engine.mode != DETENT_MODE_STATIC || cores.worker_count != loaded.given_workers) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(cores.slot_count, 8); ++i)
      names += (names.empty() ? "" : ", ") + cores.slot_names[i];
    if (cores.slot_count > 8) names += ", ...";
    try {
      require_given_schedule(loaded, engine.mode, cores.worker_count);
    } catch (const std::invalid_argument& bad) {
      throw std::invalid_argument(std::string(bad.what()) + ". Workers on " + platform.name + ": " + names +
                                  "; --workers, --no-npu and --cores change them");
    }
  }
  const detent_desc& desc = loaded.desc();
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) {
    const detent_static_schedule& schedule = desc.schedules[i];
    if (schedule.worker_count != cores.worker_count) continue;
    for (std::uint32_t w = 0; w < schedule.worker_count; ++w) {
      for (std::uint32_t k = 0; k < schedule.lists[w].count; ++k) {
        const detent_op& op = desc.ops[schedule.list_ops[schedule.lists[w].first + k]];
        const bool is_async = desc.classes[op.core_class].kind == DETENT_CLASS_ASYNC;
        if (is_async || op.core_class == cores.worker_classes[w]) continue;
        throw std::invalid_argument(fmt::format(
            "--schedule: {} of class {} is in list {}, whose worker {} is of class {}; move it, or change its class "
            "with --set or --no-npu",
            op_name(desc, op.id), desc.classes[op.core_class].name, w, cores.slot_names[w],
            desc.classes[cores.worker_classes[w]].name));
      }
    }
  }
}

sim::SimResult run_simulation(const Request& request, const SimulationOptions& options, const ScheduleOptions& schedule,
                              const LoadedModel& loaded, const sim::Platform& platform, const OnProgress& on_progress,
                              const std::function<void(sim::SimOptions&)>& adjust) {
  sim::SimOptions sim_options = simulation_options(request, options, schedule, loaded);
  if (adjust) adjust(sim_options);
  sim_options.progress = on_progress;
  require_simulated_schedule(loaded, platform, sim_options.engine);
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
                         {"worst_seed", result.worst_seed},
                         {"mean", result.mean_ps},
                         {"standard_error", result.standard_error_ps}};
  json["percentiles"] = reports::percentiles_json(percentiles_of(result));
  if (const auto search = search_of(result)) json["search"] = reports::search_json(*search);
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

}  // namespace detent::app
