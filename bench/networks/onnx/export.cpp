#include "bench/networks/onnx/export.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include <detent/op_config.h>

#include "base/ids.hpp"
#include "base/input_error.hpp"
#include "bench/networks/onnx/graph.hpp"
#include "bench/networks/onnx/values.hpp"
#include "models/core/weights.hpp"

namespace detent::bench {
namespace {

using models::Op;
using models::Tensor;

std::size_t as_size(std::int32_t value) { return static_cast<std::size_t>(value); }

OnnxDims dims_of(const Tensor& tensor) { return {tensor.dims.begin(), tensor.dims.end()}; }

std::int64_t elements_of(const OnnxDims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

/// The padding at the far end that gives `out` elements: as much as at the near end where that does.
std::int64_t far_padding(std::int32_t in, std::int32_t out, std::int32_t extent, std::int32_t stride,
                         std::int32_t near) {
  if ((in + 2 * near - extent) / stride + 1 == out) return near;
  return std::max(0, (out - 1) * stride + extent - in - near);
}

/// Packed weights of a convolution (runtime/include/detent/op_config.h) -> [OC, IC/groups, KH, KW].
std::vector<float> unpack_convolution(const detent_conv2d_config& c, std::span<const float> packed,
                                      std::size_t input_block, bool depthwise) {
  const std::size_t taps = as_size(c.kernel_h) * as_size(c.kernel_w);
  const std::size_t in = as_size(c.in_channels), out = as_size(c.out_channels), groups = as_size(c.groups);
  const std::size_t input_blocks = (in + input_block - 1) / input_block;
  std::vector<float> weights;
  weights.reserve(out * (in / groups) * taps);
  for (std::size_t oc = 0; oc < out; ++oc) {
    const std::size_t first = oc / (out / groups) * (in / groups);
    for (std::size_t ic = first; ic < first + in / groups; ++ic) {
      for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::size_t block = (oc / 16 * input_blocks + ic / input_block) * taps + tap;
        const std::size_t dense = (block * input_block + ic % input_block) * 16 + oc % 16;
        weights.push_back(packed[depthwise ? (oc / 16 * taps + tap) * 16 + oc % 16 : dense]);
      }
    }
  }
  return weights;
}

class Exporter {
 public:
  explicit Exporter(const models::Model& model) : model_(model), graph_(model.name), values_(model_, graph_) {}

  std::string run() {
    for (const std::uint32_t input : model_.inputs) {
      const Tensor& tensor = model_.tensors[input];
      if (tensor.layout != DETENT_LAYOUT_PLAIN) fail(tensor.name, "an input in blocks of channels");
      values_.write(input, graph_.input(tensor.name, dims_of(tensor)));
    }
    for (const Op& op : model_.ops) values_.write(op.outputs.front(), convert(op));
    for (const std::uint32_t output : model_.outputs) {
      graph_.output(values_.read(output), model_.tensors[output].name);
    }
    return graph_.format();
  }

 private:
  using Converter = OnnxValue (Exporter::*)(const Op& op);

  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw InputError(model_.name, place, what + " has no counterpart in ONNX here");
  }

  OnnxValue convert(const Op& op) {
    static const std::map<std::string, Converter> kConverters = {
        {"conv2d_f32", &Exporter::convolution},
        {"max_pool_f32", &Exporter::pool},
        {"avg_pool_f32", &Exporter::pool},
        {"upsample_nearest_f32", &Exporter::upsample},
        {"global_avg_pool_f32", &Exporter::global_average},
        {"gemm_f32", &Exporter::gemm},
        {"softmax_f32", &Exporter::softmax},
        {"binary_f32", &Exporter::binary},
        {"unary_f32", &Exporter::unary},
        {"copy_f32", &Exporter::copy},
        {"reorder_f32", &Exporter::reorder},
        {"transpose_f32", &Exporter::transpose},
    };
    const auto found = kConverters.find(op.kernel);
    if (found == kConverters.end()) fail("op " + op.name, "kernel " + op.kernel);
    if (op.guarded != models::Guarded::kNo) fail("op " + op.name, "a condition");
    return (this->*found->second)(op);
  }

  template <typename Config>
  [[nodiscard]] Config config_of(const Op& op) const {
    Config config{};
    if (op.config.size() != sizeof config) fail("op " + op.name, "a config of another size");
    std::memcpy(&config, op.config.data(), sizeof config);
    return config;
  }

