#include "models/import/tvm/preprocess/file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/files/module_support.hpp"

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

/// Does a pragma stay? Others have no meaning for bytes and accesses. @throws PpFault  one that has, and is not known
bool keeps_pragma(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  static constexpr std::array<std::string_view, 6> kLayouts = {"push_macro", "pop_macro",     "scalar_storage_order",
                                                               "ms_struct",  "options align", "clang attribute"};
  for (const std::string_view one : kLayouts) {
    if (text.starts_with(one)) throw PpFault{"#pragma " + std::string(one) + " is not supported"};
  }
  return text.starts_with("pack");
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

FileWalk::FileWalk(PpState& all, const std::string& text, const std::string& name, std::string shown, SourcePlace place)
    : all_(all),
      name_(name),
      place_(std::move(place)),
      file_(text, name, std::move(shown)),
      text_(file_.text()),
      joined_(file_.joined()),
      conditions_(all, file_, name, place_) {}

void FileWalk::put(std::string_view text) {
  all_.out.text += text;
  if (all_.out.text.size() > all_.options.max_bytes) file_.fail(pos_, "with its headers larger than 1 GiB");
}

void FileWalk::put_newlines(std::uint64_t begin, std::uint64_t end) {
  put(std::string(static_cast<std::size_t>(file_.newlines(begin, end)), '\n'));
}

void FileWalk::run() {
  file_.check();
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (joined_.starts_with(kByteOrderMark)) {
    pos_ = kByteOrderMark.size();
    if (joined_.compare(pos_, pos_, kByteOrderMark) == 0) file_.fail(pos_, "duplicate byte order mark");
  }
  while (pos_ < joined_.size()) {
    const char c = text_.at(pos_);
    if (c == '\n') {
      put("\n");
      ++pos_;
      line_start_ = true;
    } else if (is_space(c)) {
      if (conditions_.live()) put(" ");
      ++pos_;
    } else if (text_.is_comment(pos_)) {
      const std::uint64_t end = text_.comment_end(pos_);
      if (conditions_.live()) put(" ");
      put_newlines(pos_, end);
      pos_ = end;
    } else if (line_start_ && c == '#') {
      directive();
    } else {
      line_start_ = false;
      conditions_.note_other_text();
      conditions_.live() ? code() : skip_line();
    }
  }
  conditions_.check_closed();
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
    if (c == '#') file_.fail(begin, "'#' in the middle of a line");
    const bool is_other = (c == '%' && text_.at(pos_ + 1) == ':') || c == '\\';
    if (is_other) file_.checked(begin, [&] { take_token(joined_, pos_); });
    pos_ = begin + 1;
  }
  put(text_.part(begin, pos_));
}

void FileWalk::word() {
  const std::uint64_t begin = pos_;
  pos_ = text_.word_end(begin);
  const std::string_view name = text_.part(begin, pos_);
  file_.checked(begin, [&] {
    if (is_quote_prefix(joined_, begin, pos_)) {
      pos_ = text_.quoted_end(pos_);
      return put(text_.part(begin, pos_));
    }
    const bool is_own = name.starts_with("__") || name == "_Pragma";
    if (!is_own && !all_.macros.is_defined(std::string(name))) return put(name);
    PpToken token{.kind = PpToken::Kind::kWord, .text = std::string(name), .spaced = false, .hidden = nullptr};
    const std::vector<PpToken> tokens = with_pragmas(all_.macros.expand(std::move(token), *this, file_.here(begin)));
    if (tokens.size() == 1 && tokens[0].text == name && pos_ == begin + name.size()) return put(name);
    if (all_.macros.gave_line() && file_.spans_lines(begin, pos_)) throw PpFault{"__LINE__ in a use that spans lines"};
    const std::string text = text_of(tokens);
    put(text.empty() ? " " : " " + text + " ");
    put_newlines(begin, pos_);
  });
}

