// Order: the happens-before relation of a DAG of ops, as bit sets over blocks of columns.
//
// The closure of n ops has n*n bits; 100,000 ops would need 1.25 GB. So the closure is computed one block of columns
// at a time: rows are ops in topological order, columns are the ops of the block. Positions are topological; they are
// what rows and columns count.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::verify {

using Word = std::uint64_t;

/// Topological order of a Desc's ops and its edges by position. Lowest id first among the ops that are ready, so that
/// a Desc whose edges all ascend keeps its ids as positions.
class Order {
 public:
  /// @throws std::invalid_argument  the edges close a cycle, or lie outside their tables: check_structure says where
  explicit Order(const detent_desc& desc);

  [[nodiscard]] std::uint32_t op_count() const { return static_cast<std::uint32_t>(op_at_.size()); }
  [[nodiscard]] std::uint32_t op_at(Position position) const { return op_at_[position]; }
  [[nodiscard]] std::uint32_t position_of(OpId op) const { return position_of_[op]; }
  /// Op ids in topological order.
  [[nodiscard]] const std::vector<std::uint32_t>& ops() const { return op_at_; }
  /// Positions of the successors of the op at `position`; all greater than it.
  [[nodiscard]] std::span<const std::uint32_t> successors(Position position) const {
    return {targets_.data() + first_[position], first_[position + 1] - first_[position]};
  }

 private:
  void index_edges(const detent_desc& desc);

  std::vector<std::uint32_t> op_at_, position_of_;
  std::vector<std::uint32_t> first_, targets_;
};

/// Columns [first, first + width) of the closure. row(p) has bit c set when the op at p precedes the op at first + c.
class ReachBlock {
 public:
  /// @param width  columns, a multiple of 64; memory is op_count * width / 8 bytes
  ReachBlock(const Order& order, std::uint32_t width);

  /// Compute the block that starts at column `first`. Rows at and beyond its last column are empty and not stored.
  void compute(std::uint32_t first);
  [[nodiscard]] std::uint32_t first() const { return first_; }
  [[nodiscard]] std::uint32_t column_count() const { return column_count_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// @param position  < first() + column_count()
  [[nodiscard]] const Word* row(Position position) const { return bits_.data() + std::size_t{position} * words_; }
  [[nodiscard]] bool precedes(Position position, std::uint32_t column) const {
    return (row(position)[column / 64] >> (column % 64) & 1U) != 0;
  }

 private:
  const Order& order_;
  std::uint32_t words_;
  std::uint32_t first_ = 0, column_count_ = 0;
  std::vector<Word> bits_;
};

/// Width of a column block for `op_count` ops: a multiple of 64, at most 2048, so that a row stays within four
/// hundred bytes and 100,000 rows within 26 MB.
std::uint32_t block_width(std::uint32_t op_count);

/// Above so many ops single paths are asked for (find_paths) and the closure is left out where that is enough.
inline constexpr std::uint32_t kMaxClosedOps = std::uint32_t{1} << 14;

/// How two different ops stand to each other.
enum class Relation : std::uint8_t { kBefore, kAfter, kUnordered };

/// Relation of the first op of each pair to the second, in the order of `pairs` (op ids, different, in range).
/// O(edges * ops / 64) whatever the number of pairs; above kMaxClosedOps as find_paths.
std::vector<Relation> relate_pairs(const Order& order, std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs);

/// Number of pairs of real ops (DETENT_OP_DELAY is not one) that no path orders. Exact.
std::uint64_t count_unordered_pairs(const detent_desc& desc, const Order& order);

}  // namespace detent::verify
