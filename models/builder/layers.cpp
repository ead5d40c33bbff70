#include "models/builder/layers.hpp"

#include <cmath>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"

namespace detent::models {
namespace {

// Standard deviation that keeps the second moment at 1 behind the activation, for unit inputs (He et al. 2015;
// SiLU: E[silu(x)^2] = 0.3557 for a standard normal x).
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

std::int32_t pooled(std::int32_t in, std::int32_t kernel, std::int32_t stride, std::int32_t pad) {
  return (in + 2 * pad - kernel) / stride + 1;
}

constexpr float kBiasDeviation = 0.1F;

TensorId conv_weights(Builder& b, const std::string& name, const Tensor& x, const ConvOptions& o,
                      std::int32_t in_channels) {
  const bool depthwise = o.groups > 1 && o.groups == in_channels && o.groups == o.out_channels;
  const std::int32_t input_block = x.layout == DETENT_LAYOUT_C16 ? 16 : in_channels;
  std::vector<std::int32_t> dims{blocks_of(o.out_channels), o.kernel, o.kernel, 16};
  if (!depthwise) {
    dims = {dims[0], (in_channels + input_block - 1) / input_block, o.kernel, o.kernel, input_block, 16};
  }
  const std::int32_t fan_in = in_channels / o.groups * o.kernel * o.kernel;
  WeightInit init;
  init.scale = (o.gain > 0 ? o.gain : default_gain(o.activation)) / std::sqrt(static_cast<float>(fan_in));
  init.groups = static_cast<std::uint32_t>(o.groups);
  for (const std::int32_t dim : {o.out_channels, in_channels / o.groups, o.kernel, o.kernel}) {
    init.unpadded_dims.push_back(static_cast<std::uint32_t>(dim));
  }
  return b.weight(name + ".weight", std::move(dims), std::move(init));
}

TensorId pool(Builder& b, const std::string& name, const std::string& kernel, TensorId x, const PoolOptions& o) {
  const Tensor in = b.tensor(x);
  if (in.layout != DETENT_LAYOUT_C16) b.fail(name, "a pool must read C16");
  const bool up = kernel == "upsample_nearest_f32";
  detent_pool_config config{};
  config.channels = in.dims[1];
  config.in_h = in.dims[2];
  config.in_w = in.dims[3];
  config.out_h = up ? in.dims[2] * o.stride : pooled(in.dims[2], o.kernel, o.stride, o.pad);
  config.out_w = up ? in.dims[3] * o.stride : pooled(in.dims[3], o.kernel, o.stride, o.pad);
  config.kernel_h = config.kernel_w = o.kernel;
  config.stride_h = config.stride_w = o.stride;
  config.pad_top = config.pad_left = o.pad;
  config.row_end = config.out_h;
  const TensorId y = b.activation(name, DETENT_LAYOUT_C16, {1, config.channels, config.out_h, config.out_w});
  Op& op = b.op(name, kernel, {x}, y);
  op.config = config_bytes(config);
  op.flops = up ? 0 : product({config.channels, config.out_h, config.out_w, o.kernel, o.kernel});
  return y;
}

}  // namespace

TensorId conv(Builder& b, const std::string& name, TensorId x, const ConvOptions& o) {
  const Tensor in = b.tensor(x);
  if (in.dims.size() != 4 || in.dtype != DETENT_F32) b.fail(name, "a convolution must read F32 [1,C,H,W]");
  const std::int32_t channels = in.dims[1];
  if (o.out_channels <= 0 || o.groups <= 0 || channels % o.groups != 0 || o.out_channels % o.groups != 0) {
    b.fail(name, "groups must divide the input's and the output's channels");
  }
  const std::int32_t pad = o.pad >= 0 ? o.pad : o.dilation * (o.kernel - 1) / 2;
  const std::int32_t extent = o.dilation * (o.kernel - 1) + 1;
  const std::int32_t out_h = pooled(in.dims[2], extent, o.stride, pad);
  const std::int32_t out_w = pooled(in.dims[3], extent, o.stride, pad);
  const TensorId weights = conv_weights(b, name, in, o, channels);
  WeightInit bias;
  bias.scale = kBiasDeviation;
  bias.unpadded_dims = {static_cast<std::uint32_t>(o.out_channels)};
  const TensorId bias_id = b.weight(name + ".bias", {blocks_of(o.out_channels) * 16}, std::move(bias));
  const TensorId y = b.activation(name, DETENT_LAYOUT_C16, {1, o.out_channels, out_h, out_w});
  Op& op = b.op(name, "conv2d_f32", {x}, y);
  op.weights = {weights, bias_id};
  if (o.residual != kNone) {
    if (b.tensor(o.residual).dims != b.tensor(y).dims) b.fail(name, "the residual has another shape");
    op.inputs.push_back(o.residual);
  }
  detent_conv2d_config config{};
  config.in_channels = channels;
  config.in_h = in.dims[2];
  config.in_w = in.dims[3];
  config.out_channels = o.out_channels;
  config.out_h = out_h;
  config.out_w = out_w;
  config.kernel_h = config.kernel_w = o.kernel;
  config.stride_h = config.stride_w = o.stride;
  config.dilation_h = config.dilation_w = o.dilation;
  config.pad_top = config.pad_left = pad;
  config.groups = o.groups;
  config.activation = o.activation;
  config.row_end = out_h;
  config.has_residual = o.residual != kNone ? 1 : 0;
  op.config = config_bytes(config);
  op.flops = 2ULL * product({o.out_channels, out_h, out_w, channels / o.groups, o.kernel, o.kernel});
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
  const Tensor in = b.tensor(x);
  if (in.layout != DETENT_LAYOUT_C16) b.fail(name, "a pool must read C16");
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, {1, in.dims[1]});
  detent_reorder_config config{};
  config.channels = in.dims[1];
  config.h = in.dims[2];
  config.w = in.dims[3];
  config.to_plain = 1;
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
