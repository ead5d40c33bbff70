// Expansion with sets of names that a token must not be expanded to again (Prosser's algorithm).
#include "models/import/tvm/preprocess/macros.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace detent::models::tvm {
namespace {

using TokenKind = PpToken::Kind;

constexpr std::uint32_t kMostMacroDepth = 100;  ///< of macros in arguments of macros

PpToken quoted(const std::vector<PpToken>& tokens) {
  PpToken result{.kind = TokenKind::kQuoted, .text = "\"", .spaced = false, .hidden = nullptr};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && tokens[i].spaced) result.text += ' ';
    for (const char c : tokens[i].text) {
      if (tokens[i].kind == TokenKind::kQuoted && (c == '"' || c == '\\')) result.text += '\\';
      result.text += c;
    }
  }
  if (!tokens.empty() && tokens.back().is_sign("\\")) throw PpFault{"# of a text that ends with a backslash"};
  result.text += '"';
  return result;
}

void paste(PpToken& left, const PpToken& right) {
  if (right.kind == TokenKind::kEmpty) return;
  if (left.kind == TokenKind::kEmpty) {
    const bool spaced = left.spaced;
    left = right;
    left.spaced = spaced;
    return;
  }
  const std::string text = left.text + right.text;
  std::uint64_t at = 0;
  PpToken both = take_token(text, at);
  if (at != text.size()) throw PpFault{"\"" + left.text + "\" and \"" + right.text + "\" joined by ## are not a token"};
  both.spaced = left.spaced;
  both.hidden = left.hidden == right.hidden ? left.hidden : nullptr;
  left = std::move(both);
}

/// The blank before an empty argument stands before what follows.
std::vector<PpToken> without_empty(std::vector<PpToken> tokens) {
  bool spaced = false;
  for (PpToken& token : tokens) {
    token.spaced = token.spaced || spaced;
    spaced = token.kind == TokenKind::kEmpty && token.spaced;
  }
  std::erase_if(tokens, [](const PpToken& token) { return token.kind == TokenKind::kEmpty; });
  return tokens;
}

std::size_t index_of(const std::vector<std::string>& params, const PpToken& token) {
  if (token.kind != TokenKind::kWord) return SIZE_MAX;
  const auto found = std::find(params.begin(), params.end(), token.text);
  return found == params.end() ? SIZE_MAX : static_cast<std::size_t>(found - params.begin());
}

/// Is it a macro of compilers, or of a header of the C library if one was included?
bool is_macro_elsewhere(const std::string& name, bool with_library) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) return true;
  if (name == "_Pragma" || name == "unix" || name == "linux" || name == "i386") return true;
  if (!with_library) return false;
  static const std::set<std::string, std::less<>> kNames = {
      "NULL",    "EOF",    "bool",   "true",     "false",  "assert", "offsetof", "errno",
      "complex", "I",      "NAN",    "INFINITY", "isnan",  "isinf",  "isfinite", "signbit",
      "stdin",   "stdout", "stderr", "va_start", "va_arg", "va_end", "va_copy"};
  if (kNames.contains(name)) return true;
  static constexpr std::array kFamilies = {"FLT_", "DBL_", "M_", "HUGE_", "PRI", "SCN", "FP_"};
  for (const char* family : kFamilies) {
    if (name.starts_with(family)) return true;
  }
  static constexpr std::array kTypes = {"INT",   "UINT",  "SHRT", "USHRT", "LONG",    "ULONG", "LLONG", "ULLONG",
                                        "SCHAR", "UCHAR", "CHAR", "SIZE",  "PTRDIFF", "RAND",  "WCHAR", "WINT"};
  const bool is_bound = name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C") || name == "CHAR_BIT";
  return is_bound &&
         std::any_of(kTypes.begin(), kTypes.end(), [&](const char* type) { return name.starts_with(type); });
}

/// Macros that no text may define or remove: they mean more than their text.
bool is_reserved(std::string_view name) {
  static constexpr std::string_view kOwn =
      " defined __has_include __has_include_next __has_embed _Pragma __VA_ARGS__ __VA_OPT__ __FILE__ __LINE__ "
      "__COUNTER__ __DATE__ __TIME__ ";
  return kOwn.find(" " + std::string(name) + " ") != std::string_view::npos;
}

}  // namespace

