#include "app/runs/together_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "app/runs/native_setup.hpp"
#include "base/counted.hpp"
#include "base/interrupt.hpp"
#include "base/units.hpp"
#include "harness/measure/op_timing.hpp"
#include "harness/together/run_together.hpp"

namespace detent::app {
namespace {

/// A model, what it computes alone, and what it did in the rounds.
struct Network {
  RunRequest options{};
  std::unique_ptr<NativeSetup> setup{};
  std::int32_t priority = 0;
  std::uint64_t digest_alone = 0;
  std::vector<std::uint64_t> runs_ps{};
  std::uint64_t different = 0;          ///< runs whose output is not the one alone
  std::vector<std::uint64_t> places{};  ///< how often it ended first, second, ...
};

void check_together(const RunRequest& options) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("--together: " + what); };
  const harness::EngineSpec& engine = options.schedule.engine;
  if (options.others.empty()) refuse("one model; name those that share the workers with it");
  if (engine.workers == 0) refuse("a pool has 1 to 32 workers; give --workers");
  if (engine.workers > DETENT_MAX_POOL_WORKERS) refuse("a pool has at most 32 workers; give --workers 32 or fewer");
  if (engine.mode != DETENT_MODE_CLOSED_LOOP || engine.scheduler != DETENT_SCHEDULER_ROLE) {
    refuse("only the closed loop with the scheduler role shares workers; leave --mode, --scheduler and --schedule out");
  }
  if (options.sweep || !options.trace_directory.empty() || !options.log_file.empty()) {
    refuse("--sweep, --out and --log are of one network; leave them out");
  }
  if (options.keep_memory) refuse("--keep-memory is of one network; leave it out");
  if (!options.inputs.empty() || !options.outputs.empty()) {
    refuse("--input and --output are of one network; leave them out");
  }
  if (!parse_faults(options.faults).empty()) refuse("faults and deadlines are of one network; leave them out");
  if (!options.model.device.module.empty()) refuse("--device is of one network; leave it out");
  const std::size_t models = 1 + options.others.size();
  if (models > DETENT_MAX_POOL_MEMBERS) refuse(counted(models, "model") + "; a pool has at most 16");
  if (!options.priorities.empty() && options.priorities.size() != models) {
    throw std::invalid_argument(fmt::format("--priorities: {} for {}; give one for each, in their order",
                                            counted(options.priorities.size(), "number"), counted(models, "model")));
  }
}

/// @throws RunRefused  it does not run alone
void run_alone(Network& network) {
  harness::NativeOptions alone = network.setup->native;
  alone.engine.workers = 0;
  alone.engine.policy = "id";
  alone.trace = false;
  const harness::Run run = harness::run_native(network.setup->loaded.desc(), alone);
  if (run.result.error.status != DETENT_OK) {
    refuse(network.options, network.setup->loaded.desc(), run.result.error);
  }
  network.digest_alone = run.digest;
}

std::vector<Network> prepare_networks(const RunRequest& options) {
  std::vector<std::string> models{options.request.model};
  models.insert(models.end(), options.others.begin(), options.others.end());
  std::vector<Network> networks(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    Network& network = networks[i];
    network.options = options;
    network.options.request.model = models[i];
    network.setup = std::make_unique<NativeSetup>(prepare_native(network.options));
    network.priority = options.priorities.empty() ? 0 : options.priorities[i];
    network.places.resize(models.size());
  }
  return networks;
}

Json network_json(const Network& network, bool reproducible) {
  Json json{{"model", network.options.request.model},
            {"priority", network.priority},
            {"ops", network.setup->loaded.desc().op_count},
            {"digest_alone", harness::format_digest(network.digest_alone)},
            {"different", network.different}};
  if (!network.setup->loaded.outcomes.empty()) json["outcomes"] = network.setup->loaded.outcomes;
  if (network.setup->audit) json["access_audit"] = verdicts_json({*network.setup->audit}).front();
  if (reproducible || network.runs_ps.empty()) return json;
  const harness::TimeStatistics times = harness::summarize(network.runs_ps, 2);
  json["ended"] = network.places;
  json["min_ns"] = times.min_ps / 1000;
  json["median_ns"] = times.median_ps / 1000;
  json["p99_ns"] = times.p99_ps / 1000;
  json["max_ns"] = times.max_ps / 1000;
  return json;
}

