#include "app/runs/simulated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/answer/device_account.hpp"
#include "app/bound/campaign_bounds.hpp"
#include "app/deadline/deadline.hpp"
#include "app/replay/fault_tally.hpp"
#include "app/replay/simulated_line.hpp"
#include "app/simulate/auto_split.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "app/simulate/simulated_figures.hpp"
#include "app/simulate/time_grounds.hpp"
#include "app/simulate/trace_files.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "harness/run.hpp"
#include "models/core/decisions.hpp"
#include "reports/data/report_data.hpp"
#include "reports/json/deadline_json.hpp"
#include "reports/json/op_times_json.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/simulated_text.hpp"
#include "sim/cost/jitter.hpp"
#include "verify/timing/problem.hpp"

namespace detent::app {
namespace {

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

/// What a campaign that did not come to its end says: nothing, where it ended at a limit of the simulator.
verify::Outcome add_failure(const sim::SimResult& result, Json& answer, Lines& lines) {
  answer["status"] = result.at_limit ? "LIMIT" : "FAILED";
  answer["failure"] = *result.failure;
  lines.push_back((result.at_limit ? "UNKNOWN: " : "FAILED: ") + *result.failure);
  return result.at_limit ? verify::Outcome::kUnknown : verify::Outcome::kViolated;
}

/// How long each core worked in the longest run seen.
Lines core_lines(const sim::SimResult& result) {
  constexpr std::size_t kShown = 16;
  if (result.failure || result.use.empty()) return {};
  Lines lines{fmt::format("{:<12}{:>12}{:>9}   of the longest run seen", "core", "busy", "share")};
  for (std::size_t i = 0; i < std::min(result.use.size(), kShown); ++i) {
    const sim::CoreUse& core = result.use[i];
    const auto whole = static_cast<double>(std::max<std::uint64_t>(result.worst.makespan_ps, 1));
    lines.push_back(fmt::format("{:<12}{:>12}{:>7.1f} %", core.core, format_time(core.busy_ps),
                                100 * static_cast<double>(core.busy_ps) / whole));
  }
  if (result.use.size() > kShown) {
    lines.push_back(fmt::format("and {} more; --json FILE lists them", result.use.size() - kShown));
  }
  return lines;
}

Lines lines_of(const Request& request, const sim::SimResult& result, const sim::Platform& platform) {
  Lines lines;
  lines.push_back(fmt::format("{} on {}: {} (kernels executed in {})", request.model, platform.name,
                              counted(result.runs, "simulated run"), result.executed_runs));
  lines.emplace_back("simulated estimate (optimistic: the longest run seen, not the longest possible)");
  std::vector<std::string> percentiles;
  for (const reports::Percentile& one : percentiles_of(result)) percentiles.push_back(reports::percentile_text(one));
  percentiles.resize(2);  // none of a campaign without runs
  const auto search = search_of(result);
  lines.push_back(fmt::format("  min {}   {}", format_time(result.min_ps), percentiles[0]));
  lines.push_back(fmt::format("  {}   longest run seen {} ({})", percentiles[1], format_time(result.max_ps),
                              result.is_longest_found ? "by the search" : fmt::format("seed {}", result.worst_seed)));
  if (search) lines.push_back("  " + reports::search_text(*search));
  for (const std::uint64_t digest : result.digests) lines.push_back("digest " + harness::format_digest(digest));
  append(lines, core_lines(result));
  return lines;
}

reports::TimeGrounds grounds_of(const SimulateRequest& options, const LoadedModel& loaded,
                                const sim::Platform& platform) {
  return time_grounds(loaded, platform, options.simulation.jitter, options.request.model);
}

/// The line that repeats one run of the campaign; "" where a line cannot say it.
std::string replay_of(const SimulateRequest& options, const LoadedModel& loaded, const sim::SimResult& result,
                      const sim::RankedRun& run) {
  if (options.schedule.engine.policy == "given") return "";
  ReplayLine line =
      worst_replay_line(options.request, options.simulation, options.schedule, options.model, loaded, result);
  line.seeds.schedule = run.seed;
  line.times.clear();
  line.ties.clear();
  line.makespan_ps = run.makespan_ps;
  return format_replay_line(line);
}

/// Which costs the worst seeds depend on. False: a changed run failed.
bool answer_sensitivity(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                        const sim::SimResult& result, Answer& made) {
  const sim::SimOptions words = simulation_options(options.request, options.simulation, options.schedule, loaded);
  const double step = options.campaign.sensitivity_step;
  const sim::Sensitivity found = sim::measure_sensitivity(loaded.desc(), platform, words, result, {.step = step});
  add_sensitivity_answer(found, step, made.json);
  append(made.lines, sensitivity_table(found));
  if (found.failure) made.lines.push_back("FAILED: " + *found.failure);
  return !found.failure;
}

/// Why the longest run seen is below the critical path, if it is.
Lines path_lines(const SimulateRequest& options, const LoadedModel& loaded, const sim::SimResult& result,
                 const reports::TimeGrounds& times) {
  if (result.failure || !loaded.outcomes.empty()) return {};
  verify::TimingInputs inputs{.worst_ps = times.worst_ps, .cores = {}};
  inputs.cores.assign(loaded.desc().class_count, 1);
  reports::ReportData data;
  data.sim_runs = result.runs;
  data.max_ps = result.max_ps;
  data.op_times = times;
  data.bounds.push_back(verify::critical_path(verify::make_timing_problem(loaded.desc(), inputs)));
  std::string text = reports::below_lower_bound(data);
  if (text.empty()) return {};
  text += fmt::format(" Critical path: {}.", format_time(data.bounds.front().bound_ps));
  if (!options.simulation.search) text += " --search N looks for longer runs.";
  return {std::move(text)};
}

Json answer_head(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform) {
  Json answer = json_header("simulate", options.request);
  answer["platform"] = platform.name;
  answer["policy"] = options.schedule.engine.policy;
  answer["mode"] = harness::mode_name(options.schedule.engine.mode);
  answer["jitter"] = options.simulation.jitter;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  if (!loaded.outcomes.empty()) answer["outcomes"] = loaded.outcomes;
  return answer;
}

verify::Outcome worse_of(verify::Outcome a, verify::Outcome b) {
  for (const verify::Outcome worst : {verify::Outcome::kViolated, verify::Outcome::kUnknown}) {
    if (a == worst || b == worst) return worst;
  }
  return verify::Outcome::kHolds;
}

/// The deadline that is demanded, by the bounds of what was simulated and by the longest run.
void add_deadline(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                  const sim::SimResult& result, const reports::TimeGrounds& times, Answer& made) {
  const auto wanted = wanted_deadline(options.simulation.deadline, loaded.model.demands, options.request.model);
  if (!wanted) return;
  DeadlineEvidence evidence{.are_times_assumed = times.are_assumed()};
  if (result.failure) {
    evidence.failure = *result.failure;
  } else {
    CampaignBounds bounds =
        campaign_bounds(options.request.model, options.model, options.schedule, options.simulation, loaded, platform);
    evidence.bounds = std::move(bounds.bounds);
    evidence.has_outcomes = !bounds.guarded_bounds.empty();
    evidence.uses = std::move(bounds.uses);
    evidence.seen = longest_seen(options.request, options.model, loaded, options.schedule, options.simulation, result);
  }
  const JudgedDeadline judged = judge_deadline(*wanted, evidence);
  made.json["verdicts"] = verdicts_json({judged.verdict});
  made.json["deadline"] = reports::deadline_json(judged.figures);
  append(made.lines, deadline_lines(judged));
  made.outcome = worse_of(made.outcome, judged.verdict.outcome);
}

/// Bounds are of runs in which nothing goes wrong.
void refuse_deadline_of_faults(const SimulateRequest& options) {
  if (options.simulation.deadline.empty()) return;
  throw std::invalid_argument(
      "--deadline: is of runs in which nothing goes wrong; leave the faults out, or the deadline. --deadline-op is "
      "that of an op in flight");
}

/// Each run of the campaign is judged, and its context reset; there are no files and no sensitivity of such runs.
Answer simulate_faults(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                       const harness::Faults& faults, const OnProgress& on_progress) {
  const CampaignOptions& campaign = options.campaign;
  refuse_deadline_of_faults(options);
  if (!campaign.file.empty() || !campaign.shard.empty() || !campaign.merge.empty() || campaign.sensitivity) {
    throw std::invalid_argument(
        "faults: --campaign, --shard, --merge and --sensitivity are of runs in which nothing goes wrong; leave them "
        "out");
  }
  std::optional<std::uint64_t> digest;
  if (!options.simulation.timing_only) digest = digest_without_faults(loaded, options.request.seeds.input);
  FaultTally tally(loaded.desc(), faults, digest);
  std::uint64_t seed = 0, makespan_ps = 0;
  const sim::SimResult result = run_simulation(
      options.request, options.simulation, options.schedule, loaded, platform, on_progress,
      [&](sim::SimOptions& words) {
        words.faults = faults;
        words.on_faults = [&](std::uint64_t run, const harness::FaultRecord& record) { tally.add(run, record); };
      });
  if (!result.failure) {
    seed = sim::run_seed(options.request.seeds.schedule, tally.shown_run());
    makespan_ps = result.makespans_ps.at(tally.shown_run());
  }
  Json answer = answer_head(options, loaded, platform);
  if (result.failure) {
    Lines lines;
    const verify::Outcome outcome = add_failure(result, answer, lines);
    return {std::move(answer), std::move(lines), outcome};
  }
  answer.update(simulated_json(result));
  for (const std::uint64_t output : result.digests) tally.add_output(output);
  tally.add_to(answer, true);
  answer["shown"] = {{"run", tally.shown_run()}, {"seed", seed}};
  const reports::TimeGrounds times = grounds_of(options, loaded, platform);
  answer["op_times"] = reports::op_times_json(times);
  answer["ops"] = ops_json(result);
  if (options.schedule.engine.policy != "given") {
    ReplayLine line =
        worst_replay_line(options.request, options.simulation, options.schedule, options.model, loaded, result);
    line.seeds.schedule = seed;
    line.makespan_ps = makespan_ps;
    tally.describe_in(line, true);
    add_replay(line, answer);
  }
  write_simulation_traces(options.trace_directory, options.request, loaded.desc(), platform, result);
  Answer made{std::move(answer), lines_of(options.request, result, platform), tally.outcome()};
  append(made.lines, ground_lines(times));
  append(made.lines, tally.lines());
  if (loaded.model.demands.deadline_ps) {
    made.lines.push_back("deadline " + format_time(*loaded.model.demands.deadline_ps) +
                         ": not judged, for no bound counts faults; leave them out");
  }
  return made;
}

}  // namespace

void settle_split(SimulateRequest& wanted) {
  if (wanted.model.split != kAutoSplit) return;
  const sim::Platform platform = simulated_platform(wanted.simulation);
  ModelOptions model = wanted.model;
  model.accelerator = accelerator_of(wanted.simulation, platform);
  settle_split(wanted.request.model, platform, wanted.schedule.engine.workers, model);
  wanted.model.split = model.split;
  wanted.model.split_note = model.split_note;
}

SimulationStart start_simulation(const SimulateRequest& wanted, const std::vector<GivenOption>& given) {
  sim::Platform platform = simulated_platform(wanted.simulation);
  static_cast<void>(wanted_deadline(wanted.simulation.deadline, {}, ""));
  ModelOptions model = wanted.model;
  model.accelerator = accelerator_of(wanted.simulation, platform);
  model.weights = !wanted.simulation.timing_only;
  model.outcome_seed = wanted.request.seeds.schedule;
  SimulationStart start{.platform = std::move(platform), .loaded = load(wanted.request.model, model)};
  if (wanted.simulation.timing_only && models::has_computed_decisions(start.loaded.model)) {
    throw std::invalid_argument(wanted.request.model +
                                ": --timing-only computes nothing that could decide which ops run; leave it out");
  }
  if (!wanted.campaign.shard.empty() && wanted.simulation.search.value_or(0) != 0) {
    throw std::invalid_argument("--search: is of a whole campaign; leave it out here and give it beside --merge");
  }
  if (!parse_faults(wanted.faults).empty()) return start;
  const std::string identity =
      needs_identity(wanted.campaign) ? campaign_identity(named_options(given), start.loaded, start.platform) : "";
  start.part =
      std::make_unique<CampaignPart>(wanted.campaign, wanted.simulation.runs, start.loaded.desc().op_count, identity);
  return start;
}

Answer simulate(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                CampaignPart* part, const OnProgress& on_progress) {
  harness::Faults faults = parse_faults(options.faults);
  if (!faults.empty()) add_watchdogs(loaded.model, faults);
  if (!faults.empty()) return simulate_faults(options, loaded, platform, faults, on_progress);
  const sim::SimResult result = run_simulation(options.request, options.simulation, options.schedule, loaded, platform,
                                               on_progress, [part](sim::SimOptions& with) {
                                                 if (part != nullptr) part->attach(with);
                                               });

  Answer made{.json = answer_head(options, loaded, platform)};
  Json& answer = made.json;
  if (result.failure && result.runs == 0) {  // none has ended: there is no longest one
    made.outcome = add_failure(result, answer, made.lines);
    if (!loaded.outcomes.empty()) made.lines.push_back("outcomes " + loaded.outcomes);
    add_deadline(options, loaded, platform, result, grounds_of(options, loaded, platform), made);
    return made;
  }
  answer["status"] = "OK";
  answer.update(simulated_json(result));
  add_machine_account(result, answer);
  if (result.digests.size() == 1) answer["digest"] = harness::format_digest(result.digests.front());
  Json digests = Json::array();
  for (const std::uint64_t digest : result.digests) digests.push_back(harness::format_digest(digest));
  answer["digests"] = std::move(digests);
  add_campaign_answer(
      options.campaign, result, [&](const sim::RankedRun& run) { return replay_of(options, loaded, result, run); },
      answer);
  const reports::TimeGrounds times = grounds_of(options, loaded, platform);
  answer["op_times"] = reports::op_times_json(times);
  answer["ops"] = ops_json(result);
  if (options.schedule.engine.policy != "given") {
    add_replay(worst_replay_line(options.request, options.simulation, options.schedule, options.model, loaded, result),
               answer);
  }
  write_simulation_traces(options.trace_directory, options.request, loaded.desc(), platform, result);
  made.lines = lines_of(options.request, result, platform);
  add_device(loaded.device.get(), true, answer, made.lines);
  if (!loaded.settings.empty()) made.lines.push_back(loaded.settings);
  if (!loaded.outcomes.empty()) made.lines.push_back("outcomes " + loaded.outcomes);
  append(made.lines, ground_lines(times));
  append(made.lines, path_lines(options, loaded, result, times));
  const bool measured =
      !options.campaign.sensitivity || result.failure || answer_sensitivity(options, loaded, platform, result, made);
  if (!measured) made.outcome = verify::Outcome::kViolated;
  if (!measured) return made;
  if (result.failure) made.outcome = add_failure(result, answer, made.lines);
  if (result.digests.size() > 1) {
    made.lines.emplace_back("VIOLATED: the output depends on the schedule; detent verify names the racing ops");
    made.outcome = verify::Outcome::kViolated;
  }
  add_deadline(options, loaded, platform, result, times, made);
  return made;
}

}  // namespace detent::app
