#include "models/tvm/c_source.hpp"

#include <clang-c/Index.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/c_prelude.hpp"
#include "models/tvm/c_scan.hpp"

namespace detent::models::tvm {
namespace {

/// Deeper expressions and statements become kUnknown: whoever walks the tree may recurse.
constexpr std::uint32_t kMaxTreeDepth = 600;
constexpr unsigned kMaxErrors = 20000;
constexpr std::size_t kMaxPointers = 8, kMaxFields = 8192;

struct CloseIndex {
  void operator()(CXIndex index) const { clang_disposeIndex(index); }
};
struct CloseUnit {
  void operator()(CXTranslationUnit unit) const { clang_disposeTranslationUnit(unit); }
};
using IndexHandle = std::unique_ptr<void, CloseIndex>;
using UnitHandle = std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, CloseUnit>;

std::string take(CXString text) {
  const char* chars = clang_getCString(text);
  std::string copy = chars != nullptr ? chars : "";
  clang_disposeString(text);
  return copy;
}

std::vector<CXCursor> children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  clang_visitChildren(
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
  clang_getFileLocation(location, nullptr, nullptr, nullptr, &offset);
  return offset;
}

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

/// Strip arrays and pointers from the outside in; what remains names the scalar.
CType convert_type(CXType type) {
  CType out;
  type = clang_getCanonicalType(type);
  out.is_const = clang_isConstQualifiedType(type) != 0;
  CXType inner = type;
  while (inner.kind == CXType_ConstantArray || inner.kind == CXType_IncompleteArray ||
         inner.kind == CXType_VariableArray) {
    const long long count = inner.kind == CXType_ConstantArray ? clang_getArraySize(inner) : 0;
    out.extents.push_back(count > 0 ? static_cast<std::uint64_t>(count) : 0);
    inner = clang_getCanonicalType(clang_getArrayElementType(inner));
    out.is_const = out.is_const || clang_isConstQualifiedType(inner) != 0;
    if (out.extents.size() > kMaxPointers) return out;
  }
  while (inner.kind == CXType_Pointer) {
    if (++out.pointers > kMaxPointers) return out;
    inner = clang_getCanonicalType(clang_getPointeeType(inner));
  }
  CXType scalar = inner;
  if (inner.kind == CXType_Vector || inner.kind == CXType_ExtVector)
    scalar = clang_getCanonicalType(clang_getElementType(inner));
  out.scalar = scalar_of(scalar.kind);
  const long long size = clang_Type_getSizeOf(inner);
  if (out.scalar != CType::Scalar::kVoid && out.scalar != CType::Scalar::kOther && size > 0) {
    out.scalar_bytes = static_cast<std::uint32_t>(std::min<long long>(size, UINT32_MAX));
  }
  out.spelling = take(clang_getTypeSpelling(type));
  return out;
}

std::string binary_spelling(enum CXBinaryOperatorKind kind) { return take(clang_getBinaryOperatorKindSpelling(kind)); }

std::string unary_spelling(enum CXUnaryOperatorKind kind) {
  switch (static_cast<int>(kind)) {
    case CXUnaryOperator_PostInc:
      return "x++";
    case CXUnaryOperator_PostDec:
      return "x--";
    case CXUnaryOperator_PreInc:
      return "++x";
    case CXUnaryOperator_PreDec:
      return "--x";
    default:
      return take(clang_getUnaryOperatorKindSpelling(kind));
  }
}

/// Turns the compiler's tree into ours.
class Converter {
 public:
  Converter(CUnit& unit, const ScannedText& scanned, const LineTable& lines, std::uint64_t prelude_bytes)
      : unit_(unit), scanned_(scanned), lines_(lines), prelude_bytes_(prelude_bytes) {}

  void convert(CXTranslationUnit unit);

 private:
  [[nodiscard]] bool is_inside_function(std::uint64_t offset) const;
  [[nodiscard]] bool is_about_prelude(CXDiagnostic diagnostic) const;
  void errors(CXTranslationUnit unit);
  void top_level(CXCursor cursor);
  void function(CXCursor cursor);
  void record(CXCursor cursor);
  void global(CXCursor cursor);
  Variable variable(CXCursor cursor, std::uint32_t depth);

