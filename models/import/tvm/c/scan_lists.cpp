// Scanner: long initialisers, whose insides the compiler is not given.
#include <algorithm>
#include <array>

#include "models/import/tvm/c/scanner.hpp"

namespace detent::models::tvm {
namespace {

/// static const int8_t x[]
bool names_scalar(std::string_view declaration) {
  constexpr std::array<std::string_view, 17> kScalars = {
      "int8_t", "int16_t", "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t", "char",
      "short",  "int",     "long",    "unsigned", "signed",  "float",    "double",   "size_t"};
  bool found = false;
  for (std::size_t i = 0; i < declaration.size();) {
    std::size_t end = i;
    while (end < declaration.size() && is_word(declaration[end])) ++end;
    const std::string_view word = declaration.substr(i, end - i);
    found = found || std::find(kScalars.begin(), kScalars.end(), word) != kScalars.end();
    if (word == "struct" || word == "union") return false;
    i = std::max(end, i + 1);
  }
  return found;
}

/// Does a word stand in an initialiser that is no number and no suffix or prefix of one?
bool names_something(std::string_view list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool begins_word = is_word(list[i]) && (i == 0 || !is_word(list[i - 1]));
    const bool follows_point = i > 0 && list[i - 1] == '.' && i > 1 && is_digit(list[i - 2]);
    if (begins_word && !is_digit(list[i]) && !follows_point) return true;
  }
  return false;
}

}  // namespace

/// After '=': leave out the inside of a long initialiser.
void Scanner::initialiser() {
  const std::uint64_t first = text_.blank_end(pos_);
  if (text_.at(first) == '"' && guard_.is_file_scope()) return string_initialiser(first);
  if (text_.at(first) != '{') return;
  std::uint64_t elements = 0;
  const std::uint64_t end = text_.braces_end(first, limits_.max_depth, elements);
  if (end - first <= (guard_.is_file_scope() ? kBlankFileScopeBytes : kBlankLocalBytes)) return;
  if (keeps_table(first, end)) return;
  const bool is_unknown = of_unknown_extent(pos_ - 1);
  if (is_unknown && !counts_elements(pos_ - 1, first, end))
    doubts_.doubt(first, end, "a long list whose length is not given");
  code_.keep_until(first + 1);
  if (is_unknown && elements > 0) code_.replace(first + 1, first + 1, "[" + std::to_string(elements - 1) + "]=0");
  code_.drop(first + 1, end - 1);
  pos_ = end;
  guard_.operand(pos_, 2);
}

/// Does the compiler get this long initialiser whole? Where tables are asked for: all that name something, and numbers
/// up to a size.
bool Scanner::keeps_table(std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t kMostNumberBytes = 65536;
  if (limits_.max_table_bytes == 0 || !guard_.is_file_scope()) return false;
  const bool is_named = names_something(text_.part(first, end));
  const bool fits = end - first <= limits_.max_table_bytes - table_bytes_;
  if (is_named && !fits)
    text_.fail(first, "tables of more than " + std::to_string(limits_.max_table_bytes) + " bytes; no hand writes them");
  if (!fits || (!is_named && end - first > kMostNumberBytes)) return false;
  table_bytes_ += end - first;
  return true;
}

/// A long string at file scope becomes an empty one.
void Scanner::string_initialiser(std::uint64_t first) {
  std::uint64_t end = first, next = first;
  while (text_.at(next) == '"') {
    end = text_.quoted_end(next);
    next = text_.blank_end(end);
  }
  if (end - first > kBlankFileScopeBytes) {
    if (of_unknown_extent(pos_ - 1)) doubts_.doubt(first, end, "a long string in an array whose length is not given");
    code_.drop(first + 1, end - 1);
  }
  pos_ = end;
  guard_.operand(pos_, 1);
}

/// Does "[]" stand in the declarator before this '='?
bool Scanner::of_unknown_extent(std::uint64_t equals) const {
  const auto back = [&](std::uint64_t from) {
    while (from > 0 && (is_space(text_.at(from - 1)) || text_.at(from - 1) == '\n')) --from;
    return from;
  };
  for (std::uint64_t close = back(equals); close > 0 && text_.at(close - 1) == ']';) {
    std::uint64_t open = close - 1;
    while (open > 0 && text_.at(open - 1) != '[') --open;
    if (open == 0) return false;
    if (text_.blank_end(open) >= close - 1) return true;
    close = back(open - 1);
  }
  return false;
}

/// Is the number of elements that of the commas? Not where one is named, is a string, or may be spread over members.
bool Scanner::counts_elements(std::uint64_t equals, std::uint64_t first, std::uint64_t end) const {
  std::uint32_t depth = 0;
  bool begins = true, all_braced = true, none_braced = true;
  for (std::uint64_t i = text_.blank_end(first); i < end; i = text_.blank_end(i)) {
    const char c = text_.at(i);
    const std::string_view word = text_.part(i, text_.word_end(i));
    if (macros_.find(word) != nullptr) return false;
    if (c == '"' || c == '#' || (depth == 1 && (c == '[' || (c == '.' && !is_digit(text_.at(i + 1)) && begins))))
      return false;
    if (depth == 1 && begins && c != '}') (c == '{' ? none_braced : all_braced) = false;
    begins = depth == 1 ? c == ',' : depth == 0;
    if (c == '{') ++depth;
    if (c == '}') --depth;
    i = c == '\'' ? text_.quoted_end(i) : std::max(text_.number_end(i), i + 1);
  }
  if (all_braced) return true;
  const std::uint64_t from = text_.part(0, equals).find_last_of(";}#");
  const std::string_view declared = text_.part(from == std::string_view::npos ? 0 : from + 1, equals);
  const bool is_scalar = names_scalar(declared);
  const bool has_one_bracket = std::count(declared.begin(), declared.end(), '[') == 1;
  return none_braced && is_scalar && has_one_bracket;
}

}  // namespace detent::models::tvm
