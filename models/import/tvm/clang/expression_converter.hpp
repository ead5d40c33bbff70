// ExpressionConverter: the compiler's expressions -> ours.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/clang/cursor_places.hpp"
#include "models/import/tvm/clang/type_table.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Deeper expressions and statements become kUnknown: whoever walks the tree may recurse.
inline constexpr std::uint32_t kMaxTreeDepth = 600;

class ExpressionConverter {
 public:
  ExpressionConverter(CUnit& unit, const CursorPlaces& places, TypeTable& types)
      : unit_(unit), places_(places), types_(types) {}
  ExprId expression(CXCursor cursor, std::uint32_t depth);
  /// Has a tree been cut off at kMaxTreeDepth since the last call?
  [[nodiscard]] bool take_too_deep() { return std::exchange(too_deep_, false); }

 private:
  [[nodiscard]] std::optional<CXCursor> casted(CXCursor cursor) const;
  CXCursor stripped(CXCursor cursor);
  bool converts(CXCursor cursor, CXCursor inner);
  bool constant(CXCursor cursor, Expr& out) const;
  void fill(CXCursor cursor, CXCursorKind kind, Expr& out);
  void member(CXCursor cursor, Expr& out);
  void unexposed(CXCursor cursor, Expr& out);
  void designated(const std::vector<CXCursor>& parts, Expr& out) const;
  Expr shell(CXCursor cursor);
  ExprId add(Expr expr);

  CUnit& unit_;
  const CursorPlaces& places_;
  TypeTable& types_;
  bool too_deep_ = false;
};

}  // namespace detent::models::tvm
