// Cover goals: what must have happened at least once before "no law was broken" says anything ("sometimes" properties).
//
// A run in which no two ops were ever under way together says nothing of races, and a queue that was never full says
// nothing of its bound. Each cover goal is counted in the runs that were made; one that can happen and never did is a
// finding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/run.hpp"
#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::explore {

struct CoverGoal {
  std::string name;         ///< "buffer_reuse", "ready_full": for machines
  std::string text;         ///< for people: "an op wrote over bytes that another op had written before"
  std::string about;        ///< "model" or "engine"
  bool applicable = true;   ///< it can happen with this model, these workers and this engine
  std::uint64_t count = 0;  ///< how often it did
  std::string evidence;     ///< where it was seen first; how to bring it about; or why it does not apply
  [[nodiscard]] bool never() const { return applicable && count == 0; }
  void rule_out(std::string why);
  /// It happened so many times more; where, if it is the first time.
  void note(std::uint64_t times, const std::string& where);
};

/// A run as it was observed.
struct ObservedRun {
  std::string how;                        ///< "worst simulated run"
  const harness::Trace* trace = nullptr;  ///< outlives the call
};

/// What was done with a model.
struct ModelEvidence {
  std::vector<ObservedRun> runs{};                      ///< in which kernels were executed
  std::uint32_t workers = 0;                            ///< most workers of these runs; 1: nothing can overlap
  std::vector<std::vector<std::uint32_t>> schedules{};  ///< executed one op after the other, op ids in order
  std::optional<PairCoverage> pairs{};                  ///< of all op-level schedules; none: made from `schedules`
  std::uint64_t engine_together = 0;  ///< SyncPoints::ops_concurrent of the engine on the model's graph
};

/// "ops_at_once", "both_orders", "conflict_both_orders", "conflict_met", "buffer_reuse".
///
///   ops_at_once           two unordered ops were under way at the same time           (two workers, unordered pairs)
///   both_orders           two unordered ops ran in this order and in that one          (unordered pairs)
///   conflict_both_orders  two unordered ops that conflict by bytes, or are kept apart by a mutex, ran in both orders
///   conflict_met          two such ops overlapped, or ran one right after the other in both orders
///   buffer_reuse          an op wrote over bytes that another op had written, after that one had ended, in one run
/// The first 1000 conflicting pairs are looked at.
std::vector<CoverGoal> model_cover_goals(const OpSpace& space, const ModelEvidence& evidence);

/// A program that the engine was explored with at thread level.
struct EngineEvidence {
  std::string program;     ///< "a fork of 6 ops"
  bool has_async = false;  ///< some of its ops are answered by back ends
  bool complete = false;   ///< every schedule was executed: what did not happen cannot happen with this program
  ThreadStatistics statistics;
};

struct EngineShape {
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::uint32_t workers = 2;
};

/// One for each SyncPoints counter that a schedule can reach: role, queues, waits, the port's lock.
std::vector<CoverGoal> engine_cover_goals(const EngineShape& shape, std::span<const EngineEvidence> programs);

/// All counters of SyncPoints by name, summed over the programs, in the order of the struct.
struct SyncCount {
  const char* name;
  std::uint64_t count = 0;
};
std::vector<SyncCount> sync_counts(std::span<const EngineEvidence> programs);

/// Property "cover_goals": holds when every cover goal that applies happened, else unknown, with a witness for each
/// that never did. Never violated: nothing is known to be wrong.
Verdict judge_cover_goals(const std::vector<CoverGoal>& cover_goals);

}  // namespace detent::verify::explore
