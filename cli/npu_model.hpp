// detent npu MODEL: every op of a network on the NPU of a platform.
#pragma once

#include <string>

#include "cli/output.hpp"

namespace detent::cli {

/// Map each op of common.model onto the platform's NPU: table on the screen, `detent.npu/1` as JSON.
/// @param platform  empty: quad_npu has rates only, so am62a is taken
/// @return exit code
/// @throws std::invalid_argument  no such model or platform, or the platform has no systolic array
int map_model_onto_npu(const Common& common, const std::string& platform);

}  // namespace detent::cli
