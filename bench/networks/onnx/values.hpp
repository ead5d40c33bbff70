// From bytes to values: a Model's ops write and read ranges of bytes, where a concatenation or a slice is a view of
// another tensor; nodes of ONNX read whole values.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.hpp"
#include "bench/networks/onnx/graph.hpp"
#include "models/core/model.hpp"

namespace detent::bench {

/// A rectangle of the bytes of a tensor that is no view. Rows are channels (PLAIN [1,C,H,W]), blocks of 16 channels
/// (C16), or what stands before the last dimension (all others); columns are bytes of a row.
struct ByteRectangle {
  std::uint64_t row = 0, rows = 0, column = 0, columns = 0;
  auto operator<=>(const ByteRectangle&) const = default;
};

/// What has been written so far, as values of a graph. Images are values [1,C,H,W], whatever their layout.
class Values {
 public:
  /// @param model, graph  outlive the object
  Values(const models::Model& model, OnnxGraph& graph) : model_(model), graph_(graph) {}

  /// `value` is written to a tensor or view. @throws InputError  bytes that were written before, or no rectangle
  void write(TensorId tensor, const OnnxValue& value);

  /// The value of a tensor or view, with its dims: what was written there, a Slice or a Concat of it, with a Transpose
  /// where blocks of 16 channels are read as a matrix.
  /// @throws InputError  bytes that nobody has written, or no rectangle
  OnnxValue read(TensorId tensor);

 private:
  struct Piece {
    ByteRectangle bytes;
    OnnxValue value;
  };

  [[noreturn]] void fail(TensorId tensor, const std::string& what) const;
  [[nodiscard]] std::uint64_t row_bytes(const models::Tensor& root) const;
  [[nodiscard]] ByteRectangle rectangle_of(TensorId tensor) const;
  [[nodiscard]] OnnxDims dims_of(std::uint32_t root, const ByteRectangle& bytes) const;
  [[nodiscard]] std::vector<std::uint64_t> cuts(std::uint32_t root, const ByteRectangle& bytes, bool rows) const;
  OnnxValue assemble(std::uint32_t root, const ByteRectangle& bytes, const std::string& name);
  OnnxValue slice(std::uint32_t root, const Piece& piece, const ByteRectangle& bytes, const std::string& name);
  OnnxValue concat(std::uint32_t root, const ByteRectangle& bytes, const std::string& name);
  OnnxValue as_matrix(const OnnxValue& image);

  const models::Model& model_;
  OnnxGraph& graph_;
  std::map<std::uint32_t, std::vector<Piece>> pieces_{};                      // by root, disjoint
  std::map<std::pair<std::uint32_t, ByteRectangle>, OnnxValue> assembled_{};  // each Slice and Concat once
};

}  // namespace detent::bench
