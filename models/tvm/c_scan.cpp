#include "models/tvm/c_scan.hpp"

#include <algorithm>

#include "models/input_error.hpp"
#include "models/tvm/c_guard.hpp"
#include "models/tvm/c_macros.hpp"
#include "models/tvm/c_text.hpp"

namespace detent::models::tvm {
namespace {

/// "0", with or without a comment behind it.
bool is_zero(std::string_view condition) {
  const auto is_end = [](std::string_view rest) {
    return rest.empty() || is_space(rest[0]) || rest.starts_with("//") || rest.starts_with("/*");
  };
  if (!condition.starts_with('0') || !is_end(condition.substr(1))) return false;
  const std::size_t next = condition.find_first_not_of(" \t", 1);
  return next == std::string_view::npos || is_end(condition.substr(next));
}

}  // namespace

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, const ScanLimits& limits)
      : view_(text), file_(file), limits_(limits) {}

  ScannedText run();

 private:
  /// A conditional group that is open.
  struct Condition {
    bool resolved = false;  ///< decided here; its directives are not passed on
    std::string brackets;   ///< open ones before the group
    std::uint64_t at = 0;
    std::string asks;  ///< a name that the file does not define
  };

  void keep_until(std::uint64_t end);
  void drop(std::uint64_t begin, std::uint64_t end);
  void replace(std::uint64_t begin, std::uint64_t end, std::string_view with);

  void step();
  void token();
  void word();
  void sign();
  void initialiser();
  void string_initialiser(std::uint64_t first);
  [[nodiscard]] bool assigns(std::uint64_t at) const;
  [[nodiscard]] bool of_unknown_extent(std::uint64_t equals) const;

  void directive();
  void condition(const std::string& name, std::uint64_t begin, std::uint64_t end);
  void open_condition(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool is_refused(std::string_view condition) const;
  [[nodiscard]] std::string_view condition_text(const std::string& name, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::string foreign_name(std::string_view condition) const;
  [[nodiscard]] bool defines_only(std::string_view name) const;
  void note_foreign(const Condition& condition, std::uint64_t end);
  void skip_groups(bool all);
  void begin_at_elif(std::uint64_t end);

  std::string_view view_;
  const std::string& file_;
  const ScanLimits& limits_;
  CText text_{view_, file_};
  CompilerGuard guard_{text_, limits_};
  MacroTable macros_{limits_.max_statement_tokens};
  ScannedText out_;
  std::uint64_t pos_ = 0, kept_ = 0;
  bool line_start_ = true;
  std::vector<Condition> conditions_;
};

void Scanner::keep_until(std::uint64_t end) {
  if (end <= kept_) return;
  out_.pieces_.push_back({out_.code.size(), kept_});
  out_.code.append(text_.part(kept_, end));
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
  if (view_.size() > limits_.max_bytes) throw InputError(file_, "", "larger than 1 GiB; no generated file is");
  const auto nul = view_.find('\0');
  if (nul != std::string_view::npos) text_.fail(nul, "NUL byte; this is no C source");
  if (view_.starts_with("\xEF\xBB\xBF")) pos_ = kept_ = 3;
  while (pos_ < text_.size()) step();
  guard_.finish();
  if (!conditions_.empty()) text_.fail(conditions_.back().at, "#if without #endif; the file is cut off or damaged");
  keep_until(text_.size());
  out_.code += '\n';
  out_.macros = macros_.values();
  return std::move(out_);
}

void Scanner::step() {
  const char c = text_.at(pos_);
  if (c == '\n') {
    line_start_ = true;
    ++pos_;
  } else if (is_space(c)) {
    ++pos_;
  } else if (text_.is_comment(pos_)) {
    pos_ = text_.comment_end(pos_);
  } else if (line_start_ && (c == '#' || (c == '%' && text_.at(pos_ + 1) == ':'))) {
    directive();
  } else {
    line_start_ = false;
    token();
  }
}

void Scanner::token() {
  const char c = text_.at(pos_);
  if (is_digit(c) || (c == '.' && is_digit(text_.at(pos_ + 1)))) {
    pos_ = text_.number_end(pos_);
    guard_.number(pos_);
  } else if (is_word(c)) {
    word();
  } else if (c == '"' || c == '\'') {
    pos_ = text_.quoted_end(pos_);
    guard_.operand(pos_, 1);
  } else if (std::string_view("(){}[]").find(c) != std::string_view::npos) {
    guard_.bracket(pos_++);
  } else {
    sign();
  }
}

void Scanner::word() {
  const std::uint64_t begin = pos_;
  pos_ = text_.word_end(begin);
  const std::string_view name = text_.part(begin, pos_);
  guard_.word(begin, pos_, macros_.find(name));
  if (name == "_Pragma" || name.starts_with("__has_")) replace(begin, begin + 1, "x");
  if (text_.at(pos_) == '"' && name.back() == 'R')
    replace(pos_ - 1, pos_, "x");  // no raw strings: quotes mean what they meant here
}

void Scanner::sign() {
  const std::uint64_t at = pos_++;
  if (text_.at(at) ==
      '\\') {  // a line continued outside of directives: nothing here needs it, and it could hide a word
    replace(at, at + 1, " ");
    return;
  }
  guard_.sign(at);
  if (assigns(at)) initialiser();
}

/// Is this a '=' that is no part of another operator?
bool Scanner::assigns(std::uint64_t at) const {
  const char before = at > 0 ? text_.at(at - 1) : ' ';
  return text_.at(at) == '=' && text_.at(at + 1) != '=' &&
         std::string_view("=!<>+-*/%&|^").find(before) == std::string_view::npos;
}

/// After '=': leave out the inside of a long initialiser.
void Scanner::initialiser() {
  const std::uint64_t first = text_.blank_end(pos_);
  if (text_.at(first) == '"' && guard_.is_file_scope()) return string_initialiser(first);
  if (text_.at(first) != '{') return;
  std::uint64_t elements = 0;
  const std::uint64_t end = text_.braces_end(first, limits_.max_depth, elements);
  if (end - first <= (guard_.is_file_scope() ? kBlankFileScopeBytes : kBlankLocalBytes)) return;
  const bool count = of_unknown_extent(pos_ - 1) && elements > 0;
  keep_until(first + 1);
  if (count) replace(first + 1, first + 1, "[" + std::to_string(elements - 1) + "]=0");
  drop(first + 1, end - 1);
  pos_ = end;
  guard_.operand(pos_, 2);
}

/// A long string at file scope becomes an empty one.
void Scanner::string_initialiser(std::uint64_t first) {
  std::uint64_t end = first, next = first;
  while (text_.at(next) == '"') {
    end = text_.quoted_end(next);
    next = text_.blank_end(end);
  }
  if (end - first > kBlankFileScopeBytes) drop(first + 1, end - 1);
  pos_ = end;
  guard_.operand(pos_, 1);
}

/// Does "[]" stand before this '='?
bool Scanner::of_unknown_extent(std::uint64_t equals) const {
  auto back = [&](std::uint64_t from) {
    while (from > 0 && (is_space(text_.at(from - 1)) || text_.at(from - 1) == '\n')) --from;
    return from;
  };
  const std::uint64_t close = back(equals);
  if (close == 0 || text_.at(close - 1) != ']') return false;
  const std::uint64_t open = back(close - 1);
  return open > 0 && text_.at(open - 1) == '[';
}

/// A line that begins with '#'. Only conditions and macros reach the compiler: nothing is included, and no pragma can
/// ask for anything.
void Scanner::directive() {
  const std::uint64_t begin = pos_;
  const std::uint64_t end = text_.directive_end(begin);
  std::uint64_t name_begin = begin + (text_.at(begin) == '#' ? 1U : 2U);
  while (is_space(text_.at(name_begin))) ++name_begin;
  const std::uint64_t name_end = text_.word_end(name_begin);
  const std::string name(text_.part(name_begin, name_end));
  pos_ = end;
  if (name == "define") {
    if (macros_.define(text_.part(name_end, end))) {
      guard_.directive(end, 3);
    } else {
      drop(begin, end);
    }
  } else if (name == "if" || name == "ifdef" || name == "ifndef" || name == "else" || name == "elif" ||
             name == "endif") {
    condition(name, begin, end);
  } else if (name == "undef") {
    guard_.directive(end, 3);
  } else {
    drop(begin, end);
  }
}

bool Scanner::is_refused(std::string_view condition) const {
  return condition.size() > limits_.max_condition_bytes || condition.find("__has_") != std::string_view::npos ||
         condition.find('\\') != std::string_view::npos;
}

/// What stands behind the name of a directive.
std::string_view Scanner::condition_text(const std::string& name, std::uint64_t begin, std::uint64_t end) const {
  std::string_view rest = text_.part(begin, end);
  rest.remove_prefix(rest.find(name) + name.size());
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  return rest;
}

void Scanner::condition(const std::string& name, std::uint64_t begin, std::uint64_t end) {
  const std::string_view rest = condition_text(name, begin, end);
  guard_.directive(end, 4);
  if (name.starts_with("if")) return open_condition(name, rest, begin, end);
  if (conditions_.empty()) text_.fail(begin, "#" + name + " without #if; the file is damaged");
  const bool resolved = conditions_.back().resolved;
  if (name == "endif") {
    if (!conditions_.back().asks.empty()) note_foreign(conditions_.back(), end);
    conditions_.pop_back();
    if (resolved) drop(begin, end);
    return;
  }
  if (resolved) {  // one of its groups was read: skip the others
    drop(begin, end);
    return skip_groups(true);
  }
  if (name == "elif" && conditions_.back().asks.empty()) conditions_.back().asks = foreign_name(rest);
  if (name == "elif" && is_refused(rest)) replace(begin, end, "#elif 0");
  guard_.reopen(conditions_.back().brackets, begin);
}

/// #if, #ifdef, #ifndef: what only a C++ compiler reads is decided here.
void Scanner::open_condition(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (conditions_.size() >= limits_.max_depth) text_.fail(begin, "conditions nested deeper than any generator writes");
  const bool cplusplus = rest.starts_with("__cplusplus") || rest.starts_with("defined(__cplusplus)") ||
                         rest.starts_with("defined (__cplusplus)");
  const bool never = (name != "ifndef" && cplusplus) || (name == "if" && is_zero(rest));
  const bool always = name == "ifndef" && cplusplus;
  conditions_.push_back({never || always, guard_.open_brackets(), begin, {}});
  const bool gives_default = name == "ifndef" && defines_only(rest);
  if (!never && !always && !gives_default) conditions_.back().asks = foreign_name(rest);
  if (never || always) {
    drop(begin, end);
  } else if (is_refused(rest)) {
    replace(begin, end, "#if 0");
  }
  if (never) skip_groups(false);
}

/// The first name of a condition that only the compiler, a header or a flag can define.
std::string Scanner::foreign_name(std::string_view condition) const {
  for (std::size_t i = 0; i < condition.size();) {
    if (condition.substr(i).starts_with("//") || condition.substr(i).starts_with("/*")) break;
    if (is_digit(condition[i])) {
      while (i < condition.size() && is_word(condition[i])) ++i;
      continue;
    }
    if (!is_word(condition[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < condition.size() && is_word(condition[i])) ++i;
    const std::string_view name = condition.substr(begin, i - begin);
    if (name != "defined" && macros_.find(name) == nullptr) return std::string(name);
  }
  return "";
}

/// #ifndef X, and the next line is #define X: a guard, or a default that a flag would replace in the same words.
bool Scanner::defines_only(std::string_view name) const {
  std::uint64_t at = pos_;
  while (at < text_.size() && (is_space(text_.at(at)) || text_.at(at) == '\n')) ++at;
  std::string_view rest = text_.part(at, text_.directive_end(at));
  if (!rest.starts_with('#')) return false;
  rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  if (!rest.starts_with("define")) return false;
  rest.remove_prefix(6);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  return rest.starts_with(name) && (rest.size() == name.size() || !is_word(rest[name.size()]));
}

/// Names of macros, and at file scope those that stand before a sign that ends or begins what they declare.
void Scanner::note_foreign(const Condition& condition, std::uint64_t end) {
  ForeignGroup group;
  group.range = {condition.at, end};
  group.asks = condition.asks;
  const std::string_view text = text_.part(condition.at, end);
  for (std::size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    std::size_t next = i;
    while (next < text.size() && is_space(text[next])) ++next;
    const std::string_view name = text.substr(begin, i - begin);
    const std::size_t line = text.rfind('\n', begin) + 1;  // npos + 1 is 0
    const bool is_macro = text.substr(line, begin - line).find("define") != std::string_view::npos;
    const bool is_declared = condition.brackets.empty() && next < text.size() &&
                             std::string_view(";=[(,{").find(text[next]) != std::string_view::npos;
    if ((is_macro || is_declared) && !is_digit(name[0]) && name != "defined" && name != "if") group.names.emplace(name);
  }
  out_.foreign.push_back(std::move(group));
}

/// The condition goes on as if its #elif were its #if: nothing before it is read.
void Scanner::begin_at_elif(std::uint64_t end) {
  const std::string_view rest = condition_text("elif", pos_, end);
  guard_.directive(end, 4);
  replace(pos_, end, is_refused(rest) ? "#if 0" : "#if " + std::string(rest));
  conditions_.back().resolved = false;
  pos_ = end;
}

/// Leave out everything to the #endif of the innermost condition; unless `all`, an #else or #elif begins what is read.
void Scanner::skip_groups(bool all) {
  const std::uint64_t begin = pos_;
  std::uint32_t depth = 0;
  bool line_start = false;
  while (pos_ < text_.size()) {
    if (text_.is_comment(pos_)) {
      pos_ = text_.comment_end(pos_);
      continue;
    }
    const char c = text_.at(pos_);
    if (line_start && c == '#') {
      const std::uint64_t end = text_.directive_end(pos_);
      std::string_view line = text_.part(pos_ + 1, end);
      while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
      if (line.starts_with("if")) ++depth;
      if (depth == 0 && line.starts_with("endif")) return drop(begin, pos_);
      if (depth == 0 && !all && line.starts_with("else")) {
        drop(begin, end);
        pos_ = end;
        return;
      }
      if (depth == 0 && !all && line.starts_with("elif")) {
        drop(begin, pos_);
        return begin_at_elif(end);
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

}  // namespace detent::models::tvm
