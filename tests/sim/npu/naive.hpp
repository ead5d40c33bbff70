// The NPU's cycles computed a second time: whole matrices, every element asked for by its address, cycle by cycle.
// Shares no code with sim/npu.
#pragma once

#include <array>
#include <cstdint>

namespace detent::sim::naive {

struct NpuCase {
  std::array<std::int64_t, 8> conv{};  ///< input h, w, filter h, w, channels, filters, stride h, w
  char dataflow = 'o';                 ///< 'o', 'w', 'i'
  std::int64_t rows = 1, cols = 1;
  std::array<std::int64_t, 3> buffers{};    ///< input, weight, output; words
  std::array<std::int64_t, 3> bandwidth{};  ///< words per cycle
};

struct NpuResult {
  std::int64_t cycles = 0, stalls = 0;
  std::int64_t input_reads = 0, weight_reads = 0, output_writes = 0;
  bool operator==(const NpuResult&) const = default;
};

/// For small layers: time and memory grow with M * N * K.
NpuResult npu_cycles(const NpuCase& c);

}  // namespace detent::sim::naive
