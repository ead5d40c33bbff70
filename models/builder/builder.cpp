// Layers of a network. Views and concatenation stand in builder_views.cpp.
#include "models/builder/builder.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "models/builder/builder_internal.hpp"
#include "models/core/dag.hpp"

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

std::int32_t blocks_of(std::int32_t channels) { return (channels + 15) / 16; }

std::int32_t pooled(std::int32_t in, std::int32_t kernel, std::int32_t stride, std::int32_t pad) {
  return (in + 2 * pad - kernel) / stride + 1;
}

// FNV-1a of a weight's name: its values survive edits of the network around it.
std::uint64_t name_stream(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

constexpr float kBiasDeviation = 0.1F;

}  // namespace

std::uint64_t dense_bytes(detent_dtype dtype, detent_layout layout, const std::vector<std::int32_t>& dims) {
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] <= 0) throw std::invalid_argument("a dimension is not positive; every dimension must be at least 1");
    const bool padded = layout == DETENT_LAYOUT_C16 && i == 1;
    const std::uint64_t dim = static_cast<std::uint64_t>(padded ? blocks_of(dims[i]) * 16 : dims[i]);
    if (elements > DETENT_MAX_BYTES / dim) throw std::invalid_argument("a tensor is larger than 2^40 bytes");
    elements *= dim;
  }
  return elements * dtype_bytes(dtype);
}

std::uint64_t stored_elements(const Tensor& tensor) {
  return tensor.block_bytes * tensor.block_count / dtype_bytes(tensor.dtype);
}

Builder::Builder(std::string name, std::uint64_t weight_seed) {
  model_.name = std::move(name);
  model_.weight_seed = weight_seed;
}

void Builder::fail(const std::string& op, const std::string& what) const {
  throw std::invalid_argument(model_.name + ":" + op + ": " + what);
}

Builder::Id Builder::add_tensor(const std::string& name, TensorRole role, detent_layout layout,
                                std::vector<std::int32_t> dims, detent_dtype dtype) {
  Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.dtype = dtype;
  tensor.layout = layout;
  try {
    tensor.size_bytes = dense_bytes(dtype, layout, dims);
  } catch (const std::invalid_argument& error) {
    fail(name, error.what());
  }
  tensor.block_bytes = tensor.size_bytes;
  tensor.dims = std::move(dims);
  model_.tensors.push_back(std::move(tensor));
  return static_cast<Id>(model_.tensors.size() - 1);
}

Builder::Id Builder::add_weight(const std::string& name, std::vector<std::int32_t> dims, WeightInit init) {
  const Id id = add_tensor(name, TensorRole::kWeight, DETENT_LAYOUT_PLAIN, std::move(dims));
  init.stream = name_stream(name);
  model_.tensors[id].init = std::move(init);
  return id;
}

Op& Builder::add_op(const std::string& name, const std::string& kernel, const std::vector<Id>& inputs, Id output) {
  Op op;
  op.name = name;
  op.kernel = kernel;
  op.inputs = inputs;
  op.outputs = {output};
  model_.ops.push_back(std::move(op));
  return model_.ops.back();
}

Builder::Id Builder::target(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims, Id into) {
  if (into == kNone) return add_tensor(name, TensorRole::kActivation, layout, std::move(dims));
  if (dense_bytes(DETENT_F32, layout, dims) != stored_elements(model_.tensors.at(into)) * sizeof(float)) {
    fail(name, "the tensor it writes into has another number of elements");
  }
  return into;
}

Builder::Id Builder::input(const std::string& name, std::vector<std::int32_t> dims, detent_dtype dtype) {
  const Id id = add_tensor(name, TensorRole::kInput, DETENT_LAYOUT_PLAIN, std::move(dims), dtype);
  model_.inputs.push_back(id);
  return id;
}

Builder::Id Builder::buffer(const std::string& name, std::vector<std::int32_t> dims) {
  return add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, std::move(dims));
}

Builder::Id Builder::conv_weights(const std::string& name, const Tensor& x, const ConvOptions& o,
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
  return add_weight(name + ".weight", std::move(dims), std::move(init));
}

