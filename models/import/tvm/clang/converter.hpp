// Converter: the compiler's tree of one file -> ours.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/c/doubts.hpp"
#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/clang/cursor_places.hpp"
#include "models/import/tvm/clang/statement_converter.hpp"
#include "models/import/tvm/clang/type_table.hpp"

namespace detent::models::tvm {

/// The top level of a file and its diagnostics.
class Converter {
 public:
  Converter(CUnit& unit, const ScannedText& scanned, const LineTable& lines, std::uint64_t prelude_bytes)
      : unit_(unit),
        places_(unit, scanned, lines, prelude_bytes),
        types_(unit),
        statements_(unit, places_, types_),
        doubts_(scanned.doubts) {}

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

  CUnit& unit_;
  CursorPlaces places_;
  TypeTable types_;
  StatementConverter statements_;
  bool has_layout_ = false;
  std::vector<Doubt> doubts_;
};

}  // namespace detent::models::tvm
