// Writing C tables: fields by name, lists of numbers with a comment wherever something begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/emit_c/emit_c.hpp"

namespace detent::models {

/// One element of a table on one line: "{.first = 3u, .count = 2u}".
class FieldList {
 public:
  FieldList& text(std::string_view name, std::string_view value);  ///< as it stands
  FieldList& quoted(std::string_view name, const char* value);     ///< a string literal
  FieldList& number(std::string_view name, std::uint64_t value);
  FieldList& index(std::string_view name, std::uint32_t value);  ///< DETENT_NONE by its name
  FieldList& slice(std::string_view name, const detent_slice& value);
  [[nodiscard]] std::string str() const { return "{" + out_ + "}"; }

 private:
  std::string out_;
};

/// Where in a list of numbers something begins, and what.
struct Mark {
  std::uint32_t at = 0;
  std::string text;  ///< for a comment
};

/// "static const uint32_t NAME[] = {...};" with a line for each mark; nothing for an empty list.
std::string number_table(std::string_view name, const std::uint32_t* values, std::uint32_t count,
                         std::vector<Mark> marks);

/// What a field that points at a table holds: its name, or NULL for an empty one.
inline std::string table_or_null(std::string_view name, std::uint32_t count) {
  return count == 0 ? "NULL" : std::string(name);
}

/// `7 "conv1"`, for comments.
std::string numbered(std::uint32_t index, const char* name);

}  // namespace detent::models