Builder::Id Builder::conv(const std::string& name, Id x, const ConvOptions& o) {
  const Tensor in = model_.tensors.at(x);
  if (in.dims.size() != 4 || in.dtype != DETENT_F32) fail(name, "a convolution reads F32 [1,C,H,W]");
  const std::int32_t channels = in.dims[1];
  if (o.out_channels <= 0 || o.groups <= 0 || channels % o.groups != 0 || o.out_channels % o.groups != 0) {
    fail(name, "groups must divide the input's and the output's channels");
  }
  const std::int32_t pad = o.pad >= 0 ? o.pad : o.dilation * (o.kernel - 1) / 2;
  const std::int32_t extent = o.dilation * (o.kernel - 1) + 1;
  const std::int32_t out_h = pooled(in.dims[2], extent, o.stride, pad);
  const std::int32_t out_w = pooled(in.dims[3], extent, o.stride, pad);
  const Id weights = conv_weights(name, in, o, channels);
  WeightInit bias;
  bias.scale = kBiasDeviation;
  bias.unpadded_dims = {static_cast<std::uint32_t>(o.out_channels)};
  const Id bias_id = add_weight(name + ".bias", {blocks_of(o.out_channels) * 16}, std::move(bias));
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_C16, {1, o.out_channels, out_h, out_w});
  Op& op = add_op(name, "conv2d_f32", {x}, y);
  op.weights = {weights, bias_id};
  if (o.residual != kNone) {
    if (model_.tensors.at(o.residual).dims != model_.tensors[y].dims) fail(name, "the residual has another shape");
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

Builder::Id Builder::pool(const std::string& name, const std::string& kernel, Id x, const PoolOptions& o) {
  const Tensor in = model_.tensors.at(x);
  if (in.layout != DETENT_LAYOUT_C16) fail(name, "a pool reads C16");
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
  const Id y =
      add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_C16, {1, config.channels, config.out_h, config.out_w});
  Op& op = add_op(name, kernel, {x}, y);
  op.config = config_bytes(config);
  op.flops = up ? 0 : product({config.channels, config.out_h, config.out_w, o.kernel, o.kernel});
  return y;
}

Builder::Id Builder::max_pool(const std::string& name, Id x, const PoolOptions& options) {
  return pool(name, "max_pool_f32", x, options);
}

Builder::Id Builder::avg_pool(const std::string& name, Id x, const PoolOptions& options) {
  return pool(name, "avg_pool_f32", x, options);
}

Builder::Id Builder::upsample(const std::string& name, Id x, std::int32_t factor) {
  return pool(name, "upsample_nearest_f32", x, {.kernel = factor, .stride = factor});
}

Builder::Id Builder::global_avg_pool(const std::string& name, Id x) {
  const Tensor in = model_.tensors.at(x);
  if (in.layout != DETENT_LAYOUT_C16) fail(name, "a pool reads C16");
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, {1, in.dims[1]});
  detent_reorder_config config{};
  config.channels = in.dims[1];
  config.h = in.dims[2];
  config.w = in.dims[3];
  config.to_plain = 1;
  Op& op = add_op(name, "global_avg_pool_f32", {x}, y);
  op.config = config_bytes(config);
  op.flops = product({config.channels, config.h, config.w});
  return y;
}

Builder::Id Builder::gemm(const std::string& name, Id a, std::int32_t n, detent_activation activation) {
  const Tensor in = model_.tensors.at(a);
  if (in.dims.size() != 2 || in.layout != DETENT_LAYOUT_PLAIN) fail(name, "gemm reads PLAIN [m,k]");
  detent_gemm_config config{};
  config.m = config.row_end = in.dims[0];
  config.k = in.dims[1];
  config.n = n;
  config.has_bias = 1;
  config.activation = activation;
  WeightInit init;
  init.scale = default_gain(activation) / std::sqrt(static_cast<float>(config.k));
  const Id weights = add_weight(name + ".weight", {config.k, n}, init);
  init.scale = kBiasDeviation;
  const Id bias = add_weight(name + ".bias", {n}, init);
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, {config.m, n});
  Op& op = add_op(name, "gemm_f32", {a}, y);
  op.weights = {weights, bias};
  op.config = config_bytes(config);
  op.flops = 2 * product({config.m, n, config.k});
  return y;
}

Builder::Id Builder::constant(const std::string& name, std::vector<std::int32_t> dims,
                              const std::vector<float>& values) {
  if (dense_bytes(DETENT_F32, DETENT_LAYOUT_PLAIN, dims) != values.size() * sizeof(float)) {
    fail(name, "the values do not fill the dims");
  }
  WeightInit init;
  init.kind = WeightInit::Kind::kBytes;
  init.bytes.resize(values.size() * sizeof(float));
  std::memcpy(init.bytes.data(), values.data(), init.bytes.size());
  return add_weight(name, std::move(dims), std::move(init));
}

Builder::Id Builder::gemm_constant(const std::string& name, Id a, Id matrix) {
  const Tensor in = model_.tensors.at(a);
  const Tensor b = model_.tensors.at(matrix);
  const bool fits = in.dims.size() == 2 && in.layout == DETENT_LAYOUT_PLAIN && b.role == TensorRole::kWeight &&
                    b.dims.size() == 2 && in.dims[1] == b.dims[0];
  if (!fits) fail(name, "gemm reads PLAIN [m,k] and a constant [k,n]");
  detent_gemm_config config{};
  config.m = config.row_end = in.dims[0];
  config.k = in.dims[1];
  config.n = b.dims[1];
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, {config.m, config.n});
  Op& op = add_op(name, "gemm_f32", {a}, y);
  op.weights = {matrix};
  op.config = config_bytes(config);
  op.flops = 2 * product({config.m, config.n, config.k});
  return y;
}