void PpMacros::check_settled(const PpToken& token) const {
  if (token.settled && is_macro_elsewhere(token.text, sees_library_))
    throw PpFault{"# or ## of " + token.text + ", which the compiler would have expanded before"};
}

void PpMacros::undefine(const std::string& name) {
  if (is_reserved(name)) throw PpFault{"#undef " + name + " is not supported"};
  macros_.erase(name);
}

PpMacros::Hidden PpMacros::united(const Hidden& a, const Hidden& b) {
  if (!a || !b || a == b) return a ? a : b;
  Hidden& known = unions_[{a.get(), b.get()}];
  if (known) return known;
  std::set<std::string> both = *a;
  both.insert(b->begin(), b->end());
  Hidden& set = sets_[both];
  if (!set) set = std::make_shared<const std::set<std::string>>(both);
  return known = set;
}

PpMacros::Hidden PpMacros::common(const Hidden& a, const Hidden& b) {
  if (!a || !b || a == b) return a && b ? a : nullptr;
  Hidden& known = intersections_[{a.get(), b.get()}];
  if (known) return known;
  std::set<std::string> both;
  std::set_intersection(a->begin(), a->end(), b->begin(), b->end(), std::inserter(both, both.end()));
  Hidden& set = sets_[both];
  if (!set) set = std::make_shared<const std::set<std::string>>(both);
  return known = set;
}

void PpMacros::hide(std::vector<PpToken>& tokens, const Hidden& hidden) {
  for (PpToken& token : tokens) token.hidden = united(token.hidden, hidden);
}

/// From behind '(' to behind ')'.
std::vector<std::string> PpMacros::parameters_of(const std::vector<PpToken>& tokens, std::size_t& at, bool& variadic) {
  std::vector<std::string> params;
  const auto fail = [&](const std::string& what) { throw PpFault{"#define " + tokens[0].text + ": " + what}; };
  const auto sees = [&](std::string_view sign) { return at < tokens.size() && tokens[at].is_sign(sign); };
  for (bool more = !sees(")"); more; at += more ? 1 : 0) {
    if (at == tokens.size()) fail("its parameters never end");
    if (tokens[at].kind == TokenKind::kWord && tokens[at].text != "__VA_ARGS__") {
      if (std::find(params.begin(), params.end(), tokens[at].text) != params.end())
        fail("duplicate parameter \"" + tokens[at].text + "\"");
      params.push_back(tokens[at++].text);
      variadic = sees("...");
      at += variadic ? 1 : 0;
    } else if (sees("...")) {
      params.emplace_back("__VA_ARGS__");
      variadic = true;
      ++at;
    } else {
      fail("\"" + tokens[at].text + "\" is not a parameter");
    }
    if (at == tokens.size()) fail("its parameters never end");
    more = sees(",") && !variadic;
    if (!more && !sees(")")) fail("\"" + tokens[at].text + "\" is not a parameter");
  }
  ++at;
  return params;
}

void PpMacros::define(std::string_view line) {
  std::vector<PpToken> tokens = tokens_of(line);
  if (tokens.empty() || tokens[0].kind != TokenKind::kWord) throw PpFault{"#define without a name"};
  if (is_reserved(tokens[0].text)) throw PpFault{"#define " + tokens[0].text + " is not supported"};
  Macro macro;
  std::size_t at = 1;
  if (tokens.size() > 1 && tokens[1].is_sign("(") && !tokens[1].spaced) {
    macro.callable = true;
    at = 2;
    macro.params = parameters_of(tokens, at, macro.variadic);
  }
  macro.body.assign(std::make_move_iterator(tokens.begin() + static_cast<std::ptrdiff_t>(at)),
                    std::make_move_iterator(tokens.end()));
  check_body(tokens[0].text, macro);
  macros_[tokens[0].text] = std::move(macro);
}

void PpMacros::check_body(const std::string& name, const Macro& macro) {
  const std::vector<PpToken>& body = macro.body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i].is_word("__VA_OPT__")) throw PpFault{"#define " + name + ": __VA_OPT__ is not supported"};
    if (body[i].is_sign("##") && (i == 0 || i + 1 == body.size()))
      throw PpFault{"#define " + name + ": ## must not be the first or last token of a macro"};
    if (macro.callable && body[i].is_sign("#") &&
        (i + 1 == body.size() || index_of(macro.params, body[i + 1]) == SIZE_MAX))
      throw PpFault{"#define " + name + ": # must be followed by a parameter"};
  }
}

