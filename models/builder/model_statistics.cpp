// Model -> the figures that networks are compared by: parameters and operations.
#include <cstdint>
#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"

namespace detent::models {

std::uint64_t parameter_count(const Model& model) {
  std::vector<bool> counted(model.tensors.size(), false);
  std::uint64_t count = 0;
  for (const Op& op : model.ops) {
    if (op.kernel != "conv2d_f32" && op.kernel != "gemm_f32") continue;
    for (const std::uint32_t id : op.weights) {
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
