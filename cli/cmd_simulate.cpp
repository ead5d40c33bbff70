// detent simulate: runs in simulated time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cli/campaign.hpp"
#include "cli/campaign_identity.hpp"
#include "cli/command.hpp"
#include "cli/fault_answer.hpp"
#include "cli/fault_options.hpp"
#include "cli/model_options.hpp"
#include "cli/simulation.hpp"
#include "cli/trace_files.hpp"
#include "sim/cost/jitter.hpp"

namespace detent::cli {
namespace {

struct SimulateOptions {
  Common common;
  app::ModelOptions model;
  ScheduleOptions schedule;
  SimulationOptions simulation;
  CampaignOptions campaign;
  FaultOptions faults;
  const CLI::App* command = nullptr;  ///< with all words of the command, for the identity of a campaign
  std::string directory;              ///< for trace files; empty: none
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

/// The line that repeats one run of the campaign; "" where a line cannot say it.
std::string replay_of(const SimulateOptions& options, const sim::SimResult& result, const sim::RankedRun& run) {
  if (options.schedule.policy == "given") return "";
  app::ReplayLine line = worst_replay_line(options.common, options.simulation, options.schedule, options.model, result);
  line.seed = run.seed;
  line.makespan_ps = run.makespan_ps;
  return app::format_replay_line(line);
}

/// Which costs the worst seeds depend on. False: a changed run failed.
bool answer_sensitivity(const SimulateOptions& options, const app::LoadedModel& loaded, const sim::Platform& platform,
                        const sim::SimResult& result, Json& answer) {
  const sim::SimOptions words = simulation_options(options.common, options.simulation, options.schedule, loaded);
  const double step = options.campaign.sensitivity_step;
  const sim::Sensitivity found = sim::measure_sensitivity(loaded.desc(), platform, words, result, {.step = step});
  add_sensitivity_answer(found, step, answer);
  for (const std::string& line : sensitivity_table(found)) say(options.common, line);
  if (found.failure) say(options.common, "FAILED: " + *found.failure);
  return !found.failure;
}

Json answer_head(const SimulateOptions& options, const sim::Platform& platform) {
  Json answer = json_header("simulate", options.common);
  answer["platform"] = platform.name;
  answer["policy"] = options.schedule.policy;
  answer["mode"] = options.schedule.mode;
  answer["jitter"] = options.simulation.jitter;
  return answer;
}

/// Each run of the campaign is judged, and its context reset; there are no files and no sensitivity of such runs.
int simulate_faults(const SimulateOptions& options, const app::LoadedModel& loaded, const sim::Platform& platform,
                    const harness::Faults& faults) {
  const CampaignOptions& campaign = options.campaign;
  if (!campaign.file.empty() || !campaign.shard.empty() || !campaign.merge.empty() || campaign.sensitivity) {
    throw std::invalid_argument(
        "faults: --campaign, --shard, --merge and --sensitivity are of runs in which nothing goes wrong; leave them "
        "out");
  }
  std::optional<std::uint64_t> digest;
  if (!options.simulation.timing_only) digest = digest_without_faults(loaded, options.simulation.input_seed);
  FaultTally tally(loaded.desc(), faults, digest);
  std::uint64_t seed = 0, makespan_ps = 0;
  const sim::SimResult result = run_simulation(
      options.common, options.simulation, options.schedule, loaded, platform, [&](sim::SimOptions& words) {
        words.faults = faults;
        words.on_faults = [&](std::uint64_t run, const harness::FaultRecord& record) { tally.add(run, record); };
      });
  if (!result.failure) {
    seed = sim::run_seed(options.common.seed, tally.shown_run());
    makespan_ps = result.makespans_ps.at(tally.shown_run());
  }
  Json answer = answer_head(options, platform);
  if (result.failure) {
    answer["status"] = "FAILED";
    answer["failure"] = *result.failure;
    write_json(options.common, answer);
    say(options.common, "FAILED: " + *result.failure);
    return kViolated;
  }
  answer.update(simulated_json(result));
  tally.add_to(answer, true);
  answer["shown"] = {{"run", tally.shown_run()}, {"seed", seed}};
  answer["ops"] = ops_json(result);
  if (options.schedule.policy != "given") {
    app::ReplayLine line =
        worst_replay_line(options.common, options.simulation, options.schedule, options.model, result);
    line.seed = seed;
    line.makespan_ps = makespan_ps;
    tally.describe_in(line, true);
    answer["replay"] = app::format_replay_line(line);
  }
  write_simulation_traces(options.directory, options.common, loaded.desc(), platform, result);
  write_json(options.common, answer);
  print(options.common, result, platform);
  tally.print(options.common);
  return tally.exit_code();
}

int simulate_command(SimulateOptions options) {
  sim::Platform platform = choose_platform(platform_word(options.simulation.platform, options.simulation.cores),
                                           options.simulation.no_overheads);
  simplify_chip(platform, options.simulation.no_contention, options.simulation.private_ports);
  options.model.use_npu = uses_npu(options.simulation, platform);
  options.model.weights = !options.simulation.timing_only;
  const app::LoadedModel loaded = app::load(options.common.model, options.model);
  const harness::Faults faults = parse_faults(options.faults);
  if (!faults.empty()) return simulate_faults(options, loaded, platform, faults);
  const std::string identity =
      needs_identity(options.campaign) ? campaign_identity(*options.command, loaded, platform) : "";
  CampaignPart part(options.common, options.campaign, options.simulation.runs, loaded.desc().op_count, identity);
  const sim::SimResult result = run_simulation(options.common, options.simulation, options.schedule, loaded, platform,
                                               [&part](sim::SimOptions& words) { part.attach(words); });

  Json answer = answer_head(options, platform);
  answer["status"] = result.failure ? "FAILED" : "OK";
  if (result.failure) answer["failure"] = *result.failure;
  answer.update(simulated_json(result));
  add_machine_account(result, answer);
  if (result.digests.size() == 1) answer["digest"] = harness::format_digest(result.digests.front());
  Json digests = Json::array();
  for (const std::uint64_t digest : result.digests) digests.push_back(harness::format_digest(digest));
  answer["digests"] = std::move(digests);
  add_campaign_answer(
      options.campaign, result, [&](const sim::RankedRun& run) { return replay_of(options, result, run); }, answer);
  answer["ops"] = ops_json(result);
  if (options.schedule.policy != "given") {
    answer["replay"] = app::format_replay_line(
        worst_replay_line(options.common, options.simulation, options.schedule, options.model, result));
  }
  write_simulation_traces(options.directory, options.common, loaded.desc(), platform, result);
  print(options.common, result, platform);
  const bool measured =
      !options.campaign.sensitivity || result.failure || answer_sensitivity(options, loaded, platform, result, answer);
  write_json(options.common, answer);
  if (!measured) return kViolated;
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
  options->command = command;
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_costs_option(*command, options->model);
  add_schedule_options(*command, options->schedule);
  add_simulation_options(*command, options->simulation);
  add_campaign_options(*command, options->campaign);
  add_fault_options(*command, options->faults, true);
  command->add_option("--out", options->directory, "Write trace.pftrace, trace.btf and trace.vcd into this directory")
      ->type_name("DIR");
  command->callback([options, &action] { action = [options] { return simulate_command(*options); }; });
}

}  // namespace detent::cli