/// What an expansion leaves of directives: _Pragma is treated as #pragma, a '#' would become one.
std::vector<PpToken> FileWalk::with_pragmas(std::vector<PpToken> tokens) {
  std::vector<PpToken> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is_sign("#") || tokens[i].is_sign("##")) throw PpFault{"a macro gives " + tokens[i].text};
    if (!tokens[i].is_word("_Pragma")) {
      out.push_back(std::move(tokens[i]));
      continue;
    }
    const std::size_t behind = std::min(i + 4, tokens.size());
    std::vector<PpToken> operand(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 tokens.begin() + static_cast<std::ptrdiff_t>(behind));
    if (operand.empty()) {
      while (operand.size() < 3) operand.push_back(next());
    }
    const bool is_whole = operand.size() >= 3 && operand[0].is_sign("(") && operand[2].is_sign(")") &&
                          operand[1].kind == PpToken::Kind::kQuoted && operand[1].text.starts_with('"');
    if (!is_whole) throw PpFault{"_Pragma without its text"};
    const std::string text = operand[1].text.substr(1, operand[1].text.size() - 2);
    if (keeps_pragma(text)) {
      out.push_back(tokens[i]);
      out.insert(out.end(), operand.begin(), operand.begin() + 3);
    }
    i += 3;
  }
  return out;
}

/// A line that nobody reads: only comments and the end count. Quotes that never end reach to the end of the line.
void FileWalk::skip_line() {
  while (pos_ < joined_.size() && text_.at(pos_) != '\n') {
    const char c = text_.at(pos_);
    if (text_.is_comment(pos_)) return;
    ++pos_;
    if (c != '"' && c != '\'') continue;
    while (pos_ < joined_.size() && text_.at(pos_) != c && text_.at(pos_) != '\n')
      pos_ += text_.at(pos_) == '\\' && text_.at(pos_ + 1) != '\n' ? 2 : 1;
    if (text_.at(pos_) == c) ++pos_;
  }
}

bool FileWalk::opens() { return text_.at(text_.blank_end(pos_)) == '('; }

PpToken FileWalk::next() {
  const std::uint64_t begin = pos_;
  pos_ = text_.blank_end(pos_);
  if (pos_ >= joined_.size()) throw PpFault{"the arguments of a macro never end"};
  const bool is_hash = text_.at(pos_) == '#' && file_.newlines(begin, pos_) != 0;
  if (is_hash) throw PpFault{"a directive within the arguments of a macro"};
  const bool spaced = pos_ != begin;
  PpToken token = take_token(joined_, pos_);
  token.spaced = spaced;
  return token;
}

/// The end of a directive; its text without comments is appended to `line`. Quotes and <names> hold no comments.
std::uint64_t FileWalk::directive_text(std::uint64_t begin, std::string& line) const {
  std::uint64_t i = begin;
  const auto copy = [&](std::uint64_t end) {
    line += text_.part(i, end);
    i = end;
  };
  bool is_include = false;
  while (i < joined_.size() && text_.at(i) != '\n') {
    const char c = text_.at(i);
    if (text_.is_comment(i)) {
      i = text_.comment_end(i);
      line += ' ';
    } else if (is_word(c)) {
      const std::uint64_t end = text_.word_end(i);
      const std::string_view word = text_.part(i, end);
      is_include = is_include || ((word == "include" || word == "import" || word == "include_next") &&
                                  line.find_first_not_of(" \t\v\f") == std::string::npos);
      copy(end);
    } else if (c == '"' || c == '\'' || (c == '<' && is_include)) {
      std::uint64_t end = i + 1;
      const char close = c == '<' ? '>' : c;
      while (end < joined_.size() && text_.at(end) != close && text_.at(end) != '\n')
        end += !is_include && text_.at(end) == '\\' && text_.at(end + 1) != '\n' ? 2 : 1;
      copy(std::min<std::uint64_t>(end + (text_.at(end) == close ? 1 : 0), joined_.size()));
    } else {
      copy(i + 1);
    }
  }
  return i;
}

void FileWalk::directive() {
  const std::uint64_t begin = pos_;
  std::string line;
  const std::uint64_t end = directive_text(begin + 1, line);
  const std::size_t name = line.find_first_not_of(" \t\r\v\f");
  pos_ = end;
  if (name == std::string::npos) return put_newlines(begin, end);
  std::size_t name_end = name;
  while (name_end < line.size() && is_word(line[name_end])) ++name_end;
  std::string_view rest = std::string_view(line).substr(name_end);
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  file_.checked(begin, [&] { dispatch(line.substr(name, name_end - name), rest, begin, end); });
}

