// Job: what runs as slot 0 of a simulated session. Session: how that ended.
#pragma once

#include <string>
#include <vector>

namespace detent::sim {

/// What runs as slot 0 of a session. Everything it owns lives until it is destroyed on the caller's stack, or for
/// ever when its session had to be abandoned.
class Job {
 public:
  virtual ~Job() = default;
  /// Runs on simulated thread 0. Exceptions are carried to the caller of SimKernel::run.
  virtual void main() = 0;
  /// No thread can go on. Called on some simulated thread: make the engine give up (detent_cancel). May be empty.
  virtual void on_deadlock() {}
};

/// How a session ended.
struct Session {
  bool finished = false;               ///< false: threads could not be ended and were abandoned
  std::vector<std::string> deadlocks;  ///< one text per deadlock: time, and what each slot waited for
};

}  // namespace detent::sim
