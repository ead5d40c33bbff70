#include "models/import/tvm/clang/operators.hpp"

#include <algorithm>
#include <array>

namespace detent::models::tvm {
namespace {

struct UnaryRow {
  enum CXUnaryOperatorKind kind;
  UnaryOperator op;
};

constexpr std::array kUnaryRows = {
    UnaryRow{CXUnaryOperator_Plus, UnaryOperator::kPlus},
    UnaryRow{CXUnaryOperator_Minus, UnaryOperator::kMinus},
    UnaryRow{CXUnaryOperator_LNot, UnaryOperator::kNot},
    UnaryRow{CXUnaryOperator_Not, UnaryOperator::kComplement},
    UnaryRow{CXUnaryOperator_Deref, UnaryOperator::kDereference},
    UnaryRow{CXUnaryOperator_AddrOf, UnaryOperator::kAddressOf},
    UnaryRow{CXUnaryOperator_PreInc, UnaryOperator::kPreIncrement},
    UnaryRow{CXUnaryOperator_PreDec, UnaryOperator::kPreDecrement},
    UnaryRow{CXUnaryOperator_PostInc, UnaryOperator::kPostIncrement},
    UnaryRow{CXUnaryOperator_PostDec, UnaryOperator::kPostDecrement},
    UnaryRow{CXUnaryOperator_Extension, UnaryOperator::kExtension},
    UnaryRow{CXUnaryOperator_Real, UnaryOperator::kReal},
    UnaryRow{CXUnaryOperator_Imag, UnaryOperator::kImaginary},
};

struct BinaryRow {
  enum CXBinaryOperatorKind kind;
  BinaryNode node;
};

constexpr std::array kBinaryRows = {
    BinaryRow{CXBinaryOperator_Add, {ExprKind::kBinary, BinaryOperator::kAdd}},
    BinaryRow{CXBinaryOperator_Sub, {ExprKind::kBinary, BinaryOperator::kSubtract}},
    BinaryRow{CXBinaryOperator_Mul, {ExprKind::kBinary, BinaryOperator::kMultiply}},
    BinaryRow{CXBinaryOperator_Div, {ExprKind::kBinary, BinaryOperator::kDivide}},
    BinaryRow{CXBinaryOperator_Rem, {ExprKind::kBinary, BinaryOperator::kRemainder}},
    BinaryRow{CXBinaryOperator_Shl, {ExprKind::kBinary, BinaryOperator::kShiftLeft}},
    BinaryRow{CXBinaryOperator_Shr, {ExprKind::kBinary, BinaryOperator::kShiftRight}},
    BinaryRow{CXBinaryOperator_And, {ExprKind::kBinary, BinaryOperator::kBitAnd}},
    BinaryRow{CXBinaryOperator_Or, {ExprKind::kBinary, BinaryOperator::kBitOr}},
    BinaryRow{CXBinaryOperator_Xor, {ExprKind::kBinary, BinaryOperator::kBitXor}},
    BinaryRow{CXBinaryOperator_LT, {ExprKind::kBinary, BinaryOperator::kLess}},
    BinaryRow{CXBinaryOperator_GT, {ExprKind::kBinary, BinaryOperator::kGreater}},
    BinaryRow{CXBinaryOperator_LE, {ExprKind::kBinary, BinaryOperator::kLessEqual}},
    BinaryRow{CXBinaryOperator_GE, {ExprKind::kBinary, BinaryOperator::kGreaterEqual}},
    BinaryRow{CXBinaryOperator_EQ, {ExprKind::kBinary, BinaryOperator::kEqual}},
    BinaryRow{CXBinaryOperator_NE, {ExprKind::kBinary, BinaryOperator::kNotEqual}},
    BinaryRow{CXBinaryOperator_LAnd, {ExprKind::kBinary, BinaryOperator::kLogicAnd}},
    BinaryRow{CXBinaryOperator_LOr, {ExprKind::kBinary, BinaryOperator::kLogicOr}},
    BinaryRow{CXBinaryOperator_Comma, {ExprKind::kBinary, BinaryOperator::kComma}},
    BinaryRow{CXBinaryOperator_Assign, {ExprKind::kAssign, BinaryOperator::kNone}},
    BinaryRow{CXBinaryOperator_AddAssign, {ExprKind::kAssign, BinaryOperator::kAdd}},
    BinaryRow{CXBinaryOperator_SubAssign, {ExprKind::kAssign, BinaryOperator::kSubtract}},
    BinaryRow{CXBinaryOperator_MulAssign, {ExprKind::kAssign, BinaryOperator::kMultiply}},
    BinaryRow{CXBinaryOperator_DivAssign, {ExprKind::kAssign, BinaryOperator::kDivide}},
    BinaryRow{CXBinaryOperator_RemAssign, {ExprKind::kAssign, BinaryOperator::kRemainder}},
    BinaryRow{CXBinaryOperator_ShlAssign, {ExprKind::kAssign, BinaryOperator::kShiftLeft}},
    BinaryRow{CXBinaryOperator_ShrAssign, {ExprKind::kAssign, BinaryOperator::kShiftRight}},
    BinaryRow{CXBinaryOperator_AndAssign, {ExprKind::kAssign, BinaryOperator::kBitAnd}},
    BinaryRow{CXBinaryOperator_OrAssign, {ExprKind::kAssign, BinaryOperator::kBitOr}},
    BinaryRow{CXBinaryOperator_XorAssign, {ExprKind::kAssign, BinaryOperator::kBitXor}},
};

}  // namespace

UnaryOperator unary_operator_of(enum CXUnaryOperatorKind kind) {
  const auto* const found =
      std::find_if(kUnaryRows.begin(), kUnaryRows.end(), [&](const UnaryRow& row) { return row.kind == kind; });
  return found != kUnaryRows.end() ? found->op : UnaryOperator::kNone;
}

BinaryNode binary_node_of(enum CXBinaryOperatorKind kind) {
  const auto* const found =
      std::find_if(kBinaryRows.begin(), kBinaryRows.end(), [&](const BinaryRow& row) { return row.kind == kind; });
  return found != kBinaryRows.end() ? found->node : BinaryNode{};
}

}  // namespace detent::models::tvm
