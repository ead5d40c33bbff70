// Random chips: a seed -> the text of a platform file. Cores, NPU queues, overheads, loads, shared DRAM.
#pragma once

#include <cstdint>
#include <string>

#include "sim/platform.hpp"

namespace detent::laws {

/// A platform file (detent.platform/1): one to eight CPU cores, at least `least_cpus`, one to three NPUs whose queues
/// take one to three commands, overheads from none to above the ops, up to two loads, hardware threads, and a DRAM that
/// is shared or not. Costs are of the size of ops of up to some thousand picoseconds.
std::string random_chip_text(std::uint64_t seed, std::uint32_t least_cpus);
sim::Platform random_chip(std::uint64_t seed, std::uint32_t least_cpus);

}  // namespace detent::laws
