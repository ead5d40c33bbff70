// Static laws, native runs, simulated runs, bounds, schedules beyond those.
#include "app/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <stdexcept>

#include "app/bound/campaign_bounds.hpp"
#include "app/check/coverage.hpp"
#include "app/check/exact_case.hpp"
#include "app/check/executed_reads.hpp"
#include "app/check/judged_bound.hpp"
#include "app/check/value_story.hpp"
#include "app/coverage/code_coverage.hpp"
#include "app/deadline/deadline.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/model/schedule_options.hpp"
#include "app/model/worker_count.hpp"
#include "app/simulate/time_grounds.hpp"
#include "app/static/static_checks.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "harness/engine_spec.hpp"
#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "models/core/decisions.hpp"
#include "reports/text/report_text.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/trace_rules.hpp"

namespace detent::app {
namespace {

/// Why the runtime takes the network but not what these outcomes leave of it: an op reads what no op writes then.
std::optional<std::string> bind_refusal(const LoadedModel& loaded) {
  const detent_error error = harness::check_desc(loaded.desc());
  if (error.status == DETENT_OK) return std::nullopt;
  return harness::describe_error(loaded.desc(), error);
}

/// Native part: the run that users see, and the runs that look for a schedule with another result.
void run_natively(const CheckOptions& options, const LoadedModel& loaded, const std::vector<detent_backend>& backends,
                  CheckResult& result) {
  harness::NativeOptions native;
  native.engine = engine_of(options.schedule, loaded.desc());
  if (loaded.given_workers != 0) native.engine.workers = loaded.given_workers;  // those of accelerators among them
  if (native.engine.workers == 0) native.engine.workers = default_workers();
  require_given_schedule(loaded, native.engine.mode, native.engine.workers);
  native.seeds = options.request.seeds;
  native.backends = backends;
  native.extend = device_workers(loaded);
  result.native_workers = native.engine.workers;
  result.native = harness::run_native(loaded.desc(), native);
  if (result.native->result.error.status != DETENT_OK) {
    throw std::invalid_argument(options.request.model + ": " +
                                harness::describe_error(loaded.desc(), result.native->result.error));
  }
  verify::DeterminismOptions determinism;
  determinism.seeds.schedule = options.request.seeds.schedule + 1;
  determinism.seeds.input = options.request.seeds.input;
  determinism.backends = backends;
  determinism.extend = native.extend;
  result.determinism = verify::check_determinism(loaded.desc(), determinism);
}

/// Traces of simulated and native runs against the definition of execution; the first violation stands for all.
verify::Verdict check_traces(const detent_desc& desc, const CheckResult& result) {
  std::vector<std::pair<std::string, const harness::Run*>> runs;
  if (result.simulated && !result.simulated->failure) {
    runs.emplace_back("longest simulated run", &result.simulated->worst);
    runs.emplace_back("typical simulated run", &result.simulated->typical);
  }
  if (result.native) runs.emplace_back("native run", &*result.native);
  verify::Verdict verdict{verify::Property::kTraceRules, verify::Outcome::kUnknown, "no run to judge", {}};
  for (const auto& [name, run] : runs) {
    const std::uint32_t slots = DETENT_MAX_WORKERS + 1;
    verify::Verdict one = verify::check_trace(desc, run->trace, slots, run->makespan_ps);
    one.summary = name + ": " + one.summary;
    if (one.outcome != verify::Outcome::kHolds) return one;
    verdict = one;
  }
  if (verdict.outcome == verify::Outcome::kHolds) {
    verdict.summary =
        counted(runs.size(), "trace") + ": each op once, after its predecessors, nothing overlaps on one core";
  }
  return verdict;
}

/// Static proof, native runs and simulated runs as one verdict.
/// @param is_left_out  native runs, whose outputs would not be the same another time
verify::Verdict judge_determinism(const LoadedModel& loaded, const StaticAnswer& laws, const CheckResult& result,
                                  bool is_left_out) {
  if (!laws.races)
    return {verify::Property::kDeterminism, verify::Outcome::kUnknown, "not checked: the model is not executable", {}};
  verify::Verdict verdict = verify::judge_determinism(loaded.desc(), *laws.races);
  if (!result.determinism) {
    if (is_left_out)
      verdict.summary += "; no native runs: ops race, so that their outputs would differ from run to run";
    return verdict;
  }
  const verify::DeterminismReport& runs = *result.determinism;
  std::vector<verify::DigestRun> simulated;
  if (result.simulated) {
    for (const std::uint64_t digest : result.simulated->digests) simulated.push_back({"simulated", digest});
  }
  const verify::Verdict across = verify::compare_digests(runs.serial_digest, simulated);
  const bool is_observed =
      runs.verdict.outcome == verify::Outcome::kViolated || across.outcome == verify::Outcome::kViolated;
  if (is_observed) verdict.outcome = verify::Outcome::kViolated;
  verdict.total = verify::finding_count(verdict) + verify::finding_count(runs.verdict) + verify::finding_count(across);
  for (const verify::Verdict* other : {&runs.verdict, &across}) {
    verdict.witnesses.insert(verdict.witnesses.end(), other->witnesses.begin(), other->witnesses.end());
  }
  const std::uint64_t executed = result.simulated ? result.simulated->executed_runs : 0;
  verdict.summary +=
      fmt::format("; {} {} native and {}",
                  is_observed ? "digests differ among" : "digest " + harness::format_digest(runs.serial_digest) + " in",
                  runs.runs.size() + 2, counted(executed, "simulated run"));
  return verdict;
}

/// Where no run can begin there is no output of which the proof could speak.
void withhold_determinism(const LoadedModel& loaded, verify::Verdict& verdict) {
  if (verdict.outcome != verify::Outcome::kHolds) return;
  verdict.outcome = verify::Outcome::kUnknown;
  verdict.summary += "; no run of outcomes " + loaded.executed_outcomes() + " can begin, so there is no output";
}

/// What no simulated run has a part in.
struct AnalysedTimes {
  CampaignBounds bounds;
  reports::TimeGrounds op_times;
  CountedBound counted;
};

AnalysedTimes analyse_times(const CheckOptions& options, const LoadedModel& loaded, const sim::Platform& platform) {
  AnalysedTimes made;
  made.bounds =
      campaign_bounds(options.request.model, options.model, options.schedule, options.simulation, loaded, platform);
  made.op_times = time_grounds(loaded.of_all_outcomes(), platform, options.simulation.jitter, options.request.model);
  made.op_times.assumed_failures = describe_most_failures(made.bounds.combinations);
  made.counted =
      count_campaign_bound(options.request.model, options.model, made.bounds, loaded, platform, made.op_times);
  return made;
}

/// The simulation stays on the thread of the caller, the only one on which SystemC runs.
void simulate_and_bound(const CheckOptions& options, const LoadedModel& loaded, const sim::Platform& platform,
                        const OnProgress& on_progress, CheckResult& result) {
  std::future<AnalysedTimes> analysed =
      std::async(std::launch::async, [&] { return analyse_times(options, loaded, platform); });
  result.simulated = run_simulation(options.request, options.simulation, options.schedule, loaded, platform,
                                    on_progress, [&](sim::SimOptions& words) {
                                      words.keep_ends = true;
                                      words.search_runs = options.simulation.search.value_or(options.simulation.runs);
                                    });
  if (result.simulated->failure) {
    result.verdicts.push_back({verify::Property::kSimulation,
                               verify::Outcome::kViolated,
                               "a simulated run failed",
                               {{*result.simulated->failure, {}, {}}}});
    return;
  }
  AnalysedTimes times = analysed.get();
  CampaignBounds& bounds = times.bounds;
  result.is_work_conserving = bounds.is_work_conserving;
  result.op_times = std::move(times.op_times);
  result.exact = find_exact_case(options, loaded, platform, bounds.spec);
  result.budget = std::move(times.counted.budget);
  result.sensitivity = std::move(times.counted.sensitivity);
  result.bounds = std::move(bounds.bounds);
  result.refused_bounds = std::move(bounds.refused_bounds);
  result.responses = std::move(bounds.responses);
  result.guarded_bounds = std::move(bounds.guarded_bounds);
  result.uses = std::move(bounds.uses);
}

/// The deadline that is demanded, by the bounds and by the longest simulated run.
/// @param why  there was no simulated run, where there was none
void add_deadline(const CheckOptions& options, const LoadedModel& loaded, const std::string& why, CheckResult& result) {
  const auto wanted = wanted_deadline(options.simulation.deadline, loaded.model.demands, options.request.model);
  if (!wanted) return;
  DeadlineEvidence evidence{.bounds = result.bounds,
                            .are_times_assumed = result.op_times.are_assumed(),
                            .has_outcomes = !result.guarded_bounds.empty(),
                            .condition = reports::short_condition(result.op_times),
                            .uses = result.uses};
  if (!result.simulated) {
    evidence.failure = why;
  } else if (result.simulated->failure) {
    evidence.failure = *result.simulated->failure;
  } else {
    evidence.seen =
        longest_seen(options.request, options.model, loaded, options.schedule, options.simulation, *result.simulated);
  }
  JudgedDeadline judged = judge_deadline(*wanted, evidence);
  result.deadline = std::move(judged.figures);
  result.verdicts.push_back(std::move(judged.verdict));
}

/// Ends of all ops in all simulated runs against their responses.
verify::Verdict judge_responses(const detent_desc& desc, const CheckResult& result) {
  std::vector<std::string> names;
  for (OpId op = 0; op < desc.op_count; ++op) {
    names.emplace_back(desc.ops[op].name != nullptr ? desc.ops[op].name : "");
  }
  std::vector<verify::OpEnds> ends;
  for (const sim::OpEnd& end : result.simulated->ends) {
    ends.push_back({end.earliest_ps, end.latest_ps, end.earliest_seed, end.latest_seed});
  }
  return verify::check_responses(names, ends, result.responses);
}

/// What a verdict of executed schedules says no more of.
std::string of_outcomes(const LoadedModel& loaded) {
  const std::string outcomes = loaded.executed_outcomes();
  return outcomes.empty() ? "" : "; of outcomes " + outcomes + ", detent explore goes through all";
}

CoverageOptions coverage_options(const CheckOptions& options, const LoadedModel& loaded, bool execute) {
  return {.schedules = options.schedules,
          .execute = execute,
          .split = options.model.split,
          .winograd = loaded.winograd,
          .set = options.model.set,
          .schedule = options.model.schedule,
          .device = harness::device_text(options.model.device),
          .outcomes = loaded.outcomes,
          .workers = loaded.given_workers != 0 ? loaded.given_workers : options.schedule.engine.workers};
}

/// Schedules beyond those of the runs above. Their verdicts come last.
CoverageResult explore_schedules(const CheckOptions& options, const LoadedModel& loaded, bool execute,
                                 CheckResult& result) {
  CoverageResult covered =
      cover_schedules(options.request, options.schedule, coverage_options(options, loaded, execute), loaded, result);
  result.schedules = std::move(covered.coverage);
  result.failures = std::move(covered.failures);
  return covered;
}

/// Digests of threads that race are another matter each time: only where no race is possible are they compared.
bool is_race_free(const StaticAnswer& laws) {
  return std::ranges::any_of(laws.verdicts, [](const verify::Verdict& verdict) {
    return verdict.property == verify::Property::kBufferRaces && verdict.outcome == verify::Outcome::kHolds;
  });
}

std::optional<verify::Outcome> known_outcome(const verify::Verdict& verdict) {
  return verdict.outcome == verify::Outcome::kUnknown ? std::nullopt : std::optional(verdict.outcome);
}

/// What the check executes natively, by kernels that count; a serial run first, which says most of a crash.
RunResults run_counted(const CheckOptions& options, const LoadedModel& loaded, bool race_free,
                       CountedKernels& kernels) {
  const std::vector<detent_backend> backends{kernels.backend()};
  harness::NativeOptions serial;
  serial.engine.workers = 0;
  serial.seeds = options.request.seeds;
  serial.backends = backends;
  const harness::Run first = harness::run_native(loaded.desc(), serial);
  kernels.save();
  if (first.result.error.status != DETENT_OK) {
    throw std::invalid_argument(harness::describe_error(loaded.desc(), first.result.error));
  }
  CheckResult native;
  run_natively(options, loaded, backends, native);
  kernels.save();
  constexpr std::uint64_t kBesides = 3;  // the one above, that of users, the serial one of check_determinism
  RunResults results{.serial_digest = harness::format_digest(first.digest),
                     .native_runs = kBesides + native.determinism->runs.size()};
  if (race_free) results.determinism = known_outcome(native.determinism->verdict);
  if (const auto orders = execute_orders(options.request, coverage_options(options, loaded, true), loaded, backends)) {
    results.schedules = orders->executions;
    results.op_schedules = known_outcome(orders->verdict);
  }
  kernels.save();
  results.is_stopped = stop_requested();
  return results;
}

/// The same of the check's own kernels.
RunResults plain_results(const CheckResult& result, const std::vector<verify::Verdict>& explored, bool race_free) {
  RunResults results{.serial_digest = harness::format_digest(result.determinism->serial_digest),
                     .is_stopped = stop_requested()};
  if (race_free) results.determinism = known_outcome(result.determinism->verdict);
  const auto orders = std::ranges::find(explored, verify::Property::kOpSchedules, &verify::Verdict::property);
  if (orders != explored.end()) results.op_schedules = known_outcome(*orders);
  return results;
}

/// Measured before the audit and all other runs: only there a kernel that crashes ends no more than itself.
std::optional<CodeMeasurement> measure(const CheckOptions& options, const LoadedModel& loaded, bool race_free,
                                       CheckResult& result) {
  CodeMeasurement measured =
      measure_code(options.request.model, loaded, *options.coverage,
                   [&](CountedKernels& kernels) { return run_counted(options, loaded, race_free, kernels); });
  result.code = measured.pages.figures;
  result.code_pages = std::move(measured.pages.pages);
  return measured;
}

}  // namespace

std::uint64_t scaled_runs(std::uint64_t most, std::uint32_t op_count) {
  constexpr std::uint64_t kExecutedOps = 4'000'000;
  constexpr std::uint64_t kFewest = 20;
  return std::min(most, std::max(kFewest, kExecutedOps / std::max(op_count, 1U)));
}

CheckResult check(const CheckOptions& options, const LoadedModel& loaded, const sim::Platform& platform,
                  const OnProgress& on_progress) {
  check_order_file(options.schedule);
  CheckResult result;
  const LoadedModel& whole = loaded.of_all_outcomes();
  StaticAnswer laws = check_static_laws(whole.desc(), &whole.values, options.on_step);
  std::vector<verify::Verdict> explored;
  std::optional<verify::Verdict> audit;
  std::optional<verify::Verdict> counted_runs;
  bool is_left_out = false;
  if (options.coverage) result.code = reports::CodeCoverage{.note = "not measured: no kernel can be executed"};
  const std::optional<std::string> refusal = laws.is_executable ? bind_refusal(loaded) : std::nullopt;
  if (refusal) {
    result.verdicts.push_back({verify::Property::kSimulation,
                               verify::Outcome::kViolated,
                               "no run of outcomes " + loaded.executed_outcomes() + " can begin",
                               {{*refusal, {}, {}}}});
  } else if (laws.is_executable) {
    bool execute = is_executable(loaded) && !options.simulation.timing_only;
    std::optional<CodeMeasurement> measured;
    if (execute && options.coverage) measured = measure(options, loaded, is_race_free(laws), result);
    execute = execute && (!measured || !measured->crashed());
    if (execute && options.audit && has_kernels_to_audit(loaded)) {
      begin_step(options.on_step, "audits the kernels");
      audit = kept_audit(loaded, options.request.seeds.input);
    }
    // Kernels that touch what they do not declare are not run any further.
    execute = execute && (!audit || audit->outcome != verify::Outcome::kViolated);
    // What racing threads compute differs from run to run, which is no answer that can be given again.
    const bool threads = execute && (!options.request.reproducible || is_race_free(laws));
    is_left_out = execute && !threads;
    begin_step(options.on_step, "runs natively");
    if (threads) run_natively(options, loaded, loaded.backends, result);
    CheckOptions adjusted = options;
    adjusted.simulation.timing_only = !execute;
    if (options.scales_runs) adjusted.simulation.runs = scaled_runs(options.simulation.runs, loaded.desc().op_count);
    begin_step(options.on_step, "simulates and bounds");
    // Where nothing is executed nothing computes which ops run: it is drawn, as by simulate --timing-only.
    std::optional<LoadedModel> drawn;
    if (!execute && models::has_computed_decisions(loaded.model)) {
      ModelOptions timing_only = options.model;
      timing_only.weights = false;
      timing_only.guards = ModelOptions::Guards::kResolved;
      drawn.emplace(load(options.request.model, timing_only));
    }
    simulate_and_bound(adjusted, drawn ? *drawn : loaded, platform, on_progress, result);
    begin_step(options.on_step, "explores schedules");
    CoverageResult covered = explore_schedules(options, loaded, execute, result);
    explored = std::move(covered.verdicts);
    for (verify::Verdict& verdict : explored) verdict.summary += of_outcomes(loaded);
    if (measured) {
      const auto plain = threads ? std::optional(plain_results(result, explored, is_race_free(laws))) : std::nullopt;
      counted_runs = judge_coverage_runs(loaded, *measured, plain);
    }
    if (laws.flow) add_executed_reads(loaded, result, covered.reads, laws.verdicts.back());
  }
  if (laws.flow) add_lost_values(whole.desc(), *laws.flow, result);
  result.remedy = find_remedy(whole, laws, options.request, options.model);
  std::vector<verify::Verdict> failures = std::move(result.verdicts);
  failures.insert(failures.end(), explored.begin(), explored.end());
  result.verdicts = {judge_determinism(whole, laws, result, is_left_out)};
  if (refusal) withhold_determinism(loaded, result.verdicts.front());
  result.verdicts.insert(result.verdicts.end(), laws.verdicts.begin(), laws.verdicts.end());
  if (audit) result.verdicts.push_back(*audit);
  if (counted_runs) result.verdicts.push_back(*std::move(counted_runs));
  add_ground(result.verdicts, footprint_ground(loaded, audit ? &*audit : nullptr), audit ? &*audit : nullptr);
  if (laws.is_executable && !refusal) result.verdicts.push_back(check_traces(loaded.desc(), result));
  if (result.simulated && !result.simulated->failure) {
    result.verdicts.push_back(judge_bound(result.simulated->max_ps, result));
    result.verdicts.push_back(judge_responses(loaded.desc(), result));
  }
  add_deadline(options, loaded, refusal.value_or("the structure of the network is broken"), result);
  result.verdicts.insert(result.verdicts.end(), failures.begin(), failures.end());
  const bool is_audited = audit && audit->outcome == verify::Outcome::kHolds;
  if (has_c_functions(loaded.model) && !is_audited) add_unaudited_functions(result.verdicts, "no audit holds");
  add_unknown_footprints(result.verdicts, whole.model);
  add_assumed_bytes(result.verdicts, assumed_of_functions(loaded, audit ? &*audit : nullptr));
  return result;
}

}  // namespace detent::app
