#include "models/import/tvm/preprocess/file_conditions.hpp"

#include <utility>

#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/preprocess/condition.hpp"

namespace detent::models::tvm {

std::string name_at(std::string_view rest, const std::string& directive) {
  std::size_t end = 0;
  while (end < rest.size() && is_word(rest[end])) ++end;
  if (end == 0 || is_digit(rest[0])) throw PpFault{"#" + directive + " without a name"};
  return std::string(rest.substr(0, end));
}

void FileConditions::open(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (conditions_.size() >= 250) text_.fail(begin, "conditions nested deeper than any generator writes");
  const bool is_guard = is_first_ && name == "ifndef";
  if (is_guard) guard_ = std::string(rest);
  is_guarded_ = is_guarded_ || is_guard;
  is_first_ = guard_ends_ = false;
  Condition now{.outer = live(), .taken = false, .live = false, .had_else = false, .at = begin, .is_guard = is_guard};
  now.live = now.taken = now.outer && decide(name, rest, begin, end);
  conditions_.push_back(now);
}

bool FileConditions::follow(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (name == "if" || name == "ifdef" || name == "ifndef") {
    open(name, rest, begin, end);
    return true;
  }
  if ((name == "elifdef" || name == "elifndef") && !conditions_.empty() && conditions_.back().outer)
    throw PpFault{"#" + name + " is not supported"};
  if (name != "elif" && name != "else" && name != "endif") return false;
  if (conditions_.empty()) text_.fail(begin, "#" + name + " without #if; the file is damaged");
  Condition& now = conditions_.back();
  if (name == "endif") {
    guard_ends_ = now.is_guard;
    conditions_.pop_back();
    return true;
  }
  if (now.had_else) text_.fail(begin, "#" + name + " after #else; the file is damaged");
  if (now.is_guard) is_guarded_ = false;
  now.had_else = name == "else";
  now.live = now.outer && !now.taken && (name == "else" || evaluate(rest, begin, end));
  now.taken = now.taken || now.live;
  return true;
}

void FileConditions::check_closed() const {
  if (!conditions_.empty()) text_.fail(conditions_.back().at, "#if without #endif; the file is cut off or damaged");
}

bool FileConditions::decide(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (name == "if") return evaluate(rest, begin, end);
  const std::string word = name_at(rest, name);
  const bool asks_guard = !conditions_.empty() || name == "ifdef" || !is_guarded_;
  const bool defined =
      asks_guard ? is_defined(word, begin) : all_.macros.is_defined(word) || all_.library.contains(word);
  return defined == (name == "ifdef");
}

void FileConditions::ask(const std::string& name, std::uint64_t at) {
  if (name.starts_with("__cplusplus") || name == "__OBJC__") return;
  all_.out.undefined.try_emplace(name, name_ + ":" + std::to_string(text_.line_at(at)));
}

bool FileConditions::is_defined(const std::string& name, std::uint64_t at) {
  if (all_.macros.is_defined(name) || all_.library.contains(name)) return true;
  static constexpr std::string_view kOwn = " __has_include __FILE__ __LINE__ __COUNTER__ __DATE__ __TIME__ ";
  if (kOwn.find(" " + name + " ") != std::string_view::npos) return true;
  ask(name, at);
  return false;
}

/// Behind __has_include(. @throws PpFault  no name of a header
bool FileConditions::finds(std::vector<PpToken> operand, std::uint64_t begin) {
  const bool is_spelled = !operand.empty() && (operand[0].is_sign("<") || operand[0].kind == PpToken::Kind::kQuoted);
  if (!is_spelled) operand = all_.macros.expand(operand, text_.here(begin));
  std::string text;
  for (const PpToken& token : operand) text += token.text;
  const bool is_name = text.size() > 2 && ((text.front() == '"' && text.back() == '"' && operand.size() == 1) ||
                                           (text.front() == '<' && text.back() == '>'));
  if (!is_name) throw PpFault{"__has_include without the name of a header"};
  const std::string name = text.substr(1, text.size() - 2);
  return !known_header(name).empty() || all_.path.find(name, text[0] == '"', place_).has_value();
}

/// defined and its like as numbers.
std::vector<PpToken> FileConditions::answered(const std::vector<PpToken>& raw, std::uint64_t begin) {
  std::vector<PpToken> tokens;
  const auto answer = [&](bool yes) {
    tokens.push_back({.kind = PpToken::Kind::kNumber, .text = yes ? "1" : "0", .spaced = true, .hidden = nullptr});
  };
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool opens = i + 1 < raw.size() && raw[i + 1].is_sign("(");
    if (raw[i].is_word("defined")) {
      const std::size_t word = i + (opens ? 2 : 1);
      const bool is_whole = word < raw.size() && raw[word].kind == PpToken::Kind::kWord &&
                            (!opens || (word + 1 < raw.size() && raw[word + 1].is_sign(")")));
      if (!is_whole) throw PpFault{"defined without a name"};
      answer(is_defined(raw[word].text, begin));
      i = word + (opens ? 1 : 0);
    } else if (raw[i].kind == PpToken::Kind::kWord && raw[i].text.starts_with("__has_") && opens) {
      std::size_t close = i + 2;
      for (std::uint32_t depth = 0; close < raw.size() && (depth > 0 || !raw[close].is_sign(")")); ++close) {
        if (raw[close].is_sign("(")) ++depth;
        if (raw[close].is_sign(")")) --depth;
      }
      if (close == raw.size() || raw[i].is_word("__has_include_next"))
        throw PpFault{raw[i].text + " is not supported, or never ends"};
      const auto first = raw.begin() + static_cast<std::ptrdiff_t>(i) + 2;
      if (!raw[i].is_word("__has_include")) ask(raw[i].text, begin);
      answer(raw[i].is_word("__has_include") &&
             finds({first, raw.begin() + static_cast<std::ptrdiff_t>(close)}, begin));
      i = close;
    } else {
      tokens.push_back(raw[i]);
    }
  }
  return tokens;
}

std::vector<PpToken> FileConditions::expanded(const std::vector<PpToken>& tokens, std::uint64_t begin) {
  std::vector<PpToken> out;
  all_.macros.forget_line();
  for (PpToken& token : all_.macros.expand(tokens, text_.here(begin))) {
    const auto value = token.kind == PpToken::Kind::kWord ? all_.library.find(token.text) : all_.library.end();
    if (value != all_.library.end()) {
      const std::vector<PpToken> number = tokens_of(value->second);
      out.insert(out.end(), number.begin(), number.end());
      continue;
    }
    if (token.kind == PpToken::Kind::kWord) ask(token.text, begin);
    out.push_back(std::move(token));
  }
  return out;
}

/// defined and its like first, then macros, then the expression.
bool FileConditions::evaluate(std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  const std::vector<PpToken> tokens = expanded(answered(tokens_of(rest), begin), begin);
  if (all_.macros.gave_line() && text_.spans_lines(begin, end))
    throw PpFault{"__LINE__ in a condition that spans lines"};
  return holds_condition(tokens);
}

}  // namespace detent::models::tvm
