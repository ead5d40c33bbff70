// Order of accesses: which buffers an operator may write where it reads another one, because it reads first.
#pragma once

#include <vector>

#include "models/import/tvm/footprint/memory/function_footprint.hpp"
#include "models/import/tvm/footprint/walk/walker.hpp"

namespace detent::models::tvm::footprint {

/// Pairs of parameters of which one is only read and the other only written (and read where it was written before),
/// through one element type, such that at some displacement every read of a byte comes before each write of it.
///
/// Time is the order of the operator's own statements and trips: of two accesses, the loops around both and the
/// statements within their bodies decide, from outside in. Per pair of a read and a write, and per loop in which the
/// read may come in a later trip, the least distance from the end of what is written to what is still to be read is a
/// lower bound by ranges; the displacement may be the least of them. Reads and writes of one statement count as
/// unordered unless the statement is the assignment that writes: its operands are evaluated before (C11, 6.5.16).
///
/// Empty for operators whose compiler may assume that the buffers share nothing (restrict, pragmas), and for those that
/// compare addresses. Bytes are those of buffers at multiples of 16; wider elements are left alone.
/// @param footprint  of the function walked, with its byte sets
std::vector<Overwrite> find_overwrites(const CUnit& unit, Terms& terms, const Walker& walker,
                                       const FunctionFootprint& footprint);

}  // namespace detent::models::tvm::footprint
