// detent explore --level ops: orders of ops whose bytes conflict.
#pragma once

#include <string>
#include <vector>

#include "app/explore/ops_request.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

/// Names of the ways to choose orders.
std::vector<std::string> op_strategies();

/// Count, run and cover the schedules of `loaded`, whose structure holds. @return  `detent.explore/1`; violated also
/// where a schedule gives other bytes in simulated time than natively
/// With campaign.shard or campaign.file one part of it, with campaign.merge the whole from files of all parts: the same
/// answer as from one process.
/// @throws std::invalid_argument  a strategy that is none, shards and files that cannot be taken; InputError  a file
/// cannot be written
Answer explore_orders(const OpExploreRequest& options, const LoadedModel& loaded, const OnProgress& on_progress);

}  // namespace detent::app
