// The condition of #if: an integer constant expression, its macros expanded already.
#pragma once

#include <vector>

#include "models/import/tvm/preprocess/token.hpp"

namespace detent::models::tvm {

/// Does the condition hold? Words that are left count as 0. As C11 6.10.1: 64 bits, unsigned if an operand is.
/// @throws PpFault  no expression, or it divides by zero
bool holds_condition(const std::vector<PpToken>& tokens);

}  // namespace detent::models::tvm
