// Assign: which core class executes which op.
#pragma once

#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Kernels that an NPU or GPU typically takes: convolutions and matrix products.
[[nodiscard]] const std::vector<std::string>& accelerated_kernels();

/// Put every op with one of the kernels on the class, if it may be there. What runs only where another op has failed
/// stays where it is. Returns how many.
std::size_t assign_class(Model& model, const std::string& core_class, const std::vector<std::string>& kernels);

}  // namespace detent::models
