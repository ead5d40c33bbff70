// How many workers a native run has where no option says it.
#pragma once

#include <cstdint>

namespace detent::app {

/// detent_default_worker_count(), which takes what it cannot read in the environment for nothing; here it is an error.
/// @throws std::invalid_argument  TVMRT_NUM_WORKERS or, where that is not set, OMP_NUM_THREADS holds no number of
/// workers
std::uint32_t default_workers();

}  // namespace detent::app
