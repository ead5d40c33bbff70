// detent npu MODEL: every op of a network on the NPU of a platform.
#pragma once

#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// Map each op of common.model onto the platform's NPU: table on the screen, `detent.npu/1` as JSON.
/// @param platform  empty: quad_npu has rates only, so am62a is taken
/// @throws std::invalid_argument  no such model or platform, or the platform has no systolic array
Answer map_model_onto_npu(const Request& request, const std::string& platform);

}  // namespace detent::app
