// Parts that every Model of an artifact has: regions of the interface and of constants, tensors of types that TVM
// names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/ids.hpp"
#include "models/core/model.hpp"
#include "models/import/tvm/model/import.hpp"
#include "models/import/tvm/module/module_text.hpp"

namespace detent::models::tvm {

/// Adds regions and tensors to a Model and keeps where each object of main went.
class ModelParts {
 public:
  ModelParts(const Import& import, Model& model);

  /// Inputs, outputs, constant pools and weights as tensors, for plan_memory to place; model.inputs and outputs.
  void add_interface();

  std::uint32_t add_region(const std::string& name, detent_region_kind kind, std::uint64_t size_bytes);
  /// A tensor of plain bytes.
  std::uint32_t add_bytes(const std::string& name, TensorRole role, std::uint64_t size_bytes);
  /// A range of a region that already has its place: dense, or equal blocks at equal distances.
  std::uint32_t add_range(const std::string& name, RegionId region, const ByteSet& blocks);

  /// Bytes [offset, offset + size) of a constant object as an argument of `op`; the pointer is `delta` bytes behind the
  /// first of them. Null when the object has no tensor.
  ThunkArgument constant_argument(Op& op, std::uint32_t object, const std::string& name, std::uint64_t offset,
                                  std::uint64_t size_bytes, std::int64_t delta);
  /// Argument `k` of a call, a constant pool: its base, and every constant that the function takes from it.
  ThunkArgument constant_pool(Op& op, const Call& call, std::uint32_t k);
  /// Argument `k` of a call, a buffer of constants.
  ThunkArgument constant_buffer(Op& op, const Call& call, std::uint32_t k);

  /// The tensor that stands for all of an object: inputs, outputs, constants. kNone for pools.
  [[nodiscard]] std::uint32_t whole(std::uint32_t object) const { return whole_[object]; }
  /// Bytes of an object, from what is told and what calls touch.
  [[nodiscard]] std::uint64_t size_of(std::uint32_t object) const { return sizes_[object]; }
  [[nodiscard]] const std::vector<std::uint64_t>& sizes() const { return sizes_; }

 private:
  std::uint32_t add_typed(const MemoryObject& object, TensorRole role, std::uint64_t size_bytes);
  void add_constants(std::uint32_t object);
  void find_sizes();

  const Import& import_;
  Model& model_;
  std::vector<std::uint32_t> whole_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint32_t> views_;  ///< object, offset, size
  std::vector<std::uint64_t> sizes_;
};

/// What the analysis of the text says of the bytes of one call.
Footprint text_footprint(const Import& import, const Call& call);

/// The artifact's own places: every byte that `accesses` name as a range, ordered by `edges`. @see imported_model
/// @param places  null, or receives where each object went
/// @param accesses  of the import, or without what is no longer accessed once `edits` have changed the operators
Model model_as_placed(const Import& import, const CallAccesses& accesses, const std::vector<CallEdge>& edges,
                      std::vector<Edit> edits, const ModelOptions& options, std::vector<ObjectPlace>* places = nullptr);

/// Sets of at most `most` intervals: the smallest gaps are filled. A superset of `bytes`.
ByteSet coarsened(const ByteSet& bytes, std::size_t most);

/// Lists of equal blocks at equal distances that together are `bytes`.
std::vector<ByteSet> as_blocks(const ByteSet& bytes);

}  // namespace detent::models::tvm
