// When two tensors hold the same elements; bind-time checks of "binary_f32" and "unary_f32".
#include "runtime/kernels/elementwise.h"

#include <detent/op_config.h>

#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {

bool same_elements(const detent_tensor &a, const detent_tensor &b) {
  if (!is_f32(a) || !is_f32(b) || a.layout != b.layout) return false;
  if (a.layout == DETENT_LAYOUT_PLAIN) return logical_elements(a) == logical_elements(b);
  return is_c16(a, a.dims[1], a.dims[2], a.dims[3]) && is_c16(b, a.dims[1], a.dims[2], a.dims[3]);
}

bool counts_elements(const detent_tensor &tensor, uint64_t elements) {
  return elements != 0 && (elements == logical_elements(tensor) || elements == stored_elements(tensor));
}

detent_status check_unary_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_elementwise_config>(*args);
  if (config == nullptr || !has_counts(*args, 1, 1, 0) || !is_activation(config->activation)) return DETENT_SHAPE;
  const detent_tensor &y = *args->outputs[0].tensor;
  return same_elements(*args->inputs[0].tensor, y) && counts_elements(y, config->elements) ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_binary_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_elementwise_config>(*args);
  if (config == nullptr || !is_activation(config->activation)) return DETENT_SHAPE;
  if (config->op < DETENT_BINARY_ADD || config->op > DETENT_BINARY_MUL) return DETENT_SHAPE;
  if (!has_counts(*args, 2, 1, 0) && !has_counts(*args, 1, 1, 1)) return DETENT_SHAPE;
  const detent_tensor &a = *args->inputs[0].tensor;
  const detent_tensor &b = args->input_count == 2 ? *args->inputs[1].tensor : *args->weights[0].tensor;
  const detent_tensor &y = *args->outputs[0].tensor;
  const bool fits =
      same_elements(a, y) && counts_elements(y, config->elements) && (same_elements(a, b) || is_dense(b, 1));
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
