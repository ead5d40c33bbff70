#include "models/import/tvm/clang/cursor.hpp"

#include <algorithm>
#include <array>

namespace detent::models::tvm {
namespace {

constexpr std::size_t kMaxPointers = 8;

CType::Scalar scalar_of(CXTypeKind kind) {
  if (kind == CXType_Void) return CType::Scalar::kVoid;
  if (kind == CXType_Bool) return CType::Scalar::kBool;
  if (kind == CXType_Record) return CType::Scalar::kRecord;
  if (kind == CXType_Enum) return CType::Scalar::kInt;
  if (kind == CXType_Char_S || (kind >= CXType_SChar && kind <= CXType_Int128)) return CType::Scalar::kInt;
  if (kind >= CXType_Char_U && kind <= CXType_UInt128) return CType::Scalar::kUInt;
  const bool real = (kind >= CXType_Float && kind <= CXType_LongDouble) || kind == CXType_Float128 ||
                    kind == CXType_Half || kind == CXType_Float16 || kind == CXType_BFloat16;
  return real ? CType::Scalar::kFloat : CType::Scalar::kOther;
}

/// libclang ends the process when asked for the size of what is no object, such as a compiler's own function.
bool has_size(CXTypeKind kind) {
  return (kind >= CXType_FirstBuiltin && kind <= CXType_LongDouble && kind != CXType_Void) || kind == CXType_Float128 ||
         kind == CXType_Half || kind == CXType_Float16 || kind == CXType_BFloat16 || kind == CXType_Enum ||
         kind == CXType_Record || kind == CXType_Vector || kind == CXType_ExtVector;
}

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

std::string take(CXString text) {
  const char* chars = libclang().getCString(text);
  std::string copy = chars != nullptr ? chars : "";
  libclang().disposeString(text);
  return copy;
}

std::vector<CXCursor> children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  libclang().visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &children);
  return children;
}

std::uint64_t offset_of(CXSourceLocation location) {
  unsigned offset = 0;
  libclang().getFileLocation(location, nullptr, nullptr, nullptr, &offset);
  return offset;
}

CType convert_type(CXType type) {
  CType out;
  type = libclang().getCanonicalType(type);
  out.is_const = libclang().isConstQualifiedType(type) != 0;
  CXType inner = type;
  while (inner.kind == CXType_ConstantArray || inner.kind == CXType_IncompleteArray ||
         inner.kind == CXType_VariableArray) {
    out.is_variable_length = out.is_variable_length || inner.kind == CXType_VariableArray;
    const long long count = inner.kind == CXType_ConstantArray ? libclang().getArraySize(inner) : 0;
    out.extents.push_back(count > 0 ? static_cast<std::uint64_t>(count) : 0);
    inner = libclang().getCanonicalType(libclang().getArrayElementType(inner));
    out.is_const = out.is_const || libclang().isConstQualifiedType(inner) != 0;
    if (out.extents.size() > kMaxPointers) return out;
  }
  while (inner.kind == CXType_Pointer) {
    out.pointer_bytes = static_cast<std::uint32_t>(libclang().Type_getSizeOf(inner));
    if (++out.pointers > kMaxPointers) return out;
    inner = libclang().getCanonicalType(libclang().getPointeeType(inner));
  }
  CXType scalar = inner;
  out.is_vector = inner.kind == CXType_Vector || inner.kind == CXType_ExtVector;
  if (out.is_vector) scalar = libclang().getCanonicalType(libclang().getElementType(inner));
  out.scalar = scalar_of(scalar.kind);
  const long long size = has_size(inner.kind) ? libclang().Type_getSizeOf(inner) : 0;
  if (out.scalar != CType::Scalar::kVoid && out.scalar != CType::Scalar::kOther && size > 0) {
    out.scalar_bytes = static_cast<std::uint32_t>(std::min<long long>(size, UINT32_MAX));
  }
  out.spelling = take(libclang().getTypeSpelling(type));
  return out;
}

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
