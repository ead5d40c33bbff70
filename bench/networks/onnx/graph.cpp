#include "bench/networks/onnx/graph.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "bench/networks/onnx/protobuf.hpp"

namespace detent::bench {
namespace {

static_assert(std::endian::native == std::endian::little, "files and memory have one byte order");

constexpr std::int64_t kIrVersion = 8;
constexpr std::int64_t kOpset = 17;
constexpr std::int64_t kDataType[] = {1, 2, 3, 6, 7};                 // TensorProto.DataType, by OnnxType
constexpr std::int64_t kAttribute[] = {2 /*INT*/, 1, 3, 7 /*INTS*/};  // AttributeProto.AttributeType, by variant index

template <typename Element>
std::string bytes_of(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

ProtobufMessage attribute_message(const OnnxAttribute& attribute) {
  ProtobufMessage message;
  message.add_bytes(1, attribute.name);
  if (const auto* real = std::get_if<float>(&attribute.value)) message.add_float(2, *real);
  if (const auto* integer = std::get_if<std::int64_t>(&attribute.value)) message.add_integer(3, *integer);
  if (const auto* text = std::get_if<std::string>(&attribute.value)) message.add_bytes(4, *text);
  if (const auto* list = std::get_if<OnnxDims>(&attribute.value)) {
    for (const std::int64_t element : *list) message.add_integer(8, element);
  }
  message.add_integer(20, kAttribute[attribute.value.index()]);
  return message;
}

ProtobufMessage node_message(const OnnxNode& node) {
  ProtobufMessage message;
  for (const std::string& input : node.inputs) message.add_bytes(1, input);
  message.add_bytes(2, node.output);
  message.add_bytes(3, node.output);
  message.add_bytes(4, node.type);
  for (const OnnxAttribute& attribute : node.attributes) message.add_message(5, attribute_message(attribute));
  if (!node.domain.empty()) message.add_bytes(7, node.domain);
  return message;
}

std::int64_t data_type(const OnnxValue& value) { return kDataType[static_cast<std::size_t>(value.type)]; }

ProtobufMessage opset_message(const std::string& domain, std::int64_t version) {
  ProtobufMessage message;
  message.add_bytes(1, domain);
  message.add_integer(2, version);
  return message;
}

ProtobufMessage constant_message(const OnnxConstant& constant) {
  ProtobufMessage message;
  for (const std::int64_t dim : constant.value.dims) message.add_integer(1, dim);
  message.add_integer(2, data_type(constant.value));
  message.add_bytes(8, constant.value.name);
  message.add_bytes(9, constant.bytes);
  return message;
}

ProtobufMessage value_message(const OnnxValue& value) {
  ProtobufMessage shape;
  for (const std::int64_t dim : value.dims) {
    ProtobufMessage dimension;
    dimension.add_integer(1, dim);
    shape.add_message(1, dimension);
  }
  ProtobufMessage tensor;
  tensor.add_integer(1, data_type(value));
  tensor.add_message(2, shape);
  ProtobufMessage type;
  type.add_message(1, tensor);
  ProtobufMessage message;
  message.add_bytes(1, value.name);
  message.add_message(2, type);
  return message;
}

}  // namespace

std::string OnnxGraph::unique(const std::string& name) {
  std::string tried = name;
  for (int count = 2; !names_.insert(tried).second; ++count) tried = name + "." + std::to_string(count);
  return tried;
}

OnnxValue OnnxGraph::input(const std::string& name, OnnxDims dims) {
  inputs_.push_back({.name = unique(name), .dims = std::move(dims)});
  return inputs_.back();
}

OnnxValue OnnxGraph::floats(const std::string& name, OnnxDims dims, const std::vector<float>& elements) {
  return constant({.name = name, .dims = std::move(dims)}, bytes_of(elements));
}

OnnxValue OnnxGraph::integers(const std::string& name, const OnnxDims& elements) {
  const OnnxDims dims{static_cast<std::int64_t>(elements.size())};
  return constant({.name = name, .dims = dims, .type = OnnxType::kInt64}, bytes_of(elements));
}

OnnxValue OnnxGraph::constant(const OnnxValue& value, std::string bytes) {
  constants_.push_back({{unique(value.name), value.dims, value.type}, std::move(bytes)});
  return constants_.back().value;
}

OnnxValue OnnxGraph::node(const std::string& type, const std::string& name, const std::vector<OnnxValue>& inputs,
                          OnnxDims dims, std::vector<OnnxAttribute> attributes) {
  return node({.type = type, .attributes = std::move(attributes)}, inputs,
              {.name = name, .dims = std::move(dims), .type = inputs.front().type});
}

OnnxValue OnnxGraph::node(OnnxNode node, const std::vector<OnnxValue>& inputs, const OnnxValue& output) {
  node.output = unique(output.name);
  for (const OnnxValue& input : inputs) node.inputs.push_back(input.name);
  nodes_.push_back(std::move(node));
  return {nodes_.back().output, output.dims, output.type};
}

OnnxValue OnnxGraph::reshape(const OnnxValue& value, const OnnxDims& dims) {
  if (value.dims == dims) return value;
  return node("Reshape", value.name + ".reshaped", {value, integers(value.name + ".shape", dims)}, dims);
}

void OnnxGraph::output(const OnnxValue& value, const std::string& name) {
  outputs_.push_back(node("Identity", name, {value}, value.dims));
}

std::string OnnxGraph::format() const {
  ProtobufMessage graph;
  for (const OnnxNode& node : nodes_) graph.add_message(1, node_message(node));
  graph.add_bytes(2, name_);
  for (const OnnxConstant& constant : constants_) graph.add_message(5, constant_message(constant));
  for (const OnnxValue& value : inputs_) graph.add_message(11, value_message(value));
  for (const OnnxValue& value : outputs_) graph.add_message(12, value_message(value));
  ProtobufMessage file;
  file.add_integer(1, kIrVersion);
  file.add_bytes(2, "detent");
  file.add_message(7, graph);
  file.add_message(8, opset_message("", kOpset));
  const auto is_microsoft = [](const OnnxNode& node) { return node.domain == kMicrosoft; };
  if (std::ranges::any_of(nodes_, is_microsoft)) file.add_message(8, opset_message(kMicrosoft, 1));
  return file.bytes();
}

}  // namespace detent::bench
