// The compiler's operators -> those of the tree.
#pragma once

#include "models/import/tvm/c/ast.hpp"
#include "models/import/tvm/clang/libclang.hpp"

namespace detent::models::tvm {

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
