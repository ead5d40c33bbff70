// Op graph files made up at random, with everything that one may say.
#pragma once

#include <cstdint>
#include <string>

namespace detent::e2e {

/// detent.graph/2 of 2 to 13 ops, the same for a seed on every machine: times, classes, releases, priorities, affinity,
/// mutexes, delays, ranges and buffers, operators, values, guards, deadlines. Every third one may have a race.
std::string random_graph_file(std::uint64_t seed);

}  // namespace detent::e2e
