#include "models/tvm/c_scan.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "models/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kLineBlock = 256;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/// The value of "12", "(0x10UL)", "-3"; false for anything else.
bool integer_value(std::string_view text, std::int64_t& value) {
  auto trim = [&] {
    while (!text.empty() && (is_space(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    while (!text.empty() && (is_space(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  };
  trim();
  while (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    trim();
  }
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return false;
  if (magnitude > std::uint64_t{INT64_MAX}) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return true;
}

}  // namespace

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, const ScanLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  ScannedText run();

 private:
  /// A conditional group that is open.
  struct Condition {
    bool resolved = false;  ///< decided here; its directives are not passed on
    std::string brackets;   ///< open ones before the group
    std::uint64_t at = 0;
  };
  struct MacroUse {
    bool callable = false;          ///< takes arguments
    std::uint32_t tokens = 0;       ///< of its expansion, without arguments
    std::uint32_t max_repeats = 0;  ///< how often an argument may be repeated
  };

  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
  [[nodiscard]] char at(std::uint64_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void keep_until(std::uint64_t end);
  void drop(std::uint64_t begin, std::uint64_t end);
  void replace(std::uint64_t begin, std::uint64_t end, std::string_view with);

  void step();
  void word();
  void keyword(std::string_view name, std::uint64_t begin);
  void declared(std::string_view name);
  void number();
  void bracket(char c);
  void operator_sign(char c);
  void statement_end();
  void count_token(std::uint32_t tokens = 1);
  void initialiser();
  void string_initialiser(std::uint64_t first);
  [[nodiscard]] bool of_unknown_extent(std::uint64_t equals) const;

  [[nodiscard]] std::uint64_t skip_comment(std::uint64_t begin) const;
  [[nodiscard]] std::uint64_t skip_quoted(std::uint64_t begin) const;
  [[nodiscard]] std::uint64_t skip_blank(std::uint64_t begin) const;
  std::uint64_t skip_braces(std::uint64_t begin, std::uint64_t& elements) const;

  void directive();
  [[nodiscard]] std::uint64_t directive_end(std::uint64_t begin) const;
  void condition(const std::string& name, std::uint64_t begin, std::uint64_t end);
  void skip_group();
  bool define(std::uint64_t begin, std::uint64_t end);

  std::string_view text_;
  const std::string& file_;
  const ScanLimits& limits_;
  ScannedText out_;
  std::uint64_t pos_ = 0, kept_ = 0;
  bool line_start_ = true;
  std::string brackets_;
  std::vector<std::uint64_t> bracket_at_;
  std::vector<Condition> conditions_;
  std::map<std::string, MacroUse, std::less<>> macros_;
  std::set<std::string, std::less<>> expanded_words_;  ///< stand in the body of a macro
  std::uint32_t macro_call_depth_ = 0;                 ///< bracket depth inside a macro's arguments; 0: outside
  std::uint32_t macro_repeats_ = 1;
  std::uint32_t tokens_ = 0, statement_tokens_ = 0, prefix_run_ = 0, heads_ = 0, else_ifs_ = 0, type_names_ = 0;
  bool after_else_ = false, after_operand_ = false;
  bool after_type_ = false;  ///< behind a word that may name a type, or a '*'
  bool only_words_ = false;  ///< since the last '(' that no word preceded: what a cast looks like
  std::uint32_t casts_ = 0;  ///< of this statement
  std::unordered_map<std::string_view, std::uint32_t> file_names_, local_names_;
  std::uint64_t redeclarations_ = 0;
};

void Scanner::fail(std::uint64_t at, const std::string& what) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(file_, std::to_string(line), what);
}

void Scanner::keep_until(std::uint64_t end) {
  if (end <= kept_) return;
  out_.pieces_.push_back({out_.code.size(), kept_});
  out_.code.append(text_.substr(kept_, end - kept_));
  kept_ = end;
}

void Scanner::drop(std::uint64_t begin, std::uint64_t end) {
  keep_until(begin);
  kept_ = end;
}

void Scanner::replace(std::uint64_t begin, std::uint64_t end, std::string_view with) {
  keep_until(begin);
  out_.pieces_.push_back({out_.code.size(), begin});
  out_.code.append(with);
  kept_ = end;
}

ScannedText Scanner::run() {
  if (text_.size() > limits_.max_bytes) throw InputError(file_, "", "larger than 1 GiB; no generated file is");
  const auto nul = text_.find('\0');
  if (nul != std::string_view::npos) fail(nul, "NUL byte; this is no C source");
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") pos_ = kept_ = 3;
  while (pos_ < text_.size()) step();
  if (!brackets_.empty())
    fail(bracket_at_.back(), std::string("'") + brackets_.back() + "' is never closed; the file is cut off or damaged");
  if (!conditions_.empty()) fail(conditions_.back().at, "#if without #endif; the file is cut off or damaged");
  keep_until(text_.size());
  out_.code += '\n';
  return std::move(out_);
}

void Scanner::step() {
  const char c = text_[pos_];
  if (c == '\n') {
    line_start_ = true;
    ++pos_;
  } else if (is_space(c)) {
    ++pos_;
  } else if (c == '/' && (at(pos_ + 1) == '/' || at(pos_ + 1) == '*')) {
    pos_ = skip_comment(pos_);
  } else if (line_start_ && (c == '#' || (c == '%' && at(pos_ + 1) == ':'))) {
    directive();
  } else {
    line_start_ = false;
    if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) {
      number();
    } else if (is_word(c)) {
      word();
    } else if (c == '"' || c == '\'') {
      pos_ = skip_quoted(pos_);
      count_token();
      after_operand_ = true;
    } else if (std::string_view("(){}[]").find(c) != std::string_view::npos) {
      bracket(c);
    } else {
      operator_sign(c);
    }
  }
}

void Scanner::count_token(std::uint32_t tokens) {
  tokens *= macro_call_depth_ != 0 ? macro_repeats_ : 1U;
  tokens_ += tokens;
  statement_tokens_ += tokens;
  if (tokens_ > limits_.max_tokens) fail(pos_, "more code than the importer reads; no generated file has as much");
  if (statement_tokens_ > limits_.max_statement_tokens) fail(pos_, "a statement longer than any generator writes");
}

void Scanner::statement_end() {
  statement_tokens_ = 0;
  prefix_run_ = 0;
  heads_ = 0;
  casts_ = 0;
  after_operand_ = after_type_ = false;
}

void Scanner::word() {
  const std::uint64_t begin = pos_;
  while (pos_ < text_.size() && is_word(text_[pos_])) ++pos_;
  const std::string_view name = text_.substr(begin, pos_ - begin);
  count_token();
  if (name == "_Pragma" || name.starts_with("__has_")) replace(begin, begin + 1, "x");
  if (at(pos_) == '"' && name.back() == 'R')
    replace(pos_ - 1, pos_, "x");  // no raw strings: quotes mean what they meant here
  keyword(name, begin);
  const auto macro = macros_.find(name);
  if (macro == macros_.end()) return;
  if (macro_call_depth_ != 0 && macro->second.callable) fail(begin, "a macro call within a macro call; write it out");
  count_token(macro->second.tokens);
  if (macro->second.callable && at(skip_blank(pos_)) == '(') {
    macro_call_depth_ = static_cast<std::uint32_t>(brackets_.size()) + 1;
    macro_repeats_ = std::max(1U, macro->second.max_repeats);
  }
}

void Scanner::keyword(std::string_view name, std::uint64_t begin) {
  if (name == "if" || name == "for" || name == "while" || name == "do" || name == "switch" || name == "case" ||
      name == "default") {
    if (++heads_ > limits_.max_prefix_run) fail(begin, "statements nested deeper than any generator writes");
    if (after_else_ && name == "if" && ++else_ifs_ > limits_.max_else_ifs) {
      fail(begin, "a chain of else-if longer than any generator writes");
    }
  }
  after_else_ = name == "else";
  const bool operand = name != "return" && name != "sizeof" && name != "else" && name != "case" && name != "goto";
  if (operand) declared(name);
  after_type_ = operand;
  after_operand_ = operand && !name.starts_with("__");
  if (after_operand_) prefix_run_ = 0;
  if (!after_operand_ && ++prefix_run_ > limits_.max_prefix_run) {
    fail(begin, "more operators in a row than any generator writes");
  }
  const bool names_type =
      name == "typedef" || name.starts_with("__typeof") || name == "typeof" || name == "__auto_type";
  if (names_type && ++type_names_ > limits_.max_type_names) {
    fail(begin, "more types of its own than any generator writes");
  }
}

/// The compiler links every declaration of a name to all earlier ones, and asks each of them.
void Scanner::declared(std::string_view name) {
  const bool file_scope = brackets_.empty();
  if (!after_type_ && !file_scope) return;
  const char next = at(skip_blank(pos_));
  if (std::string_view(";,=[(:)").find(next) == std::string_view::npos || name.starts_with("__")) return;
  redeclarations_ += (file_scope ? file_names_ : local_names_)[name]++;
  if (redeclarations_ > limits_.max_redeclarations)
    fail(pos_, "the same names declared more often than any generator does");
}

void Scanner::number() {
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    const bool exponent =
        (c == '+' || c == '-') && std::string_view("eEpP").find(text_[pos_ - 1]) != std::string_view::npos;
    if (!is_word(c) && c != '.' && !exponent) break;
    ++pos_;
  }
  count_token();
  prefix_run_ = 0;
  after_operand_ = true;
  after_type_ = only_words_ = false;
}

void Scanner::bracket(char c) {
  count_token();
  if (c == '(' || c == '[' || c == '{') {
    if (brackets_.size() >= limits_.max_depth)
      fail(pos_, "nested deeper than " + std::to_string(limits_.max_depth) + " brackets; no generator writes that");
    if (c == '{' && brackets_.empty()) else_ifs_ = 0;
    only_words_ = c == '(' && !after_type_;
    brackets_ += c;
    bracket_at_.push_back(pos_);
  } else {
    const char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (brackets_.empty() || brackets_.back() != open)
      fail(pos_, std::string("'") + c + "' closes nothing; the file is damaged");
    if (macro_call_depth_ == brackets_.size()) macro_call_depth_ = 0;
    brackets_.pop_back();
    bracket_at_.pop_back();
    if (c == ')' && only_words_ && ++casts_ > limits_.max_casts)
      fail(pos_, "more casts in a statement than any generator writes");
    only_words_ = false;
    if (c == '}' && brackets_.empty()) local_names_.clear();
  }
  after_type_ = false;
  after_operand_ = c == ')' || c == ']';
  if (c == '{' || c == '}') statement_end();
  ++pos_;
}

void Scanner::operator_sign(char c) {
  if (c == '\\') {  // a line continued outside of directives: nothing here needs it, and it could hide a word
    replace(pos_, pos_ + 1, " ");
    ++pos_;
    return;
  }
  count_token();
  if (c == ';' && (brackets_.empty() || brackets_.back() == '{')) statement_end();
  if (!after_operand_ && ++prefix_run_ > limits_.max_prefix_run)
    fail(pos_, "more operators in a row than any generator writes");
  if (after_operand_) prefix_run_ = 0;
  after_operand_ = false;
  after_type_ = c == '*';
  only_words_ = only_words_ && c == '*';
  if (c == ';' && brackets_.empty()) local_names_.clear();
  const char before = pos_ > 0 ? text_[pos_ - 1] : ' ';
  const bool assigns =
      c == '=' && at(pos_ + 1) != '=' && std::string_view("=!<>+-*/%&|^").find(before) == std::string_view::npos;
  ++pos_;
  if (assigns) initialiser();
}

/// After '=': leave out the inside of a long initialiser.
void Scanner::initialiser() {
  const std::uint64_t first = skip_blank(pos_);
  if (at(first) == '"' && brackets_.empty()) return string_initialiser(first);
  if (at(first) != '{') return;
  std::uint64_t elements = 0;
  const std::uint64_t end = skip_braces(first, elements);
  if (end - first <= (brackets_.empty() ? kBlankFileScopeBytes : kBlankLocalBytes)) return;
  const bool count = of_unknown_extent(pos_ - 1) && elements > 0;
  keep_until(first + 1);
  if (count) replace(first + 1, first + 1, "[" + std::to_string(elements - 1) + "]=0");
  drop(first + 1, end - 1);
  pos_ = end;
  count_token(2);
  after_operand_ = true;
}

/// A long string at file scope becomes an empty one.
void Scanner::string_initialiser(std::uint64_t first) {
  std::uint64_t end = first, next = first;
  while (at(next) == '"') {
    end = skip_quoted(next);
    next = skip_blank(end);
  }
  if (end - first > kBlankFileScopeBytes) drop(first + 1, end - 1);
  pos_ = end;
  count_token();
  after_operand_ = true;
}

/// Does "[]" stand before this '='?
bool Scanner::of_unknown_extent(std::uint64_t equals) const {
  auto back = [&](std::uint64_t from) {
    while (from > 0 && (is_space(text_[from - 1]) || text_[from - 1] == '\n')) --from;
    return from;
  };
  const std::uint64_t close = back(equals);
  if (close == 0 || text_[close - 1] != ']') return false;
  const std::uint64_t open = back(close - 1);
  return open > 0 && text_[open - 1] == '[';
}

std::uint64_t Scanner::skip_comment(std::uint64_t begin) const {
  if (text_[begin + 1] == '/') {
    std::uint64_t end = begin;
    do {
      end = text_.find('\n', end + 1);
      if (end == std::string_view::npos) return text_.size();
    } while (text_[end - 1] == '\\' || (text_[end - 1] == '\r' && text_[end - 2] == '\\'));
    return end;
  }
  const auto end = text_.find("*/", begin + 2);
  if (end == std::string_view::npos) fail(begin, "a comment that never ends; the file is cut off or damaged");
  return end + 2;
}

std::uint64_t Scanner::skip_quoted(std::uint64_t begin) const {
  const char quote = text_[begin];
  for (std::uint64_t i = begin + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) return i + 1;
    if (text_[i] == '\n') break;
    if (text_[i] == '\\') i += at(i + 1) == '\r' && at(i + 2) == '\n' ? 2 : 1;
  }
  fail(begin, "a string or character constant that never ends; the file is cut off or damaged");
}

std::uint64_t Scanner::skip_blank(std::uint64_t begin) const {
  while (begin < text_.size()) {
    if (is_space(text_[begin]) || text_[begin] == '\n') {
      ++begin;
    } else if (text_[begin] == '/' && (at(begin + 1) == '/' || at(begin + 1) == '*')) {
      begin = skip_comment(begin);
    } else {
      break;
    }
  }
  return begin;
}

/// From '{' to behind its '}'; elements: of the outermost level.
std::uint64_t Scanner::skip_braces(std::uint64_t begin, std::uint64_t& elements) const {
  std::uint32_t depth = 0;
  bool pending = false;
  for (std::uint64_t i = begin; i < text_.size();) {
    const char c = text_[i];
    if (c == '{') {
      if (++depth > limits_.max_depth)
        fail(i, "nested deeper than " + std::to_string(limits_.max_depth) + " brackets; no generator writes that");
      pending = depth > 1;
    } else if (c == '}') {
      if (--depth == 0) {
        elements += pending ? 1U : 0U;
        return i + 1;
      }
      pending = true;
    } else if (c == ',') {
      if (depth == 1) {
        ++elements;
        pending = false;
      }
    } else if (c == '"' || c == '\'') {
      i = skip_quoted(i);
      pending = true;
      continue;
    } else if (c == '/' && (at(i + 1) == '/' || at(i + 1) == '*')) {
      i = skip_comment(i);
      continue;
    } else if (!is_space(c) && c != '\n') {
      pending = true;
    }
    ++i;
  }
  fail(begin, "'{' is never closed; the file is cut off or damaged");
}

std::uint64_t Scanner::directive_end(std::uint64_t begin) const {
  std::uint64_t i = begin;
  while (i < text_.size() && text_[i] != '\n') {
    if (text_[i] == '/' && (at(i + 1) == '/' || at(i + 1) == '*')) {
      i = skip_comment(i);
    } else if (text_[i] == '\\') {
      i += at(i + 1) == '\r' && at(i + 2) == '\n' ? 3 : 2;
    } else {
      ++i;
    }
  }
  return std::min<std::uint64_t>(i, text_.size());
}

/// A line that begins with '#'. Only conditions and macros reach the compiler: nothing is included, and no pragma can
/// ask for anything.
void Scanner::directive() {
  const std::uint64_t begin = pos_;
  const std::uint64_t end = directive_end(begin);
  std::uint64_t i = begin + (text_[begin] == '#' ? 1U : 2U);
  while (is_space(at(i))) ++i;
  const std::uint64_t name_begin = i;
  while (i < end && is_word(text_[i])) ++i;
  const std::string name(text_.substr(name_begin, i - name_begin));
  pos_ = end;
  if (name == "define") {
    if (!define(i, end)) drop(begin, end);
  } else if (name == "if" || name == "ifdef" || name == "ifndef" || name == "else" || name == "elif" ||
             name == "endif") {
    condition(name, begin, end);
  } else if (name == "undef") {
    count_token(3);
  } else {
    drop(begin, end);
  }
}

void Scanner::condition(const std::string& name, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t argument = begin + text_.substr(begin, end - begin).find(name) + name.size();
  std::string_view rest = text_.substr(argument, end - argument);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  count_token(4);
  const bool refused = rest.size() > limits_.max_condition_bytes || rest.find("__has_") != std::string_view::npos ||
                       rest.find('\\') != std::string_view::npos;
  if (name.starts_with("if")) {
    if (conditions_.size() >= limits_.max_depth) fail(begin, "conditions nested deeper than any generator writes");
    const bool cplusplus = rest.starts_with("__cplusplus") || rest.starts_with("defined(__cplusplus)") ||
                           rest.starts_with("defined (__cplusplus)");
    const bool never = (name != "ifndef" && cplusplus) || (name == "if" && rest == "0");
    const bool always = name == "ifndef" && cplusplus;
    conditions_.push_back({never || always, brackets_, begin});
    if (never || always) drop(begin, end);
    if (refused && !never && !always) replace(begin, end, "#if 0");
    if (never) skip_group();
    return;
  }
  if (conditions_.empty()) fail(begin, "#" + name + " without #if; the file is damaged");
  const bool resolved = conditions_.back().resolved;
  if (name == "endif") {
    conditions_.pop_back();
    if (resolved) drop(begin, end);
    return;
  }
  if (resolved) {  // its first group was read: skip the others
    drop(begin, end);
    return skip_group();
  }
  if (name == "elif" && refused) replace(begin, end, "#elif 0");
  brackets_ = conditions_.back().brackets;
  bracket_at_.resize(brackets_.size(), begin);
}

/// Leave out everything to the #else or #endif of the innermost condition; an #else begins what is read.
void Scanner::skip_group() {
  const std::uint64_t begin = pos_;
  std::uint32_t depth = 0;
  bool line_start = false;
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (c == '/' && (at(pos_ + 1) == '/' || at(pos_ + 1) == '*')) {
      pos_ = skip_comment(pos_);
      continue;
    }
    if (line_start && c == '#') {
      const std::uint64_t end = directive_end(pos_);
      std::string_view line = text_.substr(pos_ + 1, end - pos_ - 1);
      while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
      if (line.starts_with("if")) ++depth;
      if (depth == 0 && (line.starts_with("else") || line.starts_with("elif") || line.starts_with("endif"))) {
        const bool ends = line.starts_with("endif");
        drop(begin, ends ? pos_ : end);
        if (!ends) pos_ = end;
        return;
      }
      if (line.starts_with("endif")) --depth;
      pos_ = end;
      continue;
    }
    line_start = c == '\n' || (line_start && is_space(c));
    ++pos_;
  }
  drop(begin, pos_);
}

