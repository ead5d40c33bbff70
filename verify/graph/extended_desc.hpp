// ExtendedDesc: a Desc with further edges, or with tensors at other places, that shares all other tables with it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::verify {

/// One op before another.
struct OpEdge {
  OpId from = 0, to = 0;
  auto operator<=>(const OpEdge&) const = default;
};

/// Bytes by which a tensor moves up.
struct Move {
  TensorId tensor = 0;
  std::int64_t by_bytes = 0;
};

class ExtendedDesc {
 public:
  /// @param desc   outlives this; its successors lie within their table
  /// @param edges  of ops that exist; those that are there already are not added again
  ExtendedDesc(const detent_desc& desc, const std::vector<OpEdge>& edges);
  /// Views move with the tensors that they are views of; regions grow where a tensor would end behind them.
  /// @param moves  tensors that are no views; each once
  ExtendedDesc(const detent_desc& desc, const std::vector<Move>& moves);
  ExtendedDesc(const ExtendedDesc&) = delete;
  ExtendedDesc& operator=(const ExtendedDesc&) = delete;

  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  detent_desc desc_;
  std::vector<detent_op> ops_;
  std::vector<std::uint32_t> successors_;
  std::vector<detent_tensor> tensors_;
  std::vector<detent_region> regions_;
};

}  // namespace detent::verify
