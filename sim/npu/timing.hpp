// Cycles of a layer on an array whose operand memories are filled over ports of finite bandwidth.
#pragma once

#include <cstdint>

#include "sim/npu/array.hpp"
#include "sim/npu/ports.hpp"
#include "sim/npu/shape.hpp"
#include "sim/npu/work_limit.hpp"

namespace detent::sim::npu {

/// Sizes of the operand memories in words, both halves. Each at least 2.
struct BufferWords {
  std::uint64_t input = 0;
  std::uint64_t weight = 0;
  std::uint64_t output = 0;
};

struct TimingConfig {
  Array array{};
  Dataflow dataflow = Dataflow::kOutputStationary;
  BufferWords buffers{};           ///< unused while the bandwidth is unlimited
  Bandwidth bandwidth{};           ///< words per cycle; all 0: unlimited, no stalls
  bool shared_port = false;        ///< one port of bandwidth.input words per cycle for all operands
  std::uint32_t vector_lanes = 0;  ///< element-wise results per cycle; 0: one per column of the array
};

struct LayerTiming {
  Mapping mapping{};  ///< of one group; empty for element-wise layers
  std::uint64_t groups = 1;
  std::uint64_t cycles = 0;  ///< of all groups, stalls included
  std::uint64_t stall_cycles = 0;
  std::uint64_t compute_cycles = 0;  ///< without stalls
  std::uint64_t macs = 0;
  double utilisation = 0;  ///< macs / (cycles * cells); element-wise: results / (cycles * lanes)
  Accesses sram{};         ///< words between the array and its memories
  Accesses dram{};         ///< words between the memories and DRAM
};

/// Folds that time_layer follows at most when the bandwidth is finite.
inline constexpr std::uint64_t kMaxFolds = std::uint64_t{1} << 26;

/// Time one layer.
///
/// Double buffering: the active half of each read buffer is loaded before cycle 0; a demand outside it moves the window
/// on by the prefetched half and waits for the next prefetch; the three operands are asked in the same cycle and the
/// longest wait delays the array; outputs wait only if the output buffer is full while it drains. With a shared port
/// the operands take turns, and the result is never less than with private ports of the same width.
/// Cost: per fold and per event (a move of a window, a drain), not per line or word; im2col inputs whose windows
/// overlap additionally cost per word that is found at another position of the window.
/// @throws std::invalid_argument  sizes that cannot be, with a remedy
/// @throws std::overflow_error    a count does not fit 64 bits
/// @throws WorkLimit              finite bandwidth and more than kMaxFolds folds
/// @see    SCALE-Sim v2, whose cycles these are; ISPASS 2020
LayerTiming time_layer(const Layer& layer, const TimingConfig& config);

}  // namespace detent::sim::npu
