#include "bench/networks/onnx/values.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/input_error.hpp"
#include "models/core/dag.hpp"
#include "models/core/dtypes.hpp"

namespace detent::bench {
namespace {

constexpr std::uint64_t kBlock = 16;  // channels of a row of a C16 tensor

bool is_image(const models::Tensor& tensor) { return tensor.dims.size() == 4; }
bool is_blocked(const models::Tensor& tensor) { return tensor.layout == DETENT_LAYOUT_C16; }

std::uint64_t element_bytes(const models::Tensor& tensor) { return models::dtype_of(tensor.dtype).bytes; }

bool contains(const ByteRectangle& outer, const ByteRectangle& inner) {
  return outer.row <= inner.row && inner.row + inner.rows <= outer.row + outer.rows && outer.column <= inner.column &&
         inner.column + inner.columns <= outer.column + outer.columns;
}

bool overlap(const ByteRectangle& a, const ByteRectangle& b) {
  return a.row < b.row + b.rows && b.row < a.row + a.rows && a.column < b.column + b.columns &&
         b.column < a.column + a.columns;
}

std::int64_t as_dim(std::uint64_t value) { return static_cast<std::int64_t>(value); }

OnnxDims dims_of_tensor(const models::Tensor& tensor) { return {tensor.dims.begin(), tensor.dims.end()}; }

/// The part of `bytes` between two cuts.
ByteRectangle between(ByteRectangle bytes, bool rows, std::uint64_t begin, std::uint64_t end) {
  (rows ? bytes.row : bytes.column) = begin;
  (rows ? bytes.rows : bytes.columns) = end - begin;
  return bytes;
}

}  // namespace

void Values::fail(TensorId tensor, const std::string& what) const {
  throw InputError(model_.name, "tensor " + model_.tensors[tensor].name, what);
}

std::uint64_t Values::row_bytes(const models::Tensor& root) const {
  const auto dim = [&](std::size_t i) { return static_cast<std::uint64_t>(root.dims[i]); };
  if (is_image(root)) return dim(2) * dim(3) * element_bytes(root) * (is_blocked(root) ? kBlock : 1);
  return (root.dims.empty() ? 1 : dim(root.dims.size() - 1)) * element_bytes(root);
}

ByteRectangle Values::rectangle_of(TensorId tensor) const {
  const models::ByteSet set = models::bytes_of(model_, tensor);
  const models::Tensor& root = model_.tensors[set.root];
  const std::uint64_t row = row_bytes(root);
  const ByteRectangle rows{set.first / row, set.block / row, 0, row};
  const ByteRectangle part{set.first / row, set.count, set.first % row, set.block};
  if (set.count == 1 && set.first % row == 0 && set.block % row == 0) return rows;
  const bool fits = (set.count == 1 || set.stride == row) && part.column + part.columns <= row;
  if (!fits || is_image(root)) fail(tensor, "is no rectangle of rows and columns of " + root.name);
  return part;
}

OnnxDims Values::dims_of(std::uint32_t root_id, const ByteRectangle& bytes) const {
  const models::Tensor& root = model_.tensors[root_id];
  if (!is_image(root)) return {as_dim(bytes.rows), as_dim(bytes.columns / element_bytes(root))};
  const std::uint64_t per_row = is_blocked(root) ? kBlock : 1;
  const std::uint64_t end = std::min((bytes.row + bytes.rows) * per_row, static_cast<std::uint64_t>(root.dims[1]));
  return {1, as_dim(end - bytes.row * per_row), root.dims[2], root.dims[3]};
}

void Values::write(TensorId tensor, const OnnxValue& value) {
  const std::uint32_t root = models::bytes_of(model_, tensor).root;
  const ByteRectangle bytes = rectangle_of(tensor);
  std::vector<Piece>& pieces = pieces_[root];
  const auto is_there = [&](const Piece& piece) { return overlap(piece.bytes, bytes); };
  if (std::ranges::any_of(pieces, is_there)) fail(tensor, "is written twice");
  pieces.push_back({bytes, graph_.reshape(value, dims_of(root, bytes))});
}

OnnxValue Values::read(TensorId id) {
  const models::Tensor& tensor = model_.tensors[id];
  const std::uint32_t root = models::bytes_of(model_, id).root;
  OnnxValue value = assemble(root, rectangle_of(id), tensor.name);
  if (is_blocked(model_.tensors[root]) && !is_blocked(tensor)) value = as_matrix(value);
  return graph_.reshape(value, dims_of_tensor(tensor));
}

OnnxValue Values::assemble(std::uint32_t root, const ByteRectangle& bytes, const std::string& name) {
  for (const Piece& piece : pieces_[root]) {
    if (piece.bytes == bytes) return piece.value;
  }
  const auto known = assembled_.find({root, bytes});
  if (known != assembled_.end()) return known->second;
  const auto holds_all = [&](const Piece& piece) { return contains(piece.bytes, bytes); };
  const std::vector<Piece>& pieces = pieces_[root];
  const auto piece = std::ranges::find_if(pieces, holds_all);
  const OnnxValue made = piece != pieces.end() ? slice(root, *piece, bytes, name) : concat(root, bytes, name);
  assembled_.insert({{root, bytes}, made});
  return made;
}

OnnxValue Values::slice(std::uint32_t root, const Piece& piece, const ByteRectangle& bytes, const std::string& name) {
  const OnnxDims dims = dims_of(root, bytes);
  const bool image = is_image(model_.tensors[root]);
  const std::int64_t first_row =
      as_dim(bytes.row - piece.bytes.row) * (is_blocked(model_.tensors[root]) ? as_dim(kBlock) : 1);
  const std::int64_t first_column = as_dim((bytes.column - piece.bytes.column) / element_bytes(model_.tensors[root]));
  const OnnxDims begins = image ? OnnxDims{first_row} : OnnxDims{first_row, first_column};
  const OnnxDims ends = image ? OnnxDims{first_row + dims[1]} : OnnxDims{first_row + dims[0], first_column + dims[1]};
  return graph_.node("Slice", name + ".slice",
                     {piece.value, graph_.integers(name + ".begins", begins), graph_.integers(name + ".ends", ends),
                      graph_.integers(name + ".axes", image ? OnnxDims{1} : OnnxDims{0, 1})},
                     dims);
}

// Where `bytes` can be cut between rows (or columns) without cutting a piece; its own ends first and last.
std::vector<std::uint64_t> Values::cuts(std::uint32_t root, const ByteRectangle& bytes, bool rows) const {
  std::set<std::uint64_t> ends;
  const auto begin_of = [&](const ByteRectangle& r) { return rows ? r.row : r.column; };
  const auto end_of = [&](const ByteRectangle& r) { return begin_of(r) + (rows ? r.rows : r.columns); };
  std::vector<ByteRectangle> inside;
  for (const Piece& piece : pieces_.at(root)) {
    if (!overlap(piece.bytes, bytes)) continue;
    inside.push_back(piece.bytes);
    ends.insert({std::max(begin_of(bytes), begin_of(piece.bytes)), std::min(end_of(bytes), end_of(piece.bytes))});
  }
  std::vector<std::uint64_t> cuts{begin_of(bytes)};
  for (const std::uint64_t end : ends) {
    const auto is_cut = [&](const ByteRectangle& piece) { return begin_of(piece) < end && end < end_of(piece); };
    const bool within = begin_of(bytes) < end && end < end_of(bytes);
    if (within && std::ranges::none_of(inside, is_cut)) cuts.push_back(end);
  }
  cuts.push_back(end_of(bytes));
  return cuts;
}

OnnxValue Values::concat(std::uint32_t root, const ByteRectangle& bytes, const std::string& name) {
  for (const bool rows : {true, false}) {
    const std::vector<std::uint64_t> at = cuts(root, bytes, rows);
    if (at.size() == 2) continue;
    std::vector<OnnxValue> parts;
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      parts.push_back(assemble(root, between(bytes, rows, at[i], at[i + 1]), name));
    }
    const std::int64_t axis = is_image(model_.tensors[root]) ? 1 : rows ? 0 : 1;
    return graph_.node("Concat", name + ".concat", parts, dims_of(root, bytes), {{"axis", axis}});
  }
  fail(TensorId(root), "is read where nobody has written, or where what was written cannot be put together");
}

// [1,C,H,W] as the blocks are in memory: [C/16, H*W, 16].
OnnxValue Values::as_matrix(const OnnxValue& image) {
  const std::int64_t channels = image.dims[1], pixels = image.dims[2] * image.dims[3];
  const auto block = as_dim(kBlock);
  const OnnxValue blocks = graph_.reshape(image, {channels / block, block, pixels});
  return graph_.node("Transpose", image.name + ".blocks", {blocks}, {channels / block, pixels, block},
                     {{"perm", OnnxDims{0, 2, 1}}});
}

}  // namespace detent::bench
