// A graph of ONNX operators, and the bytes of its file (onnx.proto, IR version 8, operators of opset 17).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace detent::bench {

using OnnxDims = std::vector<std::int64_t>;

/// Of the elements of a tensor.
enum class OnnxType : std::uint8_t { kFloat, kUint8, kInt8, kInt32, kInt64 };

/// A tensor that flows through the graph. An empty name is an optional input that is left out.
struct OnnxValue {
  std::string name{};
  OnnxDims dims{};
  OnnxType type = OnnxType::kFloat;
};

struct OnnxAttribute {
  std::string name{};
  std::variant<std::int64_t, float, std::string, OnnxDims> value{};
};

struct OnnxNode {
  std::string type{};  ///< "Conv"
  std::vector<std::string> inputs{};
  std::string output{};  ///< also the node's name
  std::vector<OnnxAttribute> attributes{};
  std::string domain{};  ///< empty: ONNX's own operators
};

/// A tensor whose elements the file holds.
struct OnnxConstant {
  OnnxValue value{};
  std::string bytes{};  ///< little-endian, row-major
};

/// The operators that ONNX Runtime has beside ONNX's: QLinearAdd and others.
inline constexpr const char* kMicrosoft = "com.microsoft";

/// Grows node by node. Names are made unique.
class OnnxGraph {
 public:
  explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

  OnnxValue input(const std::string& name, OnnxDims dims);
  OnnxValue floats(const std::string& name, OnnxDims dims, const std::vector<float>& elements);
  /// A vector of int64, such as the shape that a Reshape reads.
  OnnxValue integers(const std::string& name, const OnnxDims& elements);
  /// Any constant. @param bytes  little-endian, row-major
  OnnxValue constant(const OnnxValue& value, std::string bytes);
  /// Append a node. @return  its output, named after `name`, of the type of the first input
  OnnxValue node(const std::string& type, const std::string& name, const std::vector<OnnxValue>& inputs, OnnxDims dims,
                 std::vector<OnnxAttribute> attributes = {});
  /// The same of an operator that ONNX Runtime has beside ONNX's, or whose output has another type than its input.
  OnnxValue node(OnnxNode node, const std::vector<OnnxValue>& inputs, const OnnxValue& output);
  /// `value` with other dims: itself where it has them.
  OnnxValue reshape(const OnnxValue& value, const OnnxDims& dims);
  /// An output of the graph: `value` by the name `name`.
  void output(const OnnxValue& value, const std::string& name);

  /// The whole file.
  [[nodiscard]] std::string format() const;

 private:
  std::string unique(const std::string& name);

  std::string name_;
  std::set<std::string> names_{};
  std::vector<OnnxNode> nodes_{};
  std::vector<OnnxConstant> constants_{};
  std::vector<OnnxValue> inputs_{}, outputs_{};
};

}  // namespace detent::bench
