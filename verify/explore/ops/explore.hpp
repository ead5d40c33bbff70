// Op-level exploration of one Desc: how many traces there are, which of them were executed, and what that showed.
#pragma once

#include <cstdint>

#include <detent/desc.h>

#include "verify/explore/ops/exploration.hpp"

namespace detent::verify::explore {

/// Count, execute, minimise.
///
/// Verdict "op_schedules". Violated: an open pair conflicts by bytes (a race, or an order that the result depends on),
/// whether or not an execution showed it; or bytes differ although every open pair ran as in the serial run (an
/// undeclared access, or a fault of the engine). Holds: no pair is open, so there is exactly one trace, and by
/// induction along it each op reads the same bytes on every schedule. Unknown: the Desc cannot be executed, or has more
/// open pairs than the limits. Assumes pure kernels that touch what they declare.
OpExploreReport explore_ops(const OpSpace& space, const OpExploreOptions& options);

/// Bytes and operations of one run.
double work_of_run(const detent_desc& desc);
/// Executions for one run of this Desc: 1000, fewer where one run touches much memory or computes much, at least 16.
std::uint64_t default_budget(const detent_desc& desc);

}  // namespace detent::verify::explore
