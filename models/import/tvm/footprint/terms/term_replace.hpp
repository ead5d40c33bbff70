// Terms with other terms in the place of variables.
#pragma once

#include <map>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

/// The term with variables replaced; `memo` is kept by the caller for one and the same replacement.
NodeId substitute(Terms& terms, NodeId id, const std::map<VarId, NodeId>& replacement, std::map<NodeId, NodeId>& memo);

}  // namespace detent::models::tvm::footprint