  void statement_into(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  std::vector<StmtId> block(CXCursor cursor, std::uint32_t depth);
  void declarations(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  void for_parts(CXCursor cursor, Stmt& stmt, std::uint32_t depth);
  StmtId for_init(CXCursor cursor, std::uint32_t depth);
  bool is_expression(CXCursor cursor) const { return clang_isExpression(clang_getCursorKind(cursor)) != 0; }

  ExprId expression(CXCursor cursor, std::uint32_t depth);
  CXCursor stripped(CXCursor cursor) const;
  bool constant(CXCursor cursor, Expr& out) const;
  void fill(CXCursor cursor, CXCursorKind kind, Expr& out) const;
  Expr shell(CXCursor cursor);
  ExprId add(Expr expr);
  StmtId add(Stmt stmt);

  const CType& type_of(CXType type);
  SourceRange code_range(CXCursor cursor) const;
  SourceRange range_of(CXCursor cursor) const;
  SourceRange with_semicolon(SourceRange range) const;

  CUnit& unit_;
  const ScannedText& scanned_;
  const LineTable& lines_;
  std::uint64_t prelude_bytes_;
  std::map<std::pair<const void*, const void*>, CType> types_;
  bool too_deep_ = false;
};

SourceRange Converter::code_range(CXCursor cursor) const {
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  const std::uint64_t begin = offset_of(clang_getRangeStart(extent)), end = offset_of(clang_getRangeEnd(extent));
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
    const CXCursorKind kind = clang_getCursorKind(cursor);
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
  const CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (result == nullptr) return false;
  const CXEvalResultKind kind = clang_EvalResult_getKind(result);
  if (kind == CXEval_Int) {
    out.kind = ExprKind::kInt;
    out.value = clang_EvalResult_isUnsignedInt(result) != 0
                    ? static_cast<std::int64_t>(clang_EvalResult_getAsUnsigned(result))
                    : clang_EvalResult_getAsLongLong(result);
  } else if (kind == CXEval_Float) {
    out.kind = ExprKind::kFloat;
    out.number = clang_EvalResult_getAsDouble(result);
  }
  clang_EvalResult_dispose(result);
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
      out.text = take(clang_getCursorSpelling(cursor));
      if (out.text.size() >= 2) out.text = out.text.substr(1, out.text.size() - 2);
      break;
    }
    case CXCursor_DeclRefExpr:
      if (clang_getCursorKind(clang_getCursorReferenced(cursor)) == CXCursor_EnumConstantDecl && constant(cursor, out))
        break;
      out.kind = ExprKind::kName;
      out.text = take(clang_getCursorSpelling(cursor));
      break;
    case CXCursor_UnaryOperator:
      out.kind = ExprKind::kUnary;
      out.text = unary_spelling(clang_getCursorUnaryOperatorKind(cursor));
      break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
      out.kind = ExprKind::kBinary;
      out.text = binary_spelling(clang_getCursorBinaryOperatorKind(cursor));
      break;
    case CXCursor_ConditionalOperator:
      out.kind = ExprKind::kSelect;
      break;
    case CXCursor_ArraySubscriptExpr:
      out.kind = ExprKind::kIndex;
      break;
    case CXCursor_MemberRefExpr:
      out.kind = ExprKind::kMember;
      out.text = take(clang_getCursorSpelling(cursor));
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
  out.type = type_of(clang_getCursorType(cursor));
  out.range = range_of(cursor);
  out.line = lines_.line_of(out.range.begin);
  fill(cursor, clang_getCursorKind(cursor), out);
  return out;
}

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

Variable Converter::variable(CXCursor cursor, std::uint32_t depth) {
  Variable out;
  out.name = take(clang_getCursorSpelling(cursor));
  out.type = type_of(clang_getCursorType(cursor));
  out.range = range_of(cursor);
  out.line = lines_.line_of(offset_of(clang_getCursorLocation(cursor)) >= prelude_bytes_
                                ? scanned_.original(offset_of(clang_getCursorLocation(cursor)) - prelude_bytes_)
                                : out.range.begin);
  if (clang_getCursorKind(cursor) != CXCursor_VarDecl) return out;
  const CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  if (clang_Cursor_isNull(init) == 0) out.init = expression(init, depth + 1);
  return out;
}

void Converter::declarations(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list) {
  const SourceRange range = with_semicolon(range_of(cursor));
  for (const CXCursor& child : children_of(cursor)) {
    if (clang_getCursorKind(child) != CXCursor_VarDecl) continue;
    Stmt stmt;
    stmt.kind = StmtKind::kDeclare;
    stmt.variable = variable(child, depth);
    stmt.range = range;
    stmt.line = stmt.variable.line;
    list.push_back(add(std::move(stmt)));
  }
}

std::vector<StmtId> Converter::block(CXCursor cursor, std::uint32_t depth) {
  std::vector<StmtId> list;
  if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt) {
    for (const CXCursor& child : children_of(cursor)) statement_into(child, depth + 1, list);
  } else {
    statement_into(cursor, depth + 1, list);
  }
  return list;
}

StmtId Converter::for_init(CXCursor cursor, std::uint32_t depth) {
  std::vector<StmtId> list;
  statement_into(cursor, depth + 1, list);
  if (list.empty()) return kNoNode;
  if (list.size() == 1) return list[0];
  Stmt group;
  group.kind = StmtKind::kBlock;
  group.range = range_of(cursor);
  group.line = lines_.line_of(group.range.begin);
  group.body = std::move(list);
  return add(std::move(group));
}

/// The tree leaves out absent parts, so the ';' of the head tell which part a child is.
void Converter::for_parts(CXCursor cursor, Stmt& stmt, std::uint32_t depth) {
  const std::vector<CXCursor> parts = children_of(cursor);
  if (parts.empty()) return;
  if (parts.size() == 4) {
    stmt.init = for_init(parts[0], depth);
    stmt.expr = expression(parts[1], depth + 1);
    stmt.step = expression(parts[2], depth + 1);
    stmt.body = block(parts[3], depth);
    return;
  }
  const SourceRange range = code_range(cursor);
  std::vector<std::uint64_t> semicolons;
  std::uint32_t level = 0;
  for (std::uint64_t i = range.begin; i < range.end && semicolons.size() < 2; ++i) {
    const char c = scanned_.code[i];
    if (c == '(') ++level;
    if (c == ')' && --level == 0) break;
    if (c == ';' && level == 1) semicolons.push_back(i);
  }
  if (semicolons.size() != 2) {
    stmt.kind = StmtKind::kUnknown;
    return;
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::uint64_t begin = code_range(parts[i]).begin;
    if (begin <= semicolons[0]) {
      stmt.init = for_init(parts[i], depth);
    } else if (begin <= semicolons[1]) {
      stmt.expr = expression(parts[i], depth + 1);
    } else {
      stmt.step = expression(parts[i], depth + 1);
    }
  }
  stmt.body = block(parts.back(), depth);
}

void Converter::statement_into(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_NullStmt) return;
  Stmt stmt;
  stmt.range = range_of(cursor);
  stmt.line = lines_.line_of(stmt.range.begin);
  if (depth > kMaxTreeDepth) {
    too_deep_ = true;
    list.push_back(add(std::move(stmt)));
    return;
  }
  if (kind == CXCursor_DeclStmt) return declarations(cursor, depth, list);
  if (clang_isExpression(kind) != 0) {
    stmt.kind = StmtKind::kExpr;
    stmt.expr = expression(cursor, depth + 1);
    stmt.range = with_semicolon(stmt.range);
    list.push_back(add(std::move(stmt)));
    return;
  }
  const std::vector<CXCursor> parts = children_of(cursor);
  switch (static_cast<int>(kind)) {
    case CXCursor_CompoundStmt:
      stmt.kind = StmtKind::kBlock;
      stmt.body = block(cursor, depth);
      break;
    case CXCursor_ForStmt:
      stmt.kind = StmtKind::kFor;
      for_parts(cursor, stmt, depth);
      break;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
      if (parts.size() != 2) break;
      stmt.kind = StmtKind::kWhile;
      stmt.expr = expression(parts[kind == CXCursor_DoStmt ? 1 : 0], depth + 1);
      stmt.body = block(parts[kind == CXCursor_DoStmt ? 0 : 1], depth);
      break;
    case CXCursor_IfStmt:
      if (parts.size() < 2) break;
      stmt.kind = StmtKind::kIf;
      stmt.expr = expression(parts[0], depth + 1);
      stmt.body = block(parts[1], depth);
      if (parts.size() > 2) stmt.else_body = block(parts[2], depth);
      break;
    case CXCursor_ReturnStmt:
      stmt.kind = StmtKind::kReturn;
      if (!parts.empty()) stmt.expr = expression(parts[0], depth + 1);
      stmt.range = with_semicolon(stmt.range);
      break;
    default:
      break;
  }
  list.push_back(add(std::move(stmt)));
}

void Converter::function(CXCursor cursor) {
  Function out;
  too_deep_ = false;
  out.name = take(clang_getCursorSpelling(cursor));
  out.result = type_of(clang_getCursorResultType(cursor));
  out.is_static = clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
  out.range = range_of(cursor);
  out.line = lines_.line_of(out.range.begin);
  const int count = clang_Cursor_getNumArguments(cursor);
  for (int i = 0; i < count; ++i) {
    out.params.push_back(variable(clang_Cursor_getArgument(cursor, static_cast<unsigned>(i)), 0));
  }
  if (clang_isCursorDefinition(cursor) != 0) {
    for (const CXCursor& child : children_of(cursor)) {
      if (clang_getCursorKind(child) != CXCursor_CompoundStmt) continue;
      out.body_range = range_of(child);
      std::vector<StmtId> list;
      statement_into(child, 0, list);
      out.body = list[0];
    }
  }
  out.damaged = too_deep_;
  unit_.functions.push_back(std::move(out));
}

void Converter::record(CXCursor cursor) {
  if (clang_isCursorDefinition(cursor) == 0) return;
  Record out;
  out.name = clang_Cursor_isAnonymous(cursor) != 0 ? "" : take(clang_getCursorSpelling(cursor));
  out.line = lines_.line_of(range_of(cursor).begin);
  const long long size = clang_Type_getSizeOf(clang_getCursorType(cursor));
  if (size > 0) out.size_bytes = static_cast<std::uint64_t>(size);
  for (const CXCursor& child : children_of(cursor)) {
    if (clang_getCursorKind(child) != CXCursor_FieldDecl) continue;
    out.fields.push_back(variable(child, 0));
    // Asking for the n-th offset costs the compiler n steps.
    const long long bits = out.fields.size() <= kMaxFields ? clang_Cursor_getOffsetOfField(child) : 0;
    out.field_offsets.push_back(bits > 0 ? static_cast<std::uint64_t>(bits) / 8 : 0);
  }
  unit_.records.push_back(std::move(out));
}

void Converter::global(CXCursor cursor) {
  Global out;
  out.variable = variable(cursor, 0);
  out.is_static = clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
  out.is_defined = clang_Cursor_getStorageClass(cursor) != CX_SC_Extern || out.variable.init != kNoNode;
  if (out.variable.init != kNoNode) out.initialiser = unit_.exprs[out.variable.init].range;
  unit_.globals.push_back(std::move(out));
}

void Converter::top_level(CXCursor cursor) {
  const std::uint64_t begin = offset_of(clang_getRangeStart(clang_getCursorExtent(cursor)));
  if (begin < prelude_bytes_) return;
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_FunctionDecl) function(cursor);
  if (kind == CXCursor_StructDecl) record(cursor);
  if (kind == CXCursor_VarDecl) global(cursor);
}

