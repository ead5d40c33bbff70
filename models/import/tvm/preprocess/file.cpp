#include "models/import/tvm/preprocess/file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/preprocess/condition.hpp"

namespace detent::models::tvm {
namespace {

/// What headers of the C library define and conditions ask for; it stays as it is outside of conditions.
struct LibraryMacro {
  const char *header, *name, *value;
};
constexpr std::array kLibrary = {LibraryMacro{"stdint.h", "INT8_MAX", "127"},
                                 LibraryMacro{"stdint.h", "INT8_MIN", "(-128)"},
                                 LibraryMacro{"stdint.h", "UINT8_MAX", "255"},
                                 LibraryMacro{"stdint.h", "INT16_MAX", "32767"},
                                 LibraryMacro{"stdint.h", "INT16_MIN", "(-32768)"},
                                 LibraryMacro{"stdint.h", "UINT16_MAX", "65535"},
                                 LibraryMacro{"stdint.h", "INT32_MAX", "2147483647"},
                                 LibraryMacro{"stdint.h", "INT32_MIN", "(-2147483647-1)"},
                                 LibraryMacro{"stdint.h", "UINT32_MAX", "4294967295U"},
                                 LibraryMacro{"stdint.h", "INT64_MAX", "9223372036854775807"},
                                 LibraryMacro{"stdint.h", "UINT64_MAX", "18446744073709551615U"},
                                 LibraryMacro{"limits.h", "CHAR_BIT", "8"},
                                 LibraryMacro{"limits.h", "INT_MAX", "2147483647"},
                                 LibraryMacro{"limits.h", "INT_MIN", "(-2147483647-1)"},
                                 LibraryMacro{"limits.h", "UINT_MAX", "4294967295U"},
                                 LibraryMacro{"limits.h", "SHRT_MAX", "32767"},
                                 LibraryMacro{"stddef.h", "NULL", "0"},
                                 LibraryMacro{"stdlib.h", "NULL", "0"},
                                 LibraryMacro{"string.h", "NULL", "0"},
                                 LibraryMacro{"stdio.h", "NULL", "0"},
                                 LibraryMacro{"stddef.h", "offsetof", "0"},
                                 LibraryMacro{"stdbool.h", "bool", "0"},
                                 LibraryMacro{"stdbool.h", "true", "1"},
                                 LibraryMacro{"stdbool.h", "false", "0"},
                                 LibraryMacro{"assert.h", "assert", "0"},
                                 LibraryMacro{"math.h", "M_PI", "3"},
                                 LibraryMacro{"math.h", "NAN", "0"},
                                 LibraryMacro{"math.h", "INFINITY", "0"},
                                 LibraryMacro{"float.h", "FLT_MAX", "0"},
                                 LibraryMacro{"float.h", "FLT_EPSILON", "0"}};

/// Continued lines joined; as many newlines follow the joined line, so that all others keep their numbers.
std::string joined_lines(const std::string& text) {
  if (text.find("\\\n") == std::string::npos && text.find("\\\r\n") == std::string::npos) return text;
  std::string out;
  std::size_t owed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t newline = text[i] != '\\'                       ? 0
                                : text[i + 1] == '\n'                 ? 1
                                : text.compare(i + 1, 2, "\r\n") == 0 ? 2
                                                                      : 0;
    if (newline != 0) {
      ++owed;
      i += newline;
      continue;
    }
    out += text[i];
    if (text[i] == '\n') out.append(std::exchange(owed, 0), '\n');
  }
  return out.append(owed, '\n');
}

}  // namespace

std::string printable_name(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\' || c == 0x7f) c = '?';
  }
  return text;
}

bool is_library_header(const std::string& name) {
  const std::string known = known_header(name);
  return !known.empty() && known != "arm_acle.h";
}

FileWalk::FileWalk(PpState& all, const std::string& text, std::string name, std::string shown, SourcePlace place)
    : all_(all),
      joined_(joined_lines(text)),
      name_(std::move(name)),
      shown_(std::move(shown)),
      place_(std::move(place)),
      text_(joined_, shown_) {}

void FileWalk::run() {
  if (const auto nul = joined_.find('\0'); nul != std::string::npos) fail(nul, "NUL byte; this is no C source");
  if (joined_.starts_with("\xEF\xBB\xBF")) pos_ = 3;
  while (pos_ < joined_.size()) {
    const char c = text_.at(pos_);
    if (c == '\n') {
      put("\n");
      ++pos_;
      line_start_ = true;
    } else if (is_space(c)) {
      if (live()) put(" ");
      ++pos_;
    } else if (text_.is_comment(pos_)) {
      const std::uint64_t end = text_.comment_end(pos_);
      if (live()) put(" ");
      put_newlines(pos_, end);
      pos_ = end;
    } else if (line_start_ && c == '#') {
      directive();
    } else {
      line_start_ = false;
      is_first_ = guard_ends_ = false;
      live() ? code() : skip_line();
    }
  }
  if (!conditions_.empty()) fail(conditions_.back().at, "#if without #endif; the file is cut off or damaged");
}

