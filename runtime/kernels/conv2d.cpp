// Bind-time check of "conv2d_f32".
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

bool input_fits(const detent_conv2d_config &c, const detent_tensor &x) {
  if (x.layout == DETENT_LAYOUT_C16) return is_c16(x, c.in_channels, c.in_h, c.in_w);
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  return !depthwise && is_f32(x) && x.block_count == 1 && x.rank == 4 && x.dims[0] == 1 && x.dims[1] == c.in_channels &&
         x.dims[2] == c.in_h && x.dims[3] == c.in_w;
}

}  // namespace

detent_status check_conv2d_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_conv2d_config>(*args);
  if (config == nullptr || !fields_fit(*config) || !sizes_fit(*config)) return DETENT_SHAPE;
  if (!has_counts(*args, config->has_residual != 0 ? 2 : 1, 1, 2)) return DETENT_SHAPE;
  const detent_tensor &x = *args->inputs[0].tensor;
  const int64_t rows = int64_t{config->row_end} - config->row_begin;
  const uint64_t bias = (static_cast<uint64_t>(config->out_channels) + 15) / 16 * 16;
  const bool fits = input_fits(*config, x) &&
                    is_c16(*args->outputs[0].tensor, config->out_channels, rows, config->out_w) &&
                    is_dense(*args->weights[0].tensor, weight_elements(*config, x.layout == DETENT_LAYOUT_PLAIN)) &&
                    is_dense(*args->weights[1].tensor, bias);
  if (!fits) return DETENT_SHAPE;
  if (config->has_residual == 0) return DETENT_OK;
  return is_c16(*args->inputs[1].tensor, config->out_channels, rows, config->out_w) ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
