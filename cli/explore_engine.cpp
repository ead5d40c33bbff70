#include "cli/explore_engine.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "app/replay/failure_file.hpp"
#include "cli/checker.hpp"
#include "cli/explore_coverage.hpp"
#include "cli/failure_answer.hpp"
#include "cli/failure_line.hpp"
#include "cli/names.hpp"
#include "reports/json/schedule_json.hpp"
#include "verify/explore/coverage/situations.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::cli {
namespace {

namespace explore = verify::explore;

explore::ThreadOptions thread_options(const Common& common, const app::LoadedModel& loaded,
                                      const EngineExplore& words) {
  explore::ThreadOptions options;
  const auto search = explore::search_of(words.strategy == "dfs" ? "exhaustive" : words.strategy);
  if (!search) {
    throw std::invalid_argument("--strategy " + words.strategy +
                                ": with --level threads choose dfs, states, bounded, pct, pos, random or rotate");
  }
  options.search = *search;
  options.memory = explore::memory_of(words.memory).value();
  options.mode = parse_mode(words.mode);
  options.scheduler = parse_scheduler(words.scheduler);
  options.worker_count = words.workers;
  options.backends = loaded.backends;
  options.input_seed = words.input_seed;
  options.seed = common.seed;
  options.spurious_wakeups = words.spurious_wakeups;
  options.cancel = words.cancel;
  options.op_deadline_ps = words.op_deadline_ps;
  options.early_timeouts = words.timeouts();
  options.runs = words.runs;
  options.spin_limit = words.spin_limit;
  options.max_state_bytes = words.state_memory_mib << 20U;
  options.failing_ops = words.failing_ops;
  options.failing_starts = words.failing_starts;
  options.whole_life = words.failing_starts != 0;
  options.duplicate_answers = words.duplicate_answers;
  if (words.budget != 0) options.max_executions = words.budget;
  return options;
}

explore::EngineEvidence evidence_of(const app::LoadedModel& loaded, const explore::ThreadResult& result) {
  const detent_desc& desc = loaded.desc();
  bool has_async = false;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    has_async = has_async || desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
  }
  return {"the model", has_async, result.complete, result.statistics};
}

/// A schedule that was executed step by step: what it breaks, its line and its story.
struct EngineSchedule {
  std::optional<explore::ThreadFailure> failure;
  std::string listing;
  app::ReplayLine line;
};

EngineSchedule list_schedule(const Common& common, const app::LoadedModel& loaded, const EngineExplore& words,
                             const std::string& choices) {
  const explore::ThreadReplay replay =
      explore::replay_threads(loaded.desc(), thread_options(common, loaded, words), choices);
  const std::string law = replay.failure ? replay.failure->law : "";
  return {replay.failure, replay.listing, thread_line(common, words.split, words, choices, law, replay.listing)};
}

Json engine_failure_json(const explore::ThreadFailure& failure, const EngineSchedule& schedule) {
  return {{"law", failure.law},
          {"text", failure.text},
          {"preemptions", failure.preemptions},
          {"constraints", failure.constraints},
          {"choices", failure.choices},
          {"listing", schedule.listing},
          {"replay", app::format_replay_line(schedule.line)}};
}

void print_failure(const Common& common, const EngineExplore& words, const explore::ThreadFailure& failure,
                   const EngineSchedule& schedule) {
  say(common, fmt::format("  VIOLATED {}: {}", failure.law, failure.text));
  for (const std::string& constraint : failure.constraints) say(common, "    " + constraint);
  print_replay(common, app::format_replay_line(schedule.line), words.failure_file);
}

/// A given schedule: what it does, and the line that repeats it, whether or not it breaks a law.
int replay_engine(const Common& common, const app::LoadedModel& loaded, const EngineExplore& words, Json answer) {
  const EngineSchedule schedule = list_schedule(common, loaded, words, words.choices);
  answer["failure"] = schedule.failure ? engine_failure_json(*schedule.failure, schedule) : Json(nullptr);
  answer["listing"] = schedule.listing;
  answer["replay"] = app::format_replay_line(schedule.line);
  if (!words.failure_file.empty()) {
    explore::ThreadFailure recorded;  // of no law: a schedule that holds is worth keeping, too
    if (schedule.failure) recorded = *schedule.failure;
    app::write_failure_file(words.failure_file, app::make_failure_record(loaded, recorded, schedule.line));
  }
  write_json(common, answer);
  say(common, schedule.listing);
  if (schedule.failure) print_failure(common, words, *schedule.failure, schedule);
  if (!schedule.failure) print_replay(common, app::format_replay_line(schedule.line), words.failure_file);
  return schedule.failure ? kViolated : kHolds;
}

