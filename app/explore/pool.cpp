#include "app/explore/pool.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/counted.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

std::vector<LoadedModel> load_all(const ExploreRequest& wanted, const std::vector<std::string>& others) {
  std::vector<LoadedModel> loaded;
  loaded.push_back(load_explored(wanted));
  for (const std::string& other : others) {
    ExploreRequest one = wanted;
    one.request.model = other;
    loaded.push_back(load_explored(one));
  }
  for (const LoadedModel& model : loaded) {
    require_executable(model);
    if (model.backends.empty()) continue;
    throw std::invalid_argument(
        "explore: several models execute built-in kernels only; explore one with C of its own alone");
  }
  return loaded;
}

void check_request(const ExploreRequest& wanted, std::size_t models, const std::vector<std::int32_t>& priorities) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (wanted.level != "threads") refuse("--level ops: is of one model; several are explored with --level threads");
  if (!priorities.empty() && priorities.size() != models) {
    refuse(fmt::format("--priorities: {} for {}; give one for each, in their order",
                       counted(priorities.size(), "number"), counted(models, "model")));
  }
  if (!wanted.model.schedule.empty()) refuse("--schedule: static lists are of one model; leave it out");
  if (!wanted.model.device.module.empty()) refuse("--device: is of one model; leave it out");
  if (!wanted.failure.file.empty()) refuse("--failure: is of one model; keep the choices of the answer instead");
  if (wanted.threads.line.threads.duplicate_answers != 0) refuse("--duplicate-answers: is of one model; leave it out");
}

}  // namespace

Answer explore_models_together(const ExploreRequest& wanted, const std::vector<std::string>& others,
                               const std::vector<std::int32_t>& priorities) {
  check_request(wanted, 1 + others.size(), priorities);
  const std::vector<LoadedModel> loaded = load_all(wanted, others);
  const explore::ThreadOptions options = search_options(loaded[0], thread_request(wanted, loaded[0]));
  std::vector<explore::PoolNetwork> networks;
  std::vector<std::string> names{wanted.request.model};
  names.insert(names.end(), others.begin(), others.end());
  Json list = Json::array();
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    networks.push_back({.desc = &loaded[i].desc(), .priority = priorities.empty() ? 0 : priorities[i]});
    list.push_back({{"model", names[i]}, {"priority", networks[i].priority}, {"ops", loaded[i].desc().op_count}});
  }
  networks[0].failing_ops.assign(options.failing_ops.begin(), options.failing_ops.end());
  networks[0].cancel = options.cancel;

  Answer made{.json = json_header("explore", wanted.request)};
  made.json["level"] = "threads";
  made.json["strategy"] = wanted.strategy;
  made.json["workers"] = options.engine.workers;
  made.json["memory"] = explore::memory_name(options.memory);
  made.json["networks"] = std::move(list);
  const std::string& choices = wanted.threads.line.threads.choices;
  if (!choices.empty()) {
    const explore::ThreadReplay replay = explore::replay_pool(networks, options, choices);
    made.json["failure"] =
        replay.failure ? Json{{"law", replay.failure->law}, {"text", replay.failure->text}} : Json(nullptr);
    made.json["listing"] = replay.listing;
    made.lines.push_back(replay.listing);
    if (replay.failure) made.lines.push_back("  VIOLATED " + replay.failure->law + ": " + replay.failure->text);
    made.outcome = replay.failure ? verify::Outcome::kViolated : verify::Outcome::kHolds;
    return made;
  }
  const explore::ThreadResult result = explore::explore_pool(networks, options);
  const explore::ThreadStatistics& seen = result.statistics;
  made.json["verdict"] = verify::outcome_name(result.verdict.outcome);
  made.json["verdicts"] = verdicts_json({result.verdict});
  made.json["complete"] = result.complete;
  made.json["executions"] = seen.executions;
  made.json["distinct"] = seen.distinct;
  made.json["steps"] = seen.steps;
  made.json["failure"] = nullptr;
  made.lines.push_back(fmt::format("{}: {}", fmt::join(names, ", "), result.verdict.summary));
  made.lines.push_back(fmt::format("  executions {}  distinct {}  longest {}  threads {}", seen.executions,
                                   seen.distinct, counted(seen.longest, "step"), seen.threads));
  if (result.failure) {
    const explore::ThreadFailure& failure = *result.failure;
    made.json["failure"] = {{"law", failure.law},
                            {"text", failure.text},
                            {"preemptions", failure.preemptions},
                            {"constraints", failure.constraints},
                            {"choices", failure.choices}};
    made.lines.push_back(fmt::format("  VIOLATED {}: {}", failure.law, failure.text));
    for (const std::string& constraint : failure.constraints) made.lines.push_back("    " + constraint);
    made.lines.push_back("  the same command with --choices " + failure.choices + " repeats it, step by step");
  }
  made.outcome = result.verdict.outcome;
  return made;
}

}  // namespace detent::app
