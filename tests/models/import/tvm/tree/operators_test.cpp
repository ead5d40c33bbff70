// Each operator of C -> its place in the tree.
#include "models/import/tvm/tree/operators.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "models/import/tvm/clang/source.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::array kUnary = {
    UnaryOperator::kPlus,          UnaryOperator::kMinus,        UnaryOperator::kNot,
    UnaryOperator::kComplement,    UnaryOperator::kDereference,  UnaryOperator::kAddressOf,
    UnaryOperator::kPreIncrement,  UnaryOperator::kPreDecrement, UnaryOperator::kPostIncrement,
    UnaryOperator::kPostDecrement, UnaryOperator::kExtension,    UnaryOperator::kReal,
    UnaryOperator::kImaginary};

constexpr std::array kBinary = {
    BinaryOperator::kAdd,       BinaryOperator::kSubtract,     BinaryOperator::kMultiply,   BinaryOperator::kDivide,
    BinaryOperator::kRemainder, BinaryOperator::kShiftLeft,    BinaryOperator::kShiftRight, BinaryOperator::kBitAnd,
    BinaryOperator::kBitOr,     BinaryOperator::kBitXor,       BinaryOperator::kLess,       BinaryOperator::kGreater,
    BinaryOperator::kLessEqual, BinaryOperator::kGreaterEqual, BinaryOperator::kEqual,      BinaryOperator::kNotEqual,
    BinaryOperator::kLogicAnd,  BinaryOperator::kLogicOr,      BinaryOperator::kComma};

constexpr std::array kCompound = {BinaryOperator::kAdd,        BinaryOperator::kSubtract,  BinaryOperator::kMultiply,
                                  BinaryOperator::kDivide,     BinaryOperator::kRemainder, BinaryOperator::kShiftLeft,
                                  BinaryOperator::kShiftRight, BinaryOperator::kBitAnd,    BinaryOperator::kBitOr,
                                  BinaryOperator::kBitXor};

/// The expression that is the only statement of f.
Expr parsed(const std::string& code) {
  const CUnit unit = parse_c("void f(int x, int y, int* p) {\n  " + code + ";\n}\n", "f.c");
  EXPECT_TRUE(unit.errors.empty()) << code;
  return unit.expr(unit.stmt(unit.stmt(unit.find("f")->body).body.at(0)).expr);
}

/// "++x" is how an increment is spelled; the others are put before their operand.
std::string applied(UnaryOperator op) {
  const std::string text(spelling(op));
  if (is_step(op)) return text;
  return text + (op == UnaryOperator::kDereference ? " p" : " x");
}

TEST(COperators, EveryUnaryOperatorIsReadAsItIsSpelled) {
  for (const UnaryOperator op : kUnary) {
    const Expr expr = parsed(applied(op));
    EXPECT_TRUE(expr.is(op)) << spelling(op);
    EXPECT_EQ(expr.is_step(), is_step(op)) << spelling(op);
    EXPECT_EQ(expr.args.size(), 1U) << spelling(op);
  }
}

TEST(COperators, EveryBinaryOperatorIsReadAsItIsSpelled) {
  for (const BinaryOperator op : kBinary) {
    const Expr expr = parsed("x " + std::string(spelling(op)) + " y");
    EXPECT_TRUE(expr.is(op)) << spelling(op);
    EXPECT_FALSE(expr.is_plain_assignment()) << spelling(op);
    EXPECT_EQ(binary_operator(spelling(op)), op);
  }
}

TEST(COperators, CompoundAssignmentKeepsItsOperator) {
  for (const BinaryOperator op : kCompound) {
    const Expr expr = parsed("x " + std::string(spelling(op)) + "= y");
    EXPECT_EQ(expr.kind, ExprKind::kAssign) << spelling(op);
    EXPECT_EQ(expr.binary, op);
    EXPECT_FALSE(expr.is(op)) << spelling(op);
    EXPECT_FALSE(expr.is_plain_assignment()) << spelling(op);
  }
  EXPECT_TRUE(parsed("x = y").is_plain_assignment());
}

TEST(COperators, OtherTextIsNotABinaryOperator) {
  for (const char* text : {"", "=", "+=", "!", "++", "<<<", "x"}) {
    EXPECT_EQ(binary_operator(text), BinaryOperator::kNone) << text;
  }
}

TEST(COperators, ComparisonsAreThoseOfC) {
  std::string comparisons;
  for (const BinaryOperator op : kBinary) {
    if (is_comparison(op)) comparisons += " " + std::string(spelling(op));
  }
  EXPECT_EQ(comparisons, " < > <= >= == !=");
}

}  // namespace
}  // namespace detent::models::tvm
