// Footprints that cannot be exact: a superset, no bound, or not understood, and the answer comes at once.
#include <gtest/gtest.h>

#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/footprint/text.hpp"

namespace detent::models::tvm {
namespace {

TEST(Footprint, DataDependentConditionTakesBothSides) {
  const FunctionFootprint f = footprint_of(R"(
int32_t f(int32_t* p0, float* a, float* b) {
  for (int32_t i = 0; i < 4; ++i) {
    if (p0[i] > 0) { a[i] = 1.0f; b[i] = 1.0f; } else { a[i] = 2.0f; }
  }
  return 0;
})");
  expect_exact(f.params[1], {}, bytes({{0, 16}}));  // on either side
  EXPECT_EQ(f.params[2].writes, bytes({{0, 16}}));
  EXPECT_FALSE(f.params[2].writes_exact);
}

TEST(Footprint, ClampedGatherIsBoundedAndUnclampedGatherIsUnbounded) {
  const FunctionFootprint f = footprint_of(R"(
int32_t f(int32_t* p0, float* clamped, float* table, float* any, float* out) {
  for (int32_t i = 0; i < 4; ++i) {
    int32_t v_ = ((0) > (p0[i]) ? (0) : (p0[i]));
    out[i] = clamped[((v_) < (9) ? (v_) : (9))] + table[(p0[i] & 7)] + any[p0[i]];
  }
  return 0;
})");
  EXPECT_EQ(f.params[1].reads, bytes({{0, 40}}));
  EXPECT_FALSE(f.params[1].reads_exact);
  EXPECT_EQ(f.params[2].reads, bytes({{0, 32}}));
  EXPECT_TRUE(f.params[3].reads_unbounded);
  EXPECT_FALSE(f.params[3].writes_unbounded);
}

TEST(Footprint, BytesFurtherThanAnyMemoryReachesHaveNoBound) {
  const FunctionFootprint f = footprint_of(R"(
int32_t f(int8_t* near, int8_t* far, int8_t* before) {
  for (int64_t i = 0; i < 4; ++i) {
    near[(i * (int64_t)281474976710656)] = 1;
    far[(i * (int64_t)1125899906842624)] = 1;
    before[(i * (int64_t)-1125899906842624)] = 1;
  }
  return 0;
})");
  const std::uint64_t step = std::uint64_t{1} << 48U;
  expect_exact(f.params[0], {}, bytes({{0, 1}, {step, step + 1}, {2 * step, 2 * step + 1}, {3 * step, 3 * step + 1}}));
  EXPECT_TRUE(f.params[1].writes_unbounded);
  EXPECT_TRUE(f.params[2].writes_unbounded);
}

TEST(Footprint, ClampInOneExpression) {
  const FunctionFootprint f = footprint_of(R"(
int32_t f(int32_t* p0, float* p1, float* out) {
  for (int32_t i = 0; i < 4; ++i) {
    out[i] = p1[((p0[i]) < (4) ? ((p0[i]) > (0) ? (p0[i]) : (0)) : (4))];
    if ((0 <= p0[i]) && (p0[i] < 10)) { out[(p0[i] + 100)] = 1.0f; }
  }
  return 0;
})");
  EXPECT_EQ(f.params[1].reads, bytes({{0, 20}}));
  EXPECT_EQ(f.params[2].writes, bytes({{0, 16}, {400, 440}}));
  EXPECT_FALSE(f.params[1].reads_exact || f.params[2].writes_exact);
}

TEST(Footprint, MemoryThatOutlivesTheCallIsNotPrivate) {
  EXPECT_FALSE(of_body("static float kept[4]; kept[1] = p0[0];").understood);
  EXPECT_FALSE(of_body("static int32_t calls = 0; calls += 1; out[0] = 1.0f;").understood);
  EXPECT_TRUE(of_body("static const float table[2] = {1.0f, 2.0f}; out[0] = table[1];").understood);
}

TEST(Footprint, UnknownCalleeMayDoAnythingToItsPointers) {
  const FunctionFootprint f = footprint_of(R"(
void accelerate(const float*, float*);
int32_t f(float* p0, float* out, float* other) {
  accelerate(p0, out);
  other[0] = 1.0f;
  return 0;
})");
  EXPECT_TRUE(f.understood);
  EXPECT_TRUE(f.params[0].reads_unbounded);
  EXPECT_FALSE(f.params[0].writes_unbounded);
  EXPECT_TRUE(f.params[1].reads_unbounded && f.params[1].writes_unbounded);
  expect_exact(f.params[2], {}, bytes({{0, 4}}));
}

TEST(Footprint, AddressPassedAsANumberIsStillAnAddress) {
  const FunctionFootprint f = footprint_of(R"(
void launch(uint64_t address);
int32_t f(float* p0, float* out, float* other) {
  uint64_t number = (uint64_t)(uintptr_t)p0;
  launch(number + 4);
  uint64_t kept[1];
  kept[0] = (uint64_t)(uintptr_t)out;
  other[0] = 1.0f;
  return 0;
})");
  EXPECT_TRUE(f.params[0].writes_unbounded);
  EXPECT_TRUE(f.params[1].writes_unbounded);
  expect_exact(f.params[2], {}, bytes({{0, 4}}));
}

TEST(Footprint, SizeWrittenBesideABufferIsKept) {
  const FunctionFootprint f = footprint_of(R"(
void run(const cmsis_nn_context*, const int8_t*, int8_t*);
int32_t f(int8_t* input_, int8_t* output_, uint8_t* pool) {
  void* context_buffer_0_let = (&(pool[64]));
  cmsis_nn_context context= {context_buffer_0_let,108};
  run(&context, input_, output_);
  return 0;
})");
  ASSERT_EQ(f.pool_uses.size(), 1U);
  EXPECT_EQ(f.pool_uses[0].literal_size_bytes, 108U);
  EXPECT_TRUE(f.pool_uses[0].access.writes_unbounded || f.pool_uses[0].access.reads_unbounded);
}

TEST(Footprint, DamagedOrStrangeFunctionsAreOpaque) {
  const CUnit unit = parse_c("int32_t f(float* p0) { no_such_type x; p0[0] = 1.0f; return 0; }\n", "op.c");
  const FunctionFootprint damaged = analyse_function(unit, unit.functions.back());
  EXPECT_FALSE(damaged.understood);
  EXPECT_TRUE(damaged.params[0].writes_unbounded);
  const FunctionFootprint strange = of_body("switch (pool[0]) { case 1: out[0] = 1.0f; }");
  EXPECT_FALSE(strange.understood);
  EXPECT_NE(strange.why, "");
  EXPECT_EQ(strange.line, 2U);
  const FunctionFootprint wild = of_body("float** table = (float**)p0; table[1][2] = 1.0f;");
  EXPECT_FALSE(wild.understood);
}

TEST(Footprint, HostileNestsEndWithASuperset) {
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const std::string v = "i" + std::to_string(i);
    text += "for (int32_t " + v + " = 0; " + v + " < 2147483647; ++" + v + ") ";
  }
  const FunctionFootprint f = of_body(text + "out[((i0 / 3 % 7) * (i1 % 5)) + ((i2 ^ i3) & 15)] = p0[i8 + i9];");
  EXPECT_TRUE(f.understood);
  EXPECT_FALSE(f.params[1].writes_exact);
  EXPECT_TRUE(bytes({{0, 4 * 40}}).difference(f.params[1].writes).empty());
  EXPECT_TRUE(f.params[0].reads_exact);
}

TEST(Footprint, FewPointsAllowedGivesASuperset) {
  const std::string body = "for (int32_t i = 0; i < 100; ++i) { out[(i * i) % 97] = 1.0f; }";
  const FunctionFootprint exact = of_body(body);
  const FunctionFootprint rough = of_body(body, {.max_points = 10});
  EXPECT_TRUE(exact.params[1].writes_exact);
  EXPECT_FALSE(rough.params[1].writes_exact);
  EXPECT_TRUE(exact.params[1].writes.difference(rough.params[1].writes).empty());
  EXPECT_LT(exact.params[1].writes.size_bytes(), rough.params[1].writes.size_bytes());
}

TEST(Footprint, EndlessRecursionIsNotUnderstood) {
  const FunctionFootprint f = footprint_of(
      "static void g(float* o) { o[1] = 2.0f; g(o + 1); g(o + 2); }\nint32_t f(float* out) { g(out); return 0; }\n");
  EXPECT_FALSE(f.understood);
  EXPECT_TRUE(f.params[0].writes_unbounded);
}

}  // namespace
}  // namespace detent::models::tvm
