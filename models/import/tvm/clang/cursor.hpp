// What libclang's cursors, types and locations say, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/clang/libclang.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// The characters of a string of libclang's, which is disposed of.
std::string take(CXString text);
std::vector<CXCursor> children_of(CXCursor cursor);
/// Bytes from the beginning of the parsed text.
std::uint64_t offset_of(CXSourceLocation location);
/// Strip arrays and pointers from the outside in; what remains names the scalar.
CType convert_type(CXType type);
/// @return  kNone: C has no such operator
UnaryOperator unary_operator_of(enum CXUnaryOperatorKind kind);

/// The kind and the operator of an expression with two operands: a + b is {kBinary, kAdd}, a += b {kAssign, kAdd},
/// a = b {kAssign, kNone}.
struct BinaryNode {
  ExprKind kind = ExprKind::kUnknown;
  BinaryOperator op = BinaryOperator::kNone;
};

/// @return  kUnknown: C has no such operator
BinaryNode binary_node_of(enum CXBinaryOperatorKind kind);

}  // namespace detent::models::tvm
