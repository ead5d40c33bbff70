// detent run: one native run.
#pragma once

#include "app/runs/run_request.hpp"

namespace detent::app {

/// Let the request's split be a number (app/simulate/auto_split.hpp): by cores as native runs have them. 1 where
/// several models run, and where faults or an order name ops by id: those of the model as it is.
/// @throws  as load_prepared
void settle_split(RunRequest& wanted, bool is_together);

/// Execute the model once on this machine. @return  `detent.run/1`; violated where the audit of its kernels is (nothing
/// is executed then) or faults are not answered as they must be
/// @throws RunRefused; std::invalid_argument  a model that cannot be executed here, options that mean nothing
Answer run_once(const RunRequest& options);

}  // namespace detent::app
