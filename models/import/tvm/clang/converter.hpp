// Converter: the compiler's tree of one file -> ours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/c/doubts.hpp"
#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/cursor.hpp"

namespace detent::models::tvm {

/// Deeper expressions and statements become kUnknown: whoever walks the tree may recurse.
inline constexpr std::uint32_t kMaxTreeDepth = 600;

/// Turns the compiler's tree into ours.
class Converter {
 public:
  Converter(CUnit& unit, const ScannedText& scanned, const LineTable& lines, std::uint64_t prelude_bytes)
      : unit_(unit), scanned_(scanned), lines_(lines), prelude_bytes_(prelude_bytes), doubts_(scanned.doubts) {}

  void convert(CXTranslationUnit unit);

 private:
  [[nodiscard]] bool is_inside_function(std::uint64_t offset) const;
  void errors(CXTranslationUnit unit);
  void lay_out(CXCursor typedef_cursor);
  void doubts();
  void top_level(CXCursor cursor);
  void function(CXCursor cursor);
  void record(CXCursor cursor);
  void global(CXCursor cursor);
  Variable variable(CXCursor cursor, std::uint32_t depth);
  std::string strange_attribute(CXCursor cursor);

  void statement_into(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  std::vector<StmtId> block(CXCursor cursor, std::uint32_t depth);
  void declarations(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  void for_parts(CXCursor cursor, Stmt& stmt, std::uint32_t depth);
  StmtId for_init(CXCursor cursor, std::uint32_t depth);
  [[nodiscard]] bool is_expression(CXCursor cursor) const {
    return libclang().isExpression(libclang().getCursorKind(cursor)) != 0;
  }

  ExprId expression(CXCursor cursor, std::uint32_t depth);
  [[nodiscard]] std::optional<CXCursor> casted(CXCursor cursor) const;
  CXCursor stripped(CXCursor cursor);
  bool converts(CXCursor cursor, CXCursor inner);
  bool constant(CXCursor cursor, Expr& out) const;
  void fill(CXCursor cursor, CXCursorKind kind, Expr& out);
  void member(CXCursor cursor, Expr& out);
  void unexposed(CXCursor cursor, Expr& out);
  Expr shell(CXCursor cursor);
  ExprId add(Expr expr);
  StmtId add(Stmt stmt);

  const CType& type_of(CXType type);
  void note_layout(CXType type, const CType& converted);
  SourceRange code_range(CXCursor cursor) const;
  SourceRange range_of(CXCursor cursor) const;
  SourceRange with_semicolon(SourceRange range) const;

  CUnit& unit_;
  const ScannedText& scanned_;
  const LineTable& lines_;
  std::uint64_t prelude_bytes_;
  bool has_layout_ = false;
  std::map<std::pair<const void*, const void*>, CType> types_;
  std::map<std::pair<const void*, std::string>, long long> field_bits_;  ///< by record and name
  std::vector<Doubt> doubts_;
  bool too_deep_ = false;
};

}  // namespace detent::models::tvm
