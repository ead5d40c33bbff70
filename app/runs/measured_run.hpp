// detent run --repeat, --sweep: how long native runs take, run by run and op by op.
#pragma once

#include "app/runs/run_request.hpp"

namespace detent::app {

/// Whether the options ask for more than one run.
bool is_measured(const RunRequest& options);

/// Execute the model `warmup` + `repeat` times on one context and measure all but the first ones; with `sweep` once
/// more for every number of workers up to that of the options, every mode and policy, each against serial runs. Times
/// are the host's, from the begin of a run to its end, log included; memory is filled between runs.
/// @return  `detent.run/1` with `repeat` and `op_statistics[]`, or `sweep[]`; violated where the audit of the kernels
/// is or two runs differ in their outputs. Ctrl-C ends it with the runs that there are, at least one.
/// @throws RunRefused; std::invalid_argument  a model that cannot be executed here, options that do not go together
Answer measure_runs(const RunRequest& options, const OnProgress& on_progress);

}  // namespace detent::app
