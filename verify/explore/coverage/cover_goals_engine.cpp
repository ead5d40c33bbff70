// Counters of synchronisation -> cover goals of the engine.
#include <algorithm>

#include "base/counted.hpp"
#include "verify/explore/coverage/cover_goals.hpp"

namespace detent::verify::explore {
namespace {

/// A counter of SyncPoints as a goal.
struct SyncRow {
  const char* name;
  const char* text;
  std::uint64_t SyncPoints::*counter;
  std::uint32_t min_workers;
  enum { kAnyMode, kRole, kAsync } needs;
};

constexpr SyncRow kRows[] = {
    {"role_free", "the scheduler role was asked for and free", &SyncPoints::role_free, 1, SyncRow::kRole},
    {"role_held", "the scheduler role was asked for and held by another worker", &SyncPoints::role_held, 2,
     SyncRow::kRole},
    {"ready_empty", "the ready queue was empty", &SyncPoints::ready_empty, 1, SyncRow::kRole},
    {"ready_some", "ops waited in the ready queue", &SyncPoints::ready_some, 1, SyncRow::kRole},
    {"ready_full", "the ready queue held every op that had not begun", &SyncPoints::ready_full, 1, SyncRow::kRole},
    {"complete_empty", "an op ended and no other completion waited", &SyncPoints::complete_empty, 1, SyncRow::kRole},
    {"complete_some", "an op ended while completions of some other workers waited", &SyncPoints::complete_some, 3,
     SyncRow::kRole},
    {"complete_full", "an op ended while completions of all other workers waited: the queue was full",
     &SyncPoints::complete_full, 2, SyncRow::kRole},
    {"wait_asleep", "a worker waited and had to sleep", &SyncPoints::wait_asleep, 2, SyncRow::kAnyMode},
    {"wait_awake", "a worker waited and its notification was there already", &SyncPoints::wait_awake, 2,
     SyncRow::kAnyMode},
    {"ops_concurrent", "two ops ran with no synchronisation between them", &SyncPoints::ops_concurrent, 2,
     SyncRow::kAnyMode},
    {"lock_free", "a back end answered and the port's lock was free", &SyncPoints::lock_free, 1, SyncRow::kAsync},
    {"lock_contended", "a back end answered while another held the port's lock", &SyncPoints::lock_contended, 1,
     SyncRow::kAsync},
};

struct SyncName {
  const char* name;
  std::uint64_t SyncPoints::*counter;
};

constexpr SyncName kCounters[] = {
    {"wait_asleep", &SyncPoints::wait_asleep},     {"wait_awake", &SyncPoints::wait_awake},
    {"lock_free", &SyncPoints::lock_free},         {"lock_contended", &SyncPoints::lock_contended},
    {"role_free", &SyncPoints::role_free},         {"role_held", &SyncPoints::role_held},
    {"ready_empty", &SyncPoints::ready_empty},     {"ready_some", &SyncPoints::ready_some},
    {"ready_full", &SyncPoints::ready_full},       {"complete_empty", &SyncPoints::complete_empty},
    {"complete_some", &SyncPoints::complete_some}, {"complete_full", &SyncPoints::complete_full},
    {"ops_ordered", &SyncPoints::ops_ordered},     {"ops_concurrent", &SyncPoints::ops_concurrent},
    {"spurious", &SyncPoints::spurious},           {"timeouts", &SyncPoints::timeouts},
    {"failed_starts", &SyncPoints::failed_starts}, {"refused_answers", &SyncPoints::refused_answers}};

/// Why a row means nothing for this engine; empty: it does.
std::string why_not(const SyncRow& row, const EngineShape& shape, std::span<const EngineEvidence> programs) {
  const bool closed_loop = shape.mode == DETENT_MODE_CLOSED_LOOP;
  const bool own_scheduler = closed_loop && shape.scheduler == DETENT_SCHEDULER_THREAD;
  const bool has_async =
      std::any_of(programs.begin(), programs.end(), [](const EngineEvidence& program) { return program.has_async; });
  switch (row.needs) {
    case SyncRow::kAnyMode:
      break;
    case SyncRow::kRole:
      if (!closed_loop) return "only the closed loop has a scheduler and queues";
      break;
    case SyncRow::kAsync:
      if (!has_async) return "no back end completes ops later";
      break;
  }
  const bool is_wait = row.counter == &SyncPoints::wait_asleep || row.counter == &SyncPoints::wait_awake;
  if (own_scheduler && is_wait) return "";
  if (own_scheduler && row.counter == &SyncPoints::role_held) return "the scheduler's thread alone takes the role";
  // In layers of two workers the one that comes last wakes the other, which sleeps by then.
  const bool is_last = shape.mode == DETENT_MODE_LAYERED && row.counter == &SyncPoints::wait_awake;
  const std::uint32_t needed = is_last ? 3 : row.min_workers;
  return shape.workers < needed ? "needs " + counted(needed, "worker") : "";
}

}  // namespace

std::vector<CoverGoal> engine_cover_goals(const EngineShape& shape, std::span<const EngineEvidence> programs) {
  std::vector<CoverGoal> list;
  for (const SyncRow& row : kRows) {
    CoverGoal goal{.name = row.name, .text = row.text, .about = "engine", .evidence = ""};
    const std::string why = why_not(row, shape, programs);
    bool all_complete = !programs.empty();
    for (const EngineEvidence& program : programs) {
      goal.note(program.statistics.sync.*row.counter, "on " + program.program);
      all_complete = all_complete && program.complete;
    }
    if (goal.count == 0 && !why.empty()) goal.rule_out(why);
    if (goal.never() && all_complete) goal.rule_out("every schedule was executed, and it happens in none of them");
    if (goal.never()) goal.evidence = "execute more schedules, or a wider graph";
    list.push_back(std::move(goal));
  }
  return list;
}

std::vector<SyncCount> sync_counts(std::span<const EngineEvidence> programs) {
  std::vector<SyncCount> counts;
  for (const SyncName& row : kCounters) {
    SyncCount count{row.name, 0};
    for (const EngineEvidence& program : programs) count.count += program.statistics.sync.*row.counter;
    counts.push_back(count);
  }
  return counts;
}

}  // namespace detent::verify::explore
