#include "models/import/tvm/clang/statement_converter.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace detent::models::tvm {
namespace {

/// Those that say where or how a variable lies, and no more.
bool is_plain_of_variables(std::string_view name) {
  for (const std::string_view known : {"aligned", "packed", "section", "unused", "used", "deprecated", "weak"}) {
    if (name == known || (name.size() == known.size() + 4 && name.substr(2, known.size()) == known)) return true;
  }
  return false;
}

std::string first_word(const std::string& text) {
  std::size_t begin = 0, end = 0;
  const auto is_word = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_';
  };
  while (begin < text.size() && !is_word(begin)) ++begin;
  for (end = begin; end < text.size() && is_word(end);) ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

StmtId StatementConverter::add(Stmt stmt) {
  unit_.stmts.push_back(std::move(stmt));
  return static_cast<StmtId>(unit_.stmts.size() - 1);
}

/// The name of an attribute that may make a variable act: cleanup, asm("register") and whatever comes.
std::string StatementConverter::strange_attribute(CXCursor cursor) {
  for (const CXCursor& child : children_of(cursor)) {
    const CXCursorKind kind = libclang().getCursorKind(child);
    if (libclang().isAttribute(kind) == 0) continue;
    const SourceRange place = places_.code_range(child);
    const std::string name = first_word(place.end <= places_.scanned().code.size() && place.begin < place.end
                                            ? places_.scanned().code.substr(place.begin, place.end - place.begin)
                                            : "");
    if (!is_plain_of_variables(name)) return name.empty() ? "an attribute" : name;
  }
  return "";
}

Variable StatementConverter::variable(CXCursor cursor, std::uint32_t depth) {
  Variable out;
  out.name = take(libclang().getCursorSpelling(cursor));
  out.type = types_.type_of(libclang().getCursorType(cursor));
  out.range = places_.range_of(cursor);
  out.line = places_.line_of_name(cursor);
  if (libclang().getCursorKind(cursor) != CXCursor_VarDecl) return out;
  const CX_StorageClass storage = libclang().Cursor_getStorageClass(cursor);
  out.is_thread_local = libclang().getCursorTLSKind(cursor) != CXTLS_None;
  out.outlives = storage == CX_SC_Static || storage == CX_SC_Extern;
  out.strange = strange_attribute(cursor);
  const CXCursor init = libclang().Cursor_getVarDeclInitializer(cursor);
  if (libclang().Cursor_isNull(init) == 0) out.init = expressions_.expression(init, depth + 1);
  return out;
}

void StatementConverter::declarations(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list) {
  const SourceRange range = places_.with_semicolon(places_.range_of(cursor));
  for (const CXCursor& child : children_of(cursor)) {
    if (libclang().getCursorKind(child) != CXCursor_VarDecl) continue;
    Stmt stmt;
    stmt.kind = StmtKind::kDeclare;
    stmt.variable = variable(child, depth);
    stmt.range = range;
    stmt.line = stmt.variable.line;
    list.push_back(add(std::move(stmt)));
  }
}

std::vector<StmtId> StatementConverter::block(CXCursor cursor, std::uint32_t depth) {
  std::vector<StmtId> list;
  if (libclang().getCursorKind(cursor) == CXCursor_CompoundStmt) {
    for (const CXCursor& child : children_of(cursor)) statement_into(child, depth + 1, list);
  } else {
    statement_into(cursor, depth + 1, list);
  }
  return list;
}

StmtId StatementConverter::for_init(CXCursor cursor, std::uint32_t depth) {
  std::vector<StmtId> list;
  statement_into(cursor, depth + 1, list);
  if (list.empty()) return kNoNode;
  if (list.size() == 1) return list[0];
  Stmt group;
  group.kind = StmtKind::kBlock;
  group.range = places_.range_of(cursor);
  group.line = places_.line_of(group.range);
  group.body = std::move(list);
  return add(std::move(group));
}

/// The tree leaves out absent parts, so the ';' of the head tell which part a child is.
void StatementConverter::for_parts(CXCursor cursor, Stmt& stmt, std::uint32_t depth) {
  const std::vector<CXCursor> parts = children_of(cursor);
  if (parts.empty()) return;
  if (parts.size() == 4) {
    stmt.init = for_init(parts[0], depth);
    stmt.expr = expressions_.expression(parts[1], depth + 1);
    stmt.step = expressions_.expression(parts[2], depth + 1);
    stmt.body = block(parts[3], depth);
    return;
  }
  const SourceRange range = places_.code_range(cursor);
  std::vector<std::uint64_t> semicolons;
  std::uint32_t level = 0;
  for (std::uint64_t i = range.begin; i < range.end && semicolons.size() < 2; ++i) {
    const char c = places_.scanned().code[i];
    if (c == '(') ++level;
    if (c == ')' && --level == 0) break;
    if (c == ';' && level == 1) semicolons.push_back(i);
  }
  if (semicolons.size() != 2) {
    stmt.kind = StmtKind::kUnknown;
    return;
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::uint64_t begin = places_.code_range(parts[i]).begin;
    if (begin <= semicolons[0]) {
      stmt.init = for_init(parts[i], depth);
    } else if (begin <= semicolons[1]) {
      stmt.expr = expressions_.expression(parts[i], depth + 1);
    } else {
      stmt.step = expressions_.expression(parts[i], depth + 1);
    }
  }
  stmt.body = block(parts.back(), depth);
}

void StatementConverter::statement_into(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list) {
  const CXCursorKind kind = libclang().getCursorKind(cursor);
  if (kind == CXCursor_NullStmt) return;
  Stmt stmt;
  stmt.range = places_.range_of(cursor);
  stmt.line = places_.line_of(stmt.range);
  if (depth > kMaxTreeDepth) {
    too_deep_ = true;
    list.push_back(add(std::move(stmt)));
    return;
  }
  if (kind == CXCursor_DeclStmt) return declarations(cursor, depth, list);
  if (libclang().isExpression(kind) != 0) {
    stmt.kind = StmtKind::kExpr;
    stmt.expr = expressions_.expression(cursor, depth + 1);
    stmt.range = places_.with_semicolon(stmt.range);
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
      stmt.tests_last = kind == CXCursor_DoStmt;
      stmt.expr = expressions_.expression(parts[kind == CXCursor_DoStmt ? 1 : 0], depth + 1);
      stmt.body = block(parts[kind == CXCursor_DoStmt ? 0 : 1], depth);
      break;
    case CXCursor_IfStmt:
      if (parts.size() < 2) break;
      stmt.kind = StmtKind::kIf;
      stmt.expr = expressions_.expression(parts[0], depth + 1);
      stmt.body = block(parts[1], depth);
      if (parts.size() > 2) stmt.else_body = block(parts[2], depth);
      break;
    case CXCursor_ReturnStmt:
      stmt.kind = StmtKind::kReturn;
      if (!parts.empty()) stmt.expr = expressions_.expression(parts[0], depth + 1);
      stmt.range = places_.with_semicolon(stmt.range);
      break;
    case CXCursor_BreakStmt:
      stmt.kind = StmtKind::kBreak;
      break;
    case CXCursor_ContinueStmt:
      stmt.kind = StmtKind::kContinue;
      break;
    case CXCursor_GotoStmt:
      stmt.kind = StmtKind::kGoto;
      break;
    case CXCursor_LabelStmt:
      stmt.kind = StmtKind::kLabel;
      if (!parts.empty()) stmt.body = block(parts.back(), depth);
      break;
    default:
      break;
  }
  if (stmt.kind == StmtKind::kUnknown) {
    const SourceRange place = places_.code_range(cursor);
    stmt.word = first_word(
        places_.scanned().code.substr(std::min<std::uint64_t>(place.begin, places_.scanned().code.size()), 40));
    if (stmt.word.empty()) stmt.word = take(libclang().getCursorKindSpelling(kind));
  }
  list.push_back(add(std::move(stmt)));
}

bool StatementConverter::take_too_deep() {
  const bool in_expression = expressions_.take_too_deep();
  return std::exchange(too_deep_, false) || in_expression;
}

}  // namespace detent::models::tvm
