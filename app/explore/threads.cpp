#include "app/explore/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "app/answer/verdicts.hpp"
#include "app/explore/coverage.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/failure_file.hpp"
#include "app/replay/failure_line.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "harness/engine_spec.hpp"
#include "reports/json/schedule_json.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::app {
namespace explore = verify::explore;

explore::ThreadOptions search_options(const LoadedModel& loaded, const ThreadExploreRequest& wanted) {
  const auto search = explore::search_of(wanted.strategy == "dfs" ? "exhaustive" : wanted.strategy);
  if (!search) {
    throw std::invalid_argument("--strategy " + wanted.strategy +
                                ": with --level threads choose dfs, states, bounded, pct, pos, random or rotate");
  }
  explore::ThreadOptions options = thread_options_of(wanted.program(), loaded);
  options.search = *search;
  options.max_state_bytes = std::min(wanted.state_memory_mib, UINT64_MAX >> 20U) << 20U;
  if (wanted.budget != 0) options.max_executions = wanted.budget;
  return options;
}

namespace {

explore::EngineEvidence evidence_of(const LoadedModel& loaded, const explore::ThreadResult& result) {
  const detent_desc& desc = loaded.desc();
  bool has_async = false;
  for (OpId op = 0; op < desc.op_count; ++op) {
    has_async = has_async || desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
  }
  return {"the model", has_async, result.complete, result.statistics};
}

/// A schedule that was executed step by step: what it breaks, its line and its story.
struct EngineSchedule {
  std::optional<explore::ThreadFailure> failure;
  std::string listing;
  ReplayLine line;
};

EngineSchedule list_schedule(const LoadedModel& loaded, const ThreadExploreRequest& wanted,
                             const std::string& choices) {
  const ReplayLine program = wanted.program();
  const explore::ThreadReplay replay =
      explore::replay_threads(loaded.desc(), thread_options_of(program, loaded), choices);
  const std::string law = replay.failure ? replay.failure->law : "";
  return {replay.failure, replay.listing, thread_line(program, choices, law, replay.listing)};
}

Json engine_failure_json(const explore::ThreadFailure& failure, const EngineSchedule& schedule) {
  return {{"law", failure.law},
          {"text", failure.text},
          {"preemptions", failure.preemptions},
          {"constraints", failure.constraints},
          {"choices", failure.choices},
          {"listing", schedule.listing},
          {"replay", format_replay_line(schedule.line)}};
}

void add_failure_lines(const ThreadExploreRequest& wanted, const explore::ThreadFailure& failure,
                       const EngineSchedule& schedule, Lines& lines) {
  lines.push_back(fmt::format("  VIOLATED {}: {}", failure.law, failure.text));
  for (const std::string& constraint : failure.constraints) lines.push_back("    " + constraint);
  append(lines, replay_lines(format_replay_line(schedule.line), wanted.failure_file));
}

/// A given schedule: what it does, and the line that repeats it, whether or not it breaks a law.
Answer replay_engine(const LoadedModel& loaded, const ThreadExploreRequest& wanted, Json answer) {
  const EngineSchedule schedule = list_schedule(loaded, wanted, wanted.line.threads.choices);
  answer["failure"] = schedule.failure ? engine_failure_json(*schedule.failure, schedule) : Json(nullptr);
  answer["listing"] = schedule.listing;
  add_replay(schedule.line, answer);
  if (!wanted.failure_file.empty()) {
    explore::ThreadFailure recorded;  // of no law: a schedule that holds is worth keeping, too
    if (schedule.failure) recorded = *schedule.failure;
    write_failure_file(wanted.failure_file, make_failure_record(loaded, recorded, schedule.line));
  }
  Lines lines{schedule.listing};
  if (schedule.failure) {
    add_failure_lines(wanted, *schedule.failure, schedule, lines);
  } else {
    append(lines, replay_lines(format_replay_line(schedule.line), wanted.failure_file));
  }
  return {std::move(answer), std::move(lines), schedule.failure ? verify::Outcome::kViolated : verify::Outcome::kHolds};
}

std::string engine_counts(const explore::ThreadStatistics& seen, bool by_states) {
  if (by_states) {
    return fmt::format("  executions {}, {} of them into a state met before; states {}; longest {}", seen.executions,
                       seen.merged, seen.states, counted(seen.longest, "step"));
  }
  return fmt::format("  executions {}  distinct {}  longest {}  redundancy {:.2f}", seen.executions, seen.distinct,
                     counted(seen.longest, "step"), seen.redundancy());
}

}  // namespace

ThreadExploreRequest::ThreadExploreRequest() {
  line.on = "explore";
  line.engine.workers = 2;
  line.threads.memory = "c11";
}

