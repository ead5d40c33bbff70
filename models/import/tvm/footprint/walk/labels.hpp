// Labels: only those before plain returns are understood, so that a goto is a return.
#pragma once

#include <vector>

#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

inline constexpr const char* kStrayLabel = "a label that is not followed by a plain return";

/// Makes the function opaque if a label stands anywhere but before a plain return: also where the walk does not get to,
/// behind a return, in a branch that is never taken or in a statement that is not understood.
void refuse_labels(WalkState& walk, const std::vector<StmtId>& body);

}  // namespace detent::models::tvm::footprint
