#include "models/import/tvm/artifact/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "base/input_error.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {
namespace {

using Token = InitialiserReader::Token;

constexpr std::uint64_t kMaxConstantBytes = std::uint64_t{1} << 31;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_name_char(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
std::uint32_t hex_digit(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a') + 10U : 99U;
}

/// What reads the values of one initialiser.
class ValueReader {
 public:
  ValueReader(const CUnit& unit, const SourceRange& range, const CType& type, std::string& bytes)
      : in_(unit, range), type_(type), bytes_(bytes) {}
  void read();

 private:
  void value(bool negative);
  void number(const Token& token, bool negative);
  void integer(const Token& token, bool negative);
  void real(const Token& token, bool negative);
  bool short_hexadecimal(std::string_view digits, double& out) const;
  double long_real(const Token& token, std::string_view digits, bool is_hexadecimal, bool single) const;
  void put_real(double value, const Token& token);
  void put(std::uint64_t bits);
  void skip_member();
  void check_index();
  void close_brace(std::uint64_t at);
  void text();
  [[nodiscard]] std::uint64_t row_bytes(std::size_t level) const;

  InitialiserReader in_;
  const CType& type_;
  std::string& bytes_;
  std::uint64_t begin_ = 0;     ///< of the constant within bytes_
  std::uint64_t capacity_ = 0;  ///< bytes; 0: as many as come
  struct Brace {
    std::size_t level = 0;    ///< braces that stand within each other in it
    std::uint64_t begin = 0;  ///< bytes before it
  };
  std::vector<Brace> open_{};
  bool is_inside_row_ = false;  ///< a row was closed that has more values than were given
};

void ValueReader::put(std::uint64_t bits) {
  char out[8];
  for (std::uint32_t i = 0; i < type_.scalar_bytes; ++i) out[i] = static_cast<char>(bits >> (8 * i));
  bytes_.append(out, type_.scalar_bytes);
}

void ValueReader::put_real(double value, const Token& token) {
  if (type_.scalar_bytes == 8) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, 8);
    return put(bits);
  }
  const auto single = static_cast<float>(value);
  if (std::isinf(single) && !std::isinf(value)) in_.fail(token.at, "number too large for float");
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, 4);
  put(bits);
}

/// "1.9bb498p-5" exactly, when it has no more digits than a float holds; the common case, and no rounding at all.
bool ValueReader::short_hexadecimal(std::string_view digits, double& out) const {
  std::uint64_t mantissa = 0;
  std::uint32_t count = 0;
  int exponent = 0;
  bool fraction = false;
  std::size_t i = 0;
  for (; i < digits.size() && digits[i] != 'p' && digits[i] != 'P'; ++i) {
    if (digits[i] == '.') {
      if (fraction) return false;
      fraction = true;
      continue;
    }
    const std::uint32_t digit = hex_digit(digits[i]);
    if (digit > 15 || ++count > 12) return false;
    mantissa = mantissa * 16 + digit;
    if (fraction) exponent -= 4;
  }
  if (count == 0 || i + 1 >= digits.size()) return false;
  std::string_view power = digits.substr(i + 1);
  if (power.front() == '+') power.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), value);
  if (error != std::errc() || end != power.data() + power.size() || value < -900 || value > 900) return false;
  out = std::ldexp(static_cast<double>(mantissa), exponent + value);
  return true;
}

/// Any other real number as a C compiler rounds it: to float when it says so, else to double.
double ValueReader::long_real(const Token& token, std::string_view digits, bool is_hexadecimal, bool single) const {
  const auto format = is_hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const char* const last = digits.data() + digits.size();
  double value = 0;
  float rounded = 0;
  const auto [end, error] = single ? std::from_chars(digits.data(), last, rounded, format)
                                   : std::from_chars(digits.data(), last, value, format);
  if (end != last || error == std::errc::invalid_argument) in_.fail(token.at, "not a number");
  if (error == std::errc()) return single ? static_cast<double>(rounded) : value;
  // Too small or too large: strtod tells which. The program never leaves the C locale.
  const std::string copy = (is_hexadecimal ? "0x" : "") + std::string(digits);
  value = single ? static_cast<double>(std::strtof(copy.c_str(), nullptr)) : std::strtod(copy.c_str(), nullptr);
  if (std::isinf(value)) in_.fail(token.at, "number out of range");
  return value;
}

