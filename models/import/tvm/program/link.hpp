// Several parsed files -> one, as a linker sees them: calls from one file into another find their bodies.
#pragma once

#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// One unit with the functions, variables and types of all. What is static to a file and has the name of something else
/// gets another name: "scale (vendor.c)". Functions of later files tell their file.
CUnit linked(const CUnit& first, const std::vector<CUnit>& others);

}  // namespace detent::models::tvm
