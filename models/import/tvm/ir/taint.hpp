// A second opinion on footprints that shares nothing with the analysis of the text: does any address or branch of an
// operator depend on data? By following values through LLVM's intermediate representation.
#pragma once

#include "models/import/tvm/ir/graph.hpp"
#include "models/import/tvm/ir/verdict.hpp"

namespace detent::models::tvm {

/// Follow every value from its definition to its uses until nothing changes.
///
/// Data is what is loaded through an argument, from a variable with static lifetime, or from memory that the function
/// did not set itself. Not data are arguments, constants, constant objects, and what is loaded from a local variable
/// that was set before and holds no data. A value that is chosen by a branch on data is data. Independent means: on
/// execution of this code no address, size or number of elements is data or the number of an address, and a branch on
/// data decides over no access of memory that is not a local variable, unless an equal access comes before it or stands
/// on all of its ways.
///
/// Taken for granted: defined behaviour (an access stays inside its object, so that no store reaches a local variable
/// by accident); the functions of ir_callees.cpp do what their names say.
///
/// The proof is about the accesses of the C text as clang-19 lowers it before optimisation. Compilers may leave out
/// accesses and repeat loads, and they may load what may be loaded anyway; they may not add stores (C11 5.1.2.4).
IrVerdict analyse_ir(const IrFunction& function, const IrTaintOptions& options = {});

}  // namespace detent::models::tvm
