// Fault response: did a run with faults end as the runtime promises? Record of the run -> verdict.
#pragma once

#include <cstdint>
#include <optional>

#include <detent/desc.h>

#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// Property "fault_response", F01, F02, F04, F07, F12:
/// - every op begins at most once, and only after the good end of each of its predecessors: nothing that follows a
///   failed, late or unanswered op runs;
/// - with one thread that executes ops, none begins after the failure or the cancellation;
/// - the status is one that something which happened accounts for, and names its op and code; OK only if every op
///   ended well and nothing failed, hung or (where times are exact) took longer than the deadline;
/// - when the run returns nothing is in flight, unless the status is TIMEOUT; then only ops past the deadline are,
///   and no more than the result says;
/// - an end that is reported a second time is refused;
/// - after a reset the same context runs every op once and gives `digest`.
///
/// @param digest  of a run without faults; empty: unknown, or the model has races and so no digest of its own
/// @return  unknown when no fault of `faults` took place: its op or device was never called, the run ended
///          before
Verdict check_fault_response(const detent_desc& desc, const harness::Faults& faults, const harness::FaultRecord& record,
                             const std::optional<std::uint64_t>& digest);

/// Did something that was to go wrong go wrong?
bool took_place(const harness::Faults& faults, const harness::FaultRecord& record);

}  // namespace detent::verify
