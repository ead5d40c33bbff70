#include "bench/networks/onnx/int8.hpp"

#include <algorithm>
#include <cmath>

#include <detent/op_config.h>

#include "bench/networks/onnx/op_reader.hpp"

namespace detent::bench {
namespace {

using models::Op;

constexpr Quantisation kSigmoid{.scale = 1.0 / 256, .zero = 0};  // from 0 to 1, as ONNX Runtime's own tools choose it

OnnxNode of_microsoft(const std::string& type, std::vector<OnnxAttribute> attributes = {}) {
  return {.type = type, .attributes = std::move(attributes), .domain = kMicrosoft};
}

}  // namespace

bool Int8Nodes::handles(const Op& op) { return op.kernel.ends_with("_i8") || op.kernel == "dequantize_i8_f32"; }

OnnxValue Int8Nodes::convert(const Op& op) {
  if (op.kernel == "conv2d_i8") return convolution(op);
  if (op.kernel == "gemm_i8") return gemm(op);
  if (op.kernel == "add_i8") return add(op);
  if (op.kernel == "max_pool_i8") return max_pool(op);
  if (op.kernel == "upsample_nearest_i8") return upsample(op);
  if (op.kernel == "global_avg_pool_i8") return global_average(op);
  if (op.kernel == "quantize_f32_i8") return quantise(op);
  if (op.kernel == "dequantize_i8_f32") return dequantise(op);
  fail_export(model_, "op " + op.name, "kernel " + op.kernel);
}

OnnxValue Int8Nodes::byte(const std::string& name, std::int32_t value) {
  return graph_.constant({.name = name, .dims = {}, .type = OnnxType::kUint8},
                         std::string(1, static_cast<char>(value)));
}

void Int8Nodes::append(std::vector<OnnxValue>& inputs, const std::string& name, const Quantisation& quantisation) {
  inputs.push_back(graph_.floats(name + ".scale", {}, {static_cast<float>(quantisation.scale)}));
  inputs.push_back(byte(name + ".zero", quantisation.zero));
}

// The scale of a channel's weights is what is left of its multiplier: multiplier / 2^shift is the scale of x times that
// of the weights, by that of y. One for all channels where all have one.
void Int8Nodes::append_weights(std::vector<OnnxValue>& inputs, const Op& op, const OnnxValue& weights,
                               std::int32_t channels, std::int32_t shift) {
  const std::vector<std::int32_t> multipliers = elements_of<std::int32_t>(model_, op.weights[2]);
  const double factor = scale_of(op.outputs).scale / scale_of(op.inputs).scale;
  std::vector<float> scales;
  for (std::size_t i = 0; i < as_size(channels); ++i) {
    if (multipliers[i] <= 0) fail_export(model_, "op " + op.name, "a multiplier of 0 or below");
    scales.push_back(static_cast<float>(std::ldexp(multipliers[i], -shift) * factor));
  }
  const bool is_one = std::ranges::count(scales, scales.front()) == std::ssize(scales);
  if (is_one) scales.resize(1);
  inputs.push_back(weights);
  inputs.push_back(graph_.floats(op.name + ".weight.scale", is_one ? OnnxDims{} : OnnxDims{channels}, scales));
  inputs.push_back(graph_.constant(
      {.name = op.name + ".weight.zero", .dims = is_one ? OnnxDims{} : OnnxDims{channels}, .type = OnnxType::kInt8},
      std::string(scales.size(), '\0')));
}

OnnxValue Int8Nodes::bias(const Op& op, std::int32_t channels) {
  std::vector<std::int32_t> elements = elements_of<std::int32_t>(model_, op.weights[1]);
  elements.resize(as_size(channels));
  return graph_.constant({.name = model_.tensors[op.weights[1]].name, .dims = {channels}, .type = OnnxType::kInt32},
                         bytes_of_elements(elements));
}

// What a saturated byte does not do.
OnnxValue Int8Nodes::limit(const Op& op, const OnnxValue& x, Range range) {
  const std::int32_t zero = scale_of(op.outputs).zero;
  const std::int32_t low = range.low + zero, high = range.high + zero;
  if (low == 0 && (high == 255 || (zero == 0 && !is_exact_))) return x;
  return graph_.node("Clip", op.name + ".range", {x, byte(op.name + ".low", low), byte(op.name + ".high", high)},
                     x.dims);
}

// A table is that of SiLU (see Scales), whose sums have the scale of the result: looked up, or x times its sigmoid, of
// which each is rounded to a byte.
OnnxValue Int8Nodes::activate(const Op& op, const OnnxValue& sums, const detent_requantisation& result) {
  if (result.has_table == 0) return limit(op, sums, {result.low, result.high});
  if (result.low != -128 || result.high != 127) fail_export(model_, "op " + op.name, "a range in front of a table");
  if (is_exact_) return look_up(op, sums);
  const Quantisation& scale = scale_of(op.outputs);
  std::vector<OnnxValue> inputs{sums};
  append(inputs, op.name + ".sums", scale);
  append(inputs, op.name + ".share", kSigmoid);
  const OnnxValue share = graph_.node(of_microsoft("QLinearSigmoid"), inputs,
                                      {.name = op.name + ".sigmoid", .dims = sums.dims, .type = OnnxType::kUint8});
  inputs = {sums};
  append(inputs, op.name + ".a", scale);
  inputs.push_back(share);
  append(inputs, op.name + ".b", kSigmoid);
  append(inputs, op.name + ".y", scale);
  return graph_.node(of_microsoft("QLinearMul"), inputs,
                     {.name = op.name + ".silu", .dims = sums.dims, .type = OnnxType::kUint8});
}

OnnxValue Int8Nodes::look_up(const Op& op, const OnnxValue& sums) {
  const std::vector<std::int8_t> table = elements_of<std::int8_t>(model_, op.weights[3]);
  const std::int32_t zero = scale_of(op.outputs).zero;
  std::string bytes;
  for (const std::int8_t element : table) bytes.push_back(static_cast<char>(element + zero));
  const OnnxValue values = graph_.constant(
      {.name = model_.tensors[op.weights[3]].name, .dims = {256}, .type = OnnxType::kUint8}, std::move(bytes));
  constexpr std::int64_t kInt32 = 6;  // TensorProto.DataType
  const OnnxValue places = graph_.node({.type = "Cast", .attributes = {{"to", kInt32}}}, {sums},
                                       {.name = op.name + ".place", .dims = sums.dims, .type = OnnxType::kInt32});
  return graph_.node("Gather", op.name + ".silu", {values, places}, sums.dims, {{"axis", std::int64_t{0}}});
}

OnnxValue Int8Nodes::convolution(const Op& op) {
  const auto config = config_of<detent_conv2d_i8_config>(model_, op);
  const detent_conv2d_config& c = config.conv;
  std::vector<OnnxAttribute> attributes = convolution_attributes(model_, op, c);
  const OnnxValue weights = graph_.constant({.name = model_.tensors[op.weights[0]].name,
                                             .dims = {c.out_channels, c.in_channels / c.groups, c.kernel_h, c.kernel_w},
                                             .type = OnnxType::kInt8},
                                            bytes_of_elements(unpack_convolution<std::int8_t>(model_, op, c)));
  std::vector<OnnxValue> inputs{values_.read(TensorId(op.inputs[0]))};
  append(inputs, op.name + ".x", scale_of(op.inputs));
  append_weights(inputs, op, weights, c.out_channels, config.result.shift);
  append(inputs, op.name + ".y", scale_of(op.outputs));
  inputs.push_back(bias(op, c.out_channels));
  return activate(
      op, graph_.node("QLinearConv", op.name, inputs, {1, c.out_channels, c.out_h, c.out_w}, std::move(attributes)),
      config.result);
}

OnnxValue Int8Nodes::gemm(const Op& op) {
  const auto config = config_of<detent_gemm_i8_config>(model_, op);
  const detent_gemm_config& c = config.gemm;
  if (c.row_begin != 0 || c.row_end != c.m) fail_export(model_, "op " + op.name, "a band of rows");
  const models::Tensor& tensor = model_.tensors[op.weights[0]];
  const OnnxValue weights = graph_.constant({.name = tensor.name, .dims = {c.k, c.n}, .type = OnnxType::kInt8},
                                            bytes_of_elements(elements_of<std::int8_t>(model_, op.weights[0])));
  std::vector<OnnxValue> inputs{graph_.reshape(values_.read(TensorId(op.inputs[0])), {c.m, c.k})};
  append(inputs, op.name + ".x", scale_of(op.inputs));
  append_weights(inputs, op, weights, c.n, config.result.shift);
  inputs.push_back(bias(op, c.n));
  append(inputs, op.name + ".y", scale_of(op.outputs));
  return activate(
      op, graph_.node(of_microsoft("QGemm"), inputs, {.name = op.name, .dims = {c.m, c.n}, .type = OnnxType::kUint8}),
      config.result);
}

OnnxValue Int8Nodes::add(const Op& op) {
  const auto c = config_of<detent_add_i8_config>(model_, op);
  const OnnxValue a = values_.read(TensorId(op.inputs[0]));
  std::vector<OnnxValue> inputs{a};
  append(inputs, op.name + ".a", scale_of(op.inputs));
  inputs.push_back(graph_.reshape(values_.read(TensorId(op.inputs[1])), a.dims));
  append(inputs, op.name + ".b", scales_.of(TensorId(op.inputs[1])));
  append(inputs, op.name + ".y", scale_of(op.outputs));
  const OnnxValue sum =
      graph_.node(of_microsoft("QLinearAdd"), inputs, {.name = op.name, .dims = a.dims, .type = OnnxType::kUint8});
  return limit(op, sum, {c.low, c.high});
}

OnnxValue Int8Nodes::max_pool(const Op& op) {
  const auto c = config_of<detent_pool_config>(model_, op);
  return graph_.node("MaxPool", op.name, {values_.read(TensorId(op.inputs[0]))}, {1, c.channels, c.out_h, c.out_w},
                     pool_attributes(model_, op, c));
}

OnnxValue Int8Nodes::upsample(const Op& op) {
  const auto c = config_of<detent_pool_config>(model_, op);
  return resize_nearest(model_, graph_, op, c, values_.read(TensorId(op.inputs[0])));
}

OnnxValue Int8Nodes::global_average(const Op& op) {
  const auto c = config_of<detent_global_avg_pool_i8_config>(model_, op).pool;
  std::vector<OnnxValue> inputs{values_.read(TensorId(op.inputs[0]))};
  append(inputs, op.name + ".x", scale_of(op.inputs));
  append(inputs, op.name + ".y", scale_of(op.outputs));
  const OnnxValue y = graph_.node(of_microsoft("QLinearGlobalAveragePool", {{"channels_last", std::int64_t{0}}}),
                                  inputs, {.name = op.name, .dims = {1, c.channels, 1, 1}, .type = OnnxType::kUint8});
  return graph_.reshape(y, {1, c.channels});
}

OnnxValue Int8Nodes::quantise(const Op& op) {
  const OnnxValue x = values_.read(TensorId(op.inputs[0]));
  std::vector<OnnxValue> inputs{x};
  append(inputs, op.name, scale_of(op.outputs));
  return graph_.node({.type = "QuantizeLinear"}, inputs, {.name = op.name, .dims = x.dims, .type = OnnxType::kUint8});
}

OnnxValue Int8Nodes::dequantise(const Op& op) {
  const OnnxValue x = values_.read(TensorId(op.inputs[0]));
  std::vector<OnnxValue> inputs{x};
  append(inputs, op.name, scale_of(op.inputs));
  return graph_.node({.type = "DequantizeLinear"}, inputs, {.name = op.name, .dims = x.dims});
}

OnnxValue Int8Nodes::elements(TensorId tensor) {
  const OnnxValue x = values_.read(tensor);
  const std::string& name = model_.tensors[tensor].name;
  std::vector<OnnxValue> inputs{x};
  append(inputs, name + ".elements", {.scale = 1, .zero = scales_.of(tensor).zero});
  return graph_.node({.type = "DequantizeLinear"}, inputs, {.name = name + ".elements", .dims = x.dims});
}

}  // namespace detent::bench
