#include "app/explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "app/answer/device_account.hpp"
#include "app/explore/combinations.hpp"
#include "app/explore/ops.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "app/static/static_checks.hpp"
#include "base/ids.hpp"
#include "harness/device/device.hpp"
#include "harness/faults/devices.hpp"

namespace detent::app {
namespace {

/// Options that mean something at --level threads alone.
constexpr std::array<std::string_view, 12> kThreadOptions = {
    "--fail-op",  "--fail-device",    "--failing-starts", "--duplicate-answers",
    "--deadline", "--early-timeouts", "--cancel",         "--spurious",
    "--runs",     "--spin",           "--memory",         "--choices"};
constexpr std::array<std::string_view, 4> kShardOptions = {"--shard", "--campaign", "--merge", "--resume"};
constexpr std::array<std::string_view, 3> kThreadStrategies = {"bounded", "rotate", "states"};

bool is_given(const ExploreRequest& wanted, std::string_view name) {
  return std::ranges::any_of(wanted.given, [&](const GivenOption& o) { return o.name == name && !o.words.empty(); });
}

/// All ops of its class fail in every run. @param failing_ops  ascending afterwards, each once
void add_failing_device(const detent_desc& desc, const std::string& device, std::vector<std::uint32_t>& failing_ops) {
  if (device.find_first_of(",=") != std::string::npos) {
    throw std::invalid_argument("--fail-device " + device +
                                ": under the explorer every call of a device fails, with one code; give the class "
                                "alone");
  }
  const std::uint32_t failing = harness::require_device(desc, device);
  const std::vector<std::uint32_t> devices = harness::devices_of_ops(desc);
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (devices[op] == failing) failing_ops.push_back(op);
  }
  std::ranges::sort(failing_ops);
  const auto rest = std::ranges::unique(failing_ops);
  failing_ops.erase(rest.begin(), rest.end());
}

/// What decides the schedules of orders of ops, and what comes of them.
std::string identity_of_orders(const ExploreRequest& wanted, const LoadedModel& loaded) {
  std::vector<NamedOption> named = named_options(wanted.given);
  std::erase_if(named, [](const NamedOption& o) { return std::ranges::count(kThreadOptions, o.first) != 0; });
  return exploration_identity(named, loaded);
}

Answer explore_engine(const ExploreRequest& wanted, const LoadedModel& loaded) {
  const ThreadExploreRequest threads = thread_request(wanted, loaded);
  require_executable(loaded);
  return explore_threads(threads, loaded);
}

Answer explore_level(const ExploreRequest& wanted, const LoadedModel& loaded, const OnProgress& on_progress) {
  if (wanted.level == "threads") return explore_engine(wanted, loaded);
  for (const std::string_view name : kThreadOptions) {
    if (!is_given(wanted, name)) continue;
    throw std::invalid_argument(fmt::format("{}: is of the engine's threads; add --level threads", name));
  }
  if (std::ranges::count(kThreadStrategies, wanted.strategy) != 0) {
    throw std::invalid_argument(fmt::format("--strategy {}: add --level threads", wanted.strategy));
  }
  if (!wanted.model.schedule.empty()) {
    throw std::invalid_argument(
        "--schedule: orders of ops are all that the edges allow, not those of one schedule; add --level threads");
  }
  OpExploreRequest ops = wanted.ops;
  ops.request = wanted.request;
  ops.strategy = wanted.strategy;
  ops.split = wanted.model.split;
  ops.winograd = loaded.winograd;
  ops.set = wanted.model.set;
  ops.outcomes = loaded.outcomes;
  ops.device = harness::device_text(wanted.model.device);
  ops.workers = wanted.workers;
  ops.budget = wanted.budget;
  ops.failure = wanted.failure;
  if (!ops.count_only) require_executable(loaded);
  if (needs_identity(ops.campaign)) ops.identity = identity_of_orders(wanted, loaded);
  return explore_orders(ops, loaded, on_progress);
}

}  // namespace

ThreadExploreRequest thread_request(const ExploreRequest& wanted, const LoadedModel& loaded) {
  for (const std::string_view name : kShardOptions) {
    if (!is_given(wanted, name)) continue;
    throw std::invalid_argument(fmt::format("{}: shards are of --level ops; leave it out", name));
  }
  if (wanted.ops.count_only) throw std::invalid_argument("--count: the thread level executes; leave it out");
  ThreadExploreRequest threads = wanted.threads;
  threads.line.model = wanted.request.model;
  threads.line.seeds = wanted.request.seeds;
  threads.line.engine.workers = wanted.workers;
  threads.line.split = wanted.model.split;
  threads.line.winograd = loaded.winograd;
  threads.line.set = wanted.model.set;
  threads.line.schedule = wanted.model.schedule;
  threads.line.outcomes = loaded.outcomes;
  threads.line.device = harness::device_text(wanted.model.device);
  threads.strategy = wanted.strategy;
  threads.budget = wanted.budget;
  threads.failure_file = wanted.failure.file;
  for (const std::string& device : wanted.failing_devices) {
    add_failing_device(loaded.desc(), device, threads.line.threads.failing_ops);
  }
  follow_schedule_file(wanted.model.schedule, wanted.given, WorkersOf::kAllLists, threads.line.engine);
  require_given_schedule(loaded, threads.line.engine.mode, threads.line.engine.workers);
  return threads;
}

std::vector<std::string> explore_strategies() {
  std::vector<std::string> strategies = op_strategies();
  strategies.insert(strategies.end(), kThreadStrategies.begin(), kThreadStrategies.end());
  return strategies;
}

LoadedModel load_explored(const ExploreRequest& wanted) {
  ModelOptions model = wanted.model;
  model.weights = !wanted.ops.count_only;
  if (!model.device.module.empty() && wanted.ops.count_only) {
    throw std::invalid_argument("--device: --count executes nothing; leave one of them out");
  }
  model.accelerator = native_accelerator(model);
  LoadedModel loaded = load(wanted.request.model, model);
  require_structure(wanted.request.model, loaded.desc());
  return loaded;
}

Answer explore_model(const ExploreRequest& wanted, const LoadedModel& loaded, const OnProgress& on_progress) {
  Answer answer = explore_level(wanted, loaded, on_progress);
  add_device(loaded.device.get(), wanted.request.reproducible, answer.json, answer.lines);
  if (!loaded.settings.empty()) {
    answer.json["settings"] = loaded.settings;
    answer.lines.push_back(loaded.settings);
  }
  return answer;
}

Answer explore_every_outcome(const ExploreRequest& wanted, const OnProgress& on_progress) {
  const Combinations combinations = combinations_of(wanted.request.model, wanted.model);
  const auto explore_one = [&](const ModelOptions& model, bool has_failed) {
    ExploreRequest one = wanted;
    one.model = model;
    if (has_failed) one.failure.file.clear();
    return explore_model(one, load_explored(one), on_progress);
  };
  if (!combinations.has_guards) return explore_one(wanted.model, false);
  if (combinations.texts.size() > 1 && needs_identity(wanted.ops.campaign)) {
    throw std::invalid_argument("--shard, --campaign, --merge: of one combination of outcomes; name it with --outcome");
  }
  return explore_combinations(wanted.request, wanted.model, combinations, explore_one);
}

}  // namespace detent::app
