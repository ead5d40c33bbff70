// Converter: ranges, types, expressions.
#include <algorithm>
#include <utility>

#include "models/tvm/c_converter.hpp"

namespace detent::models::tvm {
namespace {

std::size_t wanted_children(ExprKind kind) {
  switch (kind) {
    case ExprKind::kUnary:
    case ExprKind::kMember:
    case ExprKind::kCast:
      return 1;
    case ExprKind::kBinary:
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

}  // namespace

SourceRange Converter::code_range(CXCursor cursor) const {
  const CXSourceRange extent = libclang().getCursorExtent(cursor);
  const std::uint64_t begin = offset_of(libclang().getRangeStart(extent)),
                      end = offset_of(libclang().getRangeEnd(extent));
  if (begin < prelude_bytes_) return {0, 0};
  return {begin - prelude_bytes_, std::max(begin, end) - prelude_bytes_};
}

SourceRange Converter::range_of(CXCursor cursor) const {
  const SourceRange code = code_range(cursor);
  return scanned_.original(code.begin, code.end);
}

/// A statement's range up to the ';' that ends it.
SourceRange Converter::with_semicolon(SourceRange range) const {
  std::uint64_t end = range.end;
  while (end < unit_.text.size() && (unit_.text[end] == ' ' || unit_.text[end] == '\n')) ++end;
  if (end < unit_.text.size() && unit_.text[end] == ';') range.end = end + 1;
  return range;
}

const CType& Converter::type_of(CXType type) {
  const auto key = std::make_pair(static_cast<const void*>(type.data[0]), static_cast<const void*>(type.data[1]));
  const auto known = types_.find(key);
  if (known != types_.end()) return known->second;
  return types_.emplace(key, convert_type(type)).first->second;
}

ExprId Converter::add(Expr expr) {
  unit_.exprs.push_back(std::move(expr));
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

StmtId Converter::add(Stmt stmt) {
  unit_.stmts.push_back(std::move(stmt));
  return static_cast<StmtId>(unit_.stmts.size() - 1);
}

/// Without parentheses and implicit casts. An implicit cast covers exactly what it casts; other unexposed nodes do not.
CXCursor Converter::stripped(CXCursor cursor) const {
  for (;;) {
    const CXCursorKind kind = libclang().getCursorKind(cursor);
    if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) return cursor;
    const std::vector<CXCursor> inner = children_of(cursor);
    if (inner.size() != 1 || !is_expression(inner[0])) return cursor;
    if (kind == CXCursor_UnexposedExpr) {
      const SourceRange outer_range = code_range(cursor), inner_range = code_range(inner[0]);
      if (outer_range.begin != inner_range.begin || outer_range.end != inner_range.end) return cursor;
    }
    cursor = inner[0];
  }
}

/// The value of a literal, a sizeof or an enumerator.
bool Converter::constant(CXCursor cursor, Expr& out) const {
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

/// What a node is, its children aside.
void Converter::fill(CXCursor cursor, CXCursorKind kind, Expr& out) const {
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
      out.kind = ExprKind::kUnary;
      out.text = unary_spelling(libclang().getCursorUnaryOperatorKind(cursor));
      break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
      out.kind = ExprKind::kBinary;
      out.text = binary_spelling(libclang().getCursorBinaryOperatorKind(cursor));
      break;
    case CXCursor_ConditionalOperator:
      out.kind = ExprKind::kSelect;
      break;
    case CXCursor_ArraySubscriptExpr:
      out.kind = ExprKind::kIndex;
      break;
    case CXCursor_MemberRefExpr:
      out.kind = ExprKind::kMember;
      out.text = take(libclang().getCursorSpelling(cursor));
      break;
    case CXCursor_CallExpr:
      out.kind = ExprKind::kCall;
      break;
    case CXCursor_CStyleCastExpr:
      out.kind = ExprKind::kCast;
      break;
    case CXCursor_InitListExpr:
      out.kind = ExprKind::kInitList;
      break;
    default:
      break;
  }
}

Expr Converter::shell(CXCursor cursor) {
  Expr out;
  out.type = type_of(libclang().getCursorType(cursor));
  out.range = range_of(cursor);
  out.line = lines_.line_of(out.range.begin);
  fill(cursor, libclang().getCursorKind(cursor), out);
  return out;
}

ExprId Converter::expression(CXCursor cursor, std::uint32_t depth) {
  cursor = stripped(cursor);
  if (depth > kMaxTreeDepth) {
    too_deep_ = true;
    Expr unknown;
    unknown.range = range_of(cursor);
    unknown.line = lines_.line_of(unknown.range.begin);
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
  const std::size_t wanted = wanted_children(out.kind);
  if ((wanted != 0 && out.args.size() != wanted) || (out.kind == ExprKind::kCall && out.args.empty()))
    out.kind = ExprKind::kUnknown;
  if (out.kind == ExprKind::kIndex) {
    const auto is_address = [&](ExprId id) {
      return unit_.exprs[id].type.pointers != 0 || !unit_.exprs[id].type.extents.empty();
    };
    if (!is_address(out.args[0]) && is_address(out.args[1])) std::swap(out.args[0], out.args[1]);
  }
  return add(std::move(out));
}

}  // namespace detent::models::tvm