void PpMacros::spend(std::size_t tokens) {
  if (tokens > tokens_left_) throw PpFault{"macros expand to more than 2 million tokens"};
  tokens_left_ -= tokens;
}

bool PpMacros::is_predefined(const PpToken& token, const Place& place, std::vector<PpToken>& out) {
  const auto give = [&](TokenKind kind, std::string text) {
    out.push_back({.kind = kind, .text = std::move(text), .spaced = token.spaced, .hidden = nullptr});
    return true;
  };
  gave_line_ = gave_line_ || token.text == "__LINE__";
  if (token.text == "__LINE__") return give(TokenKind::kNumber, std::to_string(place.line));
  if (token.text == "__COUNTER__") return give(TokenKind::kNumber, std::to_string(counter_++));
  if (token.text == "__FILE__") return give(TokenKind::kQuoted, "\"" + place.file + "\"");
  if (token.text == "__DATE__") return give(TokenKind::kQuoted, "\"Jan  1 1970\"");  // the same every day
  for (const char* other : {"__INCLUDE_LEVEL__", "__BASE_FILE__", "__TIMESTAMP__", "__FILE_NAME__"}) {
    if (token.text == other) throw PpFault{token.text + " is not supported"};
  }
  if (token.text == "__TIME__") return give(TokenKind::kQuoted, "\"00:00:00\"");
  return false;
}

PpMacros::Arguments PpMacros::read_arguments(const std::string& name, const Macro& macro, std::deque<PpToken>& pending,
                                             PpFollowing* following, PpToken& close) {
  const auto next = [&] {
    if (pending.empty() && following == nullptr) throw PpFault{"the arguments of " + name + " never end"};
    if (pending.empty()) return following->next();
    PpToken token = std::move(pending.front());
    pending.pop_front();
    return token;
  };
  next();  // (
  Arguments result;
  std::vector<std::vector<PpToken>>& arguments = result.values;
  arguments.emplace_back();
  for (std::uint32_t depth = 0;;) {
    PpToken token = next();
    spend(1);
    if (depth == 0 && token.is_sign(")")) {
      close = std::move(token);
      break;
    }
    if (token.is_sign("(")) ++depth;
    if (token.is_sign(")")) --depth;
    const bool is_last = macro.variadic && arguments.size() == macro.params.size();
    if (depth == 0 && token.is_sign(",") && !is_last) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(std::move(token));
    }
  }
  const bool is_only = macro.params.size() == 1 && arguments[0].empty();
  result.lacks_rest = macro.variadic && (arguments.size() < macro.params.size() || is_only);
  if (macro.params.empty() && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (macro.variadic && arguments.size() + 1 == macro.params.size()) arguments.emplace_back();
  if (arguments.size() != macro.params.size())
    throw PpFault{"macro " + name + " takes " + std::to_string(macro.params.size()) + " arguments, not " +
                  std::to_string(arguments.size())};
  return result;
}

/// What stands at body[at] before it is expanded: a parameter's argument, its text behind #, or the token itself. `at`
/// moves behind it.
std::vector<PpToken> PpMacros::raw_operand(const Macro& macro, const Arguments& arguments, std::size_t& at) const {
  const PpToken& token = macro.body[at++];
  if (macro.callable && token.is_sign("#")) {
    const std::vector<PpToken>& argument = arguments[index_of(macro.params, macro.body[at++])];
    for (const PpToken& one : argument) check_settled(one);
    std::vector<PpToken> text = {quoted(argument)};
    text[0].spaced = token.spaced;
    return text;
  }
  const std::size_t param = index_of(macro.params, token);
  if (param == SIZE_MAX) return {token};
  std::vector<PpToken> raw = arguments[param];
  if (raw.empty()) raw.emplace_back();
  raw[0].spaced = token.spaced;
  return raw;
}

