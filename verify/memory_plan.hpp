// Memory plan: do the tensors of a Desc lie where they may, and does each live where nothing else does?
#pragma once

#include "runtime/desc.h"
#include "verify/verdict.hpp"

namespace detent::verify {

/// Property "memory_plan":
/// - regions have a size, a power-of-two alignment and a known kind; a weights region has bytes (B40, B47, B48, B46);
/// - a tensor lies inside its region, its extent is what its blocks span, nothing wraps, its place is aligned
///   (B40, B41, B47, B48, B32);
/// - a view lies inside the tensor it is a view of, in one region, of one type, and views close no cycle (B43, B44);
/// - a lifetime begins before it ends (B49), and two tensors whose declared lifetimes meet share no byte (B42), except
///   an input and an output of an op that is declared in place, which meet at that op (B45);
/// - no op writes into a weights or an input region (B46).
/// Lifetimes are positions in op-id order: they prove the plan for that order. What other orders do is the business
/// of check_buffer_races.
///
/// Shares no code with detent_check or the planner. O(n log n) for dense tensors; strided ones are compared with all
/// that live at the same time.
/// @return  violated: up to 16 witnesses that name tensors and bytes
Verdict check_memory_plan(const detent_desc& desc);

}  // namespace detent::verify
