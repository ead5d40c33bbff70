// What an op of a Model says: its config, and its weights as ONNX lays them out.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "base/input_error.hpp"
#include "bench/networks/onnx/graph.hpp"
#include "models/core/model.hpp"
#include "models/core/weights.hpp"

namespace detent::bench {

[[nodiscard]] inline std::size_t as_size(std::int32_t value) { return static_cast<std::size_t>(value); }

[[nodiscard]] inline OnnxDims dims_of(const models::Tensor& tensor) { return {tensor.dims.begin(), tensor.dims.end()}; }

/// @throws InputError  always: `place` ("op conv1") holds something that has no counterpart
[[noreturn]] void fail_export(const models::Model& model, const std::string& place, const std::string& what);

/// @throws InputError  the config has another size
template <typename Config>
[[nodiscard]] Config config_of(const models::Model& model, const models::Op& op) {
  Config config{};
  if (op.config.size() != sizeof config) fail_export(model, "op " + op.name, "a config of another size");
  std::memcpy(&config, op.config.data(), sizeof config);
  return config;
}

/// The elements of a weight as kernels read them. Element: float, std::int8_t or std::int32_t, as the tensor's dtype.
template <typename Element>
[[nodiscard]] std::vector<Element> elements_of(const models::Model& model, std::uint32_t weight) {
  std::vector<Element> elements(model.tensors[weight].size_bytes / sizeof(Element));
  const std::span bytes(reinterpret_cast<std::uint8_t*>(elements.data()), elements.size() * sizeof(Element));
  models::materialise_weight(model, weight, bytes);
  return elements;
}

/// Packed weights of a convolution (runtime/include/detent/op_config.h) -> [OC, IC/groups, KH, KW].
template <typename Element>
[[nodiscard]] std::vector<Element> unpack_convolution(const models::Model& model, const models::Op& op,
                                                      const detent_conv2d_config& c) {
  const models::Tensor& tensor = model.tensors[op.weights[0]];
  const bool depthwise = tensor.dims.size() == 4;
  const std::size_t input_block = depthwise ? 16 : as_size(tensor.dims[4]);
  const std::vector<Element> packed = elements_of<Element>(model, op.weights[0]);
  const std::size_t taps = as_size(c.kernel_h) * as_size(c.kernel_w);
  const std::size_t in = as_size(c.in_channels), out = as_size(c.out_channels), groups = as_size(c.groups);
  const std::size_t input_blocks = (in + input_block - 1) / input_block;
  std::vector<Element> weights;
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

/// Attributes of a Conv or QLinearConv. @throws InputError  a band of rows
[[nodiscard]] std::vector<OnnxAttribute> convolution_attributes(const models::Model& model, const models::Op& op,
                                                                const detent_conv2d_config& c);
/// Attributes of a MaxPool or AveragePool. @throws InputError  a band of rows
[[nodiscard]] std::vector<OnnxAttribute> pool_attributes(const models::Model& model, const models::Op& op,
                                                         const detent_pool_config& c);

/// A Resize of an upsampling op's input. @throws InputError  a band of rows
OnnxValue resize_nearest(const models::Model& model, OnnxGraph& graph, const models::Op& op,
                         const detent_pool_config& c, const OnnxValue& x);

/// The bytes of elements, as a constant of a file holds them.
template <typename Element>
[[nodiscard]] std::string bytes_of_elements(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

}  // namespace detent::bench
