// When two tensors hold the same elements; bind-time checks of "binary_f32", "unary_f32", "add_i8" and of what goes
// between F32 and I8.
#include "runtime/kernels/elementwise.h"

#include <detent/op_config.h>

#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

detent_status check_conversion(const detent_kernel_args &args, detent_dtype from, detent_dtype to) {
  constexpr float kLargest = 3.402823466e+38F;
  const auto *config = config_of<detent_quantize_config>(args);
  if (config == nullptr || !has_counts(args, 1, 1, 0) || config->reserved != 0) return DETENT_SHAPE;
  if (!(config->factor > 0 && config->factor <= kLargest)) return DETENT_SHAPE;
  const detent_tensor &y = *args.outputs[0].tensor;
  const bool fits = same_elements(*args.inputs[0].tensor, y, from, to) && counts_elements(y, config->elements);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace

bool same_elements(const detent_tensor &a, const detent_tensor &b, detent_dtype a_dtype, detent_dtype b_dtype) {
  if (!is_of(a, a_dtype) || !is_of(b, b_dtype) || a.layout != b.layout) return false;
  if (a.layout == DETENT_LAYOUT_PLAIN) return logical_elements(a) == logical_elements(b);
  return is_c16(a, a.dims[1], a.dims[2], a.dims[3], a_dtype) && is_c16(b, a.dims[1], a.dims[2], a.dims[3], b_dtype);
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

detent_status check_quantize_f32_i8(const detent_kernel_args *args) {
  return check_conversion(*args, DETENT_F32, DETENT_I8);
}

detent_status check_dequantize_i8_f32(const detent_kernel_args *args) {
  return check_conversion(*args, DETENT_I8, DETENT_F32);
}

detent_status check_add_i8(const detent_kernel_args *args) {
  constexpr int32_t kMaxMultiplier = 1 << 22;  // two products with an element, and half of a result's unit, fit an I32
  const auto *c = config_of<detent_add_i8_config>(*args);
  if (c == nullptr || !has_counts(*args, 2, 1, 0) || c->reserved != 0) return DETENT_SHAPE;
  if (c->a_multiplier < -kMaxMultiplier || c->a_multiplier > kMaxMultiplier) return DETENT_SHAPE;
  if (c->b_multiplier < -kMaxMultiplier || c->b_multiplier > kMaxMultiplier) return DETENT_SHAPE;
  if (c->shift < 1 || c->shift > 30 || !is_range_of_i8(c->low, c->high)) return DETENT_SHAPE;
  const detent_tensor &y = *args->outputs[0].tensor;
  const bool fits = same_elements(*args->inputs[0].tensor, y, DETENT_I8, DETENT_I8) &&
                    same_elements(*args->inputs[1].tensor, y, DETENT_I8, DETENT_I8) && counts_elements(y, c->elements);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
