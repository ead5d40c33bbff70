// Labels: only those before plain returns are understood, so that a goto is a return.
#pragma once

#include <vector>

#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

inline constexpr const char* kStrayLabel = "a label that is not followed by a plain return";

/// Labels may stand where nothing comes in order: behind a return, in a branch never taken, in a statement that is not
/// understood. What stands before no plain return is refused.
void refuse_labels(WalkState& walk, const std::vector<StmtId>& body);

}  // namespace detent::models::tvm::footprint
