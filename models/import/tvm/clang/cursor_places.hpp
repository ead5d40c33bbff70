// CursorPlaces: where the compiler's cursors stand in the text that was given.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

class CursorPlaces {
 public:
  /// @param prelude_bytes  that stand before the text for the compiler
  CursorPlaces(const CUnit& unit, const ScannedText& scanned, const LineTable& lines, std::uint64_t prelude_bytes)
      : unit_(unit), scanned_(scanned), lines_(lines), prelude_bytes_(prelude_bytes) {}

  /// In the text that the compiler reads, without the prelude.
  [[nodiscard]] SourceRange code_range(CXCursor cursor) const;
  [[nodiscard]] SourceRange range_of(CXCursor cursor) const;
  /// A statement's range up to the ';' that ends it.
  [[nodiscard]] SourceRange with_semicolon(SourceRange range) const;
  [[nodiscard]] std::uint32_t line_of(const SourceRange& range) const { return lines_.line_of(range.begin); }
  /// The line of a name that is declared.
  [[nodiscard]] std::uint32_t line_of_name(CXCursor cursor) const;
  [[nodiscard]] const ScannedText& scanned() const { return scanned_; }
  [[nodiscard]] const LineTable& lines() const { return lines_; }
  [[nodiscard]] bool is_in_prelude(std::uint64_t offset) const { return offset < prelude_bytes_; }
  /// Of what does not stand in the prelude.
  [[nodiscard]] std::uint64_t original(std::uint64_t offset) const {
    return scanned_.original(offset - prelude_bytes_);
  }

 private:
  const CUnit& unit_;
  const ScannedText& scanned_;
  const LineTable& lines_;
  std::uint64_t prelude_bytes_;
};

}  // namespace detent::models::tvm
