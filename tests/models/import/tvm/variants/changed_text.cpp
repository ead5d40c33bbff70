#include "tests/models/import/tvm/variants/changed_text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "tests/support/xorshift.hpp"

namespace detent::models::tvm {
namespace {

using Words = std::vector<std::string>;

const Words kTypes = {"float",    "double",  "int8_t",   "uint8_t", "int16_t", "uint16_t", "int32_t",
                      "uint32_t", "int64_t", "uint64_t", "int",     "char",    "void"};
const Words kQualifiers = {"const", "static", "volatile", "inline", "extern", "unsigned"};
const Words kKeywords = {"for",    "if",   "else", "while",  "do",     "return",  "break", "continue",
                         "switch", "case", "goto", "struct", "sizeof", "default", "union", "typedef"};
/// An operator becomes another one of its row.
const std::vector<Words> kOperators = {{"+", "-", "*", "/", "%"},
                                       {"<", "<=", ">", ">=", "==", "!="},
                                       {"&&", "||"},
                                       {"&", "|", "^"},
                                       {"<<", ">>"},
                                       {"++", "--"},
                                       {"=", "+=", "-=", "*="},
                                       {".", "->"}};
const Words kCasts = {"(int8_t)", "(uint32_t)", "(float*)", "(int64_t)", "!", "~", "-", "&", "*"};

bool is_in(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words, numbers, operators, single characters; blanks, strings and directives as they stand.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_of_word(text[at])) {
      while (end < text.size() &&
             (is_of_word(text[end]) || (text[end] == '.' && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ||
              ((text[end] == '+' || text[end] == '-') && (text[end - 1] == 'e' || text[end - 1] == 'E') &&
               std::isdigit(static_cast<unsigned char>(text[at])) != 0)))
        ++end;
    } else if (text[at] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (text[at] == '#') {
      while (end < text.size() && text[end] != '\n') ++end;
    } else {
      for (const Words& row : kOperators) {
        for (const std::string& sign : row) {
          if (sign.size() == 2 && text.compare(at, 2, sign) == 0) end = at + 2;
        }
      }
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

class Change {
 public:
  Change(const std::string& text, std::uint64_t seed) : tokens_(tokens_of(text)), random_(seed) {}

  /// One kind after the other, from a drawn one on, until one finds its place.
  std::string run() {
    using Kind = bool (Change::*)();
    static const std::vector<Kind> kKinds = {&Change::number,         &Change::sign,
                                             &Change::number,         &Change::type,
                                             &Change::drop_statement, &Change::sign,
                                             &Change::identifier,     &Change::number,
                                             &Change::cast,           &Change::repeat_statement,
                                             &Change::qualifier,      &Change::drop_token,
                                             &Change::identifier,     &Change::swap_statements};
    const std::uint64_t first = pick(kKinds.size());
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      if ((this->*kKinds[(first + i) % kKinds.size()])()) break;
    }
    std::string text;
    for (const std::string& token : tokens_) text += token;
    return text;
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_.below(below); }

  template <typename Is>
  std::vector<std::size_t> places(const Is& is) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(tokens_[i])) found.push_back(i);
    }
    return found;
  }
  /// tokens_.size(): there is none.
  template <typename Is>
  std::size_t any(const Is& is) {
    const std::vector<std::size_t> found = places(is);
    return found.empty() ? tokens_.size() : found[pick(found.size())];
  }
  static bool is_identifier(const std::string& token) {
    return is_of_word(token[0]) && std::isdigit(static_cast<unsigned char>(token[0])) == 0 && !is_in(token, kTypes) &&
           !is_in(token, kQualifiers) && !is_in(token, kKeywords);
  }
  static bool is_blank(const std::string& token) { return std::isspace(static_cast<unsigned char>(token[0])) != 0; }

