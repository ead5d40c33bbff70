// SC tracer: signals and steps -> the text that SystemC's own VCD tracing writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::sim {

struct TracedSignal {
  std::string name;  ///< dots make scopes: "cpu0.state"
  int width = 1;     ///< bits, 1 to 64
};

/// Signal `signal` takes this value, or none: all bits z.
struct TracedChange {
  std::uint32_t signal = 0;
  std::uint64_t value = 0;
  bool has_value = true;
};

/// The changes of one instant are changes[begin, end).
struct TracedStep {
  std::size_t begin = 0, end = 0;
};

/// What SystemC wrote, and where its clock stood at step 0.
struct TracedText {
  std::string vcd;
  std::uint64_t begin_ps = 0;
};

/// Play the steps one picosecond apart in an SC thread while SystemC traces the signals. Its clock has gone on since
/// the process began and cannot be set back, so the times in the text are begin_ps + number of the step. Between two
/// simulations only; other SystemC processes see steps.size() picoseconds go by.
/// @throws std::runtime_error  the file could not be written or read back
TracedText trace_by_systemc(const std::vector<TracedSignal>& signals, const std::vector<TracedChange>& changes,
                            const std::vector<TracedStep>& steps);

}  // namespace detent::sim
