// The one line that repeats a run: printed by commands, read by detent replay.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/answer/answer.hpp"
#include "base/ids.hpp"
#include "harness/engine_spec.hpp"
#include "harness/faults/faults.hpp"

namespace detent::app {

/// What only a schedule of the engine's own threads takes: the options of verify/explore/threads/threads.hpp that
/// decide it.
struct ThreadReplaySpec {
  std::string choices{};       ///< the schedule; empty: the line is of ops
  std::string law{};           ///< that it breaks; empty: it breaks none
  std::string listing{};       ///< hash of its steps, 16 hex digits
  std::string memory = "sc";   ///< what loads may see: sc or c11
  std::uint32_t spurious = 0;  ///< bounds of the choices besides scheduling
  bool cancel = false;
  std::uint32_t runs = 1;
  std::uint64_t op_deadline_ps = 0;
  bool whole_life = false;
  std::uint32_t failing_starts = 0, early_timeouts = 0, duplicate_answers = 0;
  bool async_answers = true;
  std::vector<std::uint32_t> failing_ops{};
  bool operator==(const ThreadReplaySpec&) const = default;
};

/// How a run with faults ended.
struct RunEnd {
  std::string status{};                    ///< name of its status; empty: unknown
  std::uint32_t op = DETENT_NONE;          ///< that the status names
  std::int32_t code = 0;                   ///< of a kernel that failed
  std::vector<std::uint32_t> began{};      ///< ops, ascending; empty: unknown, or none
  std::vector<std::uint32_t> in_flight{};  ///< when it returned
  bool operator==(const RunEnd&) const = default;
};

/// Everything that decides what a run does. Format: `detent-replay/1 key=value ...`, keys in a fixed order.
struct ReplayLine {
  std::string model;
  std::string on = "native";  ///< native, sim or explore
  harness::Seeds seeds{};
  harness::EngineSpec engine{};
  std::uint32_t split = 1;
  bool winograd = false;       ///< as LoadedModel::winograd
  std::string set{};           ///< file of priorities, classes and workers of ops
  std::string schedule{};      ///< file of a static schedule
  std::string device{};        ///< that executes the ops of its class, as harness::read_device; empty: none
  std::string outcomes{};      ///< of the decisions that guards name, as ModelOptions::outcomes
  std::string platform;        ///< sim only
  std::string jitter;          ///< sim only
  std::string costs{};         ///< sim only: file of measured op times
  bool npu = true;             ///< sim only: heavy ops on the NPU where the platform has one
  bool overheads = true;       ///< sim only: the runtime's costs are charged
  bool contention = true;      ///< sim only: clients of the DRAM delay each other
  bool private_ports = false;  ///< sim only: NPU operands have ports of their own
  bool migrating = false;      ///< sim only: workers move to idle cores
  std::string times{};         ///< sim only: op times as app/simulate/chosen_text.hpp; empty: drawn
  std::string ties{};          ///< sim only: which ends of one instant come first, as there
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  ///< first runs before second; `before=7<3,2<9`
  std::vector<std::uint32_t> ops{};  ///< that the constraints take, ascending; empty: all. The others disturb the gates
  ThreadReplaySpec threads{};        ///< on=explore level=threads
  harness::Faults faults{};          ///< native and sim: what goes wrong
  RunEnd ended{};                    ///< expected of a run with faults
  std::string digest;                ///< expected, with faults of the run after them; empty: unknown (timing only)
  std::uint64_t makespan_ps = 0;     ///< expected in simulation; 0: unknown
  bool operator==(const ReplayLine&) const = default;
};

/// Is it a schedule of the engine's threads, and not of ops?
inline bool is_of_threads(const ReplayLine& line) { return !line.threads.choices.empty(); }

/// Fields of another world are left out: a line on=native has no platform.
std::string format_replay_line(const ReplayLine& line);

/// Names the run: 64 bits over every field that decides what it does, and none of those that say what came of it, so
/// that two answers with one hash and two digests contradict each other. Equal lines have equal hashes, on every
/// machine, and also after a field was added to the table that both leave as it is in a new line; two lines that differ
/// in one field have different ones but for an accident of 1 in 2^64.
std::uint64_t run_hash(const ReplayLine& line);

/// Add "replay", the line, and "run_hash", 16 hex digits.
void add_replay(const ReplayLine& line, Json& answer);

/// Keys of all fields, in the order in which they are written.
std::vector<std::string> replay_keys();

/// @throws std::invalid_argument  names the word that is wrong and what may stand there
ReplayLine parse_replay_line(const std::string& text);

/// White space, control characters and percent signs as %20, so that text splits at spaces; and back.
std::string escape_word(const std::string& text);
std::string unescape_word(const std::string& text);

/// "0-3,7" of ascending numbers; and back. @throws std::invalid_argument  no such list, or not ascending
std::string format_ranges(const std::vector<std::uint32_t>& numbers);
std::vector<std::uint32_t> parse_ranges(const std::string& text);

}  // namespace detent::app
