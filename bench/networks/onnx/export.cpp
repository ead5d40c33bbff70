#include "bench/networks/onnx/export.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <detent/op_config.h>

#include "base/ids.hpp"
#include "bench/networks/onnx/graph.hpp"
#include "bench/networks/onnx/int8.hpp"
#include "bench/networks/onnx/op_reader.hpp"
#include "bench/networks/onnx/values.hpp"

namespace detent::bench {
namespace {

using models::Op;
using models::Tensor;

std::int64_t element_count(const OnnxDims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

class Exporter {
 public:
  Exporter(const models::Model& model, bool is_exact)
      : model_(model), graph_(model.name), values_(model_, graph_), int8_(model_, graph_, values_, is_exact) {}

  std::string run() {
    for (const std::uint32_t input : model_.inputs) {
      const Tensor& tensor = model_.tensors[input];
      if (tensor.layout != DETENT_LAYOUT_PLAIN) fail(tensor.name, "an input in blocks of channels");
      values_.write(input, graph_.input(tensor.name, dims_of(tensor)));
    }
    for (const Op& op : model_.ops) values_.write(op.outputs.front(), convert(op));
    for (const std::uint32_t output : model_.outputs) {
      const Tensor& tensor = model_.tensors[output];
      graph_.output(tensor.dtype == DETENT_I8 ? int8_.elements(output) : values_.read(output), tensor.name);
    }
    return graph_.format();
  }

 private:
  using Converter = OnnxValue (Exporter::*)(const Op& op);

  [[noreturn]] void fail(const std::string& place, const std::string& what) const { fail_export(model_, place, what); }

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
    const bool is_int8 = Int8Nodes::handles(op);
    if (found == kConverters.end() && !is_int8) fail("op " + op.name, "kernel " + op.kernel);
    if (op.guarded != models::Guarded::kNo) fail("op " + op.name, "a condition");
    if (is_int8) return int8_.convert(op);
    return (this->*found->second)(op);
  }

  OnnxValue constant(std::uint32_t weight) {
    const Tensor& tensor = model_.tensors[weight];
    return graph_.floats(tensor.name, dims_of(tensor), elements_of<float>(model_, weight));
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
    const auto c = config_of<detent_conv2d_config>(model_, op);
    std::vector<OnnxAttribute> attributes = convolution_attributes(model_, op, c);
    const OnnxValue weights = graph_.floats(model_.tensors[op.weights[0]].name,
                                            {c.out_channels, c.in_channels / c.groups, c.kernel_h, c.kernel_w},
                                            unpack_convolution<float>(model_, op, c));
    std::vector<float> bias = elements_of<float>(model_, op.weights[1]);
    bias.resize(as_size(c.out_channels));
    OnnxValue y =
        graph_.node("Conv", op.name,
                    {input(op), weights, graph_.floats(model_.tensors[op.weights[1]].name, {c.out_channels}, bias)},
                    {1, c.out_channels, c.out_h, c.out_w}, std::move(attributes));
    y = activate(op.name, y, c.activation);
    if (c.has_residual == 0) return y;
    return graph_.node("Add", op.name + ".residual", {y, values_.read(op.inputs[1])}, y.dims);
  }

  OnnxValue pool(const Op& op) {
    const auto c = config_of<detent_pool_config>(model_, op);
    return graph_.node(op.kernel == "max_pool_f32" ? "MaxPool" : "AveragePool", op.name, {input(op)},
                       {1, c.channels, c.out_h, c.out_w}, pool_attributes(model_, op, c));
  }

  OnnxValue upsample(const Op& op) {
    return resize_nearest(model_, graph_, op, config_of<detent_pool_config>(model_, op), input(op));
  }

  OnnxValue global_average(const Op& op) {
    const auto c = config_of<detent_reorder_config>(model_, op);
    const OnnxValue y = graph_.node("GlobalAveragePool", op.name, {input(op)}, {1, c.channels, 1, 1});
    return graph_.reshape(y, {1, c.channels});
  }

  OnnxValue gemm(const Op& op) {
    const auto c = config_of<detent_gemm_config>(model_, op);
    if (c.row_begin != 0 || c.row_end != c.m) fail("op " + op.name, "a band of rows");
    std::vector<OnnxValue> inputs{graph_.reshape(input(op), {c.m, c.k})};
    const OnnxValue right = op.weights.empty() ? values_.read(op.inputs[1]) : constant(op.weights[0]);
    inputs.push_back(graph_.reshape(right, {c.k, c.n}));
    if (c.has_bias != 0) inputs.push_back(constant(op.weights[1]));
    const OnnxValue y = graph_.node(c.has_bias != 0 ? "Gemm" : "MatMul", op.name, inputs, {c.m, c.n});
    return activate(op.name, y, c.activation);
  }

  OnnxValue softmax(const Op& op) {
    const auto c = config_of<detent_softmax_config>(model_, op);
    const OnnxValue x = graph_.reshape(input(op), {c.rows, c.columns});
    return graph_.node("Softmax", op.name, {x}, x.dims, {{"axis", std::int64_t{1}}});
  }

  OnnxValue binary(const Op& op) {
    const auto c = config_of<detent_elementwise_config>(model_, op);
    const OnnxValue a = input(op);
    OnnxValue b = op.weights.empty() ? values_.read(op.inputs[1]) : constant(op.weights[0]);
    if (element_count(b.dims) != 1) b = graph_.reshape(b, a.dims);
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
    return activate(op.name, input(op), config_of<detent_elementwise_config>(model_, op).activation);
  }

  OnnxValue copy(const Op& op) { return input(op); }

  // A change of layout alone: values of images are in NCHW on both sides.
  OnnxValue reorder(const Op& op) {
    return activate(op.name, input(op), config_of<detent_reorder_config>(model_, op).activation);
  }

  OnnxValue transpose(const Op& op) {
    const auto c = config_of<detent_transpose_config>(model_, op);
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
  Int8Nodes int8_;
};

}  // namespace

std::string export_onnx(const models::Model& model, const ExportOptions& options) {
  return Exporter(model, options.is_exact).run();
}

}  // namespace detent::bench
