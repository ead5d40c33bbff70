#include "models/import/tvm/preprocess/token.hpp"

#include <array>
#include <utility>

#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::array<std::string_view, 27> kSigns = {
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "##", "<:", ":>", "<%", "%>"};

std::uint64_t sign_end(std::string_view text, std::uint64_t at) {
  if (text.substr(at, 2) == "%:") throw PpFault{"%: for # is not supported"};
  if (text.substr(at, 2) == "\\u" || text.substr(at, 2) == "\\U")
    throw PpFault{"a character by its number outside of quotes is not supported"};
  // Behind it a comment or the end of an expansion becomes the end of a line, which it would then join with the next.
  if (text[at] == '\\') throw PpFault{"a backslash outside of quotes is not supported"};
  for (const std::string_view sign : kSigns) {
    if (text.substr(at, sign.size()) == sign) return at + sign.size();
  }
  return at + 1;
}

std::uint64_t quoted_end(std::string_view text, std::uint64_t at) {
  for (std::uint64_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == text[at]) return i + 1;
    if (text[i] == '\\') ++i;
  }
  throw PpFault{"a string or character constant that never ends"};
}

}  // namespace

bool is_quote_prefix(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  const char quote = end < text.size() ? text[end] : ' ';
  if (quote != '"' && quote != '\'') return false;
  const std::string_view word = text.substr(begin, end - begin);
  if (quote == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R"))
    throw PpFault{"a raw string is not supported"};
  return word == "L" || word == "u" || word == "U" || (word == "u8" && quote == '"');
}

PpToken take_token(std::string_view text, std::uint64_t& at) {
  static const std::string kFile;
  const CText reader(text, kFile);
  const std::uint64_t begin = at;
  const char c = text[at];
  PpToken token;
  if (is_digit(c) || (c == '.' && is_digit(reader.at(at + 1)))) {
    token.kind = PpToken::Kind::kNumber;
    at = reader.number_end(at);
  } else if (is_word(c)) {
    token.kind = PpToken::Kind::kWord;
    at = reader.word_end(at);
    if (is_quote_prefix(text, begin, at)) {
      token.kind = PpToken::Kind::kQuoted;
      at = quoted_end(text, at);
    }
  } else if (c == '"' || c == '\'') {
    token.kind = PpToken::Kind::kQuoted;
    at = quoted_end(text, at);
  } else {
    token.kind = PpToken::Kind::kSign;
    at = sign_end(text, at);
  }
  token.text = std::string(text.substr(begin, at - begin));
  return token;
}

std::vector<PpToken> tokens_of(std::string_view line) {
  std::vector<PpToken> tokens;
  bool spaced = false;
  for (std::uint64_t at = 0; at < line.size();) {
    if (is_space(line[at]) || line[at] == '\n') {
      spaced = true;
      ++at;
      continue;
    }
    tokens.push_back(take_token(line, at));
    tokens.back().spaced = std::exchange(spaced, false);
  }
  return tokens;
}

std::string text_of(const std::vector<PpToken>& tokens) {
  std::string text;
  for (const PpToken& token : tokens) {
    if (token.kind == PpToken::Kind::kEmpty) continue;
    if (!text.empty()) text += ' ';
    text += token.text;
  }
  return text;
}

}  // namespace detent::models::tvm
