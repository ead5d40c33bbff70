#include "app/simulate/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/simulate/jitter_text.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "base/words/quantity.hpp"
#include "harness/run.hpp"
#include "reports/json/op_times_json.hpp"
#include "sim/campaign/statistics.hpp"
#include "sim/together/together.hpp"

namespace detent::app {
namespace {

std::vector<std::uint64_t> read_periods(const TogetherRequest& options) {
  std::vector<std::uint64_t> periods;
  for (const std::string& word : options.periods) {
    const auto period = read_time_ps(word);
    if (!period) throw std::invalid_argument("--period " + word + ": " + refuse_time(word));
    periods.push_back(*period);
  }
  const std::size_t models = options.models.size();
  if (periods.empty()) periods.assign(models, 0);
  if (periods.size() == 1) periods.assign(models, periods[0]);
  if (periods.size() != models) {
    throw std::invalid_argument(fmt::format("--period: {} for {}; give one for each, in their order, or one for all",
                                            counted(periods.size(), "time"), counted(models, "model")));
  }
  return periods;
}

void check_priorities(const TogetherRequest& options) {
  if (options.priorities.empty() || options.priorities.size() == options.models.size()) return;
  throw std::invalid_argument(fmt::format("--priorities: {} for {}; give one for each, in their order",
                                          counted(options.priorities.size(), "number"),
                                          counted(options.models.size(), "model")));
}

std::vector<LoadedModel> load_models(const TogetherRequest& options, const sim::Platform& platform) {
  ModelOptions model = options.model;
  model.accelerator = accelerator_of(options.simulation, platform);
  model.weights = !options.simulation.timing_only;
  model.outcome_seed = options.request.seeds.schedule;
  std::vector<LoadedModel> loaded;
  for (const std::string& name : options.models) {
    loaded.push_back(load(name, model));
    if (!options.simulation.timing_only) require_executable(loaded.back());
  }
  return loaded;
}

sim::TogetherOptions together_options(const TogetherRequest& options) {
  sim::TogetherOptions wanted;
  wanted.engine = options.schedule.engine;
  wanted.runs = options.simulation.runs;
  wanted.seeds = options.request.seeds;
  wanted.jitter = parse_jitter(options.simulation.jitter);
  wanted.timing_only = options.simulation.timing_only;
  wanted.execute_runs = options.simulation.execute_runs;
  return wanted;
}

Json responses_json(const std::vector<std::uint64_t>& responses_ps) {
  const sim::Summary seen = sim::summarize(responses_ps);
  return {{"min", seen.min_ps}, {"median", seen.median_ps}, {"p99", seen.p99_ps}, {"max", seen.max_ps}};
}

}  // namespace

Answer simulate_models_together(const TogetherRequest& options, const OnProgress& on_progress) {
  check_priorities(options);
  const std::vector<std::uint64_t> periods_ps = read_periods(options);
  const sim::Platform platform = simulated_platform(options.simulation);
  const std::vector<LoadedModel> loaded = load_models(options, platform);
  std::vector<sim::PeriodicNetwork> networks;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    networks.push_back({.desc = &loaded[i].desc(),
                        .backends = loaded[i].backends,
                        .costs = loaded[i].costs.get(),
                        .priority = options.priorities.empty() ? 0 : options.priorities[i],
                        .period_ps = periods_ps[i]});
    if (options.simulation.timing_only && loaded[i].module) networks.back().backends = {any_kernel_backend()};
  }
  sim::TogetherOptions wanted = together_options(options);
  wanted.progress = on_progress;
  const sim::TogetherResult result = sim::simulate_together(networks, platform, wanted);

