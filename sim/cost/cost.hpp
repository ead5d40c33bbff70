// Times of ops on a platform.
#pragma once

#include <vector>

#include <detent/desc.h>

#include "sim/cost/cost_table.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

/// Work of every op. Times are, in this order: the Desc's own (they include their memory time, so no other client
/// delays such an op); measured ones of `costs` for CPU ops, if not null; the NPU's mapping of the layer; else the
/// roofline max(flops / peak, bytes / bandwidth), of which `spread` of the jitter makes a range. `source` says which,
/// and whether the rates of a roofline are more than a guess.
std::vector<OpWork> op_work(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                            const CostTable* costs = nullptr);
/// Their times only.
std::vector<OpTime> op_times(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                             const CostTable* costs = nullptr);

}  // namespace detent::sim
