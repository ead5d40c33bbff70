// CheckResult -> ReportData: timelines, utilisation, and the assumptions behind every figure.
#include "app/check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/ci/source_places.hpp"
#include "app/simulate/simulated_figures.hpp"
#include "app/simulate/trace_files.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "reports/text/report_text.hpp"

namespace detent::app {
namespace {

/// One lane per slot that ran something: with a scheduler thread, slot 0 runs nothing and workers begin at 1.
std::vector<std::string> worker_lanes(const harness::Trace& trace) {
  std::uint32_t count = 0;
  for (const harness::Span& span : trace.spans) count = std::max(count, span.slot + 1);
  std::vector<std::string> lanes;
  for (SlotId worker = 0; worker < count; ++worker) lanes.push_back(fmt::format("worker{}", worker));
  return lanes;
}

void add_timelines(const Request& request, const CheckResult& result, reports::ReportData& data) {
  if (result.simulated) add_simulated_timelines(*result.simulated, data);
  if (result.native && !request.reproducible) {
    data.timelines.push_back({"native run on this host",
                              worker_lanes(result.native->trace),
                              result.native->trace,
                              result.native->makespan_ps,
                              {},
                              {},
                              true});
  }
}

void add_simulation(const sim::SimResult& sim, reports::ReportData& data) {
  data.sim_runs = sim.runs;
  data.sim_executed_runs = sim.executed_runs;
  data.min_ps = sim.min_ps;
  data.median_ps = sim.median_ps;
  data.p99_ps = sim.p99_ps;
  data.max_ps = sim.max_ps;
  data.worst_seed = sim.worst_seed;
  data.percentiles = percentiles_of(sim);
  data.search = search_of(sim);
  data.makespans_ps = sim.makespans_ps;
  for (const sim::CoreUse& use : sim.use) {
    const bool ran = sim.worst.makespan_ps > 0;
    data.utilisation.emplace_back(
        use.core, ran ? static_cast<double>(use.busy_ps) / static_cast<double>(sim.worst.makespan_ps) : 0.0);
  }
}

std::string cores_text(const sim::Platform& platform) {
  std::string text;
  for (const sim::CoreClass& core_class : platform.classes) {
    text += fmt::format("{}{} {} at {:.2f} GHz", text.empty() ? "" : ", ", core_class.count, core_class.name,
                        static_cast<double>(core_class.clock_hz) / 1e9);
  }
  return text;
}

/// What the cores, the NPU and the loads share.
void add_chip_assumptions(const SimulationOptions& options, const sim::Platform& platform,
                          std::vector<reports::Assumption>& list) {
  const bool is_shared = platform.contention == sim::Contention::kQueue;
  list.push_back(
      {"memory", is_shared ? fmt::format("one DRAM of {:.2f} GB/s for all: a closed queue of {}-byte requests",
                                         static_cast<double>(platform.dram_bytes_per_s) / 1e9, platform.burst_bytes)
                           : "every core and NPU sees the whole bandwidth of the DRAM"});
  for (const sim::CoreClass& core : platform.classes) {
    if (core.gpu) {
      list.push_back({core.name, fmt::format("GPU: whole waves of {} output elements at a share of {} of the peak, {} "
                                             "command(s) at a time",
                                             core.gpu->wave_elements, core.efficiency, core.queue_depth)});
    }
    if (!core.npu) continue;
    list.push_back({core.name, fmt::format("systolic array of {} x {}, {} command(s) at a time, {}",
                                           core.npu->array.rows, core.npu->array.cols, core.queue_depth,
                                           core.npu->private_ports ? "private ports" : "DMA through the DRAM")});
  }
  for (const sim::Load& load : platform.loads) {
    list.push_back({"load " + load.name, fmt::format("takes {}{} for {} every {}", load.core_class, load.core,
                                                     format_time(load.duration_ps), format_time(load.period_ps))});
  }
  list.push_back({"workers", options.migrating ? "move to an idle core of their class" : "stay on their core"});
}

/// Who executes the ops of a class, and what nobody looks at.
std::string device_text(const harness::Device& device) {
  const detent_device_module& module = device.module().table();
  return fmt::format(
      "{} executes {} of class {}: native runs by commands that it answers later, simulated runs and "
      "explored orders one op at a time; it touches no more of the network's memory than those ops "
      "declare, which is its word",
      module.name, counted(device.needs().op_count, "op"), module.class_name);
}

/// Which ops have guards, and what of the report is about which outcomes.
std::string outcomes_text(const LoadedModel& loaded, const std::string& guarded_bounds) {
  constexpr std::size_t kNamed = 12;
  std::string text = loaded.executed_outcomes() +
                     ": runs, their times and explored schedules are of these outcomes; structure, memory plan, races "
                     "and value flow are judged for all";
  if (!guarded_bounds.empty()) text += "; bounds are of " + guarded_bounds;
  text += ". An op that does not run touches nothing and takes no time";
  for (std::size_t i = 0; i < std::min(kNamed, loaded.guards.size()); ++i) text += "; " + loaded.guards[i];
  if (loaded.guards.size() > kNamed) text += fmt::format("; and {} more", loaded.guards.size() - kNamed);
  return text;
}

/// Bounds that do not apply, a line for those that do not for one reason.
void add_refused_bounds(const std::vector<verify::Bound>& refused, std::vector<reports::Assumption>& list) {
  for (std::size_t i = 0; i < refused.size();) {
    std::string names = refused[i].name;
    std::size_t next = i + 1;
    for (; next < refused.size() && refused[next].assumptions == refused[i].assumptions; ++next) {
      names += ", " + refused[next].name;
    }
    list.push_back({"no " + names + " bound", refused[i].assumptions});
    i = next;
  }
}

void add_assumptions(const SimulationOptions& options, const LoadedModel& loaded, const sim::Platform& platform,
                     const CheckResult& result, std::vector<reports::Assumption>& list) {
  const sim::Overheads& costs = platform.overheads;
  list.push_back(
      {"execution",
       result.is_work_conserving
           ? "non-preemptive and work-conserving; unique priorities; completions are handled one at a time "
             "and a free worker takes the best ready op at once"
           : "non-preemptive; completions are handled one at a time; the order, the mode or the workers that "
             "ops are for may leave a ready op waiting for an idle core"});
  if (!loaded.settings.empty()) list.push_back({"settings", loaded.settings});
  if (!loaded.executed_outcomes().empty()) list.push_back({"outcomes", outcomes_text(loaded, result.guarded_bounds)});
  list.push_back({"cores", cores_text(platform)});
  list.push_back({"op times", result.op_times.grounds.empty()
                                  ? "given by the model where it has them, else measured, mapped onto the NPU or a "
                                    "roofline of work and bytes; "
                                    "varied by " +
                                        options.jitter
                                  : reports::grounds_text(result.op_times) + "; varied by " + options.jitter});
  if (const std::string unused = reports::unused_rows_text(result.op_times); !unused.empty()) {
    list.push_back({"cost table", unused});
  }
  list.push_back({"overheads",
                  fmt::format("dispatch {}, queue {}, lock {} (contended {}), wake-up {}, interrupt {}, log {}",
                              format_time(costs.dispatch_ps), format_time(costs.queue_ps), format_time(costs.lock_ps),
                              format_time(std::max(costs.lock_ps, costs.lock_contended_ps)), format_time(costs.wake_ps),
                              format_time(costs.interrupt_ps), format_time(costs.log_ps))});
  add_chip_assumptions(options, platform, list);
  list.push_back({"kernels", "pure; they read and write only what they declare"});
  if (loaded.device != nullptr) list.push_back({"device", device_text(*loaded.device)});
  list.push_back({"simulation", "an optimistic estimate: the true worst case may lie above the simulated maximum"});
  list.push_back({"bounds",
                  "worst op times, every overhead, other clients of the DRAM and loads included; op times "
                  "beyond their range void the bound. They are of the mode, scheduler and workers that were simulated; "
                  "detent bound covers any mode and scheduler, and may give higher ones"});
  add_refused_bounds(result.refused_bounds, list);
  if (result.simulated) {
    list.push_back({"executed kernels", fmt::format("in {} of {} simulated runs; the others are timing only",
                                                    result.simulated->executed_runs, result.simulated->runs)});
  }
  for (const sim::Provenance& source : platform.provenance) {
    // In a list about memory the platform file's word for "remembered" would be misread.
    constexpr std::string_view kMemory = "memory: ";
    const bool is_remembered = source.source.starts_with(kMemory);
    list.push_back({platform.name + " " + source.key,
                    is_remembered ? "a guess, not looked up: " + source.source.substr(kMemory.size()) : source.source});
  }
  if (!is_executable(loaded)) list.push_back({"memory", "regions are too large to execute here: timing only"});
}

std::uint64_t workspace_bytes(const detent_desc& desc) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_WORKSPACE) sum += desc.regions[r].size_bytes;
  }
  return sum;
}

}  // namespace