  Answer answer{.json = json_header("simulate", options.request)};
  answer.json["status"] = result.failure ? "FAILED" : "OK";
  answer.json["platform"] = platform.name;
  answer.json["workers"] = result.slot_names;
  answer.json["runs"] = options.simulation.runs;
  answer.json["jitter"] = options.simulation.jitter;
  answer.json["end_ps"] = result.end_ps;
  answer.json["assumes"] = {kTogetherAssumes};
  answer.lines.push_back(
      fmt::format("{} together on {} of {}, policy {}: {} each, {} in all", counted(networks.size(), "network"),
                  counted(result.slot_names.size(), "shared worker"), platform.name, wanted.engine.policy,
                  counted(options.simulation.runs, "run"), format_time(result.end_ps)));
  answer.lines.emplace_back("simulated estimate (optimistic: the longest response seen, not the longest possible)");
  answer.lines.push_back(fmt::format("{:>4} {:>8} {:>8} {:>8} {:>8} {:>9} {:>4}  {}", "prio", "period", "min", "median",
                                     "max", "alone max", "late", "response of"));
  Json list = Json::array();
  Lines grounds;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const sim::NetworkResponses& seen = result.networks[i];
    wanted.progress = {};
    const sim::TogetherResult alone = sim::simulate_together({networks[i]}, platform, wanted);
    const sim::NetworkResponses& by_itself = alone.networks[0];
    const reports::TimeGrounds times = time_grounds(loaded[i], platform, options.simulation.jitter, options.models[i]);
    Json json{{"model", options.models[i]},         {"priority", networks[i].priority},
              {"period_ps", networks[i].period_ps}, {"ops", loaded[i].desc().op_count},
              {"runs", seen.responses_ps.size()},   {"overruns", seen.overruns}};
    const bool differs = !seen.digests.empty() && !by_itself.digests.empty() && seen.digests != by_itself.digests;
    different += differs ? 1 : 0;
    Json digests = Json::array(), digests_alone = Json::array();
    for (const std::uint64_t digest : seen.digests) digests.push_back(harness::format_digest(digest));
    for (const std::uint64_t digest : by_itself.digests) digests_alone.push_back(harness::format_digest(digest));
    json["digests"] = std::move(digests);
    json["digests_alone"] = std::move(digests_alone);
    json["op_times"] = reports::op_times_json(times);
    if (!loaded[i].outcomes.empty()) json["outcomes"] = loaded[i].outcomes;
    if (!seen.responses_ps.empty() && !by_itself.responses_ps.empty()) {
      json["response_ps"] = responses_json(seen.responses_ps);
      json["response_alone_ps"] = responses_json(by_itself.responses_ps);
      const sim::Summary summary = sim::summarize(seen.responses_ps);
      answer.lines.push_back(fmt::format("{:>4} {:>8} {:>8} {:>8} {:>8} {:>9} {:>4}  {}{}", networks[i].priority,
                                         networks[i].period_ps == 0 ? "-" : format_time(networks[i].period_ps),
                                         format_time(summary.min_ps), format_time(summary.median_ps),
                                         format_time(summary.max_ps),
                                         format_time(sim::summarize(by_itself.responses_ps).max_ps), seen.overruns,
                                         options.models[i], differs ? ": DIFFERENT output" : ""));
    }
    for (const std::string& line : ground_lines(times)) grounds.push_back(options.models[i] + ": " + line);
    list.push_back(std::move(json));
  }
  answer.json["networks"] = std::move(list);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (result.networks[i].overruns == 0) continue;
    answer.lines.push_back(fmt::format("{} of {} ended after the next release",
                                       counted(result.networks[i].overruns, "run"), options.models[i]));
  }
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (!loaded[i].outcomes.empty()) answer.lines.push_back(options.models[i] + ": outcomes " + loaded[i].outcomes);
  }
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto& deadline_ps = loaded[i].model.demands.deadline_ps;
    if (!deadline_ps) continue;
    answer.lines.push_back(
        fmt::format("{}: deadline {}: not judged here; detent tasks judges it beside the other networks",
                    options.models[i], format_time(*deadline_ps)));
  }
  append(answer.lines, std::move(grounds));
  answer.lines.push_back(std::string("assumes ") + kTogetherAssumes);
  if (result.failure) {
    const std::string failure = options.models[result.failed_network] + ": " + *result.failure;
    answer.json["failure"] = failure;
    answer.lines.push_back("FAILED: " + failure);
    answer.outcome = verify::Outcome::kViolated;
  }
  if (different != 0) {
    answer.lines.emplace_back("VIOLATED: an output depends on the schedule; detent verify names the racing ops");
    answer.outcome = verify::Outcome::kViolated;
  }
  return answer;
}

}  // namespace detent::app