void FileWalk::code() {
  const std::uint64_t begin = pos_;
  const char c = text_.at(pos_);
  if (is_digit(c) || (c == '.' && is_digit(text_.at(pos_ + 1)))) {
    pos_ = text_.number_end(pos_);
  } else if (is_word(c)) {
    return word();
  } else if (c == '"' || c == '\'') {
    pos_ = text_.quoted_end(pos_);
  } else {
    ++pos_;
  }
  put(text_.part(begin, pos_));
}

void FileWalk::word() {
  const std::uint64_t begin = pos_;
  pos_ = text_.word_end(begin);
  const std::string_view name = text_.part(begin, pos_);
  static constexpr std::string_view kOwn = "__LINE__ __FILE__ __COUNTER__ __DATE__ __TIME__";
  const bool is_own = name.starts_with("__") && kOwn.find(name) != std::string_view::npos;
  if (name == "_Pragma") {  // as #pragma
    if (opens()) {
      while (!next().is_sign(")")) {
      }
    }
    return put_newlines(begin, pos_);
  }
  if (!is_own && !all_.macros.is_defined(std::string(name))) return put(name);
  PpToken token{.kind = PpToken::Kind::kWord, .text = std::string(name), .spaced = false, .hidden = nullptr};
  try {
    const std::vector<PpToken> tokens = all_.macros.expand(std::move(token), *this, here(begin));
    const std::string text = text_of(tokens);
    put(text.empty() ? " " : " " + text + " ");
  } catch (const PpFault& fault) {
    fail(begin, fault.what);
  }
  put_newlines(begin, pos_);
}

/// A line that nobody reads: only comments and the end count.
void FileWalk::skip_line() {
  while (pos_ < joined_.size() && text_.at(pos_) != '\n') {
    const char c = text_.at(pos_);
    if (text_.is_comment(pos_)) return;
    if (c == '"' || c == '\'') {
      std::uint64_t end = pos_ + 1;
      while (end < joined_.size() && text_.at(end) != c && text_.at(end) != '\n') end += text_.at(end) == '\\' ? 2 : 1;
      pos_ = end < joined_.size() && text_.at(end) == c ? end + 1 : pos_ + 1;
    } else {
      ++pos_;
    }
  }
}

bool FileWalk::opens() { return text_.at(text_.blank_end(pos_)) == '('; }

PpToken FileWalk::next() {
  const std::uint64_t begin = pos_;
  pos_ = text_.blank_end(pos_);
  if (pos_ >= joined_.size()) throw PpFault{"the arguments of a macro never end"};
  const std::size_t line = text_.at(pos_) == '#' ? joined_.rfind('\n', pos_) : pos_;
  if (text_.at(pos_) == '#' && joined_.find_first_not_of(" \t", line == std::string::npos ? 0 : line + 1) == pos_)
    throw PpFault{"a directive stands among the arguments of a macro"};
  const bool spaced = pos_ != begin;
  PpToken token = take_token(joined_, pos_);
  token.spaced = spaced;
  return token;
}

void FileWalk::directive() {
  const std::uint64_t begin = pos_;
  const std::uint64_t end = text_.directive_end(begin);
  std::string line;
  for (std::uint64_t i = begin + 1; i < end;) {
    if (text_.is_comment(i)) {
      i = text_.comment_end(i);
      line += ' ';
    } else if (live() && (text_.at(i) == '"') && joined_.find('"', i + 1) < end) {
      const std::uint64_t quoted = joined_.find('"', i + 1) + 1;  // a header's name may hold //
      line += text_.part(i, quoted);
      i = quoted;
    } else {
      line += text_.at(i) == '\n' ? ' ' : text_.at(i);
      ++i;
    }
  }
  std::size_t name = line.find_first_not_of(" \t\r\v\f");
  pos_ = end;
  if (name == std::string::npos) return put_newlines(begin, end);
  std::size_t name_end = name;
  while (name_end < line.size() && is_word(line[name_end])) ++name_end;
  std::string_view rest = std::string_view(line).substr(name_end);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  try {
    dispatch(line.substr(name, name_end - name), rest, begin, end);
  } catch (const PpFault& fault) {
    fail(begin, fault.what);
  }
}

