// A schedule's decisions as edges: what is left of a Desc when the order of its open pairs is settled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

/// A Desc with more edges. With every open pair ordered, all that any number of workers can run is one trace, so its
/// bytes are those of the schedule that the decisions were taken from.
class OrientedDesc {
 public:
  /// @param desc   outlives this object; its static lists are left out, because they may contradict the edges, and so
  /// are
  ///               claimed lifetimes, which speak of the serial order without them
  /// @param edges  different ops, below op_count; duplicates and edges that are there already change nothing
  OrientedDesc(const detent_desc& desc, std::span<const Constraint> edges);
  OrientedDesc(const OrientedDesc&) = delete;
  OrientedDesc& operator=(const OrientedDesc&) = delete;

  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  std::vector<detent_op> ops_;
  std::vector<detent_tensor> tensors_;
  std::vector<std::uint32_t> successors_;
  detent_desc desc_;
};

/// Every pair of the space that conflicts by bytes, commuting ones included, ordered as in `schedule`.
std::vector<Constraint> decisions_of(const OpSpace& space, const std::vector<std::uint32_t>& schedule);

/// The decisions among `ops` that `constraints` and the DAG leave open: when there are none, the constraints alone
/// decide the bytes of a run of `ops`.
std::vector<Constraint> open_decisions(const OpSpace& space, const std::vector<std::uint32_t>& schedule,
                                       std::span<const Constraint> constraints, const std::vector<std::uint32_t>& ops);

}  // namespace detent::verify::explore