std::string engine_counts(const explore::ThreadStatistics& seen, bool by_states) {
  if (by_states) {
    return fmt::format("  executions {}, {} of them into a state met before; states {}; longest {} steps",
                       seen.executions, seen.merged, seen.states, seen.longest);
  }
  return fmt::format("  executions {}  distinct {}  longest {} steps  redundancy {:.2f}", seen.executions,
                     seen.distinct, seen.longest, seen.redundancy());
}

}  // namespace

int explore_engine(const Common& common, const app::LoadedModel& loaded, const EngineExplore& words) {
  Json answer = json_header("explore", common);
  answer["level"] = "threads";
  answer["strategy"] = words.strategy;
  answer["mode"] = words.mode;
  answer["scheduler"] = words.scheduler;
  answer["workers"] = words.workers;
  answer["memory"] = words.memory;
  if (!words.choices.empty()) return replay_engine(common, loaded, words, std::move(answer));
  const explore::ThreadResult result = explore::explore_threads(loaded.desc(), thread_options(common, loaded, words));
  const explore::ThreadStatistics& seen = result.statistics;
  answer["verdict"] = verify::outcome_name(result.verdict.outcome);
  answer["verdicts"] = verdicts_json({result.verdict});
  const bool by_states = words.strategy == "states";  // tells no traces apart
  const bool counts_traces = result.complete && !by_states;
  answer["traces"] = {{"total", counts_traces ? Json(seen.distinct) : Json(nullptr)},
                      {"exact", counts_traces},
                      {"seen", seen.distinct}};
  answer["executions"] = seen.executions;
  answer["redundant"] = by_states ? seen.merged : seen.executions - seen.distinct;
  if (by_states) answer["states"] = seen.states;
  answer["steps"] = seen.steps;
  answer["redundancy"] = by_states ? Json(nullptr) : reports::redundancy_json(seen.executions, seen.distinct);
  const bool is_drawn = words.strategy != "dfs" && words.strategy != "bounded" && !by_states;
  answer["unseen_mass"] = result.complete ? Json(0.0) : is_drawn ? Json(seen.unseen_mass()) : Json(nullptr);
  const std::vector<explore::EngineEvidence> programs{evidence_of(loaded, result)};
  answer["sync"] = reports::sync_json(programs);
  const explore::EngineShape shape{parse_mode(words.mode), parse_scheduler(words.scheduler), words.workers};
  std::vector<explore::Situation> situations;
  if (!result.failure && shape.mode != DETENT_MODE_SERIAL) situations = explore::engine_situations(shape, programs);
  add_situations(situations, answer);
  std::optional<EngineSchedule> schedule;
  if (result.failure) {
    schedule = list_schedule(common, loaded, words, result.failure->choices);
    if (!words.failure_file.empty()) {
      app::write_failure_file(words.failure_file, app::make_failure_record(loaded, *result.failure, schedule->line));
    }
  }
  answer["failure"] = schedule ? engine_failure_json(*result.failure, *schedule) : Json(nullptr);
  if (schedule) answer["replay"] = app::format_replay_line(schedule->line);
  write_json(common, answer);

  say(common, fmt::format("{}: {} engine, {} workers, {} threads; {}", common.model, words.mode, words.workers,
                          seen.threads, result.verdict.summary));
  say(common, engine_counts(seen, by_states));
  const explore::SyncPoints& sync = seen.sync;
  say(common,
      fmt::format("  waits asleep {} and awake {}; role free {} and held {}; ready queue empty {}, not {}, full {}",
                  sync.wait_asleep, sync.wait_awake, sync.role_free, sync.role_held, sync.ready_empty, sync.ready_some,
                  sync.ready_full));
  say(common, fmt::format("  completions waiting: none {}, some {}, all {}; lock free {} and contended {}; ops apart "
                          "{} and together {}",
                          sync.complete_empty, sync.complete_some, sync.complete_full, sync.lock_free,
                          sync.lock_contended, sync.ops_apart, sync.ops_together));
  if (is_drawn && !result.complete) {
    say(common, fmt::format("  unseen {:.3g} of the mass (Good-Turing)", seen.unseen_mass()));
  }
  print_findings(common, situations);
  if (schedule) print_failure(common, words, *result.failure, *schedule);
  return exit_code({result.verdict});
}

}  // namespace detent::cli