reports::ReportData make_report_data(const Request& request, const SimulationOptions& options,
                                     const LoadedModel& loaded, const sim::Platform& platform,
                                     const CheckResult& result) {
  reports::ReportData data;
  data.model = request.model;
  data.platform = platform.name;
  data.seed = request.seeds.schedule;
  data.version = kVersion;
  data.desc = &loaded.desc();
  data.verdicts = result.verdicts;
  data.places = source_places(request.model, loaded);
  data.native_workers = result.native_workers;
  if (result.native) {
    data.native_digest = harness::format_digest(result.native->digest);
    data.native_ps = result.native->makespan_ps;
  }
  if (result.determinism) data.serial_digest = harness::format_digest(result.determinism->serial_digest);
  if (result.simulated) add_simulation(*result.simulated, data);
  data.bounds = result.bounds;
  data.exact = result.exact;
  data.budget = result.budget;
  data.sensitivity = result.sensitivity;
  data.op_times = result.op_times;
  data.deadline = result.deadline;
  data.outcomes = loaded.executed_outcomes();
  data.guarded_bounds = result.guarded_bounds;
  data.schedules = result.schedules;
  data.code = result.code;
  data.failures = result.failures;
  data.lost_values = result.lost_values;
  add_timelines(request, result, data);
  add_assumptions(options, loaded, platform, result, data.assumptions);
  data.arena_bytes = workspace_bytes(loaded.desc());
  data.dram_bytes_per_s = platform.dram_bytes_per_s;
  data.reproducible = request.reproducible;
  return data;
}

}  // namespace detent::app
