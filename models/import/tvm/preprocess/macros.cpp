// Expansion with sets of names that a token must not be expanded to again (Prosser's algorithm).
#include "models/import/tvm/preprocess/macros.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace detent::models::tvm {
namespace {

using Kind = PpToken::Kind;

constexpr std::uint32_t kMostMacroDepth = 100;  ///< of macros in arguments of macros

PpToken quoted(const std::vector<PpToken>& tokens) {
  PpToken result{.kind = Kind::kQuoted, .text = "\"", .spaced = false, .hidden = nullptr};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && tokens[i].spaced) result.text += ' ';
    for (const char c : tokens[i].text) {
      if (tokens[i].kind == Kind::kQuoted && (c == '"' || c == '\\')) result.text += '\\';
      result.text += c;
    }
  }
  result.text += '"';
  return result;
}

void paste(PpToken& left, const PpToken& right) {
  if (right.kind == Kind::kEmpty) return;
  if (left.kind == Kind::kEmpty) {
    const bool spaced = left.spaced;
    left = right;
    left.spaced = spaced;
    return;
  }
  const std::string text = left.text + right.text;
  std::uint64_t at = 0;
  PpToken both = take_token(text, at);
  if (at != text.size()) throw PpFault{"\"" + left.text + "\" and \"" + right.text + "\" joined by ## are no token"};
  both.spaced = left.spaced;
  both.hidden = left.hidden == right.hidden ? left.hidden : nullptr;
  left = std::move(both);
}

std::size_t index_of(const std::vector<std::string>& params, const PpToken& token) {
  if (token.kind != Kind::kWord) return SIZE_MAX;
  const auto found = std::find(params.begin(), params.end(), token.text);
  return found == params.end() ? SIZE_MAX : static_cast<std::size_t>(found - params.begin());
}

}  // namespace

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

void PpMacros::define(std::string_view line) {
  std::vector<PpToken> tokens = tokens_of(line);
  if (tokens.empty() || tokens[0].kind != Kind::kWord || tokens[0].text == "defined")
    throw PpFault{"#define without a name"};
  Macro macro;
  std::size_t at = 1;
  if (tokens.size() > 1 && tokens[1].is_sign("(") && !tokens[1].spaced) {
    macro.callable = true;
    for (at = 2; at < tokens.size() && !tokens[at].is_sign(")"); ++at) {
      if (tokens[at].is_sign(",")) continue;
      if (tokens[at].is_sign("...")) {
        const bool is_named = at > 2 && tokens[at - 1].kind == Kind::kWord;
        if (!is_named) macro.params.emplace_back("__VA_ARGS__");
        macro.variadic = true;
      } else if (tokens[at].kind == Kind::kWord) {
        macro.params.push_back(tokens[at].text);
      } else {
        throw PpFault{"#define " + tokens[0].text + ": \"" + tokens[at].text + "\" is no parameter"};
      }
    }
    if (at == tokens.size()) throw PpFault{"#define " + tokens[0].text + ": its parameters never end"};
    ++at;
  }
  macro.body.assign(std::make_move_iterator(tokens.begin() + static_cast<std::ptrdiff_t>(at)),
                    std::make_move_iterator(tokens.end()));
  macros_[tokens[0].text] = std::move(macro);
}

void PpMacros::spend(std::size_t tokens) {
  if (tokens > tokens_left_) throw PpFault{"macros expand to more than 2 million tokens"};
  tokens_left_ -= tokens;
}

