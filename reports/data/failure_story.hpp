// FailureStory: one failing schedule for people: what it takes, and who ran what when, beside the right order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "harness/run.hpp"

namespace detent::reports {

/// What one worker does at one instant; kSteps: what a thread of the engine does.
enum class StoryKind : std::uint8_t { kIdle, kBegins, kRuns, kEnds, kIsHeld, kSteps };

struct StoryCell {
  StoryKind kind = StoryKind::kIdle;
  std::string text{};      ///< kBegins, and where a hold begins: "3 late_writer"; as the model has it, not escaped.
                           ///< kSteps: "reads role"
  std::string access{};    ///< of an op that the failure is about: "writes [0, 64) of ws"; else empty
  bool is_racing = false;  ///< the op is one of those that the failure is about; kSteps: the thread interrupts another
};

/// An instant at which an op begins or ends, a step of a thread, or a stretch that is left out.
struct StoryRow {
  std::uint64_t time_ps = 0;       ///< of tables that count steps: the number of the step
  std::vector<StoryCell> cells{};  ///< [columns]; empty where rows are left out
  std::uint64_t left_out = 0;      ///< ops that begin, or steps, in the stretch that is left out
  [[nodiscard]] bool is_gap() const { return cells.empty(); }
};

/// One run, a column per worker.
struct StoryTable {
  std::string title;                 ///< "fails: op 3 before op 1"
  std::vector<std::string> columns;  ///< "worker 0 (cpu0)"; "slot 0"
  std::vector<StoryRow> rows;
  std::string digest{};       ///< of its outputs; empty: not executed
  bool counts_steps = false;  ///< a row is a step of one thread, not an instant
};

struct FailureStory {
  std::string level;                       ///< "ops" or "threads"
  std::string law;                         ///< "op_schedules", or a law of the engine: "deadlock"
  std::string title;                       ///< what is wrong, one line: the racing ops, tensors and bytes
  std::vector<std::string> constraints{};  ///< "op 3 (late_writer) before op 1 (slow_reader)"
  std::string shown{};                     ///< what differs: "op 1 (slow_reader) reads other bytes"
  std::string digest{}, serial_digest{};
  std::uint32_t workers = 0;
  std::vector<StoryTable> tables{};  ///< the failing run first, then the right one; empty: could not be simulated.
                                     ///< threads: the failing schedule
  std::string note{};                ///< how the tables were made
  std::string listing{};             ///< threads: one line per step
  std::string replay{};              ///< the line that repeats it
};

/// An op that the failure is about, and what it does to the bytes.
struct StoryMark {
  OpId op = 0;
  std::string access{};
};

/// An op that could run from here to there and did not, because the schedule wants another one first. Shown on a worker
/// that is idle meanwhile, if there is one.
struct StoryHold {
  OpId op = 0;
  std::uint64_t from_ps = 0, until_ps = 0;
};

/// One step of one of the engine's threads.
struct StoryStep {
  std::uint64_t number = 0;
  std::string thread{};     ///< "slot 0": a column
  std::string does{};       ///< "reads role"
  bool interrupts = false;  ///< another thread could have gone on
};

/// Rows of a table that are shown at most; the others are left out around the marked ops.
inline constexpr std::size_t kStoryRows = 24;

/// Rows from a trace: one per instant at which something begins or ends. Long stretches away from the marked ops are
/// left out.
/// @param lanes  name of each slot: "cpu0"; slots that ran nothing get a column, too, if they are below `lanes.size()`
StoryTable make_story_table(const detent_desc& desc, const harness::Trace& trace, const std::vector<std::string>& lanes,
                            const std::vector<StoryMark>& marks, const std::vector<StoryHold>& holds = {});

/// A row per step and a column per thread, threads by their first step. Kept are the steps around those that interrupt
/// another thread, the latest first, and the last ones, where the law breaks.
StoryTable make_step_table(const std::vector<StoryStep>& steps);

}  // namespace detent::reports