/// A macro is passed on when its expansion is bounded: no pasting, no macro with arguments inside another.
bool Scanner::define(std::uint64_t begin, std::uint64_t end) {
  const std::string_view line = text_.substr(begin, end - begin);
  std::uint64_t i = 0;
  while (i < line.size() && is_space(line[i])) ++i;
  const std::uint64_t name_begin = i;
  while (i < line.size() && is_word(line[i])) ++i;
  const std::string name(line.substr(name_begin, i - name_begin));
  MacroUse use;
  use.callable = i < line.size() && line[i] == '(';
  std::string_view body = line.substr(i);
  if (name.empty() || body.find("##") != std::string_view::npos || body.find("%:") != std::string_view::npos)
    return false;
  if (body.find("_Pragma") != std::string_view::npos || body.find("__has_") != std::string_view::npos) return false;
  if (use.callable)
    body.remove_prefix(
        std::min(body.size(), body.find(')') == std::string_view::npos ? body.size() : body.find(')') + 1));
  std::vector<std::string_view> words;
  for (std::uint64_t j = 0; j < body.size();) {
    if (body[j] == '\\') {  // a word must not continue on the next line
      const std::uint64_t after = body.find('\n', j);
      const bool hides = j > 0 && is_word(body[j - 1]) && after != std::string_view::npos && after + 1 < body.size() &&
                         is_word(body[after + 1]);
      if (hides || after == std::string_view::npos) return false;
      j = after + 1;
    } else if (is_word(body[j])) {
      const std::uint64_t word_begin = j;
      while (j < body.size() && is_word(body[j])) ++j;
      ++use.tokens;
      words.push_back(body.substr(word_begin, j - word_begin));
      const auto inner = macros_.find(body.substr(word_begin, j - word_begin));
      if (inner == macros_.end()) continue;
      if (inner->second.callable) return false;
      use.tokens += inner->second.tokens;
    } else {
      use.tokens += is_space(body[j]) || body[j] == '\n' ? 0U : 1U;
      ++j;
    }
    if (use.tokens > limits_.max_statement_tokens) return false;
  }
  // Defined after it was used in another macro, its expansion would not have been counted there.
  if (use.tokens > 1 && expanded_words_.contains(name)) return false;
  for (const std::string_view word : words) expanded_words_.emplace(word);
  use.max_repeats = use.callable ? use.tokens : 1;
  std::int64_t value = 0;
  if (!use.callable && integer_value(body.substr(0, std::min(body.find("//"), body.find("/*"))), value))
    out_.macros.push_back({name, value});
  count_token(3);
  macros_[name] = use;
  return true;
}

