// What one op of a network costs on the NPU: a Desc op and an NpuConfig -> LayerCost. For the chip model.
#pragma once

#include <cstdint>
#include <optional>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "sim/npu/array.hpp"

namespace detent::sim::npu {

/// One NPU: a systolic array with three double-buffered operand memories, a vector unit, and DMA ports.
struct NpuConfig {
  Array array{};                                    ///< rows and columns of multiply-accumulate cells
  Dataflow dataflow = Dataflow::kWeightStationary;  ///< what stays in the cells during a fold
  std::uint64_t input_buffer_bytes = 512 * 1024;    ///< half of each buffer is in use while the other half fills
  std::uint64_t weight_buffer_bytes = 512 * 1024;
  std::uint64_t output_buffer_bytes = 256 * 1024;
  std::uint32_t word_bytes = 1;             ///< size of one operand on the chip; 1 = int8
  std::uint32_t vector_lanes = 32;          ///< elements per cycle of element-wise ops, pooling and activations
  std::uint64_t port_bytes_per_cycle = 16;  ///< of the DMA port, per operand with private_ports, else shared
  std::uint32_t dma_outstanding = 8;        ///< requests in flight at once; used by the chip model only
  bool private_ports = false;               ///< a full-bandwidth port per operand instead of the shared DMA
  std::uint64_t command_cycles = 0;         ///< fetch and decode of one command; used by the chip model only
};

/// Cost of one op, free of stalls: what the chip model turns into time and DRAM traffic.
struct LayerCost {
  bool on_array = false;              ///< false: the vector unit does it
  Gemm gemm{};                        ///< on_array: the GEMM of one group
  std::uint64_t groups = 0;           ///< on_array: GEMMs run one after the other (depthwise: the channels), else 0
  std::uint64_t elements = 0;         ///< vector unit: element operations
  std::uint64_t compute_cycles = 0;   ///< of all groups, without memory stalls and without command_cycles
  std::uint64_t macs = 0;             ///< multiply-adds that the layer needs; 0 on the vector unit
  double utilisation = 0;             ///< macs / (compute_cycles * cells); vector unit: busy lanes / lanes
  std::uint64_t dram_read_bytes = 0;  ///< input + weights, each fetched as often as its half buffer forces
  std::uint64_t dram_write_bytes = 0;
  Accesses sram{};  ///< words
};

/// Cost of op `op` of `desc` on `config`; no simulation of lines, microseconds per call.
///
/// Mapped by kernel name and exec config (runtime/include/detent/op_config.h): conv2d (groups, row bands, plain or C16)
/// and gemm on the array; pooling, element-wise, copy, softmax, transpose and reorder on the vector unit. Elements of
/// the int8 kernels are one byte, whatever word_bytes is; quantising and dequantising has no mapping.
/// @param op  < desc.op_count
/// @return    nothing for kernels without a mapping (op graphs with given times, unknown kernels)
/// @throws std::invalid_argument  the config is impossible (zero size, buffer below one word), naming the field
/// @throws std::overflow_error    a count does not fit 64 bits
std::optional<LayerCost> layer_cost(const detent_desc& desc, OpId op, const NpuConfig& config);

}  // namespace detent::sim::npu
