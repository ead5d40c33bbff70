// IrFlow: the order of execution in an IrFunction: dominators, what a branch decides, equal addresses.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "models/import/tvm/ir/graph.hpp"

namespace detent::models::tvm {

/// The blocks that run or not as a branch decides: those between it and the block where all its ways meet again.
struct IrRegion {
  bool is_closed = false;  ///< all ways meet, and none repeats a block or ends the function before
  std::uint32_t end = 0;   ///< where they meet
  std::vector<std::uint32_t> blocks;
};

class IrFlow {
 public:
  /// @param function  outlives this
  explicit IrFlow(const IrFunction& function);

  [[nodiscard]] IrRegion region(std::uint32_t branch_block) const;

  /// Does every execution of kLoad or kStore `access` follow one of the same kind, type and address?
  [[nodiscard]] bool is_preceded(std::uint32_t access) const;
  /// Is there such an access, of the same kind, type and address, on every way through the region?
  [[nodiscard]] bool is_on_every_way(std::uint32_t access, std::uint32_t branch_block, const IrRegion& region) const;
  /// Has every byte that kLoad `load` takes from the local variable `local` been set before?
  [[nodiscard]] bool is_set_before(std::uint32_t load, std::uint32_t local) const;
  /// Has every byte of the local variable been set at once, by kCopy or kFill, before `node`?
  [[nodiscard]] bool is_filled_before(std::uint32_t node, std::uint32_t local) const;

  [[nodiscard]] std::uint32_t block_of(std::uint32_t node) const { return block_of_[node]; }

 private:
  using AccessKey = std::tuple<IrKind, std::uint32_t, std::uint64_t>;  ///< kind, number of the address, type

  void number_values();
  [[nodiscard]] AccessKey key_of(std::uint32_t access) const;
  [[nodiscard]] bool dominates(std::uint32_t node, std::uint32_t other) const;

  const IrFunction& function_;
  std::vector<std::uint32_t> dominators_, post_dominators_;  ///< immediate ones, by block
  std::vector<std::uint32_t> block_of_, position_, number_;  ///< by node
  std::map<AccessKey, std::vector<std::uint32_t>> accesses_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> fills_;  ///< kCopy, kFill by the number of where they begin
};

}  // namespace detent::models::tvm
