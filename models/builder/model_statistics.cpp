// Model -> the figures that networks are compared by: parameters and operations.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

bool has_parameters(const Op& op) {
  return op.kernel == "conv2d_f32" || op.kernel == "conv2d_winograd_f32" || op.kernel == "gemm_f32" ||
         op.kernel == "conv2d_i8" || op.kernel == "gemm_i8";
}

}  // namespace

std::uint64_t parameter_count(const Model& model) {
  std::vector<bool> counted(model.tensors.size(), false);
  std::uint64_t count = 0;
  for (const Op& op : model.ops) {
    if (!has_parameters(op)) continue;
    // What stands behind the weights and the bias of int8 kernels says how sums are rounded.
    for (std::size_t i = 0; i < std::min<std::size_t>(op.weights.size(), 2); ++i) {
      const std::uint32_t id = bytes_of(model, op.weights[i]).root;  // bands have parts of them
      if (counted[id]) continue;
      counted[id] = true;
      const Tensor& tensor = model.tensors[id];
      std::uint64_t logical = 1;
      for (const std::uint32_t dim : tensor.init.unpadded_dims) logical *= dim;
      count += tensor.init.unpadded_dims.empty() ? tensor.size_bytes / dtype_of(tensor.dtype).bytes : logical;
    }
  }
  return count;
}

std::uint64_t total_flops(const Model& model) {
  std::uint64_t flops = 0;
  for (const Op& op : model.ops) flops += op.flops;
  return flops;
}

}  // namespace detent::models
