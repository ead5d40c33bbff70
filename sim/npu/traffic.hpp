// DRAM traffic of a layer in closed form: what the operand memories hold decides how often an operand is fetched.
#pragma once

#include <cstdint>

#include "sim/npu/array.hpp"
#include "sim/npu/timing.hpp"

namespace detent::sim::npu {

/// Words of the operands as they lie in DRAM. The input of a convolution counts each pixel once: im2col happens between
/// the buffer and the array.
struct OperandWords {
  std::uint64_t input = 0;
  std::uint64_t weight = 0;
  std::uint64_t output = 0;
};

/// Words between DRAM and the memories.
struct Traffic {
  std::uint64_t input_reads = 0;
  std::uint64_t weight_reads = 0;
  std::uint64_t partial_reads = 0;  ///< partial sums that did not stay on the chip
  std::uint64_t output_writes = 0;  ///< results and such partial sums
};

/// Traffic of one GEMM whose column folds are the outer loop and row folds the inner one.
///
/// Half of each buffer holds data while the other half fills. OS: the input passes once per column fold unless all of
/// it stays; a column fold's weights are fetched again for each row fold unless they stay. WS: weights once; inputs
/// once per column fold unless they stay; a column fold's partial sums go out and back between row folds unless they
/// stay. IS: inputs once; weights once per column fold unless they stay; partial sums as in WS.
/// @param mapping  of map_gemm for the same GEMM, array and dataflow
Traffic dram_traffic(const Gemm& gemm, const Mapping& mapping, const Array& array, Dataflow dataflow,
                     const BufferWords& buffers, const OperandWords& words);

}  // namespace detent::sim::npu