void ValueReader::real(const Token& token, bool negative) {
  std::string_view digits = token.text;
  const bool is_hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x';
  if (is_hexadecimal) digits.remove_prefix(2);
  const bool has_exponent = digits.find_first_of("pP") != std::string_view::npos;
  bool single = false;
  if (!is_hexadecimal || has_exponent) {
    const char last = digits.empty() ? '0' : static_cast<char>(digits.back() | 0x20);
    single = last == 'f';
    if (single || last == 'l' || last == 'u') digits.remove_suffix(1);
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
  }
  double value = 0;
  if (!is_hexadecimal || !has_exponent || !short_hexadecimal(digits, value)) {
    value = long_real(token, digits, is_hexadecimal, single);
  }
  put_real(negative ? -value : value, token);
}

void ValueReader::integer(const Token& token, bool negative) {
  std::string_view digits = token.text;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.remove_suffix(1);
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x') {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (error == std::errc::result_out_of_range) in_.fail(token.at, "integer out of range");
  if (error != std::errc() || end != digits.data() + digits.size()) in_.fail(token.at, "not an integer");
  const std::uint32_t bits = 8 * type_.scalar_bytes;
  const std::uint64_t most = negative     ? std::uint64_t{1} << (bits - 1)
                             : bits == 64 ? UINT64_MAX
                                          : (std::uint64_t{1} << bits) - 1;
  if (magnitude > most) in_.fail(token.at, "integer does not fit its type, " + type_.spelling);
  put(negative ? 0 - magnitude : magnitude);
}

void ValueReader::number(const Token& token, bool negative) {
  if (type_.scalar == CType::Scalar::kFloat) return real(token, negative);
  integer(token, negative);
}

/// One value behind its sign: a number, a name that stands for one, or the same in parentheses.
void ValueReader::value(bool negative) {
  const Token token = in_.next();
  if (token.kind == Token::Kind::kNumber) return number(token, negative);
  if (token.kind == Token::Kind::kSign && (token.text == "-" || token.text == "+")) {
    if (in_.peek().text == "-" || in_.peek().text == "+") in_.fail(token.at, "two signs before a number");
    return value(token.text == "-");
  }
  if (token.kind == Token::Kind::kWord) {
    const std::string_view word = token.text;
    const bool is_real = type_.scalar == CType::Scalar::kFloat;
    if (!is_real && (word == "true" || word == "false")) return put(word == "true" ? 1 : 0);
    const bool infinite = word == "INFINITY" || word == "HUGE_VALF" || word == "HUGE_VAL" || word == "inf" ||
                          word == "__builtin_inff" || word == "__builtin_inf";
    const bool nan = word == "NAN" || word == "nan" || word == "__builtin_nanf" || word == "__builtin_nan";
    if (is_real && (infinite || nan)) {
      if (in_.accept('(')) {
        if (in_.peek().kind == Token::Kind::kString) in_.next();
        in_.expect(')');
      }
      const double base = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      return put_real(negative ? -base : base, token);
    }
  }
  in_.fail(token.at,
           "expected a number of type " + type_.spelling + ", found '" + std::string(token.text.substr(0, 40)) + "'");
}

/// ".name ="
void ValueReader::skip_member() {
  for (;;) {
    const Token token = in_.next();
    if (token.kind == Token::Kind::kEnd) in_.fail(token.at, "a designator without '='");
    if (token.kind == Token::Kind::kSign && token.text == "=") return;
  }
}

/// "[3] =" of the element that comes next anyway.
void ValueReader::check_index() {
  const std::uint64_t at = in_.next().at;
  const std::int64_t index = in_.integer();
  in_.expect(']');
  in_.expect('=');
  const std::uint64_t next = (bytes_.size() - begin_) / type_.scalar_bytes;
  if (type_.extents.size() != 1 || open_.size() > 1 || index < 0 || static_cast<std::uint64_t>(index) != next) {
    in_.fail(at, "values of named elements are read only of one dimension and in order");
  }
}

/// Of the values within braces that have `level` braces within them; 0: any number.
std::uint64_t ValueReader::row_bytes(std::size_t level) const {
  if (level + 1 >= type_.extents.size()) return 0;
  std::uint64_t bytes = type_.scalar_bytes;
  for (std::size_t at = 0; at <= level; ++at) bytes *= type_.extents[type_.extents.size() - 1 - at];
  return bytes;
}

