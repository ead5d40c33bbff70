// Trace: the ring logs of one run -> spans and events.
#pragma once

#include <cstdint>

#include "harness/run.hpp"

namespace detent::harness {

/// Ring capacity per slot that holds every record of a run of `op_count` ops, whichever slot runs them.
std::uint32_t trace_records_per_worker(std::uint32_t op_count);

/// Read the logs of the last run. detent_clear_log was called before it. Between runs only.
///
/// @param with_events  keep what is not an op, too
/// @return  spans by (begin_ps, slot, op); times relative to result.begin_ps. An op without an end record (it timed
///          out) ends with the run.
Trace collect_trace(const detent_context& context, std::uint32_t op_count, const detent_result& result,
                    bool with_events);

}  // namespace detent::harness
