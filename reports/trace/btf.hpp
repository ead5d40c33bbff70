// BTF: a run -> Best Trace Format 2.2.1, text, one record a line:
// time,source,instance,type,target,instance,event[,note]
#pragma once

#include <string>

#include "reports/data/report_data.hpp"

namespace detent::reports {

/// What stands for what:
///
///   C     Core_<part>          each core and NPU; idle and execute
///   T     TASK_worker<slot>    an engine thread: active at 0, waiting while it has nothing to do
///         TASK_scheduler       a scheduler thread of its own
///         TASK_load_<name>     work of higher priority: one instance per burst; it preempts the worker
///         TASK_runtime_<part>  steps of the runtime that belong to no worker
///   R     op<id>_<name>        an op: suspended while its task is preempted; `runtime` for the runtime's own steps
///   SIG   sid_<id>_<name>      a tensor outside the weights: read when an op begins, written (value: op id) when it
///   ends SEM   mutex<id>_<name>     held by an op from begin to end STI   STI_infer            the inference request,
///   which activates the workers; STI_load_<name> and, at their ends,
///         STI_op<id>_<name>    transfer delays and releases
///   SIM   tag                  model, platform, and what repeats the run
///
/// Names keep letters, digits, '_', '.' and '-'; anything else becomes '_'; ids keep them unique. Times are
/// picoseconds, nanoseconds (rounded down) in runs of more than 2^63 ps.
///
/// @param run         null: a file with a header and tags only
/// @param max_events  records at most; later ops and bursts are left out, which a SIM tag says
/// @see               BTF Technical Specification 2.2.1, chapters on process, runnable, core and semaphore events
std::string btf_of_run(const ReportData& data, const TimelineRun* run, std::size_t max_events);

}  // namespace detent::reports