void FileWalk::dispatch(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (condition(name, rest, begin)) return put_newlines(begin, end);
  is_first_ = guard_ends_ = false;
  if (!live()) return put_newlines(begin, end);
  if (name == "include" || name == "include_next" || name == "import") {
    return include(rest, begin, end, name == "import");
  }
  if (name == "define") {
    all_.macros.define(rest);
    std::size_t word = 0;
    while (word < rest.size() && is_word(rest[word])) ++word;
    all_.defined.emplace(rest.substr(0, word));
  } else if (name == "undef") {
    all_.macros.undefine(std::string(rest));
    all_.library.erase(std::string(rest));
  } else if (name == "pragma") {
    if (rest == "once") all_.once.insert(place_.key());
    if (rest.starts_with("pack")) put("#pragma " + std::string(rest));
  } else if (name == "error") {
    fail(begin,
         "#error " + std::string(rest) + "; a macro that it asks for can be defined with --cflags \"-O2 -DNAME\"");
  }
  put_newlines(begin, end);
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
  std::size_t end = 0;
  while (end < rest.size() && is_word(rest[end])) ++end;
  if (end == 0) throw PpFault{"#" + name + " without a name"};
  const bool asks_guard = !conditions_.empty() || name == "ifdef" || !is_guarded_;
  const std::string word(rest.substr(0, end));
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
  if (name == "__has_include" || name == "__FILE__" || name == "__LINE__" || name == "__COUNTER__") return true;
  ask(name, at);
  return false;
}

bool FileWalk::finds(const PpToken& header) {
  const std::string& text = header.text;
  if (text.size() < 3) return false;
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
      PpToken header{.kind = PpToken::Kind::kQuoted, .text = {}, .spaced = false, .hidden = nullptr};
      for (; close < raw.size() && !raw[close].is_sign(")"); ++close) header.text += raw[close].text;
      answer(raw[i].is_word("__has_include") && finds(header));
      i = close;
    } else {
      tokens.push_back(raw[i]);
    }
  }
  std::vector<PpToken> expanded;
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
  return holds_condition(expanded);
}

void FileWalk::include(std::string_view rest, std::uint64_t begin, std::uint64_t end, bool only_once) {
  std::string spelled(rest);
  if (!spelled.starts_with('"') && !spelled.starts_with('<')) {  // by a macro
    spelled.clear();
    for (const PpToken& token : all_.macros.expand(tokens_of(rest), here(begin))) spelled += token.text;
  }
  const char close = spelled.starts_with('<') ? '>' : '"';
  const std::size_t name_end = spelled.find(close, 1);
  if (spelled.size() < 3 || (spelled[0] != '<' && spelled[0] != '"') || name_end == std::string::npos)
    throw PpFault{"#include without the name of a header"};
  const std::string name = spelled.substr(1, name_end - 1);
  if (is_library_header(name)) return include_library(name, begin, end);
  const std::optional<IncludedText> header = all_.path.find(name, close == '"', place_);
  if (header) {
    include_text(*header, begin, end);
    if (only_once) all_.once.insert(header->place.key());
    return;
  }
  if (has_arm_substitute(name)) return include_library("arm_acle.h", begin, end);
  all_.out.missing.push_back({printable_name(name), shown_, static_cast<std::uint32_t>(line_at(begin))});
  put_newlines(begin, end);
}

void FileWalk::include_library(const std::string& name, std::uint64_t begin, std::uint64_t end) {
  const std::string known = known_header(name);
  for (const LibraryMacro& macro : kLibrary) {
    if (known == macro.header || (known.starts_with("tvm/") && std::string_view(macro.header) == "stdint.h"))
      all_.library.emplace(macro.name, macro.value);
  }
  put("#include \"" + known + "\"");
  put_newlines(begin, end);
}

void FileWalk::include_text(const IncludedText& header, std::uint64_t begin, std::uint64_t end) {
  all_.out.has_headers = true;
  const std::string key = header.place.key();
  const auto guard = all_.guards.find(key);
  const bool is_again =
      all_.once.contains(key) || (guard != all_.guards.end() && all_.macros.is_defined(guard->second));
  if (is_again) return put_newlines(begin, end);
  if (++all_.headers > all_.options.max_headers) fail(begin, "includes more than 20,000 headers");
  if (++all_.depth > all_.options.max_depth) fail(begin, "headers that include each other deeper than 100");
  const std::string name = printable_name(header.place.name);
  put("\n" + line_mark(1, name));
  FileWalk walk(all_, header.text, name, all_.path.shown(header.place), header.place);
  walk.run();
  --all_.depth;
  if (const std::string own = walk.guard(); !own.empty()) all_.guards[key] = own;
  const std::uint64_t line =
      line_at(begin) + static_cast<std::uint64_t>(std::count(joined_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                             joined_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  put("\n" + line_mark(line, name_));
}

}  // namespace detent::models::tvm
