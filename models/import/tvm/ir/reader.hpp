// LLVM's values -> IrFunction. The closed list: an instruction, constant or callee that is not on it is kUnknown.
#pragma once

#include <set>
#include <string>

#include "models/import/tvm/ir/graph.hpp"
#include "models/import/tvm/ir/libllvm.hpp"

namespace detent::models::tvm {

/// What a call of a function without a definition does. kUnknown: it is not on the list.
/// @param name         as LLVM has it, "expf", "llvm.memcpy.p0.p0.i64"
/// @param is_numeric   no parameter and no result is a pointer
IrKind kind_of_callee(const std::string& name, bool is_numeric);

/// @param function  has a body
/// @param by_name   functions taken for what their names say although they have a body
IrFunction read_ir_function(const LibLlvm& llvm, LlvmDataLayout* layout, LlvmValue* function, const std::string& name,
                            const std::set<std::string>& by_name);

}  // namespace detent::models::tvm
