// SC tracer: signals and steps -> the text that SystemC's own VCD tracing writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/systemc/traced.hpp"

namespace detent::sim {

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