void ValueReader::close_brace(std::uint64_t at) {
  if (open_.empty()) return;
  const Brace closed = open_.back();
  open_.pop_back();
  if (open_.empty()) return;  // of the constant as a whole
  open_.back().level = std::max(open_.back().level, closed.level + 1);
  const std::uint64_t row = row_bytes(closed.level), given = bytes_.size() - closed.begin;
  if (row != 0 && given > row) in_.fail(at, "more values than the row holds");
  is_inside_row_ = is_inside_row_ || given < row;
}

/// A string; one of several rows is filled up.
void ValueReader::text() {
  const std::uint64_t at = in_.peek().at, row = row_bytes(0);
  const std::string text = in_.string();
  bytes_ += text;
  if (row == 0) return;
  if (text.size() > row) in_.fail(at, "a string longer than its row");
  bytes_.append(row - text.size(), '\0');
}

void ValueReader::read() {
  const bool scalar = type_.scalar == CType::Scalar::kInt || type_.scalar == CType::Scalar::kUInt ||
                      type_.scalar == CType::Scalar::kBool || type_.scalar == CType::Scalar::kFloat;
  const std::uint32_t size = type_.scalar_bytes;
  const bool sized =
      type_.scalar == CType::Scalar::kFloat ? size == 4 || size == 8 : size == 1 || size == 2 || size == 4 || size == 8;
  if (!scalar || !sized || type_.pointers != 0)
    in_.fail(in_.peek().at, "constants of type '" + type_.spelling + "' are not read");
  capacity_ = size;
  for (const std::uint64_t extent : type_.extents) {
    if (extent != 0 && capacity_ > kMaxConstantBytes / extent) in_.fail(in_.peek().at, "a constant larger than 2 GiB");
    capacity_ *= extent;
  }
  begin_ = bytes_.size();
  bool separated = true;
  for (;;) {
    const Token token = in_.peek();
    const bool is_sign = token.kind == Token::Kind::kSign;
    if (token.kind == Token::Kind::kEnd) break;
    if (capacity_ != 0 && bytes_.size() - begin_ > capacity_) in_.fail(token.at, "more values than the type holds");
    if (is_sign && std::string_view("{},()").find(token.text[0]) != std::string_view::npos) {
      separated = separated || token.text == ",";
      if (token.text == "{") open_.push_back({.begin = bytes_.size()});
      if (token.text == "}") close_brace(token.at);
      in_.next();
    } else if (is_sign && token.text == ".") {
      skip_member();
    } else if (is_sign && token.text == "[") {
      check_index();
    } else if (is_inside_row_) {
      in_.fail(token.at, "values behind a row that has fewer values than it holds are not read");
    } else if (!separated) {
      in_.fail(token.at, "expected ',' between values");
    } else {
      separated = false;
      if (token.kind == Token::Kind::kString && size == 1) {
        text();
      } else {
        value(false);
      }
    }
  }
  if (capacity_ == 0) return;
  if (bytes_.size() - begin_ > capacity_) in_.fail(in_.peek().at, "more values than the type holds");
  bytes_.resize(begin_ + capacity_, '\0');  // C: what is not named is zero
}

}  // namespace

InitialiserReader::InitialiserReader(const CUnit& unit, const SourceRange& range)
    : unit_(unit),
      text_(std::string_view(unit.text).substr(0, range.end)),
      pos_(std::min<std::uint64_t>(range.begin, text_.size())) {
  ahead_ = scan();
}

void InitialiserReader::fail(std::uint64_t at, const std::string& what) const {
  const TextPlace place = place_at(unit_.text, at, unit_.file);
  throw InputError(place.file, std::to_string(place.line), what);
}

