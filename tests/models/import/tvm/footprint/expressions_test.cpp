// Expressions of which an index or a pointer is made: which element an operator then touches.
#include <gtest/gtest.h>

#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/footprint/text.hpp"

namespace detent::models::tvm {
namespace {

/// The one element of `out` that is written; -1 where it is not one that is known.
std::int64_t element_of(const std::string& body) {
  const FunctionFootprint f = of_body(body);
  EXPECT_TRUE(f.understood) << body << ": " << f.why;
  const AccessSets& sets = f.params[1];
  const auto& intervals = sets.writes.intervals();
  if (!sets.writes_exact || sets.writes_unbounded || intervals.size() != 1) return -1;
  EXPECT_EQ(intervals[0].end - intervals[0].begin, 4U) << body;
  return static_cast<std::int64_t>(intervals[0].begin) / 4;
}

TEST(FootprintOfExpressions, OperatorsHaveTheValuesThatCGivesThem) {
  for (const auto& [index, element] : std::vector<std::pair<std::string, std::int64_t>>{{"(1, 2)", 2},
                                                                                        {"-(-3)", 3},
                                                                                        {"~(-5)", 4},
                                                                                        {"!0", 1},
                                                                                        {"!7", 0},
                                                                                        {"+6", 6},
                                                                                        {"__extension__ 7", 7},
                                                                                        {"17 / 3", 5},
                                                                                        {"17 % 3", 2},
                                                                                        {"3 << 2", 12},
                                                                                        {"13 >> 2", 3},
                                                                                        {"13 & 6", 4},
                                                                                        {"9 | 6", 15},
                                                                                        {"13 ^ 6", 11},
                                                                                        {"7 - 4", 3},
                                                                                        {"(3 < 4)", 1},
                                                                                        {"(4 < 4)", 0},
                                                                                        {"(4 <= 4)", 1},
                                                                                        {"(5 <= 4)", 0},
                                                                                        {"(5 > 4)", 1},
                                                                                        {"(4 > 4)", 0},
                                                                                        {"(4 >= 4)", 1},
                                                                                        {"(3 >= 4)", 0},
                                                                                        {"(3 == 3)", 1},
                                                                                        {"(3 == 4)", 0},
                                                                                        {"(3 != 4)", 1},
                                                                                        {"(3 != 3)", 0},
                                                                                        {"(1 && 2)", 1},
                                                                                        {"(1 && 0)", 0},
                                                                                        {"(0 && 1)", 0},
                                                                                        {"(0 || 2)", 1},
                                                                                        {"(0 || 0)", 0},
                                                                                        {"(1 ? 8 : 9)", 8},
                                                                                        {"(0 ? 8 : 9)", 9},
                                                                                        {"(uint8_t)258", 2},
                                                                                        {"(int8_t)130 + 127", 1},
                                                                                        {"(_Bool)6", 1},
                                                                                        {"sizeof(double)", 8},
                                                                                        {"(int32_t)2.9f", 2}}) {
    EXPECT_EQ(element_of("out[" + index + "] = 1.0f;"), element) << index;
  }
}

TEST(FootprintOfExpressions, AssignmentsAndStepsLeaveTheirValues) {
  for (const auto& [statements, element] :
       std::vector<std::pair<std::string, std::int64_t>>{{"k = 3; k += 4;", 7},
                                                         {"k = 9; k -= 4;", 5},
                                                         {"k = 3; k *= 4;", 12},
                                                         {"k = 9; k /= 4;", 2},
                                                         {"k = 9; k %= 4;", 1},
                                                         {"k = 3; k <<= 2;", 12},
                                                         {"k = 9; k >>= 2;", 2},
                                                         {"k = 13; k &= 6;", 4},
                                                         {"k = 9; k |= 6;", 15},
                                                         {"k = 13; k ^= 6;", 11},
                                                         {"k = 3; ++k;", 4},
                                                         {"k = 3; --k;", 2},
                                                         {"int32_t i = 3; k = i++;", 3},
                                                         {"int32_t i = 3; k = ++i;", 4},
                                                         {"int32_t i = 3; k = i--;", 3},
                                                         {"int32_t i = 3; k = --i;", 2},
                                                         {"int32_t i = 3; i++; k = i;", 4},
                                                         {"int32_t i = 3; i--; k = i;", 2},
                                                         {"int32_t i; k = i = 5;", 5},
                                                         {"1 ? (k = 2) : (k = 5);", 2},
                                                         {"0 ? (k = 2) : (k = 5);", 5},
                                                         {"(void)(1 && (k = 6));", 6},
                                                         {"(void)(0 && (k = 6));", 0},
                                                         {"(void)(1 || (k = 6));", 0},
                                                         {"(void)(0 || (k = 6));", 6}}) {
    EXPECT_EQ(element_of("int32_t k = 0; " + statements + " out[k] = 1.0f;"), element) << statements;
  }
}

TEST(FootprintOfExpressions, APointerThatMayBeEitherOfTwoTouchesBothSomewhere) {
  const FunctionFootprint f = of_body("float* p = p0[0] > 0.0f ? p0 : out; p[1] = 2.0f;");
  EXPECT_TRUE(f.params[0].writes_unbounded);
  EXPECT_TRUE(f.params[1].writes_unbounded);
  EXPECT_FALSE(f.params[2].writes_unbounded || f.params[2].reads_unbounded);
  const FunctionFootprint within = of_body("float* p = p0[0] > 0.0f ? out + 2 : out + 6; p[1] = 2.0f;");
  EXPECT_FALSE(within.params[1].writes_unbounded) << "both are places in one buffer";
  EXPECT_EQ(bytes({{12, 16}, {28, 32}}).difference(within.params[1].writes), bytes({}));
  const FunctionFootprint known = of_body("float* p = 1 ? p0 : out; p[1] = 2.0f;");
  expect_exact(known.params[0], {}, bytes({{4, 8}}));
  expect_exact(known.params[1], {}, {});
}

TEST(FootprintOfExpressions, OfTwoSidesTheDearerOneIsCounted) {
  const auto flops = [](const std::string& body) { return of_body(body).flops; };
  EXPECT_EQ(flops("out[0] = p0[0] + 1.0f;"), 1U);
  EXPECT_EQ(flops("out[0] = -p0[0] * 2.0f;"), 2U);
  EXPECT_EQ(flops("out[0] = pool[0] ? p0[0] + p0[1] + p0[2] : p0[3] * p0[4];"), 2U);
  EXPECT_EQ(flops("out[0] = pool[0] ? p0[3] * p0[4] : p0[0] + p0[1] + p0[2];"), 2U);
  EXPECT_EQ(flops("if (pool[0]) { out[0] = p0[0] * p0[1]; } else { out[0] = p0[0] * p0[1] * p0[2]; }"), 2U);
  EXPECT_EQ(flops("for (int32_t i = 0; i < 8; ++i) { out[i] = p0[i] * 3.0f; }"), 8U);
  EXPECT_EQ(flops("out[0] = sqrtf(p0[0]);"), 1U);
  EXPECT_EQ(flops("out[0] = p0[0];"), 0U);
}

}  // namespace
}  // namespace detent::models::tvm
