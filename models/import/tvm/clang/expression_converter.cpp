#include "models/import/tvm/clang/expression_converter.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace detent::models::tvm {
namespace {

std::size_t wanted_children(ExprKind kind) {
  switch (kind) {
    case ExprKind::kUnary:
    case ExprKind::kMember:
    case ExprKind::kCast:
    case ExprKind::kComponent:
      return 1;
    case ExprKind::kBinary:
    case ExprKind::kAssign:
    case ExprKind::kIndex:
      return 2;
    case ExprKind::kSelect:
      return 3;
    case ExprKind::kInt:
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kName:
    case ExprKind::kCall:
    case ExprKind::kInitList:
    case ExprKind::kUnknown:
      break;
  }
  return 0;
}

bool is_arithmetic(const CType& type) {
  const bool is_number = type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt ||
                         type.scalar == CType::Scalar::kBool || type.scalar == CType::Scalar::kFloat;
  return type.pointers == 0 && type.extents.empty() && !type.is_vector && is_number;
}

/// An integer literal that another integer type holds, too, is one of that type.
bool holds(const CType& type, const Expr& literal) {
  if (type.scalar == CType::Scalar::kFloat || type.scalar == CType::Scalar::kBool) return false;
  const bool is_huge = literal.type.scalar == CType::Scalar::kUInt && literal.value < 0;
  if (is_huge || type.scalar_bytes == 0 || type.scalar_bytes > 8) return false;
  const bool is_unsigned = type.scalar == CType::Scalar::kUInt;
  if (is_unsigned && literal.value < 0) return false;
  const unsigned bits = 8 * type.scalar_bytes - (is_unsigned ? 0U : 1U);
  return bits >= 63 || std::abs(literal.value) < (std::int64_t{1} << bits);
}

void make_unknown(Expr& expr, const char* what) {
  expr.kind = ExprKind::kUnknown;
  expr.text = what;
}

bool is_expression(CXCursor cursor) { return libclang().isExpression(libclang().getCursorKind(cursor)) != 0; }

}  // namespace