  bool number() {
    const std::size_t at = any([](const std::string& token) {
      return std::isdigit(static_cast<unsigned char>(token[0])) != 0 && token.find('.') == std::string::npos;
    });
    if (at == tokens_.size()) return false;
    errno = 0;
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(tokens_[at].c_str(), &end, 0);
    const std::string suffix = end;
    if (errno != 0 || suffix.find_first_not_of("uUlL") != std::string::npos) return false;
    switch (pick(7)) {
      case 0:
        return set(at, std::to_string(value + 1) + suffix);
      case 1:
        return value != 0 && set(at, std::to_string(value - 1) + suffix);
      case 2:
        return value < (std::uint64_t{1} << 40U) && set(at, std::to_string(2 * value + 2) + suffix);
      case 3:
        return set(at, "0" + suffix);
      case 4:
        return set(at, "(-" + tokens_[at] + ")");
      case 5:
        return set(at, std::to_string(value / 2) + suffix);
      default:
        return value < (std::uint64_t{1} << 40U) && set(at, std::to_string(value + 4) + suffix);
    }
  }
  bool sign() {
    const Words* of = nullptr;
    const std::size_t at = any([](const std::string& token) {
      return std::any_of(kOperators.begin(), kOperators.end(), [&](const Words& row) { return is_in(token, row); });
    });
    if (at == tokens_.size()) return false;
    for (const Words& row : kOperators) {
      if (is_in(tokens_[at], row)) of = &row;
    }
    return set(at, (*of)[pick(of->size())]);
  }
  bool type() {
    const std::size_t at = any([](const std::string& token) { return is_in(token, kTypes); });
    return at != tokens_.size() && set(at, kTypes[pick(kTypes.size())]);
  }
  bool qualifier() {
    const std::size_t at =
        any([](const std::string& token) { return is_in(token, kTypes) || is_in(token, kQualifiers); });
    if (at == tokens_.size()) return false;
    if (is_in(tokens_[at], kQualifiers)) return set(at, "");
    return set(at, kQualifiers[pick(kQualifiers.size())] + " " + tokens_[at]);
  }
  bool cast() {
    const std::size_t at = any([](const std::string& token) { return is_identifier(token) || token == "("; });
    return at != tokens_.size() && set(at, kCasts[pick(kCasts.size())] + tokens_[at]);
  }
  bool identifier() {
    const std::size_t at = any(is_identifier), from = any(is_identifier);
    return at != tokens_.size() && set(at, tokens_[from]);
  }
  bool drop_token() {
    const std::size_t at = any([](const std::string& token) { return !is_blank(token); });
    return at != tokens_.size() && set(at, "");
  }
  /// From behind the end of the statement before to the semicolon; of a drawn one.
  bool statement(std::size_t& begin, std::size_t& end) {
    const std::vector<std::size_t> ends = places([](const std::string& token) { return token == ";"; });
    if (ends.empty()) return false;
    end = ends[pick(ends.size())] + 1;
    begin = end - 1;
    while (begin > 0 && !is_in(tokens_[begin - 1], {";", "{", "}"})) --begin;
    return true;
  }
  bool drop_statement() {
    std::size_t begin = 0, end = 0;
    if (!statement(begin, end)) return false;
    tokens_.erase(at(begin), at(end));
    return true;
  }
  bool repeat_statement() {
    std::size_t begin = 0, end = 0;
    if (!statement(begin, end)) return false;
    const std::vector<std::string> copy(at(begin), at(end));
    tokens_.insert(at(end), copy.begin(), copy.end());
    return true;
  }
  bool swap_statements() {
    std::size_t begin = 0, end = 0;
    if (!statement(begin, end)) return false;
    const auto next = std::find(at(end), tokens_.end(), ";");
    if (next == tokens_.end()) return false;
    std::rotate(at(begin), at(end), next + 1);
    return true;
  }
  bool set(std::size_t at, const std::string& token) {
    const bool differs = tokens_[at] != token;
    tokens_[at] = token;
    return differs;
  }
  std::vector<std::string>::iterator at(std::size_t place) {
    return tokens_.begin() + static_cast<std::ptrdiff_t>(place);
  }

  std::vector<std::string> tokens_;
  support::Xorshift random_;
};

}  // namespace

std::string changed_text(const std::string& text, std::uint64_t seed) {
  const std::string once = Change(text, seed).run();
  return seed % 3 == 0 ? Change(once, seed + 1).run() : once;
}

}  // namespace detent::models::tvm
