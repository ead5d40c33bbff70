// The ops of a model in one order of time, and which of them use the items of a plan: what the parts of the planner for
// very many tensors look at instead of every pair of items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/lists/rows.hpp"
#include "models/plan/internal.hpp"

namespace detent::models::planner {

/// Ops are numbered by their position in a topological order; all of these are such positions, in rising order.
struct Timeline {
  Rows<std::uint32_t> predecessors;  ///< by op
  Rows<std::uint32_t> successors;    ///< by op
  /// By item: users such that what precedes them precedes all users: the first one, where all others follow it
  /// directly, else all. None: the item has no users.
  Rows<std::uint32_t> heads;
  Rows<std::uint32_t> tails;  ///< by item: users such that what follows them follows all users
};

/// For kParallel, in an order that goes on with what the last op has made ready, so that tensors are used by ops that
/// stand close together; for kSerial the serial order, in which each op follows the one before.
Timeline make_timeline(const Model& model, const std::vector<Item>& items, PlanOrder order);

/// By item: ops such that whatever follows all users of the item is one of them or follows one of them. These are the
/// first ops that follow all users, where the search for them ends and either few ops follow each user, or many do;
/// else more ops count as following than do. None: nothing follows all users.
/// @param most_ops  to look at for one item
Rows<std::uint32_t> first_followers(const Timeline& line, std::size_t most_ops);

/// Items that live at one time: all of them used by then, and no op has begun that follows all users of one of them. No
/// two of such items may share. The heaviest such set over all sets of ops that can have begun, by max flow;
/// the heaviest of all antichains where first_followers is exact and one user of each item precedes the others.
/// @param most_steps  of the flow; then the set that it shows by then
LowerBound heaviest_cut(const std::vector<Item>& items, const Timeline& line, const Rows<std::uint32_t>& followers,
                        std::uint64_t most_steps);

/// How much is looked at together.
struct WindowLimits {
  std::size_t items = 0;     ///< placed together
  std::size_t spans = 0;     ///< of bytes of earlier windows that they may take over: those used last
  std::size_t lookback = 0;  ///< ops before the window among which the last users of these may be
};

/// Offsets such that items of which neither is over before the other begins share no byte. Windows of items, by first
/// use: in each the largest items come first, each of them where the bytes were used last by what is over.
/// O(items * (window + spans)).
Layout place_by_windows(const std::vector<Item>& items, const Timeline& line, const Rows<std::uint32_t>& followers,
                        const WindowLimits& limits);

}  // namespace detent::models::planner
