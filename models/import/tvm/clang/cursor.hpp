// What libclang's cursors, types and locations say, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/c/ast.hpp"
#include "models/import/tvm/clang/libclang.hpp"

namespace detent::models::tvm {

/// The characters of a string of libclang's, which is disposed of.
std::string take(CXString text);
std::vector<CXCursor> children_of(CXCursor cursor);
/// Bytes from the beginning of the parsed text.
std::uint64_t offset_of(CXSourceLocation location);
/// Strip arrays and pointers from the outside in; what remains names the scalar.
CType convert_type(CXType type);

}  // namespace detent::models::tvm
