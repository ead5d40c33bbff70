// Bind-time checks of "softmax_f32", "gemm_f32" and "gemm_i8".
#include <detent/op_config.h>

#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

uint64_t positive(int32_t value) { return value > 0 ? static_cast<uint64_t>(value) : 0; }

bool gemm_fields_fit(const detent_gemm_config &c) {
  return c.m > 0 && c.n > 0 && c.k > 0 && is_activation(c.activation) && c.row_begin >= 0 && c.row_begin < c.row_end &&
         c.row_end <= c.m && c.reserved == 0 && (c.has_bias == 0 || c.has_bias == 1);
}

// {a, b}, {a} with {b}, or {a} with {b, bias}.
bool gemm_counts_fit(const detent_kernel_args &args, bool has_bias) {
  if (has_bias) return has_counts(args, 1, 1, 2);
  return has_counts(args, 2, 1, 0) || has_counts(args, 1, 1, 1);
}

}  // namespace

detent_status check_softmax_f32(const detent_kernel_args *args) {
  const auto *c = config_of<detent_softmax_config>(*args);
  if (c == nullptr || !has_counts(*args, 1, 1, 0)) return DETENT_SHAPE;
  const bool fits = is_rows(*args->inputs[0].tensor, positive(c->rows), positive(c->columns)) &&
                    is_rows(*args->outputs[0].tensor, positive(c->rows), positive(c->columns));
  return fits ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_gemm_f32(const detent_kernel_args *args) {
  const auto *c = config_of<detent_gemm_config>(*args);
  if (c == nullptr || !gemm_fields_fit(*c) || !gemm_counts_fit(*args, c->has_bias != 0)) return DETENT_SHAPE;
  const detent_tensor &b = args->weight_count > 0 ? *args->weights[0].tensor : *args->inputs[1].tensor;
  const bool fits = is_rows(*args->inputs[0].tensor, positive(c->m), positive(c->k)) &&
                    is_matrix(b, positive(c->k), positive(c->n)) &&
                    is_rows(*args->outputs[0].tensor, positive(c->row_end - c->row_begin), positive(c->n));
  if (!fits) return DETENT_SHAPE;
  return c->has_bias == 0 || is_dense(*args->weights[1].tensor, positive(c->n)) ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_gemm_i8(const detent_kernel_args *args) {
  const auto *config = config_of<detent_gemm_i8_config>(*args);
  if (config == nullptr || !gemm_fields_fit(config->gemm)) return DETENT_SHAPE;
  const detent_gemm_config &c = config->gemm;
  if (c.activation != DETENT_ACT_NONE || c.has_bias != 1) return DETENT_SHAPE;
  if (args->input_count != 1 || args->output_count != 1) return DETENT_SHAPE;
  if (!requantises(config->result, *args, positive(c.n))) return DETENT_SHAPE;
  const bool fits = is_rows(*args->inputs[0].tensor, positive(c.m), positive(c.k), DETENT_I8) &&
                    is_matrix(*args->weights[0].tensor, positive(c.k), positive(c.n), DETENT_I8) &&
                    is_rows(*args->outputs[0].tensor, positive(c.row_end - c.row_begin), positive(c.n), DETENT_I8);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