ExprId ExpressionConverter::add(Expr expr) {
  unit_.exprs.push_back(std::move(expr));
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

/// What an implicit cast casts: it covers exactly that; other unexposed nodes do not.
std::optional<CXCursor> ExpressionConverter::casted(CXCursor cursor) const {
  if (libclang().getCursorKind(cursor) != CXCursor_UnexposedExpr) return std::nullopt;
  const std::vector<CXCursor> inner = children_of(cursor);
  if (inner.size() != 1 || !is_expression(inner[0])) return std::nullopt;
  const SourceRange outer_range = places_.code_range(cursor), inner_range = places_.code_range(inner[0]);
  const bool is_cast = outer_range.begin == inner_range.begin && outer_range.end == inner_range.end;
  return is_cast ? std::optional<CXCursor>(inner[0]) : std::nullopt;
}

/// Without parentheses, and without implicit casts that keep the value: of arrays and functions to pointers, between
/// pointers, of what is read.
CXCursor ExpressionConverter::stripped(CXCursor cursor) {
  for (;;) {
    if (libclang().getCursorKind(cursor) == CXCursor_ParenExpr) {
      const std::vector<CXCursor> inner = children_of(cursor);
      if (inner.size() != 1 || !is_expression(inner[0])) return cursor;
      cursor = inner[0];
      continue;
    }
    const std::optional<CXCursor> inner = casted(cursor);
    if (!inner || converts(cursor, *inner)) return cursor;
    cursor = *inner;
  }
}

/// Between arithmetic types of another size or kind.
bool ExpressionConverter::converts(CXCursor cursor, CXCursor inner) {
  const CType& to = types_.type_of(libclang().getCursorType(cursor));
  const CType& from = types_.type_of(libclang().getCursorType(inner));
  return is_arithmetic(to) && is_arithmetic(from) && (to.scalar != from.scalar || to.scalar_bytes != from.scalar_bytes);
}

/// The value of a literal, a sizeof or an enumerator.
bool ExpressionConverter::constant(CXCursor cursor, Expr& out) const {
  const CXEvalResult result = libclang().Cursor_Evaluate(cursor);
  if (result == nullptr) return false;
  const CXEvalResultKind kind = libclang().EvalResult_getKind(result);
  if (kind == CXEval_Int) {
    out.kind = ExprKind::kInt;
    out.value = libclang().EvalResult_isUnsignedInt(result) != 0
                    ? static_cast<std::int64_t>(libclang().EvalResult_getAsUnsigned(result))
                    : libclang().EvalResult_getAsLongLong(result);
  } else if (kind == CXEval_Float) {
    out.kind = ExprKind::kFloat;
    out.number = libclang().EvalResult_getAsDouble(result);
  }
  libclang().EvalResult_dispose(result);
  return out.kind != ExprKind::kUnknown;
}

/// A member by its place in the record, as the compiler lays it out.
void ExpressionConverter::member(CXCursor cursor, Expr& out) {
  out.text = take(libclang().getCursorSpelling(cursor));
  const CXCursor field = libclang().getCursorReferenced(cursor);
  if (libclang().Cursor_isNull(field) != 0 || libclang().getCursorKind(field) != CXCursor_FieldDecl) return;
  if (libclang().Cursor_isBitField(field) != 0) {
    out.text = "the bit field " + out.text;
    return;
  }
  // By name in the record that the expression stands for: a member of an anonymous one in it lies deeper.
  const std::vector<CXCursor> parts = children_of(cursor);
  if (parts.empty() || out.text.empty()) return;
  CXType record = libclang().getCanonicalType(libclang().getCursorType(parts[0]));
  if (record.kind == CXType_Pointer) record = libclang().getCanonicalType(libclang().getPointeeType(record));
  if (record.kind != CXType_Record) return;
  const std::optional<std::int64_t> offset = types_.member_offset(record, out.text);
  if (!offset) return;
  out.kind = ExprKind::kMember;
  out.value = *offset;
}

/// What a node is, its children aside.
void ExpressionConverter::fill(CXCursor cursor, CXCursorKind kind, Expr& out) {
  switch (static_cast<int>(kind)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr:
      constant(cursor, out);
      break;
    case CXCursor_StringLiteral: {
      out.kind = ExprKind::kString;
      out.text = take(libclang().getCursorSpelling(cursor));
      if (out.text.size() >= 2) out.text = out.text.substr(1, out.text.size() - 2);
      break;
    }
    case CXCursor_DeclRefExpr:
      if (libclang().getCursorKind(libclang().getCursorReferenced(cursor)) == CXCursor_EnumConstantDecl &&
          constant(cursor, out))
        break;
      out.kind = ExprKind::kName;
      out.text = take(libclang().getCursorSpelling(cursor));
      break;
    case CXCursor_UnaryOperator:
      out.unary = unary_operator_of(libclang().getCursorUnaryOperatorKind(cursor));
      if (out.unary != UnaryOperator::kNone) out.kind = ExprKind::kUnary;
      break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: {
      const BinaryNode node = binary_node_of(libclang().getCursorBinaryOperatorKind(cursor));
      out.kind = node.kind;
      out.binary = node.op;
      break;
    }
    case CXCursor_ConditionalOperator:
      out.kind = ExprKind::kSelect;
      break;
    case CXCursor_ArraySubscriptExpr:
      out.kind = ExprKind::kIndex;
      break;
    case CXCursor_MemberRefExpr:
      member(cursor, out);
      break;
    case CXCursor_CallExpr:
      out.kind = ExprKind::kCall;
      break;
    case CXCursor_CStyleCastExpr:
      out.kind = ExprKind::kCast;
      break;
    case CXCursor_CompoundLiteralExpr:  // of a vector it is a value; else an object, which nobody generates
      if (out.type.is_vector) out.kind = ExprKind::kCast;
      break;
    case CXCursor_InitListExpr:
      out.kind = ExprKind::kInitList;
      break;
    case CXCursor_UnexposedExpr:
      unexposed(cursor, out);
      break;
    default:
      break;
  }
}

/// `.member[3] = value`: members and indices in the order of the text, then the value.
void ExpressionConverter::designated(const std::vector<CXCursor>& parts, Expr& out) const {
  if (parts.size() < 2 || !is_expression(parts.back())) return;
  const bool names_member = libclang().getCursorKind(parts[0]) == CXCursor_MemberRef;
  const bool begins_bracket = out.range.begin < unit_.text.size() && unit_.text[out.range.begin] == '[';
  if (!names_member && !begins_bracket) return;
  std::string path;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (libclang().getCursorKind(parts[i]) == CXCursor_MemberRef) {
      path += "." + take(libclang().getCursorSpelling(parts[i]));
      continue;
    }
    if (!is_expression(parts[i])) return;
    const SourceRange here = places_.range_of(parts[i]), next = places_.range_of(parts[i + 1]);
    const bool is_known = here.end <= next.begin && next.begin <= unit_.text.size();
    const bool is_range =
        is_known &&
        std::string_view(unit_.text).substr(here.end, next.begin - here.end).find("...") != std::string::npos;
    path += is_range ? "[..]" : "[]";
    if (is_range) ++i;
  }
  out.designator = path;
}