std::uint64_t ScannedText::original(std::uint64_t code_offset) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), code_offset,
                                [](std::uint64_t offset, const Piece& piece) { return offset < piece.code_begin; });
  if (after == pieces_.begin()) return code_offset;
  --after;
  return after->text_begin + (code_offset - after->code_begin);
}

SourceRange ScannedText::original(std::uint64_t begin, std::uint64_t end) const {
  if (end <= begin) return {original(begin), original(begin)};
  return {original(begin), original(end - 1) + 1};
}

ScannedText scan_c(std::string_view text, const std::string& file, const ScanLimits& limits) {
  return Scanner(text, file, limits).run();
}

LineTable::LineTable(std::string_view text) : text_(text) {
  std::uint32_t count = 0;
  for (std::uint64_t begin = 0; begin < text.size(); begin += kLineBlock) {
    newlines_before_.push_back(count);
    const std::string_view block = text.substr(begin, kLineBlock);
    count += static_cast<std::uint32_t>(std::count(block.begin(), block.end(), '\n'));
  }
}

std::uint32_t LineTable::line_of(std::uint64_t offset) const {
  if (newlines_before_.empty()) return 1;
  offset = std::min<std::uint64_t>(offset, text_.size() - 1);
  const std::uint64_t block = offset / kLineBlock;
  const std::string_view before = text_.substr(block * kLineBlock, offset - block * kLineBlock);
  return 1 + newlines_before_[block] + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace detent::models::tvm
