// The platform files of sim/platforms as text inside the program.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace detent::sim {

/// (name, TOML text) of every file in sim/platforms, by name. Static storage.
const std::vector<std::pair<std::string_view, std::string_view>>& builtin_platforms();

}  // namespace detent::sim
