// Platform files: TOML text -> Platform, strictly.
#pragma once

#include <string>
#include <string_view>

#include "sim/platform/types.hpp"

namespace detent::sim {

/// Parse a platform (format: docs in sim/platforms/quad_npu.toml).
/// @param file  named in errors
/// @throws std::invalid_argument  "file:line: what; remedy"
Platform parse_platform(std::string_view text, const std::string& file);

}  // namespace detent::sim
