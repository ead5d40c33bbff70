// Footprint: the exact bytes that an operator function reads and writes, from its text alone.
#pragma once

#include <cstdint>

#include "models/import/tvm/footprint/memory/function_footprint.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Analyse the definition of `function`. Never throws for strange code: what is not understood makes the function
/// opaque (understood false, every pointer parameter unbounded) or one access inexact.
/// Code that tests the alignment of its pointers is followed for buffers and pools that start at multiples of 16 bytes,
/// as TVM plans them.
/// @param unit  the file that defines it; static helper functions called are looked up there and analysed in place
/// @see interval analysis over literal loop bounds; sums of independent terms are combined exactly
FunctionFootprint analyse_function(const CUnit& unit, const Function& function, const FootprintOptions& options = {});

}  // namespace detent::models::tvm