bool Converter::is_inside_function(std::uint64_t offset) const {
  return std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
    return function.body != kNoNode && function.range.begin <= offset && offset < function.range.end;
  });
}

/// The file defines by itself what the prelude defines, too: nothing is wrong with that.
bool Converter::is_about_prelude(CXDiagnostic diagnostic) const {
  const CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
  for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); ++i) {
    const CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
    const bool is_inside = offset_of(clang_getDiagnosticLocation(note)) < prelude_bytes_;
    clang_disposeDiagnostic(note);
    if (is_inside) return true;
  }
  return false;
}

/// Errors damage the function in which they stand. A function called without a declaration is named, no more: the tree
/// of its caller is whole.
void Converter::errors(CXTranslationUnit unit) {
  const unsigned count = clang_getNumDiagnostics(unit);
  std::vector<std::pair<std::uint64_t, Diagnostic>> found;
  std::vector<std::uint64_t> damaging;
  for (unsigned i = 0; i < count; ++i) {
    const CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    const std::uint64_t offset = offset_of(clang_getDiagnosticLocation(diagnostic));
    if (severity >= CXDiagnostic_Warning && offset >= prelude_bytes_) {
      const std::uint64_t original = scanned_.original(offset - prelude_bytes_);
      if (!is_inside_function(original) && is_about_prelude(diagnostic)) {
        clang_disposeDiagnostic(diagnostic);
        continue;
      }
      found.push_back({original, {lines_.line_of(original), take(clang_getDiagnosticSpelling(diagnostic))}});
      if (severity >= CXDiagnostic_Error) damaging.push_back(original);
    }
    clang_disposeDiagnostic(diagnostic);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::sort(damaging.begin(), damaging.end());
  for (auto& [offset, diagnostic] : found) unit_.errors.push_back(std::move(diagnostic));
  for (Function& function : unit_.functions) {
    const auto first = std::lower_bound(damaging.begin(), damaging.end(), function.range.begin);
    if (function.body != kNoNode && first != damaging.end() && *first < function.range.end) function.damaged = true;
  }
}

void Converter::convert(CXTranslationUnit unit) {
  for (const CXCursor& cursor : children_of(clang_getTranslationUnitCursor(unit))) top_level(cursor);
  errors(unit);
}

/// Parse without touching the disk, the environment's include paths or the process's signal handlers.
UnitHandle parse(CXIndex index, const std::string& source, const std::string& file) {
  const std::string error_limit = "-ferror-limit=" + std::to_string(kMaxErrors);
  const char* arguments[] = {"-x",
                             "c",
                             "-std=gnu11",
                             "--target=x86_64-unknown-none-elf",
                             "-nostdinc",
                             "-fno-builtin",
                             "-Wno-everything",
                             "-Wimplicit-function-declaration",
                             "-fno-spell-checking",
                             "-fbracket-depth=300",
                             error_limit.c_str(),
                             "-Xclang",
                             "-disable-pragma-debug-crash"};
  CXUnsavedFile content{"unit.c", source.data(), static_cast<unsigned long>(source.size())};
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code = clang_parseTranslationUnit2(
      index, "unit.c", arguments, static_cast<int>(std::size(arguments)), &content, 1, CXTranslationUnit_None, &unit);
  UnitHandle handle(unit);
  if (code != CXError_Success || unit == nullptr) throw InputError(file, "", "the C parser refused the file");
  return handle;
}

}  // namespace

CUnit parse_c(std::string text, const std::string& file) {
  CUnit unit;
  unit.file = file;
  unit.text = std::move(text);
  ScannedText scanned = scan_c(unit.text, file);
  const LineTable lines(unit.text);
  unit.macros = scanned.macros;
  const IndexHandle index(clang_createIndex(0, 0));
  clang_toggleCrashRecovery(0);
  const UnitHandle parsed = parse(index.get(), c_prelude() + scanned.code, file);
  Converter(unit, scanned, lines, c_prelude().size()).convert(parsed.get());
  return unit;
}

}  // namespace detent::models::tvm
