// Scanner: lines that begin with '#'.
#include <algorithm>

#include "models/import/tvm/c/dialect.hpp"
#include "models/import/tvm/c/scanner.hpp"

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
    define(begin, name_end, end);
  } else if (name == "if" || name == "ifdef" || name == "ifndef" || name == "else" || name == "elif" ||
             name == "endif") {
    condition(name, begin, end);
  } else if (name == "undef") {
    if (is_under_doubt()) macros_.make_doubtful(condition_text(name, begin, end));
    guard_.directive(end, 3);
  } else if (name == "pragma") {
    pragma(begin, name_end, end);
  } else {
    if (name == "include" && !guard_.is_file_scope()) doubts_.doubt(begin, end, "an #include within a declaration");
    const bool is_known = name.empty() || name == "include" || name == "line" || name == "error" || name == "warning" ||
                          name == "ident" || is_digit(name[0]);
    if (!is_known) doubts_.doubt_all(begin, "#" + name);
    code_.drop(begin, end);
  }
}

void Scanner::define(std::uint64_t begin, std::uint64_t name_end, std::uint64_t end) {
  const std::string_view line = text_.part(name_end, end);
  if (macros_.define(line, is_under_doubt())) {
    doubts_.doubt_macro(name_end, end);
    return guard_.directive(end, 3);
  }
  const std::uint64_t first = text_.blank_end(name_end);
  const std::string_view name = text_.part(first, text_.word_end(first));
  doubts_.doubt(begin, end, "the macro " + std::string(name) + " is not followed", name);
  code_.drop(begin, end);
}

void Scanner::pragma(std::uint64_t begin, std::uint64_t name_end, std::uint64_t end) {
  const std::string_view line = text_.part(name_end, end);
  const Pragma kind = pragma_of(line);
  if (kind == Pragma::kForCompiler && !is_under_doubt()) return guard_.directive(end, 8);
  if (kind != Pragma::kIgnored) {
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    doubts_.doubt_all(begin,
                      "#pragma " + std::string(line.substr(
                                       first, std::min<std::size_t>(line.find_first_of(" (\t\r", first), 40) - first)));
  }
  code_.drop(begin, end);
}

/// Does an open condition ask for what the file does not define?
bool Scanner::is_under_doubt() const {
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [](const Condition& condition) { return !condition.asks.empty(); });
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
    if (!conditions_.back().asks.empty()) doubts_.doubt_condition(conditions_.back().at, end, conditions_.back().asks);
    conditions_.pop_back();
    if (resolved) code_.drop(begin, end);
    return;
  }
  if (resolved) {  // one of its groups was read: skip the others
    code_.drop(begin, end);
    return skip_groups(true);
  }
  if (name == "elif" && conditions_.back().asks.empty()) conditions_.back().asks = foreign_name(name, rest);
  if (name == "elif" && is_refused(rest)) code_.replace(begin, end, "#elif 0");
  guard_.reopen(conditions_.back().brackets, begin);
}

/// #if, #ifdef, #ifndef: what only a C++ compiler reads is decided here.
void Scanner::open_condition(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (conditions_.size() >= limits_.max_depth) text_.fail(begin, "conditions nested deeper than any generator writes");
  const std::string_view asked = rest.substr(0, std::min(rest.find("//"), rest.find("/*")));
  const bool cplusplus =
      asked.find('|') == asked.npos && (asked.starts_with("__cplusplus") || asked.starts_with("defined(__cplusplus)") ||
                                        asked.starts_with("defined (__cplusplus)"));
  const bool never = (name != "ifndef" && cplusplus) || (name == "if" && is_zero(rest));
  const bool always = name == "ifndef" && cplusplus;
  conditions_.push_back({never || always, guard_.open_brackets(), begin, {}});
  const bool is_default = name == "ifndef" && gives_default(rest);
  if (!never && !always && !is_default) conditions_.back().asks = foreign_name(name, rest);
  if (never || always) {
    code_.drop(begin, end);
  } else if (is_refused(rest)) {
    code_.replace(begin, end, "#if 0");
  }
  if (never) skip_groups(false);
}

/// The first name of a condition that only the compiler, a header or a flag can define.
std::string Scanner::foreign_name(const std::string& directive, std::string_view condition) const {
  if (is_refused(condition) && condition.find("__has_") == condition.npos) return "more than is read of a condition";
  std::vector<std::string_view> values;
  bool asks_existence = directive != "if" && directive != "elif";
  for (std::size_t i = 0; i < condition.size();) {
    if (condition.substr(i).starts_with("//") || condition.substr(i).starts_with("/*")) break;
    std::size_t end = i;
    while (end < condition.size() && is_word(condition[end])) ++end;
    const std::string_view name = condition.substr(i, end - i);
    i = std::max(end, i + 1);
    if (name.empty() || is_digit(name[0])) continue;
    if (name == "defined") {
      asks_existence = true;
      continue;
    }
    if (!asks_existence) {
      values.push_back(name);
    } else if (name != "__cplusplus" && macros_.is_doubtful(name)) {
      return std::string(name);
    }
    asks_existence = false;
  }
  return macros_.unknown_in(values);
}

/// #ifndef X, and the next line is #define X: a guard, or a default that a flag would replace in the same words. What a
/// compiler may have defined by itself is none.
bool Scanner::gives_default(std::string_view name) const {
  std::uint64_t at = pos_;
  while (at < text_.size() && (is_space(text_.at(at)) || text_.at(at) == '\n')) ++at;
  std::string_view rest = text_.part(at, text_.directive_end(at));
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  };
  if (!rest.starts_with('#')) return false;
  rest.remove_prefix(1);
  skip_blanks();
  if (!rest.starts_with("define")) return false;
  rest.remove_prefix(6);
  skip_blanks();
  if (!rest.starts_with(name) || (rest.size() > name.size() && is_word(rest[name.size()]))) return false;
  rest.remove_prefix(name.size());
  skip_blanks();
  const bool is_reserved = name.starts_with("__") || name == "linux" || name == "unix";
  const bool is_guard = rest.empty() || rest.starts_with("//") || rest.starts_with("/*");
  return !is_reserved || (is_guard && name.find("__OPTIMIZE") == name.npos && name.find("linux") == name.npos);
}

/// The condition goes on as if its #elif were its #if: nothing before it is read.
void Scanner::begin_at_elif(std::uint64_t end) {
  const std::string_view rest = condition_text("elif", pos_, end);
  guard_.directive(end, 4);
  conditions_.back().asks = foreign_name("elif", rest);
  code_.replace(pos_, end, is_refused(rest) ? "#if 0" : "#if " + std::string(rest));
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
      if (depth == 0 && line.starts_with("endif")) return code_.drop(begin, pos_);
      if (depth == 0 && !all && line.starts_with("else")) {
        code_.drop(begin, end);
        pos_ = end;
        return;
      }
      if (depth == 0 && !all && line.starts_with("elif")) {
        code_.drop(begin, pos_);
        return begin_at_elif(end);
      }
      if (line.starts_with("endif")) --depth;
      pos_ = end;
      continue;
    }
    line_start = c == '\n' || (line_start && is_space(c));
    ++pos_;
  }
  code_.drop(begin, pos_);
}

}  // namespace detent::models::tvm
