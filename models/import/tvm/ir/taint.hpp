// A second opinion on footprints that shares nothing with the analysis of the text: does any address or branch of an
// operator depend on data? By following values through LLVM's intermediate representation.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/ir/graph.hpp"

namespace detent::models::tvm {

/// What is said about one operator.
struct IrVerdict {
  enum class Kind : std::uint8_t {
    kIndependent,  ///< every execution with the same arguments makes the same accesses
    kDepends,      ///< an address, a size or a branch may depend on data, on state, or on where memory lies
    kUnknown       ///< something is not understood
  } kind = Kind::kUnknown;
  bool by_place = false;   ///< kDepends: on nothing but where memory lies
  std::string why;         ///< "the address of a load depends on data loaded at line 12"; "" when independent
  std::uint32_t line = 0;  ///< of the construct; 0: none
  std::string file;
};

struct IrTaintOptions {
  /// The first two arguments are arrays of TVMValue and of type codes. What they describe (DLTensor) is taken to be the
  /// same in every call, and to share no byte with the data.
  bool packed = false;
};

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
