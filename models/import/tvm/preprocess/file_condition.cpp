// Conditions of a preprocessed file: #if and its like.
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/preprocess/condition.hpp"
#include "models/import/tvm/preprocess/file.hpp"

namespace detent::models::tvm {

/// The word that a directive is about. @throws PpFault  it has none
std::string FileWalk::name_at(std::string_view rest, const std::string& directive) {
  std::size_t end = 0;
  while (end < rest.size() && is_word(rest[end])) ++end;
  if (end == 0 || is_digit(rest[0])) throw PpFault{"#" + directive + " without a name"};
  return std::string(rest.substr(0, end));
}

/// True when it is a directive of conditions.
bool FileWalk::condition(const std::string& name, std::string_view rest, std::uint64_t begin) {
  if (name == "if" || name == "ifdef" || name == "ifndef") {
    if (conditions_.size() >= 250) fail(begin, "conditions nested deeper than any generator writes");
    const bool is_guard = is_first_ && name == "ifndef";
    if (is_guard) guard_ = std::string(rest);
    is_guarded_ = is_guarded_ || is_guard;
    is_first_ = guard_ends_ = false;
    Condition now{.outer = live(), .taken = false, .live = false, .had_else = false, .at = begin, .is_guard = is_guard};
    now.live = now.taken = now.outer && decide(name, rest, begin);
    conditions_.push_back(now);
    return true;
  }
  if ((name == "elifdef" || name == "elifndef") && !conditions_.empty() && conditions_.back().outer)
    throw PpFault{"#" + name + " is not supported"};
  if (name != "elif" && name != "else" && name != "endif") return false;
  if (conditions_.empty()) fail(begin, "#" + name + " without #if; the file is damaged");
  Condition& now = conditions_.back();
  if (name == "endif") {
    guard_ends_ = now.is_guard;
    conditions_.pop_back();
    return true;
  }
  if (now.had_else) fail(begin, "#" + name + " behind #else; the file is damaged");
  if (now.is_guard) is_guarded_ = false;
  now.had_else = name == "else";
  now.live = now.outer && !now.taken && (name == "else" || evaluate(rest, begin));
  now.taken = now.taken || now.live;
  return true;
}

bool FileWalk::decide(const std::string& name, std::string_view rest, std::uint64_t begin) {
  if (name == "if") return evaluate(rest, begin);
  const std::string word = name_at(rest, name);
  const bool asks_guard = !conditions_.empty() || name == "ifdef" || !is_guarded_;
  const bool defined =
      asks_guard ? is_defined(word, begin) : all_.macros.is_defined(word) || all_.library.contains(word);
  return defined == (name == "ifdef");
}

void FileWalk::ask(const std::string& name, std::uint64_t at) {
  if (name.starts_with("__cplusplus") || name == "__OBJC__") return;
  all_.out.undefined.try_emplace(name, name_ + ":" + std::to_string(line_at(at)));
}

bool FileWalk::is_defined(const std::string& name, std::uint64_t at) {
  if (all_.macros.is_defined(name) || all_.library.contains(name)) return true;
  static constexpr std::string_view kOwn = " __has_include __FILE__ __LINE__ __COUNTER__ __DATE__ __TIME__ ";
  if (kOwn.find(" " + name + " ") != std::string_view::npos) return true;
  ask(name, at);
  return false;
}

/// Behind __has_include(. @throws PpFault  no name of a header
bool FileWalk::finds(std::vector<PpToken> operand, std::uint64_t begin) {
  const bool is_spelled = !operand.empty() && (operand[0].is_sign("<") || operand[0].kind == PpToken::Kind::kQuoted);
  if (!is_spelled) operand = all_.macros.expand(operand, here(begin));
  std::string text;
  for (const PpToken& token : operand) text += token.text;
  const bool is_name = text.size() > 2 && ((text.front() == '"' && text.back() == '"' && operand.size() == 1) ||
                                           (text.front() == '<' && text.back() == '>'));
  if (!is_name) throw PpFault{"__has_include without the name of a header"};
  const std::string name = text.substr(1, text.size() - 2);
  return !known_header(name).empty() || all_.path.find(name, text[0] == '"', place_).has_value();
}

/// defined and its like first, then macros, then the expression.
bool FileWalk::evaluate(std::string_view rest, std::uint64_t begin) {
  const std::vector<PpToken> raw = tokens_of(rest);
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
  std::vector<PpToken> expanded;
  all_.macros.forget_line();
  for (PpToken& token : all_.macros.expand(tokens, here(begin))) {
    const auto value = token.kind == PpToken::Kind::kWord ? all_.library.find(token.text) : all_.library.end();
    if (value != all_.library.end()) {
      const std::vector<PpToken> number = tokens_of(value->second);
      expanded.insert(expanded.end(), number.begin(), number.end());
      continue;
    }
    if (token.kind == PpToken::Kind::kWord) ask(token.text, begin);
    expanded.push_back(std::move(token));
  }
  if (all_.macros.gave_line() && spans_lines(begin, pos_)) throw PpFault{"__LINE__ in a condition that spans lines"};
  return holds_condition(expanded);
}

}  // namespace detent::models::tvm
