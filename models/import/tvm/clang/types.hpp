// What types are under a target of the compiler: measured, and asserted in C.
#pragma once

#include <string>
#include <vector>

#include "models/import/tvm/clang/target.hpp"

namespace detent::models::tvm {

/// What types are under one target.
struct CTypes {
  std::string target;     ///< triple and flags
  std::string condition;  ///< of C, true where a compiler has the same types; uses what type_assertion declares
};
/// @throws InputError  libclang does not know the target
CTypes types_of(const CTarget& target);

/// Declarations that the conditions use, and a static assertion that one of them is true. "" for no types.
std::string type_assertion(const std::vector<CTypes>& types);

}  // namespace detent::models::tvm
