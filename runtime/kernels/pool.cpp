// Bind-time checks of the pooling kernels.
#include <detent/op_config.h>

#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

constexpr int64_t kMaxWindow = int64_t{1} << 15;

// Every window of an axis holds at least one input element.
bool windows_fit(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t pad) {
  return is_size(in) && is_size(out) && is_size(kernel) && kernel <= kMaxWindow && is_size(stride) && pad >= 0 &&
         pad < kernel && (out - 1) * stride - pad < in;
}

bool windows_fit(const detent_pool_config &c) {
  return windows_fit(c.in_h, c.out_h, c.kernel_h, c.stride_h, c.pad_top) &&
         windows_fit(c.in_w, c.out_w, c.kernel_w, c.stride_w, c.pad_left);
}

bool repeats_fit(const detent_pool_config &c) {
  return is_size(c.in_h) && is_size(c.in_w) && is_size(c.kernel_h) && is_size(c.kernel_w) && c.stride_h == c.kernel_h &&
         c.stride_w == c.kernel_w && c.pad_top == 0 && c.pad_left == 0 && c.out_h == int64_t{c.in_h} * c.kernel_h &&
         c.out_w == int64_t{c.in_w} * c.kernel_w;
}

detent_status check_pool(const detent_kernel_args &args, bool (*sizes_fit)(const detent_pool_config &),
                         detent_dtype dtype = DETENT_F32) {
  const auto *c = config_of<detent_pool_config>(args);
  if (c == nullptr || !has_counts(args, 1, 1, 0) || !sizes_fit(*c)) return DETENT_SHAPE;
  const bool band = c->row_begin >= 0 && c->row_begin < c->row_end && c->row_end <= c->out_h;
  if (!band || c->reserved != 0) return DETENT_SHAPE;
  const bool fits = is_c16(*args.inputs[0].tensor, c->channels, c->in_h, c->in_w, dtype) &&
                    is_c16(*args.outputs[0].tensor, c->channels, int64_t{c->row_end} - c->row_begin, c->out_w, dtype);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace

detent_status check_max_pool_f32(const detent_kernel_args *args) { return check_pool(*args, windows_fit); }

detent_status check_avg_pool_f32(const detent_kernel_args *args) { return check_pool(*args, windows_fit); }

detent_status check_upsample_nearest_f32(const detent_kernel_args *args) { return check_pool(*args, repeats_fit); }

detent_status check_max_pool_i8(const detent_kernel_args *args) { return check_pool(*args, windows_fit, DETENT_I8); }

detent_status check_upsample_nearest_i8(const detent_kernel_args *args) {
  return check_pool(*args, repeats_fit, DETENT_I8);
}

detent_status check_global_avg_pool_f32(const detent_kernel_args *args) {
  const auto *c = config_of<detent_reorder_config>(*args);
  if (c == nullptr || !has_counts(*args, 1, 1, 0) || c->channels <= 0 || c->reserved != 0) return DETENT_SHAPE;
  const bool fits = c->activation == DETENT_ACT_NONE && is_c16(*args->inputs[0].tensor, c->channels, c->h, c->w) &&
                    is_dense(*args->outputs[0].tensor, static_cast<uint64_t>(c->channels));
  return fits ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_global_avg_pool_i8(const detent_kernel_args *args) {
  constexpr int64_t kMaxPixels = int64_t{1} << 24;  // of -128 to 127 each: the sum fits an I32
  const auto *config = config_of<detent_global_avg_pool_i8_config>(*args);
  if (config == nullptr || !has_counts(*args, 1, 1, 0)) return DETENT_SHAPE;
  const detent_reorder_config &c = config->pool;
  if (c.channels <= 0 || c.reserved != 0 || c.activation != DETENT_ACT_NONE) return DETENT_SHAPE;
  if (config->shift < 1 || config->shift > 62) return DETENT_SHAPE;
  const bool fits = is_c16(*args->inputs[0].tensor, c.channels, c.h, c.w, DETENT_I8) &&
                    int64_t{c.h} * c.w <= kMaxPixels &&
                    is_dense(*args->outputs[0].tensor, static_cast<uint64_t>(c.channels), DETENT_I8);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
