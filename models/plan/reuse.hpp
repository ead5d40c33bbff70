// Plans whose tensors share bytes that the DAG does not order, with the edges that then order them: less memory, less
// parallelism.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/model.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::models {

namespace planner {
class BitMatrix;
}  // namespace planner

/// A planned model with its reuse edges among its edges: valid for every schedule of it.
struct ReusePlan {
  Model model{};
  MemoryPlan plan{};
  std::vector<Edge> edges{};  ///< the reuse edges, by (from, to): no other edges imply one of them
};

/// Plans one model under several capacities.
///
/// Reuse edges lead from the last users of a tensor to the first of the one that comes to lie over it; all of them go
/// forward in the topological order, lowest id first, so they close no cycle. Within a capacity, pairs may share whose
/// edges force the shortest chain of ops; a longer one is allowed only where no plan fits otherwise. Pairs that need
/// not share are taken apart again.
///
/// @note  deterministic; O(ops^2 / 8) bytes for paths
class ReusePlanner {
 public:
  static constexpr std::size_t kMaxOps = 20'000;
  static constexpr std::size_t kMaxTensors = 4096;  ///< of the workspace

  /// @param model   edges derived or given; earlier places are replaced
  /// @param op_ps   how long each op takes: what chains are measured by
  /// @throws InputError  a cycle; more ops or tensors than the limits
  ReusePlanner(Model model, std::vector<std::uint64_t> op_ps, PlanOptions options = {});

  /// plan_memory for every schedule: no reuse edges.
  [[nodiscard]] const ReusePlan& parallel() const { return parallel_; }
  /// plan_memory for the serial order, with the edges that make it one for every schedule.
  [[nodiscard]] const ReusePlan& serial() const { return serial_; }
  /// A plan of at most so many bytes; none: none was found. Its lower bound is that of the serial order.
  [[nodiscard]] std::optional<ReusePlan> within(std::uint64_t capacity_bytes) const;

 private:
  [[nodiscard]] ReusePlan ordered(Model model, MemoryPlan plan) const;
  [[nodiscard]] planner::BitMatrix pairs_until(std::uint32_t last) const;
  [[nodiscard]] std::optional<ReusePlan> place_with(const planner::BitMatrix& may_share,
                                                    std::uint64_t capacity_bytes) const;
  [[nodiscard]] std::vector<std::size_t> joined_pairs(const ReusePlan& plan) const;
  [[nodiscard]] ReusePlan with_fewer_pairs(ReusePlan plan, planner::BitMatrix may_share,
                                           std::uint64_t capacity_bytes) const;
  void measure_pairs();
  void rank_pairs(const std::vector<std::uint64_t>& chain_ps);

  PlanOptions options_;
  std::vector<std::uint64_t> op_ps_;
  ReusePlan parallel_, serial_;
  std::vector<std::uint32_t> order_;               ///< of ops, lowest id first
  std::vector<std::vector<std::uint32_t>> users_;  ///< by workspace tensor in tensor order
  /// By pair of them, by how long a chain the edges force: 1 is shared first; 0: the DAG orders them.
  std::vector<std::uint32_t> rank_;
  std::uint32_t last_rank_ = 0;
  static constexpr std::uint32_t kNever = UINT32_MAX;  ///< the order of the ops does not allow it
};

}  // namespace detent::models
