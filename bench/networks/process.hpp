// A program from its start to its end: what it printed, and what it took.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::bench {

struct ProcessFigures {
  bool succeeded = false;        ///< it was started and its exit code was 0
  std::string output{};          ///< standard output; standard error is this process's
  double processor_ms = 0;       ///< of all its threads
  std::uint64_t peak_bytes = 0;  ///< resident. The kernel counts this process's own as it starts the other one too:
                                 ///< the figure is right where this process is the smaller one
};

/// Run `words[0]`, looked for on PATH, to its end.
ProcessFigures run_process(const std::vector<std::string>& words);

}  // namespace detent::bench
