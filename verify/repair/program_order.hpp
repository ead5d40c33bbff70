// ProgramOrder: ops one after the other, as the program lists them; what conflicts is to be ordered as it says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <detent/desc.h>

#include "verify/graph/extended_desc.hpp"
#include "verify/repair/least_edges.hpp"

namespace detent::verify {

/// The ops of a Desc without its pseudo-ops for delays, each with a position that ascends along every edge: of the ops
/// whose predecessors have one, the lowest id comes next, so that ids that ascend along the edges are positions.
class ProgramOrder {
 public:
  /// @param desc   no cycle, and edges within their tables (check_structure)
  /// @param first  further pairs whose first op is to come first
  /// @return  none: the pairs and the edges close a cycle
  static std::optional<ProgramOrder> make(const detent_desc& desc, const std::vector<OpEdge>& first = {});

  [[nodiscard]] std::uint32_t op_count() const { return static_cast<std::uint32_t>(op_at_.size()); }
  [[nodiscard]] std::uint32_t op_at(std::uint32_t position) const { return op_at_[position]; }
  /// DETENT_NONE: a pseudo-op
  [[nodiscard]] std::uint32_t position_of(OpId op) const { return position_of_[op]; }
  /// Edges as positions; through pseudo-ops, too.
  [[nodiscard]] const std::vector<Arc>& arcs() const { return arcs_; }

 private:
  std::vector<std::uint32_t> op_at_, position_of_;
  std::vector<Arc> arcs_;
};

}  // namespace detent::verify
