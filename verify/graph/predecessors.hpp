// PrecededBlock: the closure the other way round; which ops of a column block precede a given op, as a bit set.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/graph/order.hpp"

namespace detent::verify {

/// Columns [first, first + width) of the transposed closure: row(p) has bit c set when the op at first + c precedes the
/// op at p. Rows before `first` are empty and not stored.
class PrecededBlock {
 public:
  /// @param width  columns, a multiple of 64; memory is op_count * width / 8 bytes
  PrecededBlock(const Order& order, std::uint32_t width);

  void compute(std::uint32_t first);
  /// @param position  >= first
  [[nodiscard]] const Word* row(Position position) const { return bits_.data() + std::size_t{position} * words_; }

 private:
  const Order& order_;
  std::uint32_t words_;
  std::vector<Word> bits_;
};

}  // namespace detent::verify
