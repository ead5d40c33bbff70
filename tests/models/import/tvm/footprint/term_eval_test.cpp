// What each operation of a term computes: one row each, with arguments that tell it from its neighbours.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::int64_t kLeast = INT64_MIN;

struct WholeRow {
  Op op;
  std::int64_t value;
  std::vector<std::int64_t> args;
  std::int64_t result;
};

std::int64_t whole(Op op, std::int64_t value, const std::vector<std::int64_t>& args,
                   const std::vector<std::int64_t>& coefs = {}) {
  Node node;
  node.op = op;
  node.value = value;
  node.coefs = coefs;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> at;
  for (const std::int64_t arg : args) {
    at.push_back(static_cast<std::uint32_t>(slots.size()));
    slots.push_back({arg, 0});
  }
  return evaluate(node, slots, at).integer;
}

double real(Op op, const std::vector<double>& args, std::int64_t bytes = 8, std::int64_t condition = 0) {
  Node node;
  node.op = op;
  node.value = bytes;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> at;
  if (op == Op::kFloatSelect || op == Op::kFloatOfInt) {
    slots.push_back({condition, 0});
    at.push_back(0);
  }
  for (const double arg : args) {
    at.push_back(static_cast<std::uint32_t>(slots.size()));
    slots.push_back({0, arg});
  }
  return evaluate(node, slots, at).number;
}

std::int64_t compared(Op op, double a, double b) {
  Node node;
  node.op = op;
  return evaluate(node, {{0, a}, {0, b}}, {0, 1}).integer;
}

TEST(TermEval, IntegersAreThoseOfC) {
  const std::vector<WholeRow> rows = {
      {Op::kFloorDiv, 4, {-5}, -2},
      {Op::kFloorDiv, 4, {7}, 1},
      {Op::kFloorMod, 4, {-5}, 3},
      {Op::kDiv, 0, {-7, 2}, -3},
      {Op::kDiv, 0, {7, -1}, -7},
      {Op::kDiv, 0, {kLeast, -1}, kLeast},
      {Op::kDiv, 0, {7, 0}, 0},
      {Op::kMod, 0, {-7, 2}, -1},
      {Op::kMod, 0, {7, -1}, 0},
      {Op::kMod, 0, {7, 0}, 0},
      {Op::kMul, 0, {-3, 5}, -15},
      {Op::kMul, 0, {kLeast, 2}, 0},
      {Op::kShiftLeft, 0, {3, 2}, 12},
      {Op::kShiftLeft, 0, {3, 63}, 0},
      {Op::kShiftLeft, 0, {1, 62}, std::int64_t{1} << 62U},
      {Op::kShiftLeft, 0, {3, -1}, 0},
      {Op::kShiftLeft, 0, {3, 0}, 3},
      {Op::kShiftRight, 0, {-5, 1}, -3},
      {Op::kBitAnd, 0, {6, 3}, 2},
      {Op::kBitOr, 0, {6, 3}, 7},
      {Op::kBitXor, 0, {6, 3}, 5},
      {Op::kGe0, 0, {0}, 1},
      {Op::kGe0, 0, {-1}, 0},
      {Op::kEq0, 0, {0}, 1},
      {Op::kEq0, 0, {1}, 0},
      {Op::kLogicAnd, 0, {2, 0}, 0},
      {Op::kLogicAnd, 0, {0, 2}, 0},
      {Op::kLogicAnd, 0, {2, 4}, 1},
      {Op::kLogicOr, 0, {0, 0}, 0},
      {Op::kLogicOr, 0, {0, 4}, 1},
      {Op::kLogicOr, 0, {4, 0}, 1},
      {Op::kSelect, 0, {1, 5, 6}, 5},
      {Op::kSelect, 0, {0, 5, 6}, 6},
      {Op::kMin, 0, {4, -2}, -2},
      {Op::kMax, 0, {4, -2}, 4},
      {Op::kWrap, 8, {511}, 255},
      {Op::kWrap, 8, {-1}, 255},
      {Op::kWrap, -8, {128}, -128},
      {Op::kWrap, -8, {127}, 127},
      {Op::kWrap, 64, {-1}, -1},
      {Op::kWrap, -64, {-1}, -1},
  };
  for (const WholeRow& row : rows) {
    EXPECT_EQ(whole(row.op, row.value, row.args), row.result)
        << "op " << static_cast<int>(row.op) << " of " << row.args.front();
  }
  EXPECT_EQ(whole(Op::kSum, 7, {2, 3}, {10, -1}), 24);
  EXPECT_EQ(whole(Op::kVariable, 3, {}), 0);
}

