// Replay lines -> runs.
#include "app/replay/replay_worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/replay/failure_line.hpp"
#include "app/replay/fault_options.hpp"
#include "app/replay/fault_tally.hpp"
#include "app/replay/gated_run.hpp"
#include "app/replay/oriented_run.hpp"
#include "app/simulate/chosen_text.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "harness/run_native.hpp"
#include "reports/text/text.hpp"
#include "verify/explore/ops/runner.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

/// Was the line made of a failure of ops?
bool is_failure(const ReplayLine& line) { return !line.before.empty(); }

/// Gates can hold its constraints: some worker stays free, and no mutex is in the way.
bool takes_gates(const ReplayLine& line, const detent_desc& desc) {
  const std::uint32_t needed = explore::workers_for_gates(desc, constraints_of(line, desc));
  return needed != 0 && needed <= DETENT_MAX_WORKERS;
}

void run_gates(const ReplayLine& line, const LoadedModel& loaded, const ReplayWorld& world, ReplayOutcome& outcome) {
  const explore::OpSpace space(loaded.desc());
  const explore::GateReplay replay = run_behind_gates(space, loaded, line, world.runs, world.watchdog_ms);
  outcome.gated = true;
  outcome.runs = replay.runs;
  outcome.reproduced = replay.reproduced;
  if (replay.error.status != DETENT_OK) {
    outcome.status = detent_status_name(replay.error.status);
  } else if (replay.expired != 0) {
    outcome.status = "the watchdog opened a gate: the ops it waited for did not end";
  } else if (replay.reproduced != replay.runs) {
    outcome.status = fmt::format("the ops of the constraints saw other bytes in {} of {}",
                                 replay.runs - replay.reproduced, counted(replay.runs, "run"));
  }
  const bool is_decided =
      line.engine.order.empty() && !line.digest.empty();  // else races elsewhere may change the outputs
  if (is_decided && replay.digests.size() == 1) outcome.digest = harness::format_digest(replay.digests.front());
  if (is_decided && replay.digests.size() > 1) outcome.status = "digests of the runs differ";
}

harness::Faults faults_of(const ReplayLine& line, const LoadedModel& loaded) {
  harness::Faults faults = line.faults;
  if (!faults.empty()) add_watchdogs(loaded.model, faults);
  return faults;
}

harness::NativeOptions native_options_of(const ReplayLine& line, const LoadedModel& loaded) {
  harness::NativeOptions native;
  native.engine = line.engine;
  if (is_failure(line)) native.engine.workers = 0;  // its order is that of its serial run
  native.seeds = line.seeds;
  native.trace = false;
  native.backends = loaded.backends;
  native.extend = device_workers(loaded);
  native.faults = faults_of(line, loaded);
  return native;
}

/// How the shown run ended, and whether the runtime answered its faults as it must.
void add_fault_outcome(const FaultTally& tally, bool with_ops, ReplayOutcome& outcome) {
  ReplayLine did;
  tally.describe_in(did, with_ops);
  outcome.ended = did.ended;
  outcome.digest = did.digest;
  const verify::Verdict& verdict = tally.verdict();
  if (verdict.outcome == verify::Outcome::kViolated) outcome.broken = verdict.witnesses.front().text;
}

/// One thread decides nothing by chance.
bool is_sequential(const ReplayLine& line) { return line.on == "sim" || line.engine.workers <= 1; }

void run_with_faults(const ReplayLine& line, const LoadedModel& loaded, std::uint64_t runs, ReplayOutcome& outcome) {
  FaultTally tally(loaded.desc(), faults_of(line, loaded), digest_without_faults(loaded, line.seeds.input));
  for (std::uint64_t i = 0; i < runs; ++i) {
    const harness::Run run = harness::run_native(loaded.desc(), native_options_of(line, loaded));
    tally.add(i, *run.faults);
    ++outcome.runs;
    const std::string status = detent_status_name(run.result.error.status);
    if (line.ended.status.empty() || status == line.ended.status) ++outcome.reproduced;
  }
  add_fault_outcome(tally, is_sequential(line), outcome);
}

