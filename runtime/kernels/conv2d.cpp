// Bind-time checks of "conv2d_f32", "conv2d_winograd_f32" and "conv2d_i8".
#include <detent/op_config.h>

#include "runtime/base/compiler.h"
#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

// The windows of one axis: padding is smaller than the window on both sides.
struct Axis {
  int64_t in, out, kernel, stride, dilation, pad;
};

bool fits(const Axis &a) {
  if (!is_size(a.in) || !is_size(a.out) || !is_size(a.kernel) || !is_size(a.stride) || !is_size(a.dilation)) {
    return false;
  }
  const int64_t reach = (a.kernel - 1) * a.dilation + 1;
  const int64_t last = (a.out - 1) * a.stride - a.pad;
  return a.pad >= 0 && a.pad < reach && reach <= kMaxExtent && last < a.in && last <= kMaxExtent;
}

bool sizes_fit(const detent_conv2d_config &c) {
  return fits({c.in_h, c.out_h, c.kernel_h, c.stride_h, c.dilation_h, c.pad_top}) &&
         fits({c.in_w, c.out_w, c.kernel_w, c.stride_w, c.dilation_w, c.pad_left});
}

bool fields_fit(const detent_conv2d_config &c) {
  return is_size(c.in_channels) && is_size(c.out_channels) && c.groups > 0 && c.in_channels % c.groups == 0 &&
         c.out_channels % c.groups == 0 && is_activation(c.activation) && c.row_begin >= 0 && c.row_begin < c.row_end &&
         c.row_end <= c.out_h && c.reserved == 0 && (c.has_residual == 0 || c.has_residual == 1);
}

// Elements of the packed weights, or 0 when no tensor could hold them.
uint64_t weight_elements(const detent_conv2d_config &c, bool plain) {
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  const int64_t in = depthwise ? 1 : plain ? c.in_channels : (int64_t{c.in_channels} + 15) / 16 * 16;
  const int64_t factors[] = {(int64_t{c.out_channels} + 15) / 16 * 16, in, c.kernel_h, c.kernel_w};
  uint64_t product = 1;
  for (const int64_t factor : factors) {
    if (multiply_overflows(product, static_cast<uint64_t>(factor), &product) || product > DETENT_MAX_BYTES) {
      return 0;
    }
  }
  return product;
}

bool input_fits(const detent_conv2d_config &c, const detent_tensor &x, detent_dtype dtype) {
  if (x.layout == DETENT_LAYOUT_C16) return is_c16(x, c.in_channels, c.in_h, c.in_w, dtype);
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  return !depthwise && is_of(x, dtype) && x.block_count == 1 && x.rank == 4 && x.dims[0] == 1 &&
         x.dims[1] == c.in_channels && x.dims[2] == c.in_h && x.dims[3] == c.in_w;
}

uint64_t padded_channels(const detent_conv2d_config &c) {
  return (static_cast<uint64_t>(c.out_channels) + 15) / 16 * 16;
}

// The first input, the output and the first weight; the counts are right.
bool shapes_fit(const detent_conv2d_config &c, const detent_kernel_args &args, detent_dtype dtype) {
  const detent_tensor &x = *args.inputs[0].tensor;
  const int64_t rows = int64_t{c.row_end} - c.row_begin;
  return input_fits(c, x, dtype) && is_c16(*args.outputs[0].tensor, c.out_channels, rows, c.out_w, dtype) &&
         is_dense(*args.weights[0].tensor, weight_elements(c, x.layout == DETENT_LAYOUT_PLAIN), dtype);
}

// The second input, where there is one, is like the output.
bool residual_fits(const detent_conv2d_config &c, const detent_kernel_args &args) {
  if (c.has_residual == 0) return true;
  return is_c16(*args.inputs[1].tensor, c.out_channels, int64_t{c.row_end} - c.row_begin, c.out_w);
}

// What F(4x4, 3x3) computes.
bool is_winograd(const detent_conv2d_config &c) {
  return c.groups == 1 && c.kernel_h == 3 && c.kernel_w == 3 && c.stride_h == 1 && c.stride_w == 1 &&
         c.dilation_h == 1 && c.dilation_w == 1 && c.row_begin % DETENT_WINOGRAD_TILE == 0;
}

constexpr uint64_t kWinogradPlaces = 36;  // products of a tile

// Elements of the transformed weights, or 0 when no tensor could hold them.
uint64_t winograd_weight_elements(const detent_conv2d_config &c) {
  const uint64_t elements = weight_elements(c, false);
  return elements > DETENT_MAX_BYTES / kWinogradPlaces ? 0 : elements / 9 * kWinogradPlaces;
}

// Room for the products and for one tile at least.
bool winograd_scratch_fits(const detent_conv2d_config &c, const detent_tensor &scratch) {
  const uint64_t tile = kWinogradPlaces * ((static_cast<uint64_t>(c.in_channels) + 15) / 16 * 16);
  const uint64_t elements = logical_elements(scratch);
  return is_dense(scratch, elements) && elements >= DETENT_WINOGRAD_PRODUCTS + tile;
}

}  // namespace

detent_status check_conv2d_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_conv2d_config>(*args);
  if (config == nullptr || !fields_fit(*config) || !sizes_fit(*config)) return DETENT_SHAPE;
  if (!has_counts(*args, config->has_residual != 0 ? 2 : 1, 1, 2)) return DETENT_SHAPE;
  if (!shapes_fit(*config, *args, DETENT_F32)) return DETENT_SHAPE;
  if (!is_dense(*args->weights[1].tensor, padded_channels(*config))) return DETENT_SHAPE;
  return residual_fits(*config, *args) ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_conv2d_winograd_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_conv2d_config>(*args);
  if (config == nullptr || !fields_fit(*config) || !sizes_fit(*config) || !is_winograd(*config)) return DETENT_SHAPE;
  if (!has_counts(*args, config->has_residual != 0 ? 2 : 1, 1, 2) || args->scratch_count != 1) return DETENT_SHAPE;
  const detent_tensor &x = *args->inputs[0].tensor;
  if (x.layout != DETENT_LAYOUT_C16 || !input_fits(*config, x, DETENT_F32)) return DETENT_SHAPE;
  const int64_t rows = int64_t{config->row_end} - config->row_begin;
  if (!is_c16(*args->outputs[0].tensor, config->out_channels, rows, config->out_w)) return DETENT_SHAPE;
  if (!is_dense(*args->weights[0].tensor, winograd_weight_elements(*config))) return DETENT_SHAPE;
  if (!is_dense(*args->weights[1].tensor, padded_channels(*config))) return DETENT_SHAPE;
  if (!winograd_scratch_fits(*config, *args->scratch[0].tensor)) return DETENT_SHAPE;
  return residual_fits(*config, *args) ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_conv2d_i8(const detent_kernel_args *args) {
  const auto *config = config_of<detent_conv2d_i8_config>(*args);
  if (config == nullptr || !fields_fit(config->conv) || !sizes_fit(config->conv)) return DETENT_SHAPE;
  if (config->conv.activation != DETENT_ACT_NONE || config->conv.has_residual != 0) return DETENT_SHAPE;
  if (args->input_count != 1 || args->output_count != 1) return DETENT_SHAPE;
  if (!requantises(config->result, *args, padded_channels(config->conv))) return DETENT_SHAPE;
  return shapes_fit(config->conv, *args, DETENT_I8) ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
