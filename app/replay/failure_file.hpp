// detent-failure/1: a failing schedule for machines, as text that a person can read, too. Format: docs/FORMATS.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "verify/explore/ops/failure.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::app {

/// The two ops whose order matters, and the bytes.
struct RacingPair {
  std::uint32_t op_a = 0, op_b = 0;
  std::string kind;  ///< "raw", "war" or "waw"
  std::string region;
  std::uint64_t offset_bytes = 0, size_bytes = 0;
  std::string tensor_a, tensor_b;
};

struct FailureRecord {
  std::string program_version, engine_hash, model_hash;
  std::string law;                        ///< "op_schedules", or a law of the engine; empty: none is broken
  std::string text;                       ///< what differs
  std::optional<RacingPair> pair{};       ///< ops
  std::vector<std::string> stops{};       ///< threads: who stopped before what
  std::vector<std::uint32_t> schedule{};  ///< ops: the whole order, the fallback where constraints do not apply
  std::string digest{}, serial_digest{};  ///< ops: expected of the schedule, and of the right order
  ReplayLine line{};
};

/// Files above this are refused; 4,000,000 ops fit.
inline constexpr std::uint64_t kMaxFailureBytes = std::uint64_t{1} << 27U;

/// Text that ends with its checksum; the same record gives the same bytes.
std::string format_failure(const FailureRecord& record);
/// @param file  named by errors
/// @throws std::invalid_argument  "file:line: what; remedy": not exactly what format_failure writes
FailureRecord parse_failure(const std::string& file, const std::string& text);

/// @param line  of failure_line()
FailureRecord make_failure_record(const LoadedModel& loaded, const verify::explore::OpFailure& failure,
                                  const ReplayLine& line);
FailureRecord make_failure_record(const LoadedModel& loaded, const verify::explore::ThreadFailure& failure,
                                  const ReplayLine& line);

/// Atomically. @throws InputError  the file cannot be written
void write_failure_file(const std::string& path, const FailureRecord& record);

/// The line to run: of ops with the whole schedule and its digest where the line of the record is cut short.
ReplayLine runnable_line(const FailureRecord& record);

}  // namespace detent::app