std::string network_line(const Network& network, bool reproducible) {
  std::string line = fmt::format("{:>8}  {}  {:<9}", network.priority, harness::format_digest(network.digest_alone),
                                 network.different == 0 ? "as alone" : "DIFFERENT");
  if (!reproducible && !network.runs_ps.empty()) {
    const harness::TimeStatistics times = harness::summarize(network.runs_ps, 2);
    line += fmt::format(" {:>8} {:>8} {:>8} {:>6}", format_time(times.min_ps), format_time(times.median_ps),
                        format_time(times.max_ps), network.places.front());
  }
  line += "  " + network.options.request.model;
  const std::string& outcomes = network.setup->loaded.outcomes;
  return outcomes.empty() ? line : line + ", outcomes " + outcomes;
}

}  // namespace

Answer run_models_together(const RunRequest& options, const OnProgress& on_progress) {
  check_together(options);
  std::vector<Network> networks = prepare_networks(options);
  for (Network& network : networks) {
    if (is_refused(*network.setup)) return answer_audit(network.options, *network.setup);
    run_alone(network);
  }
  std::vector<harness::SharedNetwork> shared;
  for (const Network& network : networks) {
    shared.push_back({&network.setup->loaded.desc(), network.priority, network.setup->native});
    shared.back().options.trace = false;
  }
  const std::uint64_t rounds = std::uint64_t{options.warmup} + options.repeat;
  std::uint64_t measured = 0;
  const auto on_round = [&](std::uint64_t number, const harness::Round& round) {
    if (on_progress) on_progress(number + 1, rounds);
    for (std::size_t i = 0; i < networks.size(); ++i) {
      if (round.runs[i].digest != networks[i].digest_alone) ++networks[i].different;
      if (number >= options.warmup) networks[i].runs_ps.push_back(round.runs[i].makespan_ps);
    }
    for (std::size_t place = 0; place < round.order.size() && number >= options.warmup; ++place) {
      ++networks[round.order[place]].places[place];
    }
    if (number >= options.warmup) ++measured;
    return !stop_requested();
  };
  if (const auto failure = harness::run_together(shared, rounds, on_round)) {
    const Network& network = networks[failure->network];
    refuse(network.options, network.setup->loaded.desc(), failure->error);
  }

  const bool reproducible = options.request.reproducible;
  Answer answer{.json = answer_head(options, DETENT_OK), .lines = {}};
  answer.json["rounds"] = reproducible ? options.repeat : measured;
  answer.json["warmup"] = options.warmup;
  answer.lines.push_back(
      fmt::format("{} together on {}, closed-loop, policy {}: {} after {} of warm-up",
                  counted(networks.size(), "network"), counted(options.schedule.engine.workers, "shared worker"),
                  options.schedule.engine.policy, counted(measured, "round"), counted(options.warmup, "round")));
  std::string head = fmt::format("{:>8}  {:<16}  {:<9}", "priority", "digest alone", "together");
  if (!reproducible) head += fmt::format(" {:>8} {:>8} {:>8} {:>6}", "min", "median", "max", "first");
  answer.lines.push_back(head + "  model");
  Json list = Json::array();
  std::uint64_t different = 0;
  std::vector<verify::Verdict> audits;
  for (const Network& network : networks) {
    different += network.different;
    list.push_back(network_json(network, reproducible));
    answer.lines.push_back(network_line(network, reproducible));
    if (network.setup->audit) append(answer.lines, verdict_lines({*network.setup->audit}));
    if (network.setup->audit) audits.push_back(*network.setup->audit);
  }
  answer.json["networks"] = std::move(list);
  answer.outcome = outcome_of(audits);
  if (different != 0) {
    answer.lines.push_back(
        fmt::format("VIOLATED: {} gave another output than the model alone; detent verify names the "
                    "racing ops of a model",
                    counted(different, "run")));
    answer.outcome = verify::Outcome::kViolated;
  }
  return answer;
}

}  // namespace detent::app
