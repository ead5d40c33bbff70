// Placements of a network's ops on the classes of cores of a platform: by NNAPI's rules, and by the simulated makespan.
#pragma once

#include "app/partition/partition.hpp"

namespace detent::app {

/// partition_model of what is no plan case.
Answer partition_network(const PartitionRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