ReplayLine ThreadExploreRequest::program() const {
  ReplayLine program = line;
  ThreadReplaySpec& threads = program.threads;
  threads.early_timeouts = early_timeouts.value_or(threads.op_deadline_ps != 0 ? 1 : 0);
  threads.whole_life = threads.failing_starts != 0;
  return program;
}

ReplayLine thread_line(ReplayLine program, const std::string& choices, const std::string& law,
                       const std::string& listing) {
  program.threads.choices = choices;
  program.threads.law = law;
  program.threads.listing = hash_listing(listing);
  return program;
}

Answer explore_threads(const ThreadExploreRequest& wanted, const LoadedModel& loaded) {
  const ReplayLine& line = wanted.line;
  Answer made;
  Json answer = json_header("explore", {.model = line.model, .seeds = line.seeds});
  answer["level"] = "threads";
  answer["strategy"] = wanted.strategy;
  answer["mode"] = harness::mode_name(line.engine.mode);
  answer["scheduler"] = harness::scheduler_name(line.engine.scheduler);
  answer["workers"] = line.engine.workers;
  answer["memory"] = line.threads.memory;
  if (!wanted.line.threads.choices.empty()) return replay_engine(loaded, wanted, std::move(answer));
  const explore::ThreadResult result = explore::explore_threads(loaded.desc(), search_options(loaded, wanted));
  const explore::ThreadStatistics& seen = result.statistics;
  answer["verdict"] = verify::outcome_name(result.verdict.outcome);
  answer["verdicts"] = verdicts_json({result.verdict});
  const bool by_states = wanted.strategy == "states";  // tells no traces apart
  const bool counts_traces = result.complete && !by_states;
  answer["traces"] = {{"total", counts_traces ? Json(seen.distinct) : Json(nullptr)},
                      {"exact", counts_traces},
                      {"seen", seen.distinct}};
  answer["executions"] = seen.executions;
  answer["redundant"] = by_states ? seen.merged : seen.executions - seen.distinct;
  if (by_states) answer["states"] = seen.states;
  answer["steps"] = seen.steps;
  answer["redundancy"] = by_states ? Json(nullptr) : reports::redundancy_json(seen.executions, seen.distinct);
  const bool is_drawn = wanted.strategy != "dfs" && wanted.strategy != "bounded" && !by_states;
  answer["unseen_mass"] = result.complete ? Json(0.0) : is_drawn ? Json(seen.unseen_mass()) : Json(nullptr);
  const std::vector<explore::EngineEvidence> programs{evidence_of(loaded, result)};
  answer["sync"] = reports::sync_json(programs);
  const explore::EngineShape shape{line.engine.mode, line.engine.scheduler, line.engine.workers};
  std::vector<explore::CoverGoal> cover_goals;
  if (!result.failure && shape.mode != DETENT_MODE_SERIAL) cover_goals = explore::engine_cover_goals(shape, programs);
  add_cover_goals(cover_goals, answer);
  std::optional<EngineSchedule> schedule;
  if (result.failure) {
    schedule = list_schedule(loaded, wanted, result.failure->choices);
    if (!wanted.failure_file.empty()) {
      write_failure_file(wanted.failure_file, make_failure_record(loaded, *result.failure, schedule->line));
    }
  }
  answer["failure"] = schedule ? engine_failure_json(*result.failure, *schedule) : Json(nullptr);
  if (schedule) add_replay(schedule->line, answer);
  made.json = std::move(answer);
  Lines& lines = made.lines;
  lines.push_back(fmt::format("{}: {} engine, {}, {}; {}", line.model, harness::mode_name(line.engine.mode),
                              counted(line.engine.workers, "worker"), counted(seen.threads, "thread"),
                              result.verdict.summary));
  lines.push_back(engine_counts(seen, by_states));
  const explore::SyncPoints& sync = seen.sync;
  lines.push_back(
      fmt::format("  waits asleep {} and awake {}; role free {} and held {}; ready queue empty {}, not {}, full {}",
                  sync.wait_asleep, sync.wait_awake, sync.role_free, sync.role_held, sync.ready_empty, sync.ready_some,
                  sync.ready_full));
  lines.push_back(
      fmt::format("  completions waiting: none {}, some {}, all {}; lock free {} and contended {}; ops apart "
                  "{} and together {}",
                  sync.complete_empty, sync.complete_some, sync.complete_full, sync.lock_free, sync.lock_contended,
                  sync.ops_ordered, sync.ops_concurrent));
  if (is_drawn && !result.complete) {
    lines.push_back(
        fmt::format("  unseen traces have {:.3g} of the probability (Good-Turing estimate)", seen.unseen_mass()));
  }
  append(lines, finding_lines(cover_goals));
  if (schedule) add_failure_lines(wanted, *result.failure, *schedule, lines);
  made.outcome = result.verdict.outcome;
  return made;
}

}  // namespace detent::app