void FileWalk::dispatch(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end) {
  if (conditions_.follow(name, rest, begin, end)) return put_newlines(begin, end);
  conditions_.note_other_text();
  if (!conditions_.live()) return put_newlines(begin, end);
  if (name == "include" || name == "include_next" || name == "import") {
    return include(rest, begin, end, name);
  }
  if (name == "define") {
    all_.macros.define(rest);
    all_.defined.insert(name_at(rest, name));
  } else if (name == "undef") {
    const std::string word = name_at(rest, name);
    if (all_.library.contains(word)) throw PpFault{"#undef of " + word + ", which a header of the library defines"};
    all_.macros.undefine(word);
  } else if (name == "pragma") {
    if (rest == "once") all_.once.insert(place_.key());
    if (keeps_pragma(rest)) put("#pragma " + text_of(all_.macros.expand(tokens_of(rest), file_.here(begin))));
  } else if (name == "error") {
    file_.fail(begin, "#error " + std::string(rest) +
                          "; a macro that it asks for can be defined with --cflags \"-O2 -DNAME\"");
  } else if (name == "line" || is_digit(name[0])) {
    const std::string numbers = name == "line" ? std::string(rest) : name + " " + std::string(rest);
    file_.renumber(all_.macros.expand(tokens_of(numbers), file_.here(begin)), end);
  } else if (name != "warning" && name != "ident" && name != "sccs") {
    throw PpFault{"#" + (name.empty() ? std::string(rest) : name) + " is not a supported directive"};
  }
  put_newlines(begin, end);
}

void FileWalk::include(std::string_view rest, std::uint64_t begin, std::uint64_t end, const std::string& how) {
  const bool only_once = how == "import", is_next = how == "include_next";
  std::string spelled(rest);
  if (!spelled.starts_with('"') && !spelled.starts_with('<')) {  // by a macro
    spelled.clear();
    for (const PpToken& token : all_.macros.expand(tokens_of(rest), file_.here(begin))) spelled += token.text;
  }
  const char close = spelled.starts_with('<') ? '>' : '"';
  const std::size_t name_end = spelled.find(close, 1);
  if (spelled.size() < 3 || (spelled[0] != '<' && spelled[0] != '"') || name_end == std::string::npos)
    throw PpFault{"#include without the name of a header"};
  const std::string name = spelled.substr(1, name_end - 1);
  if (is_library_header(name)) return include_library(name, begin, end);
  if (is_next) throw PpFault{"#include_next of a header that is given is not supported"};
  const std::optional<IncludedText> header = all_.path.find(name, close == '"', place_);
  if (header) {
    include_text(*header, begin, end);
    if (only_once) all_.once.insert(header->place.key());
    return;
  }
  if (has_arm_substitute(name)) return include_library("arm_acle.h", begin, end);
  all_.out.missing.push_back({printable_name(name), file_.shown(), static_cast<std::uint32_t>(file_.line_at(begin))});
  put_newlines(begin, end);
}

void FileWalk::include_library(const std::string& name, std::uint64_t begin, std::uint64_t end) {
  const std::string known = known_header(name);
  all_.macros.see_library();
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
  if (++all_.headers > all_.options.max_headers) file_.fail(begin, "includes more than 20,000 headers");
  if (++all_.depth > all_.options.max_depth) file_.fail(begin, "headers that include each other deeper than 100");
  const std::string name = printable_name(header.place.name);
  put("\n" + line_mark(1, name));
  FileWalk walk(all_, header.text, name, all_.path.shown(header.place), header.place);
  walk.run();
  --all_.depth;
  if (const std::string own = walk.guard(); !own.empty()) all_.guards[key] = own;
  const std::uint64_t line = file_.line_at(begin) + file_.newlines(begin, end);
  put("\n" + line_mark(line, name_));
}

}  // namespace detent::models::tvm
