#include "models/builder/layers.hpp"

#include <cmath>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"

namespace detent::models {
namespace {

std::int32_t pooled(std::int32_t in, std::int32_t kernel, std::int32_t stride, std::int32_t pad) {
  return (in + 2 * pad - kernel) / stride + 1;
}

TensorId conv_weights(Builder& b, const std::string& name, const Tensor& x, const ConvOptions& o,
                      const detent_conv2d_config& config) {
  const std::int32_t fan_in = config.in_channels / o.groups * o.kernel * o.kernel;
  WeightInit init = conv_weight_init(config);
  init.scale = (o.gain > 0 ? o.gain : default_gain(o.activation)) / std::sqrt(static_cast<float>(fan_in));
  return b.weight(name + ".weight", conv_weight_dims(x, config), std::move(init));
}

TensorId pool(Builder& b, const std::string& name, const std::string& kernel, TensorId x, const PoolOptions& o) {
  const Tensor in = b.tensor(x);
  const bool up = kernel == "upsample_nearest_f32";
  detent_pool_config config = pool_config(b, name, in, o);
  if (up) {
    config.out_h = config.row_end = in.dims[2] * o.stride;
    config.out_w = in.dims[3] * o.stride;
  }
  const TensorId y = b.activation(name, DETENT_LAYOUT_C16, {1, config.channels, config.out_h, config.out_w});
  Op& op = b.op(name, kernel, {x}, y);
  op.config = config_bytes(config);
  op.flops = up ? 0 : product({config.channels, config.out_h, config.out_w, o.kernel, o.kernel});
  return y;
}

}  // namespace

// He et al. 2015; SiLU: E[silu(x)^2] = 0.3557 for a standard normal x.
float default_gain(detent_activation activation) {
  switch (activation) {
    case DETENT_ACT_RELU:
    case DETENT_ACT_RELU6:
      return 1.4142135F;
    case DETENT_ACT_SILU:
      return 1.6768F;
    case DETENT_ACT_NONE:
    case DETENT_ACT_SIGMOID:
      return 1.0F;
  }
  return 1.0F;
}

detent_conv2d_config conv_config(const Builder& b, const std::string& name, const Tensor& x, const ConvOptions& o) {
  const std::int32_t channels = x.dims[1];
  if (o.out_channels <= 0 || o.groups <= 0 || channels % o.groups != 0 || o.out_channels % o.groups != 0) {
    b.fail(name, "groups must divide the input's and the output's channels");
  }
  const std::int32_t pad = o.pad >= 0 ? o.pad : o.dilation * (o.kernel - 1) / 2;
  const std::int32_t extent = o.dilation * (o.kernel - 1) + 1;
  detent_conv2d_config config{};
  config.in_channels = channels;
  config.in_h = x.dims[2];
  config.in_w = x.dims[3];
  config.out_channels = o.out_channels;
  config.out_h = config.row_end = pooled(x.dims[2], extent, o.stride, pad);
  config.out_w = pooled(x.dims[3], extent, o.stride, pad);
  config.kernel_h = config.kernel_w = o.kernel;
  config.stride_h = config.stride_w = o.stride;
  config.dilation_h = config.dilation_w = o.dilation;
  config.pad_top = config.pad_left = pad;
  config.groups = o.groups;
  config.activation = o.activation;
  config.has_residual = o.residual != kNone ? 1 : 0;
  return config;
}

std::vector<std::int32_t> conv_weight_dims(const Tensor& x, const detent_conv2d_config& c) {
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  if (depthwise) return {blocks_of(c.out_channels), c.kernel_h, c.kernel_w, 16};
  const std::int32_t input_block = x.layout == DETENT_LAYOUT_C16 ? 16 : c.in_channels;
  const std::int32_t input_blocks = (c.in_channels + input_block - 1) / input_block;
  return {blocks_of(c.out_channels), input_blocks, c.kernel_h, c.kernel_w, input_block, 16};
}

WeightInit conv_weight_init(const detent_conv2d_config& c) {
  WeightInit init;
  init.groups = static_cast<std::uint32_t>(c.groups);
  for (const std::int32_t dim : {c.out_channels, c.in_channels / c.groups, c.kernel_h, c.kernel_w}) {
    init.unpadded_dims.push_back(static_cast<std::uint32_t>(dim));
  }
  return init;
}

std::uint64_t conv_flops(const detent_conv2d_config& c) {
  return 2ULL * product({c.out_channels, c.out_h, c.out_w, c.in_channels / c.groups, c.kernel_h, c.kernel_w});
}

detent_pool_config pool_config(const Builder& b, const std::string& name, const Tensor& x, const PoolOptions& o) {
  if (x.layout != DETENT_LAYOUT_C16) b.fail(name, "a pool must read C16");
  detent_pool_config config{};
  config.channels = x.dims[1];
  config.in_h = x.dims[2];
  config.in_w = x.dims[3];
  config.out_h = config.row_end = pooled(x.dims[2], o.kernel, o.stride, o.pad);
  config.out_w = pooled(x.dims[3], o.kernel, o.stride, o.pad);
  config.kernel_h = config.kernel_w = o.kernel;
  config.stride_h = config.stride_w = o.stride;
  config.pad_top = config.pad_left = o.pad;
  return config;
}

detent_reorder_config global_pool_config(const Builder& b, const std::string& name, const Tensor& x) {
  if (x.layout != DETENT_LAYOUT_C16) b.fail(name, "a pool must read C16");
  detent_reorder_config config{};
  config.channels = x.dims[1];
  config.h = x.dims[2];
  config.w = x.dims[3];
  config.to_plain = 1;
  return config;
}

TensorId conv(Builder& b, const std::string& name, TensorId x, const ConvOptions& o) {
  const Tensor in = b.tensor(x);
  if (in.dims.size() != 4 || in.dtype != DETENT_F32) b.fail(name, "a convolution must read F32 [1,C,H,W]");
  const detent_conv2d_config config = conv_config(b, name, in, o);
  const TensorId weights = conv_weights(b, name, in, o, config);
  WeightInit bias;
  bias.scale = kBiasDeviation;
  bias.unpadded_dims = {static_cast<std::uint32_t>(o.out_channels)};
  const TensorId bias_id = b.weight(name + ".bias", {blocks_of(o.out_channels) * 16}, std::move(bias));
  const TensorId y = b.activation(name, DETENT_LAYOUT_C16, {1, o.out_channels, config.out_h, config.out_w});
  Op& op = b.op(name, "conv2d_f32", {x}, y);
  op.weights = {weights, bias_id};
  if (o.residual != kNone) {
    if (b.tensor(o.residual).dims != b.tensor(y).dims) b.fail(name, "the residual has another shape");
    op.inputs.push_back(o.residual);
  }
  op.config = config_bytes(config);
  op.flops = conv_flops(config);
  return y;
}

TensorId max_pool(Builder& b, const std::string& name, TensorId x, const PoolOptions& options) {
  return pool(b, name, "max_pool_f32", x, options);
}

TensorId avg_pool(Builder& b, const std::string& name, TensorId x, const PoolOptions& options) {
  return pool(b, name, "avg_pool_f32", x, options);
}

TensorId upsample(Builder& b, const std::string& name, TensorId x, std::int32_t factor) {
  return pool(b, name, "upsample_nearest_f32", x, {.kernel = factor, .stride = factor});
}

TensorId global_avg_pool(Builder& b, const std::string& name, TensorId x) {
  const detent_reorder_config config = global_pool_config(b, name, b.tensor(x));
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, {1, config.channels});
  Op& op = b.op(name, "global_avg_pool_f32", {x}, y);
  op.config = config_bytes(config);
  op.flops = product({config.channels, config.h, config.w});
  return y;
}

