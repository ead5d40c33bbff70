#include "models/import/tvm/tree/operators.hpp"

#include <algorithm>
#include <array>

namespace detent::models::tvm {
namespace {

template <typename Operator>
struct Spelled {
  Operator op;
  std::string_view text;
};

constexpr std::array kUnarySpellings = {
    Spelled{UnaryOperator::kNone, std::string_view()},
    Spelled{UnaryOperator::kPlus, std::string_view("+")},
    Spelled{UnaryOperator::kMinus, std::string_view("-")},
    Spelled{UnaryOperator::kNot, std::string_view("!")},
    Spelled{UnaryOperator::kComplement, std::string_view("~")},
    Spelled{UnaryOperator::kDereference, std::string_view("*")},
    Spelled{UnaryOperator::kAddressOf, std::string_view("&")},
    Spelled{UnaryOperator::kPreIncrement, std::string_view("++x")},
    Spelled{UnaryOperator::kPreDecrement, std::string_view("--x")},
    Spelled{UnaryOperator::kPostIncrement, std::string_view("x++")},
    Spelled{UnaryOperator::kPostDecrement, std::string_view("x--")},
    Spelled{UnaryOperator::kExtension, std::string_view("__extension__")},
    Spelled{UnaryOperator::kReal, std::string_view("__real")},
    Spelled{UnaryOperator::kImaginary, std::string_view("__imag")},
};

constexpr std::array kBinarySpellings = {
    Spelled{BinaryOperator::kNone, std::string_view()},
    Spelled{BinaryOperator::kAdd, std::string_view("+")},
    Spelled{BinaryOperator::kSubtract, std::string_view("-")},
    Spelled{BinaryOperator::kMultiply, std::string_view("*")},
    Spelled{BinaryOperator::kDivide, std::string_view("/")},
    Spelled{BinaryOperator::kRemainder, std::string_view("%")},
    Spelled{BinaryOperator::kShiftLeft, std::string_view("<<")},
    Spelled{BinaryOperator::kShiftRight, std::string_view(">>")},
    Spelled{BinaryOperator::kBitAnd, std::string_view("&")},
    Spelled{BinaryOperator::kBitOr, std::string_view("|")},
    Spelled{BinaryOperator::kBitXor, std::string_view("^")},
    Spelled{BinaryOperator::kLess, std::string_view("<")},
    Spelled{BinaryOperator::kGreater, std::string_view(">")},
    Spelled{BinaryOperator::kLessEqual, std::string_view("<=")},
    Spelled{BinaryOperator::kGreaterEqual, std::string_view(">=")},
    Spelled{BinaryOperator::kEqual, std::string_view("==")},
    Spelled{BinaryOperator::kNotEqual, std::string_view("!=")},
    Spelled{BinaryOperator::kLogicAnd, std::string_view("&&")},
    Spelled{BinaryOperator::kLogicOr, std::string_view("||")},
    Spelled{BinaryOperator::kComma, std::string_view(",")},
};

template <typename Table, typename Operator>
std::string_view spelling_in(const Table& table, Operator op) {
  return std::find_if(table.begin(), table.end(), [op](const auto& row) { return row.op == op; })->text;
}

}  // namespace

std::string_view spelling(UnaryOperator op) { return spelling_in(kUnarySpellings, op); }

std::string_view spelling(BinaryOperator op) { return spelling_in(kBinarySpellings, op); }

BinaryOperator binary_operator(std::string_view spelling) {
  const auto* const found = std::find_if(kBinarySpellings.begin(), kBinarySpellings.end(),
                                         [&](const auto& row) { return row.text == spelling; });
  return found != kBinarySpellings.end() ? found->op : BinaryOperator::kNone;
}

bool is_step(UnaryOperator op) {
  return is_prefix_step(op) || op == UnaryOperator::kPostIncrement || op == UnaryOperator::kPostDecrement;
}

bool is_prefix_step(UnaryOperator op) {
  return op == UnaryOperator::kPreIncrement || op == UnaryOperator::kPreDecrement;
}

bool is_increment(UnaryOperator op) {
  return op == UnaryOperator::kPreIncrement || op == UnaryOperator::kPostIncrement;
}

bool is_comparison(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kLess:
    case BinaryOperator::kGreater:
    case BinaryOperator::kLessEqual:
    case BinaryOperator::kGreaterEqual:
    case BinaryOperator::kEqual:
    case BinaryOperator::kNotEqual:
      return true;
    case BinaryOperator::kNone:
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract:
    case BinaryOperator::kMultiply:
    case BinaryOperator::kDivide:
    case BinaryOperator::kRemainder:
    case BinaryOperator::kShiftLeft:
    case BinaryOperator::kShiftRight:
    case BinaryOperator::kBitAnd:
    case BinaryOperator::kBitOr:
    case BinaryOperator::kBitXor:
    case BinaryOperator::kLogicAnd:
    case BinaryOperator::kLogicOr:
    case BinaryOperator::kComma:
      break;
  }
  return false;
}

}  // namespace detent::models::tvm
