// Exploration of orders in shards: one part into a file, files of all parts into one report.
#pragma once

#include <string>
#include <vector>

#include "app/explore/ops_request.hpp"
#include "verify/explore/ops/part.hpp"

namespace detent::app {

/// The part that `options.campaign` names: explored now, or taken from its file where --resume finds it whole.
/// @param explore_with  of verify::explore
/// @throws std::invalid_argument  a shard that is none, a strategy without shards, a file that is there already or is
/// of another exploration; InputError  the file cannot be written
Answer explore_shard(const OpExploreRequest& options, const verify::explore::OpSpace& space,
                     const verify::explore::OpExploreOptions& explore_with);

/// The report of all shards, from their files in any order.
/// @throws std::invalid_argument  a file of another exploration, damaged, given twice; a shard that is missing
verify::explore::OpExploreReport merge_shards(const OpExploreRequest& options, const verify::explore::OpSpace& space,
                                              const verify::explore::OpExploreOptions& explore_with);

}  // namespace detent::app
