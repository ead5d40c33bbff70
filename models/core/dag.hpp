// Dag: which bytes an op touches, which ops therefore depend on which, and a topological order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/lists/rows.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Bytes of a tensor in the coordinates of its root (the base that is no view itself).
struct ByteSet {
  std::uint32_t root = kNone;
  std::uint64_t first = 0;  ///< of the first block, within the root
  std::uint64_t block = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;

  [[nodiscard]] std::uint64_t end() const { return first + (count - 1) * stride + block; }
};

/// @throws InputError  the chain of views closes a cycle (B43)
[[nodiscard]] ByteSet bytes_of(const Model& model, TensorId tensor);

/// Do the two sets share a byte? False for different roots. O(min(count)).
[[nodiscard]] bool bytes_overlap(const ByteSet& a, const ByteSet& b);

/// Bytes that `to` takes from `from`: of each pair of a tensor that `from` writes and one that `to` reads what their
/// extents share, but no more than either has. At least the bytes that both touch.
/// @throws InputError  as bytes_of
[[nodiscard]] std::uint64_t bytes_over(const Model& model, OpId from, OpId to);

/// What one op does to one tensor.
struct Access {
  OpId op = 0;
  TensorId tensor = 0;
  bool writes = false;  ///< outputs and scratch; inputs and weights are reads
};

/// All accesses by ops to inputs, outputs and scratch (not weights), by root tensor, each list in op order.
[[nodiscard]] Rows<Access> accesses_by_root(const Model& model);

/// Edges that ops in id order imply: a reader follows every earlier op that wrote one of its bytes, a writer every
/// earlier op that wrote or read one of its bytes, transitively through views. Sorted by (from, to), each once.
[[nodiscard]] std::vector<Edge> derive_edges(const Model& model);

/// Topological order, lowest id first. @throws InputError  a cycle (B20), an edge out of range (B22)
[[nodiscard]] std::vector<std::uint32_t> topological_order(const Model& model);

/// Successor lists, ascending by edge order of the model. @throws InputError  an edge out of range (B22)
[[nodiscard]] Rows<std::uint32_t> successor_lists(const Model& model);

}  // namespace detent::models
