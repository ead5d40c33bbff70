#include "models/import/tvm/preprocess/condition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "models/import/tvm/tree/operators.hpp"

namespace detent::models::tvm {
namespace {

using TokenKind = PpToken::Kind;

struct Number {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
  [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(bits); }
};

constexpr std::uint32_t kMostDepth = 200;

Number truth(bool value) { return {value ? 1U : 0U, false}; }

/// Levels of operators, those that bind loosest first; kNone fills a row.
constexpr std::array<std::array<BinaryOperator, 4>, 10> kLevels = {
    {{BinaryOperator::kLogicOr},
     {BinaryOperator::kLogicAnd},
     {BinaryOperator::kBitOr},
     {BinaryOperator::kBitXor},
     {BinaryOperator::kBitAnd},
     {BinaryOperator::kEqual, BinaryOperator::kNotEqual},
     {BinaryOperator::kLess, BinaryOperator::kGreater, BinaryOperator::kLessEqual, BinaryOperator::kGreaterEqual},
     {BinaryOperator::kShiftLeft, BinaryOperator::kShiftRight},
     {BinaryOperator::kAdd, BinaryOperator::kSubtract},
     {BinaryOperator::kMultiply, BinaryOperator::kDivide, BinaryOperator::kRemainder}}};

class Evaluator {
 public:
  explicit Evaluator(const std::vector<PpToken>& tokens) : tokens_(tokens) {}

  bool run() {
    const Number result = select(true);
    if (at_ != tokens_.size()) throw PpFault{"\"" + tokens_[at_].text + "\" is not expected in a condition"};
    return result.bits != 0;
  }

 private:
  [[nodiscard]] bool sees(std::string_view sign) const { return at_ < tokens_.size() && tokens_[at_].is_sign(sign); }
  bool takes(std::string_view sign) {
    if (!sees(sign)) return false;
    ++at_;
    return true;
  }

  /// @param live  false: behind an operator that does not ask for it
  Number select(bool live) {
    if (++depth_ > kMostDepth) throw PpFault{"a condition nested deeper than " + std::to_string(kMostDepth)};
    Number result = binary(0, live);
    if (takes("?")) {
      const bool first = result.bits != 0;
      const Number held = select(live && first);
      if (!takes(":")) throw PpFault{"? without : in a condition"};
      const Number failed = select(live && !first);
      result = first ? held : failed;
      result.is_unsigned = held.is_unsigned || failed.is_unsigned;
    }
    --depth_;
    return result;
  }

  /// The operator at this place if it is of this level. @return  kNone: there is none
  [[nodiscard]] BinaryOperator operator_of(std::size_t level) const {
    if (at_ == tokens_.size() || tokens_[at_].kind != TokenKind::kSign) return BinaryOperator::kNone;
    const BinaryOperator op = binary_operator(tokens_[at_].text);
    const bool is_of_level = std::find(kLevels[level].begin(), kLevels[level].end(), op) != kLevels[level].end();
    return is_of_level ? op : BinaryOperator::kNone;
  }

  Number binary(std::size_t level, bool live) {
    if (level == kLevels.size()) return unary(live);
    Number left = binary(level + 1, live);
    for (;;) {
      const BinaryOperator op = operator_of(level);
      if (op == BinaryOperator::kNone) return left;
      ++at_;
      const bool asks = op == BinaryOperator::kLogicOr    ? left.bits == 0
                        : op == BinaryOperator::kLogicAnd ? left.bits != 0
                                                          : true;
      const Number right = binary(level + 1, live && asks);
      left = combine(op, left, right, live && asks);
    }
  }

  static Number combine(BinaryOperator op, Number a, Number b, bool live) {
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (op) {
      case BinaryOperator::kLogicOr:
        return truth(a.bits != 0 || b.bits != 0);
      case BinaryOperator::kLogicAnd:
        return truth(a.bits != 0 && b.bits != 0);
      case BinaryOperator::kEqual:
        return truth(a.bits == b.bits);
      case BinaryOperator::kNotEqual:
        return truth(a.bits != b.bits);
      case BinaryOperator::kLess:
        return truth(is_less(a, b, is_unsigned));
      case BinaryOperator::kGreater:
        return truth(is_less(b, a, is_unsigned));
      case BinaryOperator::kLessEqual:
        return truth(!is_less(b, a, is_unsigned));
      case BinaryOperator::kGreaterEqual:
        return truth(!is_less(a, b, is_unsigned));
      case BinaryOperator::kShiftLeft:
      case BinaryOperator::kShiftRight:
        return shifted(op, a, b, live);
      case BinaryOperator::kDivide:
      case BinaryOperator::kRemainder:
        return {quotient(op, a, b, is_unsigned, live), is_unsigned};
      case BinaryOperator::kBitOr:
        return {a.bits | b.bits, is_unsigned};
      case BinaryOperator::kBitXor:
        return {a.bits ^ b.bits, is_unsigned};
      case BinaryOperator::kBitAnd:
        return {a.bits & b.bits, is_unsigned};
      case BinaryOperator::kAdd:
        return {a.bits + b.bits, is_unsigned};
      case BinaryOperator::kSubtract:
        return {a.bits - b.bits, is_unsigned};
      case BinaryOperator::kMultiply:
        return {a.bits * b.bits, is_unsigned};
      case BinaryOperator::kNone:
      case BinaryOperator::kComma:
        break;
    }
    return {};
  }