/// Once, or until a digest differs.
void run_plain(const ReplayLine& line, const LoadedModel& loaded, std::uint64_t runs, ReplayOutcome& outcome) {
  const harness::NativeOptions native = native_options_of(line, loaded);
  for (std::uint64_t i = 0; i < runs && outcome.status == "OK"; ++i) {
    const harness::Run run = harness::run_native(loaded.desc(), native);
    const std::string digest = harness::format_digest(run.digest);
    outcome.status = detent_status_name(run.result.error.status);
    if (i > 0 && digest != outcome.digest && outcome.status == "OK") outcome.status = "digests of the runs differ";
    if (i == 0) outcome.digest = digest;
    ++outcome.runs;
    if (outcome.status == "OK" && (line.digest.empty() || digest == line.digest)) ++outcome.reproduced;
  }
}

ReplayOutcome replay_native(const ReplayLine& line, const LoadedModel& loaded, const ReplayWorld& world) {
  ReplayOutcome outcome{.status = "OK"};
  if (!line.faults.empty()) {
    run_with_faults(line, loaded, world.runs, outcome);
    return outcome;
  }
  if (!is_failure(line)) {
    run_plain(line, loaded, world.runs, outcome);
    return outcome;
  }
  const bool has_order = !line.engine.order.empty();
  if (!has_order || takes_gates(line, loaded.desc())) run_gates(line, loaded, world, outcome);
  if (!has_order) return outcome;
  ReplayOutcome serial{.status = "OK"};
  run_plain(line, loaded, 1, serial);
  if (outcome.status == "OK") outcome.status = serial.status;
  outcome.digest = serial.digest;
  outcome.note = outcome.gated ? "constraints behind gates on threads; the digest is of the whole order on one thread"
                               : "gates cannot hold this order (a mutex, or too many ops): it ran on one thread";
  if (!outcome.gated) {
    outcome.runs = serial.runs;
    outcome.reproduced = serial.reproduced;
  }
  return outcome;
}

sim::SimOptions sim_options_of(const ReplayLine& line, const LoadedModel& loaded) {
  sim::SimOptions options;
  options.engine = line.engine;
  options.seeds.schedule = line.seeds.schedule;
  options.seeds.input = line.seeds.input;
  options.jitter = parse_jitter(line.jitter.empty() ? "uniform:0.1" : line.jitter);
  options.timing_only = line.digest.empty() && !is_failure(line);
  options.migrating = line.migrating;
  options.costs = loaded.costs.get();
  options.backends = loaded.backends;
  options.faults = faults_of(line, loaded);
  return options;
}

ReplayOutcome simulated_outcome(const sim::SimResult& result) {
  ReplayOutcome outcome{.status = result.failure.value_or("OK")};
  if (!result.digests.empty()) outcome.digest = harness::format_digest(result.digests.front());
  outcome.makespan_ps = result.max_ps;
  return outcome;
}

/// With as many workers as it takes, every open pair in the order of the failing schedule; else on one core.
ReplayOutcome simulate_failure(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform) {
  const explore::OpSpace space(loaded.desc());
  const std::vector<std::uint32_t> order = order_of(line, space);
  sim::SimOptions options = sim_options_of(line, loaded);
  const std::uint32_t cores = platform.classes.empty() ? 1 : platform.classes[0].count;
  options.engine.workers = std::min(std::max(line.engine.workers, 2U), cores);
  std::string why;
  if (const auto result =
          simulate_oriented(loaded.desc(), platform, options, explore::decisions_of(space, order), why)) {
    ReplayOutcome outcome = simulated_outcome(*result);
    outcome.note = counted(options.engine.workers, "worker") + ", every open pair ordered as in the failing schedule";
    return outcome;
  }
  options.engine.workers = 1;
  options.engine.policy = "given";
  options.engine.order = order;
  ReplayOutcome outcome = simulated_outcome(sim::simulate(loaded.desc(), platform, options));
  outcome.note = "on one core: with more workers " + why;
  return outcome;
}

ReplayOutcome simulate_faults(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform) {
  sim::SimOptions options = sim_options_of(line, loaded);
  std::optional<std::uint64_t> digest;
  if (!options.timing_only) digest = digest_without_faults(loaded, line.seeds.input);
  FaultTally tally(loaded.desc(), options.faults, digest);
  options.on_faults = [&](std::uint64_t run, const harness::FaultRecord& record) { tally.add(run, record); };
  ReplayOutcome outcome = simulated_outcome(sim::simulate(loaded.desc(), platform, options));
  if (outcome.status == "OK") add_fault_outcome(tally, true, outcome);
  return outcome;
}

