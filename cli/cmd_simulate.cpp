// detent simulate: runs in simulated time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/simulation.hpp"

namespace detent::cli {
namespace {

struct SimulateOptions {
  Common common;
  ModelOptions model;
  ScheduleOptions schedule;
  SimulationOptions simulation;
};

/// Ops of the worst run with the core each ran on.
Json ops_json(const sim::SimResult& result) {
  Json ops = Json::array();
  for (const harness::Span& span : result.worst.trace.spans) {
    const bool named = span.slot < result.slot_names.size();
    ops.push_back({{"op", span.op},
                   {"core", named ? result.slot_names[span.slot] : "delay"},
                   {"start_ps", span.begin_ps},
                   {"end_ps", span.end_ps}});
  }
  return ops;
}

void print(const Common& common, const sim::SimResult& result, const sim::Platform& platform) {
  say(common, fmt::format("{} on {}: {} simulated runs (kernels executed in {})", common.model, platform.name,
                          result.runs, result.executed_runs));
  say(common, fmt::format("simulated estimate (optimistic): min {}  median {}  p99 {}  max {} (seed {})",
                          format_time(result.min_ps), format_time(result.median_ps), format_time(result.p99_ps),
                          format_time(result.max_ps), result.worst_seed));
  for (const std::uint64_t digest : result.digests) say(common, "digest " + harness::format_digest(digest));
}

int simulate_command(SimulateOptions options) {
  const sim::Platform platform = choose_platform(platform_word(options.simulation.platform, options.simulation.cores),
                                                 options.simulation.no_overheads);
  options.model.use_npu = uses_npu(options.simulation, platform);
  options.model.weights = !options.simulation.timing_only;
  const LoadedModel loaded = load(options.common.model, options.model);
  const sim::SimResult result = run_simulation(options.common, options.simulation, options.schedule, loaded, platform);

  Json answer = json_header("simulate", options.common);
  answer["platform"] = platform.name;
  answer["policy"] = options.schedule.policy;
  answer["mode"] = options.schedule.mode;
  answer["jitter"] = options.simulation.jitter;
  answer["status"] = result.failure ? "FAILED" : "OK";
  if (result.failure) answer["failure"] = *result.failure;
  answer.update(simulated_json(result));
  if (result.digests.size() == 1) answer["digest"] = harness::format_digest(result.digests.front());
  Json digests = Json::array();
  for (const std::uint64_t digest : result.digests) digests.push_back(harness::format_digest(digest));
  answer["digests"] = std::move(digests);
  answer["ops"] = ops_json(result);
  if (options.schedule.policy != "given") {
    answer["replay"] = format_replay_line(
        worst_replay_line(options.common, options.simulation, options.schedule, options.model, result));
  }
  write_json(options.common, answer);
  print(options.common, result, platform);
  if (result.failure) {
    say(options.common, "FAILED: " + *result.failure);
    return kViolated;
  }
  if (result.digests.size() > 1) {
    say(options.common, "VIOLATED: the output depends on the schedule; detent verify names the racing ops");
    return kViolated;
  }
  return kHolds;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Execute MODEL on a simulated chip");
  options->simulation.runs = 1;
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_schedule_options(*command, options->schedule);
  add_simulation_options(*command, options->simulation);
  command->callback([options, &action] { action = [options] { return simulate_command(*options); }; });
}

}  // namespace detent::cli
