// StatementConverter: the compiler's variables and statements -> ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/clang/cursor_places.hpp"
#include "models/import/tvm/clang/expression_converter.hpp"
#include "models/import/tvm/clang/type_table.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

class StatementConverter {
 public:
  StatementConverter(CUnit& unit, const CursorPlaces& places, TypeTable& types)
      : unit_(unit), places_(places), types_(types), expressions_(unit, places, types) {}
  Variable variable(CXCursor cursor, std::uint32_t depth);
  void statement_into(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  /// Has a tree been cut off at kMaxTreeDepth since the last call?
  [[nodiscard]] bool take_too_deep();

 private:
  std::string strange_attribute(CXCursor cursor);
  std::vector<StmtId> block(CXCursor cursor, std::uint32_t depth);
  void declarations(CXCursor cursor, std::uint32_t depth, std::vector<StmtId>& list);
  void for_parts(CXCursor cursor, Stmt& stmt, std::uint32_t depth);
  StmtId for_init(CXCursor cursor, std::uint32_t depth);
  StmtId add(Stmt stmt);

  CUnit& unit_;
  const CursorPlaces& places_;
  TypeTable& types_;
  ExpressionConverter expressions_;
  bool too_deep_ = false;
};

}  // namespace detent::models::tvm