TensorId gemm(Builder& b, const std::string& name, TensorId a, std::int32_t n, detent_activation activation) {
  const Tensor in = b.tensor(a);
  if (in.dims.size() != 2 || in.layout != DETENT_LAYOUT_PLAIN) b.fail(name, "gemm must read PLAIN [m,k]");
  detent_gemm_config config{};
  config.m = config.row_end = in.dims[0];
  config.k = in.dims[1];
  config.n = n;
  config.has_bias = 1;
  config.activation = activation;
  WeightInit init;
  init.scale = default_gain(activation) / std::sqrt(static_cast<float>(config.k));
  const TensorId weights = b.weight(name + ".weight", {config.k, n}, init);
  init.scale = kBiasDeviation;
  const TensorId bias = b.weight(name + ".bias", {n}, init);
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, {config.m, n});
  Op& op = b.op(name, "gemm_f32", {a}, y);
  op.weights = {weights, bias};
  op.config = config_bytes(config);
  op.flops = 2 * product({config.m, n, config.k});
  return y;
}

TensorId gemm_constant(Builder& b, const std::string& name, TensorId a, TensorId matrix) {
  const Tensor in = b.tensor(a);
  const Tensor weights = b.tensor(matrix);
  const bool fits = in.dims.size() == 2 && in.layout == DETENT_LAYOUT_PLAIN && weights.role == TensorRole::kWeight &&
                    weights.dims.size() == 2 && in.dims[1] == weights.dims[0];
  if (!fits) b.fail(name, "gemm must read PLAIN [m,k] and a constant [k,n]");
  detent_gemm_config config{};
  config.m = config.row_end = in.dims[0];
  config.k = in.dims[1];
  config.n = weights.dims[1];
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, {config.m, config.n});
  Op& op = b.op(name, "gemm_f32", {a}, y);
  op.weights = {matrix};
  op.config = config_bytes(config);
  op.flops = 2 * product({config.m, config.n, config.k});
  return y;
}

TensorId softmax(Builder& b, const std::string& name, TensorId x) {
  const Tensor in = b.tensor(x);
  if (in.dims.size() != 2 || in.layout != DETENT_LAYOUT_PLAIN) b.fail(name, "softmax must read PLAIN [rows,columns]");
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, in.dims);
  Op& op = b.op(name, "softmax_f32", {x}, y);
  op.config = config_bytes(detent_softmax_config{in.dims[0], in.dims[1]});
  op.flops = 5 * product({in.dims[0], in.dims[1]});
  return y;
}

TensorId mix(Builder& b, const std::string& name, const std::vector<TensorId>& inputs, std::uint64_t bytes) {
  if (bytes == 0 || bytes > INT32_MAX) b.fail(name, "must write between 1 and 2^31-1 bytes");
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, {static_cast<std::int32_t>(bytes)}, DETENT_U8);
  b.op(name, "mix", inputs, y).config = config_bytes(detent_mix_config{b.model().weight_seed});
  return y;
}

}  // namespace detent::models