ReplayOutcome replay_simulated(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform) {
  if (is_failure(line)) return simulate_failure(line, loaded, platform);
  require_simulated_schedule(loaded, platform, line.engine);
  if (!line.faults.empty()) return simulate_faults(line, loaded, platform);
  sim::SimOptions options = sim_options_of(line, loaded);
  if (!(line.times + line.ties).empty()) {
    options.chosen =
        parse_chosen(line.times, line.ties, line.seeds.schedule, sim::ranges_of_ops(loaded.desc(), platform, options));
  }
  return simulated_outcome(sim::simulate(loaded.desc(), platform, options));
}

/// The serial engine, op after op in the given order: the explorer's op level.
ReplayOutcome replay_order(const ReplayLine& line, const LoadedModel& loaded) {
  const explore::OpSpace space(loaded.desc());
  const std::vector<std::uint32_t> order = order_of(line, space);
  explore::RunnerOptions options;
  options.input_seed = line.seeds.input;
  options.backends = loaded.backends;
  explore::OpRunner runner(loaded.desc(), options);
  if (runner.error().status != DETENT_OK) return {.status = detent_status_name(runner.error().status)};
  const explore::OpExecution execution = runner.run(order);
  return {.status = detent_status_name(execution.status), .digest = harness::format_digest(execution.digest)};
}

ReplayOutcome replay_choices(const ReplayLine& line, const LoadedModel& loaded) {
  const explore::ThreadReplay replay =
      explore::replay_threads(loaded.desc(), thread_options_of(line, loaded), line.threads.choices);
  ReplayOutcome outcome{.status = "OK", .listing = replay.listing};
  if (!replay.failure) return outcome;
  outcome.law = replay.failure->law;
  outcome.text = replay.failure->text;
  return outcome;
}

std::string describe_end(const RunEnd& end) {
  return fmt::format("status {} (op {}, code {}), began {}, in flight {}", end.status,
                     end.op == DETENT_NONE ? "none" : std::to_string(end.op), end.code, format_ranges(end.began),
                     format_ranges(end.in_flight));
}

/// Only what was recorded and is known is compared.
std::string difference_of_ends(const RunEnd& recorded, const RunEnd& ended) {
  if (recorded.status.empty()) return "";
  RunEnd expected = recorded;
  if (expected.began.empty() || ended.began.empty()) {
    expected.began = ended.began;
    expected.in_flight = ended.in_flight;
  }
  return expected == ended ? "" : describe_end(ended) + " instead of " + describe_end(recorded);
}

}  // namespace

sim::Platform platform_of(const ReplayLine& line) {
  sim::Platform platform = choose_platform(platform_word(line.platform, ""), !line.overheads);
  simplify_chip(platform, !line.contention, line.private_ports);
  return platform;
}

LoadedModel load_for(const ReplayLine& line, const sim::Platform& platform) {
  ModelOptions options{.split = line.split, .winograd = line.winograd, .set = line.set, .schedule = line.schedule};
  options.guards = ModelOptions::Guards::kResolved;
  options.outcomes = line.outcomes;
  if (!line.device.empty()) options.device = harness::read_device(line.device);
  if (line.on != "sim" || is_failure(line)) options.accelerator = native_accelerator(options);
  if (line.on == "sim" && !is_failure(line)) {  // a failure's ops stay where the exploration had them
    SimulationOptions simulation;
    simulation.no_npu = !line.npu;
    options.accelerator = accelerator_of(simulation, platform);
    options.weights = !line.digest.empty();
    options.costs = line.costs;
  }
  LoadedModel loaded = load(line.model, options);
  if (options.weights) require_executable(loaded);
  return loaded;
}

ReplayOutcome replay_in_world(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform,
                              const ReplayWorld& world) {
  if (is_of_threads(line) || (line.on == "native" && !is_failure(line)))
    require_given_schedule(loaded, line.engine.mode, line.engine.workers);
  if (is_of_threads(line)) return replay_choices(line, loaded);
  if (line.on == "explore" && !line.faults.empty()) {
    throw std::invalid_argument("--on explore: a line with faults is of a native or a simulated run; leave --on out");
  }
  if (line.on == "explore") return replay_order(line, loaded);
  return line.on == "native" ? replay_native(line, loaded, world) : replay_simulated(line, loaded, platform);
}

