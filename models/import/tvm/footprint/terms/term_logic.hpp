// Comparisons, conditions and selections of terms. A condition is a term that is 0 or 1.
#pragma once

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

NodeId ge0(Terms& terms, NodeId a);
NodeId eq0(Terms& terms, NodeId a);
NodeId less(Terms& terms, NodeId a, NodeId b);
NodeId equal(Terms& terms, NodeId a, NodeId b);
NodeId truth(Terms& terms, NodeId a);  ///< a != 0
NodeId logic_not(Terms& terms, NodeId a);
NodeId logic_and(Terms& terms, NodeId a, NodeId b);
NodeId logic_or(Terms& terms, NodeId a, NodeId b);
NodeId select(Terms& terms, NodeId condition, NodeId a, NodeId b);
NodeId minmax(Terms& terms, Op op, NodeId a, NodeId b);  ///< kMin, kMax

}  // namespace detent::models::tvm::footprint
