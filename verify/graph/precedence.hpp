// Precedence of values: is one done with before another begins, on every schedule?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/graph/order.hpp"
#include "verify/graph/values.hpp"

namespace detent::verify {

/// Two values, as indices into Values::all(), the first one before the second there.
struct ValuePair {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
};

/// What keeps a pair from being in order: a user of the first value and one of the second without a path between them.
struct Disorder {
  std::size_t pair = 0;                           ///< index
  std::uint32_t user_before = 0, user_after = 0;  ///< steps
};

/// The pairs of which some user of the first value has no path to some user of the second, by index, each once. Where
/// the first hands its bytes over to the second, the one op that both have may be the same.
/// O(ops / 2048 * edges * 32 + pairs * users) words. Of more than `max_closed_ops` ops, find_paths for each pair comes
/// first: the users of the first value to the first user of the second, and from that one to the others; the closure is
/// for pairs that this does not settle.
std::vector<Disorder> find_disorder(const Order& order, const Values& values, std::span<const ValuePair> pairs,
                                    std::uint32_t max_closed_ops = kMaxClosedOps);

}  // namespace detent::verify
