// Platform: a chip as the simulator sees it, read from TOML. Every cost has a name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/types.hpp"

namespace detent::sim {

/// Read a platform file. Unknown keys, missing keys and impossible values throw InputError with file, line, remedy.
Platform read_platform(const std::string& path);
/// A platform that is built into the tool, or a path to a TOML file. Throws InputError naming what exists.
Platform find_platform(const std::string& name_or_path);
/// Names of the built-in platforms, sorted.
std::vector<std::string> platform_names();
/// `cores` CPUs (and one entry per "class=count"), no overheads: for bounds and list-scheduling comparisons.
Platform plain_platform(const std::vector<std::pair<std::string, std::uint32_t>>& cores);

}  // namespace detent::sim