std::vector<PpToken> PpMacros::substitute(const Macro& macro, const Arguments& arguments, const Place& place) {
  std::vector<PpToken> out;
  const std::vector<PpToken>& body = macro.body;
  const auto append = [&](std::vector<PpToken> tokens) {
    out.insert(out.end(), std::make_move_iterator(tokens.begin()), std::make_move_iterator(tokens.end()));
  };
  for (std::size_t i = 0; i < body.size();) {
    spend(1);
    const std::size_t param = index_of(macro.params, body[i]);
    const bool before_paste = i + 1 < body.size() && body[i + 1].is_sign("##");
    if (body[i].is_sign("##")) {
      const bool behind_comma = body[i - 1].is_sign(",") && out.back().is_sign(",");
      ++i;
      const std::size_t next = index_of(macro.params, body[i]);
      std::vector<PpToken> right = raw_operand(macro, arguments, i);
      if (macro.variadic && next + 1 == macro.params.size() && behind_comma) {  // GNU: the comma goes with them
        if (arguments.lacks_rest) out.pop_back();
        if (!arguments[next].empty()) right[0].spaced = arguments[next][0].spaced;
        append(std::move(right));
        continue;
      }
      if (right[0].kind != TokenKind::kEmpty && out.back().kind != TokenKind::kEmpty) {
        check_settled(out.back());
        check_settled(right[0]);
      }
      paste(out.back(), right[0]);
      right.erase(right.begin());
      append(std::move(right));
    } else if (param == SIZE_MAX || before_paste) {
      append(raw_operand(macro, arguments, i));
    } else {
      std::vector<PpToken> tokens = expand(arguments[param], place);
      if (tokens.empty()) tokens.emplace_back();
      tokens[0].spaced = body[i++].spaced;
      append(std::move(tokens));
    }
  }
  spend(out.size());
  return without_empty(std::move(out));
}

std::vector<PpToken> PpMacros::run(std::deque<PpToken> pending, PpFollowing* following, const Place& place) {
  std::vector<PpToken> out;
  while (!pending.empty()) {
    PpToken token = std::move(pending.front());
    pending.pop_front();
    const bool is_hidden = token.hidden && token.hidden->contains(token.text);
    if (token.kind != TokenKind::kWord || is_hidden) {
      out.push_back(std::move(token));
      continue;
    }
    const auto found = macros_.find(token.text);
    if (found == macros_.end()) {
      if (is_predefined(token, place, out)) continue;
      token.settled = true;
      out.push_back(std::move(token));
      continue;
    }
    const Macro& macro = found->second;
    Hidden& own = names_[token.text];
    if (!own) {
      Hidden& set = sets_[{token.text}];
      if (!set) set = std::make_shared<const std::set<std::string>>(std::set<std::string>{token.text});
      own = set;
    }
    Hidden hidden = united(token.hidden, own);
    Arguments arguments;
    if (macro.callable) {
      const bool is_called =
          pending.empty() ? following != nullptr && following->opens() : pending.front().is_sign("(");
      if (!is_called) {
        out.push_back(std::move(token));
        continue;
      }
      PpToken close;
      arguments = read_arguments(token.text, macro, pending, following, close);
      hidden = united(common(token.hidden, close.hidden), own);
    }
    std::vector<PpToken> tokens = substitute(macro, arguments, place);
    hide(tokens, hidden);
    if (!tokens.empty()) tokens[0].spaced = token.spaced;
    if (tokens.empty() && !pending.empty()) pending.front().spaced = pending.front().spaced || token.spaced;
    pending.insert(pending.begin(), std::make_move_iterator(tokens.begin()), std::make_move_iterator(tokens.end()));
  }
  return out;
}

std::vector<PpToken> PpMacros::expand(PpToken token, PpFollowing& following, const Place& place) {
  depth_ = 0;
  gave_line_ = false;
  return run({std::move(token)}, &following, place);
}

std::vector<PpToken> PpMacros::expand(const std::vector<PpToken>& tokens, const Place& place) {
  if (++depth_ > kMostMacroDepth) throw PpFault{"macros nested deeper than " + std::to_string(kMostMacroDepth)};
  std::vector<PpToken> out = run({tokens.begin(), tokens.end()}, nullptr, place);
  --depth_;
  return out;
}

}  // namespace detent::models::tvm