TEST(TermEval, FloatsAreThoseOfC) {
  EXPECT_EQ(real(Op::kFloatAdd, {1.5, 0.25}), 1.75);
  EXPECT_EQ(real(Op::kFloatSub, {1.5, 0.25}), 1.25);
  EXPECT_EQ(real(Op::kFloatMul, {1.5, 4}), 6);
  EXPECT_EQ(real(Op::kFloatDiv, {3, 4}), 0.75);
  EXPECT_EQ(real(Op::kFloatNegate, {3}), -3);
  EXPECT_EQ(real(Op::kFloatFloor, {-1.5}), -2);
  EXPECT_EQ(real(Op::kFloatCeil, {-1.5}), -1);
  EXPECT_EQ(real(Op::kFloatRound, {2.5}), 3);
  EXPECT_EQ(real(Op::kFloatNearby, {2.5}), 2);
  EXPECT_EQ(real(Op::kFloatTrunc, {-1.9}), -1);
  EXPECT_EQ(real(Op::kFloatAbs, {-1.5}), 1.5);
  EXPECT_EQ(real(Op::kFloatMin, {4, -2}), -2);
  EXPECT_EQ(real(Op::kFloatMax, {4, -2}), 4);
  EXPECT_EQ(real(Op::kFloatSelect, {5, 6}, 8, 1), 5);
  EXPECT_EQ(real(Op::kFloatSelect, {5, 6}, 8, 0), 6);
  EXPECT_EQ(real(Op::kFloatOfInt, {}, 8, -9), -9);
  EXPECT_EQ(real(Op::kFloatConvert, {0.1}, 4), static_cast<double>(0.1F));
  EXPECT_EQ(real(Op::kFloatConvert, {0.1}, 8), 0.1);
  Node constant;
  constant.op = Op::kFloatConstant;
  constant.number = 0.5;
  EXPECT_EQ(evaluate(constant, {}, {}).number, 0.5);
}

TEST(TermEval, ComparisonsTellEqualFromLess) {
  EXPECT_EQ(compared(Op::kFloatLess, 1, 2), 1);
  EXPECT_EQ(compared(Op::kFloatLess, 2, 2), 0);
  EXPECT_EQ(compared(Op::kFloatLessEqual, 2, 2), 1);
  EXPECT_EQ(compared(Op::kFloatLessEqual, 3, 2), 0);
  EXPECT_EQ(compared(Op::kFloatEqual, 2, 2), 1);
  EXPECT_EQ(compared(Op::kFloatEqual, 2, 3), 0);
}

TEST(TermEval, WhatNoIntegerHoldsIsTruncatedToNothing) {
  Node node;
  node.op = Op::kTruncate;
  const auto truncated = [&](double number) { return evaluate(node, {{0, number}}, {0}).integer; };
  EXPECT_EQ(truncated(-2.75), -2);
  EXPECT_EQ(truncated(std::nan("")), 0);
  EXPECT_EQ(truncated(static_cast<double>(kFar)), 0);
  EXPECT_EQ(truncated(-static_cast<double>(kFar)), 0);
  EXPECT_EQ(truncated(static_cast<double>(kFar) / 2), static_cast<std::int64_t>(static_cast<double>(kFar) / 2));
}

}  // namespace
}  // namespace detent::models::tvm::footprint
