// detent run A B --together: several networks at once on one pool of workers of this machine.
#pragma once

#include "app/runs/run_request.hpp"

namespace detent::app {

/// In each of `repeat` rounds all models are released at the same time and run once. The outputs of each are compared
/// with those that it computes alone.
/// @return  `detent.run/1` with "networks"; violated where an output differs from the one alone, or an audit is
/// @throws RunRefused; std::invalid_argument  a model that cannot be executed here, options that mean nothing
Answer run_models_together(const RunRequest& options, const OnProgress& on_progress);

}  // namespace detent::app