std::string difference_to(const ReplayLine& line, const ReplayOutcome& outcome) {
  if (outcome.status != "OK") return "status " + outcome.status;
  if (!outcome.broken.empty()) return "fault_response is violated: " + outcome.broken;
  const std::string other_end = difference_of_ends(line.ended, outcome.ended);
  if (!other_end.empty()) return other_end;
  if (outcome.law != line.threads.law) {
    const auto named = [](const std::string& law) { return law.empty() ? "no law broken" : "law " + law; };
    return fmt::format("{} ({}) instead of {}", named(outcome.law), outcome.text, named(line.threads.law));
  }
  if (!line.threads.listing.empty() && hash_listing(outcome.listing) != line.threads.listing) {
    return fmt::format("listing {} instead of {}", hash_listing(outcome.listing), line.threads.listing);
  }
  if (!line.digest.empty() && !outcome.digest.empty() && line.digest != outcome.digest) {
    return fmt::format("digest {} instead of {}", outcome.digest, line.digest);
  }
  if (line.on == "sim" && line.makespan_ps != 0 && outcome.makespan_ps != 0 &&
      line.makespan_ps != outcome.makespan_ps) {
    return fmt::format("makespan {} ps instead of {} ps", outcome.makespan_ps, line.makespan_ps);
  }
  return "";
}

Json replay_answer(const Request& request, const ReplayLine& line, const ReplayOutcome& outcome) {
  Json answer = json_header("replay", request);
  answer["seed"] = line.seeds.schedule;
  add_replay(line, answer);
  answer["on"] = line.on;
  answer["level"] = is_of_threads(line) ? "threads" : "ops";
  answer["status"] = outcome.status;
  if (is_of_threads(line)) {
    answer["law"] = outcome.law.empty() ? Json(nullptr) : Json(outcome.law);
    answer["text"] = outcome.text;
    answer["listing"] = outcome.listing;
  } else {
    answer["digest"] = outcome.digest;
  }
  if (!outcome.ended.status.empty()) {
    const RunEnd& ended = outcome.ended;
    answer["ended"] = {{"status", ended.status},
                       {"error_op", ended.op == DETENT_NONE ? Json(nullptr) : Json(ended.op)},
                       {"error_code", ended.code},
                       {"began", ended.began},
                       {"in_flight", ended.in_flight}};
  }
  if (line.on == "sim") answer["makespan_ps"] = outcome.makespan_ps;
  if (line.on == "native") {
    answer["gates"] = outcome.gated;
    answer["runs"] = outcome.runs;
    answer["reproduced"] = outcome.reproduced;
  }
  if (!outcome.note.empty()) answer["note"] = outcome.note;
  return answer;
}

Lines replay_outcome_lines(const ReplayLine& line, const ReplayOutcome& outcome) {
  Lines lines;
  if (is_of_threads(line)) {
    lines.push_back(outcome.listing);
    lines.push_back(fmt::format("replayed {} twice under the explorer: {}", reports::printable_line(line.model),
                                outcome.law.empty() ? "no law is broken" : outcome.law + ": " + outcome.text));
    return lines;
  }
  const RunEnd& ended = outcome.ended;
  const std::string end = ended.status.empty() ? "" : "faults answered with " + ended.status + ", then ";
  lines.push_back(fmt::format("replayed {} twice on {}: {}{}", reports::printable_line(line.model), line.on, end,
                              outcome.digest.empty() ? outcome.status : "digest " + outcome.digest));
  if (line.on == "native" && (outcome.gated || outcome.runs > 1)) {
    lines.push_back(fmt::format("reproduced {} of {}{}", outcome.reproduced, counted(outcome.runs, "run"),
                                outcome.gated ? ", each constraint held by a gate at op begin" : ""));
  }
  if (line.on == "sim") lines.push_back("makespan " + format_time(outcome.makespan_ps));
  if (!outcome.note.empty()) lines.push_back(outcome.note);
  return lines;
}

}  // namespace detent::app
