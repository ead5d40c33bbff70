// detent run: one native run.
#pragma once

#include "app/runs/run_request.hpp"

namespace detent::app {

/// Execute the model once on this machine. @return  `detent.run/1`; violated where the audit of its kernels is (nothing
/// is executed then) or faults are not answered as they must be
/// @throws RunRefused; std::invalid_argument  a model that cannot be executed here, options that mean nothing
Answer run_once(const RunRequest& options);

}  // namespace detent::app
