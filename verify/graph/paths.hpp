// Paths: does a path lead from one op to another? Exact for many pairs at once, without the closure of all ops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/graph/order.hpp"

namespace detent::verify {

/// Two ops by their positions in an Order.
struct PositionPair {
  std::uint32_t from = 0, to = 0;
  bool operator==(const PositionPair&) const = default;
};

struct PathOptions {
  /// Ops that the search back from one `to` marks, further ones than its direct predecessors; 0: those alone.
  std::uint32_t most_marked = 256;
};

/// By pair: does a path of at least one edge lead from `from` to `to`?
///
/// Each step leaves to the next what it does not decide: a search back from each `to` as far as its earliest `from`;
/// labels, which tell most pairs without a path; sweeps over the ops between the earliest `from` and the last `to` of
/// 512 of them at a time. Where ops that are asked about stand close to each other, O(ops + edges + pairs); at worst
/// O(ops * edges / 64).
std::vector<bool> find_paths(const Order& order, std::span<const PositionPair> pairs, const PathOptions& options = {});

}  // namespace detent::verify