Builder::Id Builder::elementwise(const std::string& name, const std::string& kernel, std::vector<Id> inputs, Id into) {
  const Tensor in = model_.tensors.at(inputs.front());
  const Id y = target(name, in.layout, in.dims, into);
  detent_elementwise_config config{};
  config.elements = stored_elements(in);
  Op& op = add_op(name, kernel, inputs, y);
  op.config = config_bytes(config);
  op.flops = config.elements;
  return y;
}

Builder::Id Builder::binary(const std::string& name, detent_binary operation, Id a, Id b, detent_activation activation,
                            Id into) {
  if (stored_elements(tensor(a)) != stored_elements(tensor(b))) fail(name, "the operands have different shapes");
  const Id y = elementwise(name, "binary_f32", {a, b}, into);
  edit_config<detent_elementwise_config>(last_op(), [&](auto& config) {
    config.op = operation;
    config.activation = activation;
  });
  return y;
}

Builder::Id Builder::binary_constant(const std::string& name, detent_binary operation, Id x, Id values, Id into) {
  const std::uint64_t count = stored_elements(tensor(values));
  if (tensor(values).role != TensorRole::kWeight || (count != 1 && count != stored_elements(tensor(x)))) {
    fail(name, "a constant of one element, or of one per element");
  }
  const Id y = elementwise(name, "binary_f32", {x}, into);
  edit_config<detent_elementwise_config>(last_op(), [&](auto& config) { config.op = operation; });
  last_op().weights = {values};
  return y;
}

Builder::Id Builder::unary(const std::string& name, Id x, detent_activation activation, Id into) {
  const Id y = elementwise(name, "unary_f32", {x}, into);
  edit_config<detent_elementwise_config>(last_op(), [&](auto& config) { config.activation = activation; });
  return y;
}

Builder::Id Builder::copy(const std::string& name, Id x, Id into) {
  const Id y = elementwise(name, "copy_f32", {x}, into);
  last_op().flops = 0;
  return y;
}

Builder::Id Builder::softmax(const std::string& name, Id x) {
  const Tensor in = model_.tensors.at(x);
  if (in.dims.size() != 2 || in.layout != DETENT_LAYOUT_PLAIN) fail(name, "softmax reads PLAIN [rows,columns]");
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, in.dims);
  Op& op = add_op(name, "softmax_f32", {x}, y);
  op.config = config_bytes(detent_softmax_config{in.dims[0], in.dims[1]});
  op.flops = 5 * product({in.dims[0], in.dims[1]});
  return y;
}

Builder::Id Builder::transpose(const std::string& name, Id x, const std::vector<std::int32_t>& axes) {
  const Tensor in = model_.tensors.at(x);
  if (axes.size() != in.dims.size() || axes.size() > DETENT_MAX_RANK) fail(name, "one axis per dimension, at most 6");
  detent_transpose_config config{};
  config.rank = static_cast<std::int32_t>(axes.size());
  std::vector<std::int32_t> dims;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= config.rank || (seen >> axes[i] & 1U) != 0) fail(name, "axes must be a permutation");
    seen |= 1U << axes[i];
    config.dims[i] = in.dims[i];
    config.axes[i] = axes[i];
    dims.push_back(in.dims[static_cast<std::size_t>(axes[i])]);
  }
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, std::move(dims));
  add_op(name, "transpose_f32", {x}, y).config = config_bytes(config);
  return y;
}

Builder::Id Builder::to_plain(const std::string& name, Id x, detent_activation activation, Id into) {
  const Tensor in = model_.tensors.at(x);
  if (in.layout != DETENT_LAYOUT_C16) fail(name, "the tensor is PLAIN already");
  const Id y = target(name, DETENT_LAYOUT_PLAIN, in.dims, into);
  detent_reorder_config config{in.dims[1], in.dims[2], in.dims[3], 1, activation, 0};
  add_op(name, "reorder_f32", {x}, y).config = config_bytes(config);
  return y;
}

Builder::Id Builder::to_c16(const std::string& name, Id x) {
  const Tensor in = model_.tensors.at(x);
  if (in.layout != DETENT_LAYOUT_PLAIN || in.dims.size() != 4) fail(name, "reads PLAIN [1,C,H,W]");
  const Id y = add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_C16, in.dims);
  detent_reorder_config config{in.dims[1], in.dims[2], in.dims[3], 0, DETENT_ACT_NONE, 0};
  add_op(name, "reorder_f32", {x}, y).config = config_bytes(config);
  return y;
}

Builder::Id Builder::mix(const std::string& name, const std::vector<Id>& inputs, std::uint64_t bytes) {
  if (bytes == 0 || bytes > INT32_MAX) fail(name, "writes between 1 and 2^31-1 bytes");
  const Id y =
      add_tensor(name, TensorRole::kActivation, DETENT_LAYOUT_PLAIN, {static_cast<std::int32_t>(bytes)}, DETENT_U8);
  add_op(name, "mix", inputs, y).config = config_bytes(detent_mix_config{model_.weight_seed});
  return y;
}

Model Builder::finish() {
  if (model_.ops.empty()) fail("finish", "the model has no op");
  model_.edges = derive_edges(model_);
  return std::move(model_);
}

}  // namespace detent::models
