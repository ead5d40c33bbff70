// Lifetimes of lowered tensors: first and last user of each in the serial order.
#pragma once

#include <vector>

#include <detent/desc.h>

namespace detent::models {

/// Fill live_begin and live_end of every tensor that is no view, no bare byte range and no weight and that somebody
/// uses: the first and the last op, in the serial order (topological, lowest id first; pseudo-ops included), that touch
/// it or a view of it. Inputs live from the first op of all, outputs to the last. Nothing where the edges close a
/// cycle.
/// @param desc     its tables are in range
/// @param tensors  those of `desc`
void claim_lifetimes(const detent_desc& desc, std::vector<detent_tensor>& tensors);

}  // namespace detent::models
