// Sections of a platform file that are tables of their own: [[core]] and [[load]].
#pragma once

#include <vector>

#include "base/toml.hpp"
#include "sim/platform/types.hpp"

namespace detent::sim {

/// [[core]], with [core.npu] and [core.kernel_efficiency]. The first class is "cpu".
/// @param top  the whole file
/// @throws std::invalid_argument  as all of these
std::vector<CoreClass> read_classes(const TomlReader& top);

/// A core's own bandwidth cannot exceed the DRAM's.
void check_core_bandwidths(const TomlReader& top, const Platform& platform);

/// [[load]], each on a core that exists; together they leave some of every core to the workers.
std::vector<Load> read_loads(const TomlReader& top, const std::vector<CoreClass>& classes);

}  // namespace detent::sim
