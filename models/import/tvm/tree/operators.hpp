// The operators of C expressions, and how they are written.
#pragma once

#include <cstdint>
#include <string_view>

namespace detent::models::tvm {

enum class UnaryOperator : std::uint8_t {
  kNone,  ///< the expression has no unary operator
  kPlus,
  kMinus,
  kNot,         ///< !x
  kComplement,  ///< ~x
  kDereference,
  kAddressOf,
  kPreIncrement,
  kPreDecrement,
  kPostIncrement,
  kPostDecrement,
  kExtension,  ///< __extension__ x
  kReal,       ///< __real x
  kImaginary   ///< __imag x
};

enum class BinaryOperator : std::uint8_t {
  kNone,  ///< the expression has no binary operator
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitOr,
  kBitXor,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kLogicAnd,
  kLogicOr,
  kComma
};

/// As it is written in C. Increments and decrements show their place: "++x", "x--". @return  "" of kNone
std::string_view spelling(UnaryOperator op);
/// As it is written in C. @return  "" of kNone
std::string_view spelling(BinaryOperator op);
/// The inverse of spelling(). @return  kNone: no binary operator is written so
BinaryOperator binary_operator(std::string_view spelling);

/// ++x, --x, x++, x--
bool is_step(UnaryOperator op);
/// ++x, --x
bool is_prefix_step(UnaryOperator op);
/// ++x, x++
bool is_increment(UnaryOperator op);
/// <, >, <=, >=, ==, !=
bool is_comparison(BinaryOperator op);

}  // namespace detent::models::tvm
