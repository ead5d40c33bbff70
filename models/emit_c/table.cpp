// C tables as text.
#include "models/emit_c/table.hpp"

#include <algorithm>

namespace detent::models {

FieldList& FieldList::text(std::string_view name, std::string_view value) {
  if (!out_.empty()) out_ += ", ";
  out_ += '.';
  out_ += name;
  out_ += " = ";
  out_ += value;
  return *this;
}

FieldList& FieldList::quoted(std::string_view name, const char* value) {
  return text(name, "\"" + c_escaped(value) + "\"");
}

FieldList& FieldList::number(std::string_view name, std::uint64_t value) {
  return text(name, value == UINT64_MAX ? "UINT64_MAX" : std::to_string(value) + "u");
}

FieldList& FieldList::index(std::string_view name, std::uint32_t value) {
  return value == DETENT_NONE ? text(name, "DETENT_NONE") : number(name, value);
}

FieldList& FieldList::slice(std::string_view name, const detent_slice& value) {
  return text(name, FieldList().number("first", value.first).number("count", value.count).str());
}

std::string number_table(std::string_view name, const std::uint32_t* values, std::uint32_t count,
                         std::vector<Mark> marks) {
  if (count == 0) return "";
  constexpr std::uint32_t kPerLine = 16;
  std::ranges::stable_sort(marks, {}, &Mark::at);
  std::string out = "static const uint32_t " + std::string(name) + "[] = {";
  std::uint32_t in_line = kPerLine;
  std::size_t mark = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (; mark < marks.size() && marks[mark].at <= i; ++mark) {
      out += "\n    /* " + marks[mark].text + " */";
      in_line = 0;
    }
    if (in_line == kPerLine) {
      out += "\n   ";
      in_line = 0;
    }
    out += " " + std::to_string(values[i]) + "u,";
    ++in_line;
  }
  return out + "\n};\n\n";
}

std::string numbered(std::uint32_t index, const char* name) {
  return std::to_string(index) + " \"" + c_comment(name) + "\"";
}

}  // namespace detent::models
