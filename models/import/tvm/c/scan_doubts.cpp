#include "models/import/tvm/c/scan_doubts.hpp"

#include <algorithm>
#include <array>

#include "models/import/tvm/c/dialect.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kMostVectorLength = 65'536;  ///< bytes, or elements: the compiler takes as long as a vector is
constexpr std::uint64_t kMostElementBytes = 16;

bool is_vector_length(std::string_view name) {
  return name == "vector_size" || name == "__vector_size__" || name == "ext_vector_type" ||
         name == "__ext_vector_type__";
}

/// Words of types of at most kMostElementBytes, which no declaration can make mean another.
bool is_type_keyword(std::string_view name) {
  constexpr std::array<std::string_view, 9> kTypeKeywords = {"float",    "double", "int",   "char", "short",
                                                             "unsigned", "signed", "_Bool", "long"};
  return std::find(kTypeKeywords.begin(), kTypeKeywords.end(), name) != kTypeKeywords.end();
}

}  // namespace

void ScanDoubts::doubt_macro(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; i = text_.is_comment(i) ? text_.comment_end(i) : i + 1) {
    const std::uint64_t word_end = text_.word_end(i);
    if (word_end == i) continue;
    const std::string_view name = text_.part(i, word_end);
    const bool is_asm = name == "asm" || name == "__asm__" || name == "__asm";
    if (is_asm || name == "assert") doubt(i, word_end, std::string(name) + " in a macro");
    if (name.starts_with("__attribute")) {
      attributes(word_end, end);
    } else if (!is_asm) {
      doubt_word(name, i);
    }
    i = word_end - 1;
  }
}

void ScanDoubts::doubt(std::uint64_t begin, std::uint64_t end, const std::string& why, std::string_view name) {
  doubts_.push_back({{begin, end}, why + " (line " + std::to_string(lines_.line_of(begin)) + ")", std::string(name)});
}

void ScanDoubts::doubt_all(std::uint64_t at, const std::string& why) {
  doubts_.push_back({{0, text_.size()}, why + " (line " + std::to_string(lines_.line_of(at)) + ")", ""});
}

void ScanDoubts::doubt_condition(std::uint64_t begin, std::uint64_t end, const std::string& asked) {
  doubt(begin, end, "a condition of the preprocessor asks for " + asked);
  doubts_.back().why += ", which this file does not define";
}

void ScanDoubts::doubt_word(std::string_view name, std::uint64_t begin) {
  if (is_vector_length(name)) require_short_vector(begin, begin + name.size());
  if (is_compilers_macro(name) && macros_.find(name) == nullptr && name != "__cplusplus")
    return doubt(begin, begin + name.size(),
                 "its text asks for " + std::string(name) + ", which this file does not define");
  if (name == "__attribute__" || name == "__attribute") attributes(begin + name.size(), text_.size());
  if (name == "TVM_WEAK") doubt(begin, begin + name.size(), "a weak symbol, which another file may define");
  if (name == "assert" && macros_.find(name) == nullptr) assertion(begin);
  const bool is_asm = name == "asm" || name == "__asm__" || name == "__asm";
  if (is_asm && guard_.is_file_scope()) doubt_all(begin, "assembly outside of functions");
}

/// __attribute__((a, b(1)))
void ScanDoubts::attributes(std::uint64_t begin, std::uint64_t limit) {
  std::uint32_t depth = 0;
  bool is_first = true;
  std::uint64_t i = text_.blank_end(begin);
  if (i >= limit || text_.at(i) != '(') return doubt(begin, begin + 1, "an attribute without a list");
  for (; i < limit; i = text_.blank_end(i)) {
    const char c = text_.at(i);
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return;
    if (depth == 0 || c == ';' || c == '{') return;
    const std::uint64_t end = c == '"' ? text_.quoted_end(i) : std::max(text_.word_end(i), i + 1);
    const std::string_view name = text_.part(i, end);
    if (depth == 2 && is_first && is_word(c) && !is_plain_attribute(name)) {
      const std::string why = "the attribute " + std::string(name);
      const bool joins = name.find("alias") != name.npos || name.find("weakref") != name.npos ||
                         name.find("ifunc") != name.npos || name.find("symver") != name.npos;
      joins ? doubt_all(i, why) : doubt(i, end, why);
    }
    is_first = c == '(' || c == ',';
    i = end;
  }
}

/// (16), or a product of numbers and sizes of types that have keywords; not of records, which may be of any size.
void ScanDoubts::require_short_vector(std::uint64_t at, std::uint64_t begin) const {
  const auto refuse = [&] {
    text_.fail(at, std::string(text_.part(at, begin)) + " of more than " + std::to_string(kMostVectorLength) +
                       ", or of what is no number; write the length as a number");
  };
  std::uint64_t length = 1;
  std::uint32_t depth = 0, depth_of_size = UINT32_MAX;
  for (std::uint64_t i = text_.blank_end(begin); i < text_.size(); i = text_.blank_end(i)) {
    const char c = text_.at(i);
    if (depth == 0 && c != '(') return refuse();
    if (c == '(' || c == ')' || c == '*') {
      depth += c == '(' ? 1U : 0U;
      depth -= c == ')' ? 1U : 0U;
      if (depth < depth_of_size && c == ')') depth_of_size = UINT32_MAX;
      if (depth == 0) return;
      ++i;
    } else if (is_digit(c)) {
      const std::uint64_t end = text_.number_end(i);
      const std::string digits(text_.part(i, end));
      const bool is_whole = digits.find_first_not_of("0123456789uUlL") == digits.npos && digits.size() <= 9;
      const std::uint64_t value = is_whole ? std::stoull(digits) : 0;
      if (value == 0 || length * value > kMostVectorLength) return refuse();
      length *= value;
      i = end;
    } else if (is_word(c)) {
      const std::uint64_t end = text_.word_end(i);
      const std::string_view word = text_.part(i, end);
      const bool is_size = word == "sizeof";
      const bool is_type = depth >= depth_of_size && is_type_keyword(word);
      if ((!is_size && !is_type) || macros_.find(word) != nullptr) return refuse();
      if (is_size && length * kMostElementBytes > kMostVectorLength) return refuse();
      if (is_size) length *= kMostElementBytes;
      if (is_size) depth_of_size = depth + 1;
      i = end;
    } else {
      return refuse();
    }
  }
  refuse();
}

/// assert(x) where NDEBUG is defined, which the file does not say, does not evaluate x.
void ScanDoubts::assertion(std::uint64_t begin) {
  const std::uint64_t open = text_.blank_end(begin + 6);
  if (text_.at(open) != '(') return;
  std::uint32_t depth = 0;
  for (std::uint64_t i = open; i < text_.size(); i = text_.blank_end(i)) {
    const char c = text_.at(i), next = text_.at(i + 1);
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return;
    const bool is_step = (c == '+' || c == '-') && (next == c || next == '>');
    const bool is_assignment =
        c == '=' && next != '=' && std::string_view("=!<>").find(text_.at(i - 1)) == std::string_view::npos;
    const bool is_call = c == '(' && i > open && is_word(text_.at(i - 1));
    if (c == '[' || c == '*' || c == '.' || c == ';' || is_step || is_assignment || is_call)
      return doubt(begin, i, "assert(), which NDEBUG takes away");
    i = c == '"' || c == '\'' ? text_.quoted_end(i) : i + 1;
  }
}

}  // namespace detent::models::tvm
