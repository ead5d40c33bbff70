#include "models/builder/assign_core_class.hpp"

#include <algorithm>

#include "models/core/core_class.hpp"

namespace detent::models {

const std::vector<std::string>& accelerated_kernels() {
  static const std::vector<std::string> names{"conv2d_f32", "gemm_f32"};
  return names;
}

std::size_t assign_class(Model& model, const std::string& core_class, const std::vector<std::string>& kernels) {
  std::size_t count = 0;
  for (Op& op : model.ops) {
    if (std::find(kernels.begin(), kernels.end(), op.kernel) == kernels.end()) continue;
    if (!may_be_on(op, core_class)) continue;
    move_to_class(op, core_class);
    ++count;
  }
  return count;
}

}  // namespace detent::models