bool PpMacros::is_predefined(const PpToken& token, const Place& place, std::vector<PpToken>& out) {
  const auto give = [&](Kind kind, std::string text) {
    out.push_back({.kind = kind, .text = std::move(text), .spaced = token.spaced, .hidden = nullptr});
    return true;
  };
  if (token.text == "__LINE__") return give(Kind::kNumber, std::to_string(place.line));
  if (token.text == "__COUNTER__") return give(Kind::kNumber, std::to_string(counter_++));
  if (token.text == "__FILE__") return give(Kind::kQuoted, "\"" + place.file + "\"");
  if (token.text == "__DATE__") return give(Kind::kQuoted, "\"Jan  1 1970\"");  // the same every day
  if (token.text == "__TIME__") return give(Kind::kQuoted, "\"00:00:00\"");
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
  Arguments arguments(1);
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
  if (macro.params.empty() && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (macro.variadic && arguments.size() + 1 == macro.params.size()) arguments.emplace_back();
  if (arguments.size() != macro.params.size())
    throw PpFault{"macro " + name + " takes " + std::to_string(macro.params.size()) + " arguments, not " +
                  std::to_string(arguments.size())};
  return arguments;
}

std::vector<PpToken> PpMacros::substitute(const Macro& macro, const Arguments& arguments, const Place& place) {
  std::vector<PpToken> out;
  const std::vector<PpToken>& body = macro.body;
  const auto append = [&](std::vector<PpToken> tokens, bool spaced) {
    if (!tokens.empty()) tokens[0].spaced = spaced;
    out.insert(out.end(), std::make_move_iterator(tokens.begin()), std::make_move_iterator(tokens.end()));
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    const std::size_t next_param = i + 1 < body.size() ? index_of(macro.params, body[i + 1]) : SIZE_MAX;
    if (macro.callable && body[i].is_sign("#")) {
      if (next_param == SIZE_MAX) throw PpFault{"# stands before no parameter"};
      out.push_back(quoted(arguments[next_param]));
      out.back().spaced = body[i++].spaced;
      continue;
    }
    if (body[i].is_sign("##")) {
      if (out.empty() || i + 1 == body.size()) throw PpFault{"## stands at the end of a macro"};
      const bool is_rest = macro.variadic && next_param + 1 == macro.params.size();
      if (next_param == SIZE_MAX) {
        paste(out.back(), body[i + 1]);
      } else if (is_rest && out.back().is_sign(",")) {  // GNU: the comma goes with the arguments
        if (arguments[next_param].empty()) out.pop_back();
        append(arguments[next_param], true);
      } else if (!arguments[next_param].empty()) {
        std::vector<PpToken> rest = arguments[next_param];
        paste(out.back(), rest[0]);
        rest.erase(rest.begin());
        const bool spaced = !rest.empty() && rest[0].spaced;
        append(std::move(rest), spaced);
      }
      ++i;
      continue;
    }
    const std::size_t param = index_of(macro.params, body[i]);
    const bool before_paste = i + 1 < body.size() && body[i + 1].is_sign("##");
    if (param == SIZE_MAX) {
      out.push_back(body[i]);
    } else if (before_paste) {
      std::vector<PpToken> raw = arguments[param];
      if (raw.empty()) raw.emplace_back();
      append(std::move(raw), body[i].spaced);
    } else {
      append(expand(arguments[param], place), body[i].spaced);
    }
    spend(1);
  }
  std::erase_if(out, [](const PpToken& token) { return token.kind == Kind::kEmpty; });
  spend(out.size());
  return out;
}

std::vector<PpToken> PpMacros::run(std::deque<PpToken> pending, PpFollowing* following, const Place& place) {
  std::vector<PpToken> out;
  while (!pending.empty()) {
    PpToken token = std::move(pending.front());
    pending.pop_front();
    const bool is_hidden = token.hidden && token.hidden->contains(token.text);
    if (token.kind != Kind::kWord || is_hidden) {
      out.push_back(std::move(token));
      continue;
    }
    const auto found = macros_.find(token.text);
    if (found == macros_.end()) {
      if (!is_predefined(token, place, out)) out.push_back(std::move(token));
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
    pending.insert(pending.begin(), std::make_move_iterator(tokens.begin()), std::make_move_iterator(tokens.end()));
  }
  return out;
}

std::vector<PpToken> PpMacros::expand(PpToken token, PpFollowing& following, const Place& place) {
  depth_ = 0;
  return run({std::move(token)}, &following, place);
}

std::vector<PpToken> PpMacros::expand(const std::vector<PpToken>& tokens, const Place& place) {
  if (++depth_ > kMostMacroDepth) throw PpFault{"macros nested deeper than " + std::to_string(kMostMacroDepth)};
  std::vector<PpToken> out = run({tokens.begin(), tokens.end()}, nullptr, place);
  --depth_;
  return out;
}

}  // namespace detent::models::tvm