  [[nodiscard]] std::vector<float> floats_of(std::uint32_t weight) const {
    std::vector<float> elements(model_.tensors[weight].size_bytes / sizeof(float));
    const std::span bytes(reinterpret_cast<std::uint8_t*>(elements.data()), elements.size() * sizeof(float));
    models::materialise_weight(model_, weight, bytes);
    return elements;
  }

  OnnxValue constant(std::uint32_t weight) {
    const Tensor& tensor = model_.tensors[weight];
    return graph_.floats(tensor.name, dims_of(tensor), floats_of(weight));
  }

  OnnxValue input(const Op& op) { return values_.read(op.inputs.front()); }

  OnnxValue activate(const std::string& name, const OnnxValue& x, std::int32_t activation) {
    switch (static_cast<detent_activation>(activation)) {
      case DETENT_ACT_NONE:
        return x;
      case DETENT_ACT_RELU:
        return graph_.node("Relu", name + ".relu", {x}, x.dims);
      case DETENT_ACT_RELU6:
        return graph_.node("Clip", name + ".relu6",
                           {x, graph_.floats(name + ".low", {}, {0.0F}), graph_.floats(name + ".high", {}, {6.0F})},
                           x.dims);
      case DETENT_ACT_SIGMOID:
        return graph_.node("Sigmoid", name + ".sigmoid", {x}, x.dims);
      case DETENT_ACT_SILU: {
        const OnnxValue sigmoid = graph_.node("Sigmoid", name + ".sigmoid", {x}, x.dims);
        return graph_.node("Mul", name + ".silu", {x, sigmoid}, x.dims);
      }
    }
    fail("op " + name, "activation " + std::to_string(activation));
  }

  OnnxValue convolution(const Op& op) {
    const auto c = config_of<detent_conv2d_config>(op);
    if (c.row_begin != 0 || c.row_end != c.out_h) fail("op " + op.name, "a band of rows");
    const Tensor& packed = model_.tensors[op.weights[0]];
    const bool depthwise = packed.dims.size() == 4;
    const std::size_t input_block = depthwise ? 16 : as_size(packed.dims[4]);
    const OnnxValue weights =
        graph_.floats(packed.name, {c.out_channels, c.in_channels / c.groups, c.kernel_h, c.kernel_w},
                      unpack_convolution(c, floats_of(op.weights[0]), input_block, depthwise));
    std::vector<float> bias = floats_of(op.weights[1]);
    bias.resize(as_size(c.out_channels));
    const std::int64_t bottom =
        far_padding(c.in_h, c.out_h, c.dilation_h * (c.kernel_h - 1) + 1, c.stride_h, c.pad_top);
    const std::int64_t right =
        far_padding(c.in_w, c.out_w, c.dilation_w * (c.kernel_w - 1) + 1, c.stride_w, c.pad_left);
    OnnxValue y =
        graph_.node("Conv", op.name,
                    {input(op), weights, graph_.floats(model_.tensors[op.weights[1]].name, {c.out_channels}, bias)},
                    {1, c.out_channels, c.out_h, c.out_w},
                    {{"kernel_shape", OnnxDims{c.kernel_h, c.kernel_w}},
                     {"strides", OnnxDims{c.stride_h, c.stride_w}},
                     {"dilations", OnnxDims{c.dilation_h, c.dilation_w}},
                     {"pads", OnnxDims{c.pad_top, c.pad_left, bottom, right}},
                     {"group", std::int64_t{c.groups}}});
    y = activate(op.name, y, c.activation);
    if (c.has_residual == 0) return y;
    return graph_.node("Add", op.name + ".residual", {y, values_.read(op.inputs[1])}, y.dims);
  }

  OnnxValue pool(const Op& op) {
    const auto c = config_of<detent_pool_config>(op);
    if (c.row_begin != 0 || c.row_end != c.out_h) fail("op " + op.name, "a band of rows");
    const std::int64_t bottom = far_padding(c.in_h, c.out_h, c.kernel_h, c.stride_h, c.pad_top);
    const std::int64_t right = far_padding(c.in_w, c.out_w, c.kernel_w, c.stride_w, c.pad_left);
    return graph_.node(op.kernel == "max_pool_f32" ? "MaxPool" : "AveragePool", op.name, {input(op)},
                       {1, c.channels, c.out_h, c.out_w},
                       {{"kernel_shape", OnnxDims{c.kernel_h, c.kernel_w}},
                        {"strides", OnnxDims{c.stride_h, c.stride_w}},
                        {"pads", OnnxDims{c.pad_top, c.pad_left, bottom, right}}});
  }

