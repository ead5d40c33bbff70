// ReadyOps: the ops that a linear extension may take next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

/// Positions of ops whose predecessors have been taken, in no particular but a repeatable order.
class ReadyOps {
 public:
  explicit ReadyOps(const OpSpace& space) : order_(space.order()), entry_(order_.op_count()) {
    for (std::uint32_t p = 0; p < order_.op_count(); ++p) {
      entry_[p] = static_cast<std::uint32_t>(space.predecessors(p).size());
    }
  }
  /// Start a schedule.
  void reset() {
    waiting_ = entry_;
    positions_.clear();
    for (std::uint32_t p = 0; p < order_.op_count(); ++p) {
      if (waiting_[p] == 0) positions_.push_back(p);
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& positions() const { return positions_; }
  [[nodiscard]] bool empty() const { return positions_.empty(); }
  /// Take positions()[index]; its successors may become ready. Returns its position.
  std::uint32_t take(std::size_t index) {
    const Position position = positions_[index];
    positions_[index] = positions_.back();
    positions_.pop_back();
    for (const std::uint32_t next : order_.successors(position)) {
      if (--waiting_[next] == 0) positions_.push_back(next);
    }
    return position;
  }
  /// Index of the ready op with the greatest key(position); the lowest position among equals.
  template <typename Key>
  [[nodiscard]] std::size_t best(Key&& key) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < positions_.size(); ++i) {
      const auto mine = key(positions_[i]);
      const auto other = key(positions_[best]);
      if (mine > other || (mine == other && positions_[i] < positions_[best])) best = i;
    }
    return best;
  }

 private:
  const Order& order_;
  std::vector<std::uint32_t> entry_, waiting_, positions_;
};

}  // namespace detent::verify::explore
