// One rule per operand and dataflow; the rules stand in the header.
#include "sim/npu/traffic.hpp"

#include <algorithm>

#include "sim/npu/checked.hpp"

namespace detent::sim::npu {
namespace {

std::uint64_t passes(std::uint64_t words, std::uint64_t buffer_words, std::uint64_t uses) {
  return words <= divide_up(buffer_words, 2) ? 1 : uses;
}

}  // namespace

Traffic dram_traffic(const Gemm& gemm, const Mapping& mapping, const Array& array, Dataflow dataflow,
                     const BufferWords& buffers, const OperandWords& words) {
  const std::uint64_t cols = std::min<std::uint64_t>(array.cols, mapping.sc);
  std::uint64_t input_passes = 1;
  std::uint64_t weight_passes = 1;
  std::uint64_t output_passes = 1;
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      input_passes = passes(words.input, buffers.input, mapping.col_folds);
      weight_passes = passes(checked_product(gemm.k, cols), buffers.weight, mapping.row_folds);
      break;
    case Dataflow::kWeightStationary:
      input_passes = passes(words.input, buffers.input, mapping.col_folds);
      output_passes = passes(checked_product(gemm.m, cols), buffers.output, mapping.row_folds);
      break;
    case Dataflow::kInputStationary:
      weight_passes = passes(words.weight, buffers.weight, mapping.col_folds);
      output_passes = passes(checked_product(gemm.n, cols), buffers.output, mapping.row_folds);
      break;
  }
  return {checked_product(words.input, input_passes), checked_product(words.weight, weight_passes),
          checked_product(words.output, output_passes - 1), checked_product(words.output, output_passes)};
}

}  // namespace detent::sim::npu
