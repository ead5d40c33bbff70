#include "models/import/tvm/clang/cursor_places.hpp"

#include <algorithm>

namespace detent::models::tvm {

SourceRange CursorPlaces::code_range(CXCursor cursor) const {
  const CXSourceRange extent = libclang().getCursorExtent(cursor);
  const std::uint64_t begin = offset_of(libclang().getRangeStart(extent)),
                      end = offset_of(libclang().getRangeEnd(extent));
  if (is_in_prelude(begin)) return {0, 0};
  return {begin - prelude_bytes_, std::max(begin, end) - prelude_bytes_};
}

SourceRange CursorPlaces::range_of(CXCursor cursor) const {
  const SourceRange code = code_range(cursor);
  return scanned_.original(code.begin, code.end);
}

SourceRange CursorPlaces::with_semicolon(SourceRange range) const {
  std::uint64_t end = range.end;
  while (end < unit_.text.size() && (unit_.text[end] == ' ' || unit_.text[end] == '\n')) ++end;
  if (end < unit_.text.size() && unit_.text[end] == ';') range.end = end + 1;
  return range;
}

std::uint32_t CursorPlaces::line_of_name(CXCursor cursor) const {
  const std::uint64_t offset = offset_of(libclang().getCursorLocation(cursor));
  return lines_.line_of(is_in_prelude(offset) ? range_of(cursor).begin : original(offset));
}

}  // namespace detent::models::tvm
