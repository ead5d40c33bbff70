// A GEMM on a systolic array without memory stalls: cycles, folds, utilisation and SRAM accesses in closed form.
#pragma once

#include <cstdint>

namespace detent::sim::npu {

/// Largest stated dimension of a layer; im2col may make larger ones.
inline constexpr std::uint64_t kMaxDim = std::uint64_t{1} << 31;
/// Largest number of rows or columns of an array.
inline constexpr std::uint32_t kMaxArrayEdge = 4096;

/// Which operand stays in the cells during a fold; the other two stream.
enum class Dataflow : std::uint8_t { kOutputStationary, kWeightStationary, kInputStationary };

/// Rows and columns of multiply-accumulate cells.
struct Array {
  std::uint32_t rows = 32;
  std::uint32_t cols = 32;
};

/// out[M][N] = in[M][K] * weights[K][N]. A convolution after im2col: M = output pixels, N = filters, K = window.
struct Gemm {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
};

/// Words moved between the array and its SRAMs (or its SRAMs and DRAM).
struct Accesses {
  std::uint64_t input_reads = 0;
  std::uint64_t weight_reads = 0;
  std::uint64_t output_writes = 0;
};

/// How a GEMM folds onto an array. S_r and S_c are the two dimensions laid over rows and columns, T streams.
struct Mapping {
  std::uint64_t sr = 0;
  std::uint64_t sc = 0;
  std::uint64_t t = 0;
  std::uint64_t row_folds = 0;        ///< ceil(sr / rows)
  std::uint64_t col_folds = 0;        ///< ceil(sc / cols)
  std::uint64_t folds = 0;            ///< row_folds * col_folds
  std::uint64_t cycles_per_fold = 0;  ///< T + R + C - 2 (OS), T + 2R + C - 2 (WS, IS)
  std::uint64_t compute_cycles = 0;   ///< folds * cycles_per_fold; an edge fold costs as much as a full one
  std::uint64_t macs = 0;             ///< M * N * K
  double mapping_efficiency = 0;      ///< mean over folds of used cells / cells
  double utilisation = 0;             ///< macs / (compute_cycles * cells)
  Accesses sram{};
};

/// Fold `gemm` onto `array`.
/// @throws std::invalid_argument  a dimension is 0, an edge 0 or above kMaxArrayEdge
/// @throws std::overflow_error    a count does not fit 64 bits
/// @see    Samajdar et al. 2020, "A systematic methodology for characterizing scalability of DNN accelerators"
Mapping map_gemm(const Gemm& gemm, const Array& array, Dataflow dataflow);

}  // namespace detent::sim::npu