  static bool is_less(Number a, Number b, bool is_unsigned) {
    return is_unsigned ? a.bits < b.bits : a.value() < b.value();
  }

  /// Compilers differ in what they make of a count that is negative or too large.
  static Number shifted(BinaryOperator op, Number a, Number b, bool live) {
    if (b.bits > 63) {
      if (live) throw PpFault{"a condition shifts by less than 0 or more than 63 bits"};
      return a;
    }
    if (op == BinaryOperator::kShiftLeft) return {a.bits << b.bits, a.is_unsigned};
    return {a.is_unsigned ? a.bits >> b.bits : static_cast<std::uint64_t>(a.value() >> b.bits), a.is_unsigned};
  }

  static std::uint64_t quotient(BinaryOperator op, Number a, Number b, bool is_unsigned, bool live) {
    const bool divides = op == BinaryOperator::kDivide;
    if (b.bits == 0) {
      if (live) throw PpFault{"a condition divides by zero"};
      return 0;
    }
    if (is_unsigned) return divides ? a.bits / b.bits : a.bits % b.bits;
    if (b.value() == -1) return divides ? 0 - a.bits : 0;
    return static_cast<std::uint64_t>(divides ? a.value() / b.value() : a.value() % b.value());
  }

  Number unary(bool live) {
    if (++depth_ > kMostDepth) throw PpFault{"a condition nested deeper than " + std::to_string(kMostDepth)};
    Number result;
    if (takes("!")) {
      result = truth(unary(live).bits == 0);
    } else if (takes("-")) {
      result = unary(live);
      result.bits = 0 - result.bits;
    } else if (takes("+")) {
      result = unary(live);
    } else if (takes("~")) {
      result = unary(live);
      result.bits = ~result.bits;
    } else if (takes("(")) {
      result = select(live);
      if (!takes(")")) throw PpFault{"( without ) in a condition"};
    } else {
      result = operand();
    }
    --depth_;
    return result;
  }

  Number operand() {
    if (at_ == tokens_.size()) throw PpFault{"a condition that ends too early"};
    const PpToken& token = tokens_[at_++];
    if (token.kind == TokenKind::kWord) {
      if (token.text == "defined" || token.text.starts_with("__has_"))
        throw PpFault{token.text + " from a macro, or without its operand"};
      return {};
    }
    if (token.kind == TokenKind::kNumber) return number(token.text);
    if (token.kind == TokenKind::kQuoted && token.text[0] == '\'') return character(token.text);
    throw PpFault{"\"" + token.text + "\" is not expected in a condition"};
  }

  static Number character(const std::string& text) {
    static constexpr std::string_view kEscapes = "'\"?\\abfnrtv0", kValues = "'\"?\\\a\b\f\n\r\t\v";
    const std::string_view inside = std::string_view(text).substr(1, text.size() - 2);
    if (inside.size() == 1 && inside[0] != '\\' && (inside[0] & 0x80) == 0)
      return {static_cast<std::uint64_t>(inside[0]), false};
    const std::size_t escape = inside.size() == 2 && inside[0] == '\\' ? kEscapes.find(inside[1]) : std::string::npos;
    if (escape == std::string::npos) throw PpFault{text + " is not supported in a condition"};
    return {escape < kValues.size() ? static_cast<std::uint64_t>(kValues[escape]) : 0, false};
  }

  static bool is_integer_suffix(std::string_view suffix) {
    static constexpr std::array<std::string_view, 23> kSuffixes = {
        "",   "u",  "U",  "l",   "L",   "ul",  "uL",  "Ul",  "UL",  "lu",  "lU", "Lu",
        "LU", "ll", "LL", "ull", "uLL", "Ull", "ULL", "llu", "llU", "LLu", "LLU"};
    return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
  }

  static Number number(const std::string& text) {
    std::string_view digits = text;
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
      base = 16;
      digits.remove_prefix(2);
    } else if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) {
      base = 2;
      digits.remove_prefix(2);
    } else if (digits.size() > 1 && digits[0] == '0') {
      base = 8;
    }
    Number result;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.bits, base);
    const std::string_view suffix(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
    if (error != std::errc() || !is_integer_suffix(suffix)) throw PpFault{"\"" + text + "\" is not an integer"};
    const bool passes_signed = result.bits > static_cast<std::uint64_t>(INT64_MAX);
    result.is_unsigned = suffix.find_first_of("uU") != std::string_view::npos || passes_signed;
    return result;
  }

  const std::vector<PpToken>& tokens_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace

bool holds_condition(const std::vector<PpToken>& tokens) { return Evaluator(tokens).run(); }

}  // namespace detent::models::tvm
