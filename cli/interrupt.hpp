// Ctrl-C while a command works that can answer with what it has so far.
#pragma once

#include <csignal>

namespace detent::cli {

/// While it lives, SIGINT asks the work to stop (base/interrupt.hpp); a second one ends the process, as ever. Where the
/// signal is ignored, it stays so.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace detent::cli
