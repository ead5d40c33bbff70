#include "app/replay/simulated_line.hpp"

#include "app/simulate/chosen_text.hpp"
#include "harness/run.hpp"

namespace detent::app {

ReplayLine worst_replay_line(const Request& request, const SimulationOptions& options, const ScheduleOptions& schedule,
                             const ModelOptions& model, const LoadedModel& loaded, const sim::SimResult& result) {
  ReplayLine line;
  line.model = request.model;
  line.on = "sim";
  line.engine = schedule.engine;
  line.seeds = {.input = request.seeds.input, .schedule = result.worst_seed};
  line.split = model.split;
  line.winograd = loaded.winograd;
  line.set = model.set;
  line.schedule = model.schedule;
  line.device = harness::device_text(model.device);
  line.outcomes = model.outcomes;
  line.platform = platform_word(options.platform, options.cores);
  line.overheads = !options.no_overheads;
  line.jitter = options.jitter;
  line.costs = model.costs;
  line.npu = !options.no_npu;
  line.contention = !options.no_contention;
  line.private_ports = options.private_ports;
  line.migrating = options.migrating;
  if (result.search && (result.is_longest_found || result.search->failed)) {
    line.seeds.schedule = result.search->longest.seed;
    line.times = chosen_times_text(result.search->longest, result.search->ranges);
    line.ties = chosen_ties_text(result.search->longest);
  }
  if (!result.digests.empty()) line.digest = harness::format_digest(result.digests.front());
  line.makespan_ps = result.max_ps;
  return line;
}

}  // namespace detent::app