InitialiserReader::Token InitialiserReader::scan() {
  for (;;) {
    while (pos_ < text_.size() && is_blank(text_[pos_])) ++pos_;
    if (text_.substr(pos_, 2) == "/*") {
      const auto end = text_.find("*/", pos_ + 2);
      pos_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (text_.substr(pos_, 2) == "//") {
      pos_ = std::min(text_.find('\n', pos_), text_.size());
    } else {
      break;
    }
  }
  const std::uint64_t begin = pos_;
  if (begin >= text_.size()) return {Token::Kind::kEnd, "", begin};
  const char c = text_[begin];
  if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) {
    while (pos_ < text_.size() && (is_name_char(text_[pos_]) || text_[pos_] == '.' ||
                                   ((text_[pos_] == '+' || text_[pos_] == '-') &&
                                    std::string_view("pPeE").find(text_[pos_ - 1]) != std::string_view::npos &&
                                    (std::string_view("pP").find(text_[pos_ - 1]) != std::string_view::npos ||
                                     text_.substr(begin, 2).find_first_of("xX") == std::string_view::npos)))) {
      ++pos_;
    }
    return {Token::Kind::kNumber, text_.substr(begin, pos_ - begin), begin};
  }
  if (is_name_char(c)) {
    while (pos_ < text_.size() && is_name_char(text_[pos_])) ++pos_;
    return {Token::Kind::kWord, text_.substr(begin, pos_ - begin), begin};
  }
  if (c == '"') {
    for (++pos_; pos_ < text_.size() && text_[pos_] != '"'; ++pos_) pos_ += text_[pos_] == '\\' ? 1U : 0U;
    pos_ = std::min<std::uint64_t>(pos_, text_.size());
    const Token token{Token::Kind::kString, text_.substr(begin + 1, pos_ - begin - 1), begin};
    pos_ = std::min<std::uint64_t>(pos_ + 1, text_.size());
    return token;
  }
  ++pos_;
  return {Token::Kind::kSign, text_.substr(begin, 1), begin};
}

InitialiserReader::Token InitialiserReader::next() {
  const Token token = ahead_;
  ahead_ = scan();
  return token;
}

bool InitialiserReader::accept(char sign) {
  if (ahead_.kind != Token::Kind::kSign || ahead_.text[0] != sign) return false;
  next();
  return true;
}

void InitialiserReader::expect(char sign) {
  if (!accept(sign))
    fail(ahead_.at, std::string("expected '") + sign + "', found '" + std::string(ahead_.text.substr(0, 40)) + "'");
}

std::int64_t InitialiserReader::integer() {
  std::uint32_t open = 0;
  while (accept('(')) ++open;
  const bool negative = accept('-');
  const Token token = next();
  std::string_view digits = token.text;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.remove_suffix(1);
  const bool is_hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x';
  if (is_hexadecimal) digits.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hexadecimal ? 16 : 10);
  if (token.kind != Token::Kind::kNumber || error != std::errc() || end != digits.data() + digits.size())
    fail(token.at, "expected an integer, found '" + std::string(token.text.substr(0, 40)) + "'");
  while (open-- > 0) expect(')');
  return negative ? -value : value;
}

std::string InitialiserReader::string() {
  if (ahead_.kind != Token::Kind::kString)
    fail(ahead_.at, "expected a string, found '" + std::string(ahead_.text.substr(0, 40)) + "'");
  std::string bytes;
  while (ahead_.kind == Token::Kind::kString) {
    if (!decode_literal(ahead_.text, bytes)) fail(ahead_.at, "an escape that C does not have");
    next();
  }
  return bytes;
}

bool decode_literal(std::string_view text, std::string& bytes) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    if (++i >= text.size()) return false;
    const char c = text[i];
    if (c == '\n') continue;
    if (c == 'x') {
      std::uint32_t value = 0;
      std::size_t digits = 0;
      while (i + 1 < text.size() && hex_digit(text[i + 1]) < 16) {
        value = value * 16 + hex_digit(text[++i]);
        if (++digits > 8) return false;
      }
      if (digits == 0 || value > 255) return false;
      bytes += static_cast<char>(value);
    } else if (c >= '0' && c <= '7') {
      std::uint32_t value = hex_digit(c);
      for (int k = 0; k < 2 && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '7'; ++k)
        value = value * 8 + hex_digit(text[++i]);
      if (value > 255) return false;
      bytes += static_cast<char>(value);
    } else {
      const std::size_t which = std::string_view("nrtabfv\\\"'?").find(c);
      if (which == std::string_view::npos) return false;
      bytes += "\n\r\t\a\b\f\v\\\"'?"[which];
    }
  }
  return true;
}

void read_initialiser(const CUnit& unit, const SourceRange& range, const CType& type, std::string& bytes) {
  ValueReader(unit, range, type, bytes).read();
}

}  // namespace detent::models::tvm
