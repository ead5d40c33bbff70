// The equations of the systolic array: what a fold costs and how many folds a GEMM needs.
#include "sim/npu/array.hpp"

#include <stdexcept>
#include <string>

#include "sim/npu/checked.hpp"

namespace detent::sim::npu {
namespace {

void require_positive(std::uint64_t value, const char* name) {
  if (value == 0) throw std::invalid_argument("NPU: " + std::string(name) + " of the GEMM is 0; give at least 1");
}

void require_edge(std::uint32_t value, const char* name) {
  if (value == 0 || value > kMaxArrayEdge)
    throw std::invalid_argument("NPU: the array's " + std::string(name) + " are " + std::to_string(value) +
                                "; give a number from 1 to " + std::to_string(kMaxArrayEdge));
}

/// Lay the three dimensions of the GEMM over rows, columns and time.
void lay_out(Mapping& mapping, const Gemm& gemm, Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      mapping.sr = gemm.m, mapping.sc = gemm.n, mapping.t = gemm.k;
      return;
    case Dataflow::kWeightStationary:
      mapping.sr = gemm.k, mapping.sc = gemm.n, mapping.t = gemm.m;
      return;
    case Dataflow::kInputStationary:
      mapping.sr = gemm.k, mapping.sc = gemm.m, mapping.t = gemm.n;
      return;
  }
}

Accesses sram_accesses(const Mapping& mapping, const Gemm& gemm, Dataflow dataflow) {
  const std::uint64_t inputs = checked_product(gemm.m, gemm.k);
  const std::uint64_t weights = checked_product(gemm.k, gemm.n);
  const std::uint64_t outputs = checked_product(gemm.m, gemm.n);
  const std::uint64_t by_rows = mapping.row_folds;
  const std::uint64_t by_cols = mapping.col_folds;
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return {checked_product(inputs, by_cols), checked_product(weights, by_rows), outputs};
    case Dataflow::kWeightStationary:
      return {checked_product(inputs, by_cols), weights, checked_product(outputs, by_rows)};
    case Dataflow::kInputStationary:
      return {inputs, checked_product(weights, by_cols), checked_product(outputs, by_rows)};
  }
  return {};
}

}  // namespace

Mapping map_gemm(const Gemm& gemm, const Array& array, Dataflow dataflow) {
  require_edge(array.rows, "rows");
  require_edge(array.cols, "columns");
  require_positive(gemm.m, "M");
  require_positive(gemm.n, "N");
  require_positive(gemm.k, "K");
  Mapping mapping;
  lay_out(mapping, gemm, dataflow);
  const std::uint64_t rows = array.rows;
  const std::uint64_t cols = array.cols;
  mapping.row_folds = divide_up(mapping.sr, rows);
  mapping.col_folds = divide_up(mapping.sc, cols);
  mapping.folds = checked_product(mapping.row_folds, mapping.col_folds);
  const std::uint64_t fill = dataflow == Dataflow::kOutputStationary ? rows + cols - 2 : 2 * rows + cols - 2;
  mapping.cycles_per_fold = checked_sum(mapping.t, fill);
  mapping.compute_cycles = checked_product(mapping.folds, mapping.cycles_per_fold);
  mapping.macs = checked_product(checked_product(gemm.m, gemm.n), gemm.k);
  const double cells = static_cast<double>(rows * cols);
  mapping.mapping_efficiency =
      static_cast<double>(mapping.sr) * static_cast<double>(mapping.sc) / (static_cast<double>(mapping.folds) * cells);
  mapping.utilisation = static_cast<double>(mapping.macs) / (static_cast<double>(mapping.compute_cycles) * cells);
  mapping.sram = sram_accesses(mapping, gemm, dataflow);
  return mapping;
}

}  // namespace detent::sim::npu
