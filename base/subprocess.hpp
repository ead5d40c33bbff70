// Subprocess: several programs run side by side, without a shell, within one time limit; what they print is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent {

/// How a program ended.
enum class ProcessEnd : std::uint8_t {
  kNotStarted,   ///< an earlier one had failed
  kExited,       ///< ProcessResult::code is its exit code
  kSignalled,    ///< ProcessResult::code is the signal
  kTimedOut,     ///< it and its children were killed
  kSpawnFailed,  ///< ProcessResult::code is the errno
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::kNotStarted;
  int code = 0;
  std::string output;  ///< standard output and error together; the first 64 KiB
  [[nodiscard]] bool succeeded() const { return end == ProcessEnd::kExited && code == 0; }
};

struct ProcessOptions {
  std::string directory{};                ///< working directory; also the programs' TMPDIR
  std::uint32_t jobs = 1;                 ///< programs at a time, >= 1
  std::uint64_t time_limit_ms = 600'000;  ///< for all of them together
};

/// Run every command to its end; `commands[i][0]` is an absolute path. They are started in order, none after one has
/// failed; so all before the first failure have run, whatever the timing. Locale C, standard input empty. Each runs in
/// a process group of its own, which is killed when time is up.
/// @return  by command
/// @throws std::runtime_error  no pipe can be made
std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& commands,
                                         const ProcessOptions& options);

/// Absolute path of a program: `name` itself when it holds a slash, else the first match on PATH. "" when there is no
/// executable file of that name.
std::string find_program(const std::string& name);

}  // namespace detent
