// Trace rules: does what a run did obey the definition of execution?
#pragma once

#include <cstdint>

#include <detent/desc.h>

#include "harness/run.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// Property "trace_rules":
/// - every op runs exactly once, and no span belongs to no op;
/// - a span does not end before it begins, and lies within [0, makespan_ps];
/// - an op begins no earlier than every predecessor has ended;
/// - two ops on one slot do not overlap, and every slot is below `slot_count` (ops of asynchronous classes run on no
///   slot: only their order is checked);
/// - two ops that share a mutex do not overlap.
/// Spans may touch: an op may begin at the instant at which another ends.
///
/// @param slot_count  engine slots: worker count + 1
/// @return  unknown when the trace dropped records; violated: up to 16 witnesses with names and times
Verdict check_trace(const detent_desc& desc, const harness::Trace& trace, std::uint32_t slot_count,
                    std::uint64_t makespan_ps);

}  // namespace detent::verify
