// Desc -> the claim that its memory plan breaks a law, as a Script: one boolean per law and subject.
//
// Integers are mathematical: "offset + size wraps" is a sum of 2^64 or more, not a comparison after the wrap. Values
// alive at once: the claim names an instant of a schedule, a byte of a region, and two values that both live at the
// one, for some user of each has begun and some user has not ended, and both lie on the other. The application is a
// user before all ops and one after them. Views in a circle: a set of tensors, not empty, each with its base in the
// set. Nothing here is shared with verify/static or verify/graph.
#pragma once

#include <detent/desc.h>

#include "verify/smt/plan/formula.hpp"
#include "verify/smt/solver/budget.hpp"

namespace detent::verify::smt {

/// O(regions + tensors + accesses) terms, and one per pair of an op's inputs and outputs.
PlanQuery encode_plan(const detent_desc& desc, const Budget& budget = Budget::unlimited());

}  // namespace detent::verify::smt
