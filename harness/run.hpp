// Run: {status, output digest, trace} of one execution, however it was executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "harness/faults/record.hpp"
#include "harness/machine_trace.hpp"

namespace detent::harness {

/// One op as it ran. Times are the port's: host clock natively, simulated time under sim/. Relative to the run's begin.
struct Span {
  OpId op = 0;
  SlotId slot = 0;  ///< engine thread
  std::uint64_t begin_ps = 0;
  std::uint64_t end_ps = 0;
  std::uint64_t begin_sequence = 0;  ///< total order of starts where the engine has one, else 0
};

/// Something that happened on a slot besides ops (parking, scheduling), from the ring log.
struct Event {
  std::uint64_t time_ps = 0;
  SlotId slot = 0;
  detent_event kind = DETENT_EVENT_RUN_BEGIN;
  OpId op = DETENT_NONE;
  std::int32_t value = 0;
};

inline constexpr std::size_t kMostSizedOutputs = 100;

/// How large the first output of a sized op was (DETENT_OP_SIZED).
struct SizedOutput {
  OpId op = 0;
  TensorId tensor = 0;
  std::vector<std::int64_t> extents;  ///< by dimension
};

/// What happened in one run.
struct Trace {
  std::vector<Span> spans;    ///< by (begin_ps, slot, op)
  std::vector<Event> events;  ///< by (time_ps, slot); empty unless asked for
  std::uint64_t dropped = 0;  ///< log records lost; > 0: the trace is incomplete
};

/// Result of one execution.
struct Run {
  detent_result result{};    ///< status, failing op, begin and end
  std::uint64_t digest = 0;  ///< XXH3-64 over the model outputs (op graphs: over all workspace regions)
  Trace trace;
  MachineTrace machine;              ///< simulated runs with a trace
  std::uint64_t makespan_ps = 0;     ///< end - begin
  std::vector<std::uint8_t> output;  ///< bytes of the model outputs in order, when asked for
  /// Of a run without an error: those whose extents are outputs of the network, the first kMostSizedOutputs.
  std::vector<SizedOutput> sized_outputs{};
  std::vector<detent_op_record> op_records{};  ///< of a run that failed: where each op stood then, when asked for
  std::string log{};                           ///< the log file of the run (log_file.hpp), when asked for
  std::optional<FaultRecord> faults{};  ///< of runs with faults or a deadline: what happened, and the run after it
};

/// Digest as it is printed everywhere: 16 lower-case hex digits.
std::string format_digest(std::uint64_t digest);

}  // namespace detent::harness
