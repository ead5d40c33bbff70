// Serial flow: what reads find where every conflicting pair is ordered by a path, for very many ops.
#pragma once

#include <detent/desc.h>

#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// Do paths order all conflicting pairs of ops, and does each want find in every byte, in the serial order, the one
/// value that it is for? Then no other op writes there between its writer and its reader on any schedule: that op
/// conflicts with both. False also for wants of several values, and where that is not found out.
/// @param are_conflicts_ordered  the first of the two is known to be true
bool is_serial_flow(const detent_desc& desc, const Order& order, const Wants& wants,
                    bool are_conflicts_ordered = false);

}  // namespace detent::verify
