// Ops of the int8 kernels as nodes of ONNX.
#pragma once

#include <string>
#include <vector>

#include <detent/op_config.h>

#include "bench/networks/onnx/graph.hpp"
#include "bench/networks/onnx/scales.hpp"
#include "bench/networks/onnx/values.hpp"
#include "models/core/model.hpp"

namespace detent::bench {

/// Elements are unsigned bytes, q as q + zero point, and weights signed ones: the pair that ONNX Runtime multiplies by
/// VNNI without a conversion.
class Int8Nodes {
 public:
  /// @param model, graph, values  outlive the object
  /// @param is_exact  elements end where an op's range ends, and tables are looked up; else a byte behind ReLU or ReLU6
  ///                  may reach up to 255, for a Clip that ends it is a node that no network made for ONNX Runtime has,
  ///                  and a table is QLinearSigmoid and QLinearMul, which are faster there than Cast and Gather
  Int8Nodes(const models::Model& model, OnnxGraph& graph, Values& values, bool is_exact)
      : model_(model), graph_(graph), values_(values), scales_(model), is_exact_(is_exact) {}

  /// Does the op read or write I8?
  [[nodiscard]] static bool handles(const models::Op& op);
  /// The value that the op writes. @throws InputError  names the op and what has no counterpart
  OnnxValue convert(const models::Op& op);
  /// An I8 tensor of the model as floats: its elements as they are, whatever they stand for.
  OnnxValue elements(TensorId tensor);

 private:
  struct Range {
    std::int32_t low, high;
  };

  OnnxValue convolution(const models::Op& op);
  OnnxValue gemm(const models::Op& op);
  OnnxValue add(const models::Op& op);
  OnnxValue max_pool(const models::Op& op);
  OnnxValue upsample(const models::Op& op);
  OnnxValue global_average(const models::Op& op);
  OnnxValue quantise(const models::Op& op);
  OnnxValue dequantise(const models::Op& op);

  [[nodiscard]] const Quantisation& scale_of(const std::vector<std::uint32_t>& tensors) const {
    return scales_.of(TensorId(tensors.front()));
  }
  /// Scale and zero point, as two constants behind `inputs`.
  void append(std::vector<OnnxValue>& inputs, const std::string& name, const Quantisation& quantisation);
  void append_weights(std::vector<OnnxValue>& inputs, const models::Op& op, const OnnxValue& weights,
                      std::int32_t channels, std::int32_t shift);
  OnnxValue bias(const models::Op& op, std::int32_t channels);
  OnnxValue activate(const models::Op& op, const OnnxValue& sums, const detent_requantisation& result);
  OnnxValue look_up(const models::Op& op, const OnnxValue& sums);
  OnnxValue limit(const models::Op& op, const OnnxValue& x, Range range);
  OnnxValue byte(const std::string& name, std::int32_t value);

  const models::Model& model_;
  OnnxGraph& graph_;
  Values& values_;
  Scales scales_;
  bool is_exact_;
};

}  // namespace detent::bench