  OnnxValue upsample(const Op& op) {
    const auto c = config_of<detent_pool_config>(op);
    if (c.row_begin != 0 || c.row_end != c.out_h) fail("op " + op.name, "a band of rows");
    const OnnxValue scales = graph_.floats(
        op.name + ".scales", {4}, {1.0F, 1.0F, static_cast<float>(c.stride_h), static_cast<float>(c.stride_w)});
    return graph_.node("Resize", op.name, {input(op), {}, scales}, {1, c.channels, c.out_h, c.out_w},
                       {{"mode", std::string("nearest")},
                        {"nearest_mode", std::string("floor")},
                        {"coordinate_transformation_mode", std::string("asymmetric")}});
  }

  OnnxValue global_average(const Op& op) {
    const auto c = config_of<detent_reorder_config>(op);
    const OnnxValue y = graph_.node("GlobalAveragePool", op.name, {input(op)}, {1, c.channels, 1, 1});
    return graph_.reshape(y, {1, c.channels});
  }

  OnnxValue gemm(const Op& op) {
    const auto c = config_of<detent_gemm_config>(op);
    if (c.row_begin != 0 || c.row_end != c.m) fail("op " + op.name, "a band of rows");
    std::vector<OnnxValue> inputs{graph_.reshape(input(op), {c.m, c.k})};
    const OnnxValue right = op.weights.empty() ? values_.read(op.inputs[1]) : constant(op.weights[0]);
    inputs.push_back(graph_.reshape(right, {c.k, c.n}));
    if (c.has_bias != 0) inputs.push_back(constant(op.weights[1]));
    const OnnxValue y = graph_.node(c.has_bias != 0 ? "Gemm" : "MatMul", op.name, inputs, {c.m, c.n});
    return activate(op.name, y, c.activation);
  }

  OnnxValue softmax(const Op& op) {
    const auto c = config_of<detent_softmax_config>(op);
    const OnnxValue x = graph_.reshape(input(op), {c.rows, c.columns});
    return graph_.node("Softmax", op.name, {x}, x.dims, {{"axis", std::int64_t{1}}});
  }

  OnnxValue binary(const Op& op) {
    const auto c = config_of<detent_elementwise_config>(op);
    const OnnxValue a = input(op);
    OnnxValue b = op.weights.empty() ? values_.read(op.inputs[1]) : constant(op.weights[0]);
    if (elements_of(b.dims) != 1) b = graph_.reshape(b, a.dims);
    const char* type = "";
    switch (static_cast<detent_binary>(c.op)) {
      case DETENT_BINARY_ADD:
        type = "Add";
        break;
      case DETENT_BINARY_SUB:
        type = "Sub";
        break;
      case DETENT_BINARY_MUL:
        type = "Mul";
        break;
    }
    return activate(op.name, graph_.node(type, op.name, {a, b}, a.dims), c.activation);
  }

  OnnxValue unary(const Op& op) {
    return activate(op.name, input(op), config_of<detent_elementwise_config>(op).activation);
  }

  OnnxValue copy(const Op& op) { return input(op); }

  // A change of layout alone: values of images are in NCHW on both sides.
  OnnxValue reorder(const Op& op) {
    return activate(op.name, input(op), config_of<detent_reorder_config>(op).activation);
  }

  OnnxValue transpose(const Op& op) {
    const auto c = config_of<detent_transpose_config>(op);
    OnnxDims from, to, axes;
    for (std::int32_t i = 0; i < c.rank; ++i) {
      from.push_back(c.dims[i]);
      to.push_back(c.dims[c.axes[i]]);
      axes.push_back(c.axes[i]);
    }
    return graph_.node("Transpose", op.name, {graph_.reshape(input(op), from)}, to, {{"perm", axes}});
  }

  const models::Model& model_;
  OnnxGraph graph_;
  Values values_;
};

}  // namespace

std::string export_onnx(const models::Model& model) { return Exporter(model).run(); }

}  // namespace detent::bench
