// detent replay: repeat a run from its line, or from the JSON answer that carries the line; twice, and compare.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>

#include "cli/command.hpp"
#include "cli/replay_line.hpp"
#include "cli/simulation.hpp"
#include "harness/run_native.hpp"
#include "models/io.hpp"
#include "verify/explore/ops_failure.hpp"

namespace detent::cli {
namespace {

struct ReplayOptions {
  Common common;
  std::string source;
  std::string on;
};

/// What one replay produced; two of them must be equal.
struct Outcome {
  std::string status;
  std::string digest;
  std::uint64_t makespan_ps = 0;  ///< simulated only
  bool operator==(const Outcome&) const = default;
};

/// The line itself, or the value of "replay" in a JSON answer.
std::string read_source(const std::string& source) {
  if (source.starts_with("detent-replay/")) return source;
  const std::string text = models::read_regular_file(source, kMaxAnswerBytes);
  if (text.starts_with("detent-replay/")) return text;
  const Json answer = Json::parse(text, nullptr, false);
  if (answer.is_discarded() || !answer.is_object() || !answer.contains("replay") || !answer["replay"].is_string()) {
    throw std::invalid_argument(source + ": has no \"replay\" line; answers of run, simulate and check have one");
  }
  return answer["replay"].get<std::string>();
}

std::vector<verify::explore::Constraint> constraints_of(const ReplayLine& line, const detent_desc& desc) {
  std::vector<verify::explore::Constraint> constraints;
  for (const auto& [first, then] : line.before) {
    if (first >= desc.op_count || then >= desc.op_count) {
      throw std::invalid_argument(
          fmt::format("replay line: before={}<{}: the model has {} ops", first, then, desc.op_count));
    }
    constraints.push_back({first, then});
  }
  return constraints;
}

/// Native threads, each constraint enforced by a gate at op begin.
Outcome replay_gated(const ReplayLine& line, const LoadedModel& loaded) {
  verify::explore::GateReplayOptions gates;
  gates.workers = line.workers;
  gates.runner.input_seed = line.input_seed;
  gates.runner.backends = loaded.backends;
  const verify::explore::OpSpace space(loaded.desc());
  const verify::explore::GateReplay replay =
      verify::explore::replay_with_gates(space, constraints_of(line, loaded.desc()), gates);
  const detent_status status = replay.error.status;
  if (status != DETENT_OK) return {detent_status_name(status), "", 0};
  return {replay.reproduced == 1 ? "OK" : "the gates were not kept", harness::format_digest(replay.digests.front()), 0};
}

Outcome replay_native(const ReplayLine& line, const LoadedModel& loaded) {
  if (!line.before.empty()) return replay_gated(line, loaded);
  harness::NativeOptions native;
  native.worker_count = line.workers;
  native.mode = parse_mode(line.mode);
  native.policy = line.policy;
  native.policy_seed = line.seed;
  native.seed = line.input_seed;
  native.order = line.order;
  native.trace = false;
  native.backends = loaded.backends;
  const harness::Run run = harness::run_native(loaded.desc(), native);
  return {detent_status_name(run.result.error.status), harness::format_digest(run.digest), 0};
}

Outcome replay_simulated(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform) {
  sim::SimOptions options;
  options.worker_count = line.workers;
  options.seed = line.seed;
  options.input_seed = line.input_seed;
  options.jitter = parse_jitter(line.jitter.empty() ? "uniform:0.1" : line.jitter);
  options.timing_only = line.digest.empty();
  options.policy = line.policy;
  options.order = line.order;
  if (!line.before.empty()) {  // one core: the order under the constraints
    options.policy = "given";
    options.order =
        verify::explore::order_under(verify::explore::OpSpace(loaded.desc()), constraints_of(line, loaded.desc()));
    options.worker_count = 1;
  }
  options.mode = parse_mode(line.mode);
  options.migrating = line.migrating;
  options.costs = loaded.costs.get();
  options.backends = loaded.backends;
  const sim::SimResult result = sim::simulate(loaded.desc(), platform, options);
  const std::string digest = result.digests.empty() ? "" : harness::format_digest(result.digests.front());
  return {result.failure.value_or("OK"), digest, result.max_ps};
}

Outcome replay_once(const ReplayLine& line) {
  if (line.on == "native") {
    const LoadedModel loaded = load(line.model, {.split = line.split});
    require_executable(loaded);
    return replay_native(line, loaded);
  }
  sim::Platform platform = choose_platform(platform_word(line.platform, ""), !line.overheads);
  simplify_chip(platform, !line.contention, line.private_ports);
  SimulationOptions simulation;
  simulation.no_npu = !line.npu;
  const LoadedModel loaded = load(line.model, {.split = line.split,
                                               .use_npu = uses_npu(simulation, platform),
                                               .weights = !line.digest.empty(),
                                               .costs = line.costs});
  if (!line.digest.empty()) require_executable(loaded);
  return replay_simulated(line, loaded, platform);
}

/// What differs between what the line expects and what happened; empty when nothing does.
std::string difference(const ReplayLine& line, const Outcome& outcome) {
  if (outcome.status != "OK") return "status " + outcome.status;
  if (!line.digest.empty() && line.digest != outcome.digest) {
    return fmt::format("digest {} instead of {}", outcome.digest, line.digest);
  }
  if (line.makespan_ps != 0 && outcome.makespan_ps != 0 && line.makespan_ps != outcome.makespan_ps) {
    return fmt::format("makespan {} ps instead of {} ps", outcome.makespan_ps, line.makespan_ps);
  }
  return "";
}

int replay_command(ReplayOptions options) {
  ReplayLine line = parse_replay_line(read_source(options.source));
  if (!options.on.empty()) {
    if (options.on != "native" && options.on != "sim") {
      throw std::invalid_argument("--on " + options.on + ": choose native or sim");
    }
    line.on = options.on;
  }
  options.common.model = line.model;
  const Outcome first = replay_once(line);
  const Outcome second = replay_once(line);
  std::string finding = difference(line, first);
  if (finding.empty() && first != second) finding = "two replays differ: the run does not depend on its line alone";

  Json answer = json_header("replay", options.common);
  answer["seed"] = line.seed;
  answer["replay"] = format_replay_line(line);
  answer["status"] = first.status;
  answer["digest"] = first.digest;
  if (line.on == "sim") answer["makespan_ps"] = first.makespan_ps;
  answer["same"] = finding.empty();
  if (!finding.empty()) answer["difference"] = finding;
  write_json(options.common, answer);
  say(options.common, fmt::format("replayed {} twice on {}: digest {}", line.model, line.on, first.digest));
  if (line.on == "sim") say(options.common, "makespan " + format_time(first.makespan_ps));
  if (finding.empty()) return kHolds;
  say(options.common, "VIOLATED: " + finding);
  return kViolated;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Repeat a run from its replay line or a JSON answer, and compare");
  add_common(*command, options->common, false);
  command->add_option("FILE_OR_LINE", options->source, "A detent-replay/1 line, or a file that has one")->required();
  command->add_option("--on", options->on, "native or sim; default: as recorded");
  command->callback([options, &action] { action = [options] { return replay_command(*options); }; });
}

}  // namespace detent::cli