/// An implicit cast, a part of an initialiser that names what it sets, or the component of a vector.
void ExpressionConverter::unexposed(CXCursor cursor, Expr& out) {
  if (casted(cursor)) {
    out.kind = ExprKind::kCast;
    return;
  }
  const std::vector<CXCursor> inner = children_of(cursor);
  designated(inner, out);
  if (inner.size() == 1 && is_expression(inner[0]) && types_.type_of(libclang().getCursorType(inner[0])).is_vector) {
    out.kind = ExprKind::kComponent;
  }
}

Expr ExpressionConverter::shell(CXCursor cursor) {
  Expr out;
  const CXType type = libclang().getCursorType(cursor);
  out.type = types_.type_of(type);
  out.range = places_.range_of(cursor);
  out.line = places_.line_of(out.range);
  const CXCursorKind kind = libclang().getCursorKind(cursor);
  fill(cursor, kind, out);
  if (libclang().isVolatileQualifiedType(libclang().getCanonicalType(type)) != 0) {
    make_unknown(out, "a volatile object");
  }
  if (out.kind == ExprKind::kUnknown && out.text.empty()) out.text = take(libclang().getCursorKindSpelling(kind));
  return out;
}

ExprId ExpressionConverter::expression(CXCursor cursor, std::uint32_t depth) {
  cursor = stripped(cursor);
  if (depth > kMaxTreeDepth) {
    too_deep_ = true;
    Expr unknown;
    unknown.range = places_.range_of(cursor);
    unknown.line = places_.line_of(unknown.range);
    return add(std::move(unknown));
  }
  Expr out = shell(cursor);
  const bool leaf = out.kind == ExprKind::kInt || out.kind == ExprKind::kFloat || out.kind == ExprKind::kString ||
                    out.kind == ExprKind::kName;
  if (!leaf) {
    for (const CXCursor& child : children_of(cursor)) {
      if (is_expression(child)) out.args.push_back(expression(child, depth + 1));
    }
  }
  const bool kind_of_cast = out.kind == ExprKind::kCast;
  if (kind_of_cast && out.args.size() == 1) {
    const Expr& inner = unit_.exprs[out.args[0]];
    const bool is_implicit = libclang().getCursorKind(cursor) == CXCursor_UnexposedExpr;
    if (is_implicit && inner.kind == ExprKind::kInt && is_arithmetic(out.type) && holds(out.type, inner)) {
      out.kind = ExprKind::kInt;
      out.value = inner.value;
      out.args.clear();
    }
  }
  if (kind_of_cast && out.args.size() > 1) out.args.erase(out.args.begin(), out.args.end() - 1);  // extents of its type
  const std::size_t wanted = wanted_children(out.kind);
  if ((wanted != 0 && out.args.size() != wanted) || (out.kind == ExprKind::kCall && out.args.empty())) {
    make_unknown(out, "an expression without all of its parts");
  }
  if (out.kind == ExprKind::kIndex) {
    const auto is_address = [&](ExprId id) {
      return unit_.exprs[id].type.pointers != 0 || !unit_.exprs[id].type.extents.empty();
    };
    if (!is_address(out.args[0]) && is_address(out.args[1])) std::swap(out.args[0], out.args[1]);
  }
  return add(std::move(out));
}

}  // namespace detent::models::tvm
