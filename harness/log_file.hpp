// Log file: the bytes that a target writes (log_write.hpp, or a firmware) -> the ring logs of a context, and its runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <detent/detent.h>

#include "harness/run.hpp"

namespace detent::harness {

inline constexpr std::string_view kLogMagic = "DETENTLG";
inline constexpr std::uint32_t kLogVersion = 2;

/// One ring as it was written.
struct LogRing {
  std::uint32_t number = 0;  ///< as detent_context_log counts: slots, ASYNC ops, rejected completions
  std::uint64_t dropped = 0;
  std::vector<detent_log_record> records{};  ///< oldest first
};

/// What a log file holds (docs/FORMATS.md, "Log file").
struct LogFile {
  std::string model{};
  std::uint32_t workers = 0;
  std::vector<std::string> ops{};      ///< names by id; "" where the target kept none
  std::vector<std::string> classes{};  ///< of cores and back ends, by index: the value of an op's begin
  std::vector<LogRing> rings{};
};

/// @param name  how messages name the bytes
/// @throws InputError  no log file, another version, cut off, longer than it says; a record of an op that is not there,
///                     of an unknown event, or earlier than the one before it in its ring
LogFile parse_log(std::string_view bytes, const std::string& name);

/// The name of an event as answers and firmware write it: "op_begin".
const char* event_name(detent_event event);

/// Numbers of the runs that have begun in the log, ascending.
std::vector<std::uint32_t> runs_of(const LogFile& log);

/// One run as a trace: spans of ops whose begin is in the log, other records as events; times since the run's begin.
/// What is not there has no span; an op without an end ends with the run.
struct LoggedRun {
  Trace trace{};
  std::uint64_t makespan_ps = 0;
  bool is_whole = false;  ///< begin and end of the run are there, and no ring has dropped a record
  detent_status status = DETENT_OK;
};
LoggedRun logged_run(const LogFile& log, std::uint32_t run);

}  // namespace detent::harness
