// Products, quotients, shifts and bits of terms, as C has them, with the simplifications that ranges allow.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

NodeId mul(Terms& terms, NodeId a, NodeId b);
NodeId div(Terms& terms, NodeId a, NodeId b);  ///< as in C, towards zero
NodeId mod(Terms& terms, NodeId a, NodeId b);
NodeId floor_div(Terms& terms, NodeId a, std::int64_t divisor);
NodeId floor_mod(Terms& terms, NodeId a, std::int64_t divisor);
NodeId shift_left(Terms& terms, NodeId a, NodeId b);
NodeId shift_right(Terms& terms, NodeId a, NodeId b);
NodeId bit_and(Terms& terms, NodeId a, NodeId b);
NodeId bits(Terms& terms, Op op, NodeId a, NodeId b);                     ///< kBitOr, kBitXor
NodeId wrap(Terms& terms, NodeId a, std::uint32_t bits, bool is_signed);  ///< conversion to an integer type
/// Any float-valued op, or a comparison or truncation of float terms.
NodeId float_op(Terms& terms, Op op, std::vector<NodeId> args, std::uint32_t bytes);

}  // namespace detent::models::tvm::footprint
