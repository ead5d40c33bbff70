// Work that may crash, in a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <detent/backend.h>

namespace detent::app {

/// How it ended.
struct IsolatedEnd {
  bool returned = false;           ///< `answer` is what the work returned
  std::string answer{};            ///< of an exception: what it says, where `returned` is false and `failed` true
  bool failed = false;             ///< it threw
  int signal = 0;                  ///< that ended it; 0: none did
  int exit_code = 0;               ///< where it left by itself
  std::uint32_t op = DETENT_NONE;  ///< that was executed where the signal arose; DETENT_NONE: none, or not known
};

/// Fork, and call `work` in the child. Where a fault ends it (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
/// SIGSYS), `save` is called first, within ten seconds. While the child works, a request to stop (base/interrupt.hpp)
/// is passed on to it; it dies with this process.
/// @param directory  where the answer lies in between; exists
/// @throws std::runtime_error  no process can be made
IsolatedEnd run_isolated(const std::function<std::string()>& work, const std::function<void()>& save,
                         const std::filesystem::path& directory);

/// A back end that asks `inner`, which outlives it and leaves dispatch to the engine, and notes for run_isolated which
/// op each thread executes. Of one model at a time in a process.
detent_backend noting_backend(detent_backend& inner);

}  // namespace detent::app
