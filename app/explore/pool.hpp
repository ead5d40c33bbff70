// detent explore A B --level threads: several contexts on one pool of workers, under every schedule of its threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/explore/explore.hpp"

namespace detent::app {

/// As explore_threads, for `wanted`'s model and others at once. Failing ops and cancellation are those of the first
/// model. With threads.line.threads.choices a schedule to replay.
/// @param others      at least one
/// @param priorities  of all models, lower first; empty: all 0
/// @return  `detent.explore/1` with "networks"; unknown when the search was not finished
/// @throws InputError, std::invalid_argument  models, options that a pool cannot have
Answer explore_models_together(const ExploreRequest& wanted, const std::vector<std::string>& others,
                               const std::vector<std::int32_t>& priorities);

}  // namespace detent::app
