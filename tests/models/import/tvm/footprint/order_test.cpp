// Which buffers an operator may write over which it reads: hand-made orders, then random ones against an interpreter.
#include "models/import/tvm/footprint/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/effort.hpp"
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"
#include "tests/models/import/tvm/footprint/random_overwrite.hpp"
#include "tests/models/import/tvm/footprint/text.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::int64_t kAnywhere = Overwrite::kAnywhere;

std::optional<std::int64_t> most_of(const FunctionFootprint& footprint) {
  const auto found = std::find_if(footprint.overwrites.begin(), footprint.overwrites.end(),
                                  [](const Overwrite& one) { return one.read == 0 && one.written == 1; });
  return found != footprint.overwrites.end() ? std::optional(found->most_displacement) : std::nullopt;
}

/// Of "int32_t f(float* p0, float* out, uint8_t* pool)".
std::optional<std::int64_t> most_of_body(const std::string& body) { return most_of(of_body(body)); }

std::string loop(const std::string& variable, int trips, const std::string& body) {
  return "for (int32_t " + variable + " = 0; " + variable + " < " + std::to_string(trips) + "; ++" + variable + ") {" +
         body + "}";
}

TEST(FootprintOrder, ElementByElementInPlaceOrLower) {
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = p0[i] * 2.0f;")), 0);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = p0[i + 4];")), 16);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i + 4] = p0[i];")), -16);
  EXPECT_EQ(most_of_body(loop("i", 8, loop("j", 8, "out[i * 8 + j] = p0[i * 8 + j];"))), 0);
  EXPECT_EQ(most_of_body(loop("i", 64, "float v = p0[i]; out[i] = v;")), 0);
}

TEST(FootprintOrder, AllReadBeforeAnythingIsWritten) {
  const std::string body = "void* tmp_let = (&(pool[0]));" + loop("i", 64, "((float*)tmp_let)[i] = p0[63 - i];") +
                           loop("j", 64, "out[j] = ((float*)tmp_let)[j];");
  EXPECT_EQ(most_of_body(body), kAnywhere);
}

TEST(FootprintOrder, ReadsThatComeLater) {
  // The whole of p0 for each element of out; the second loop reads again what the first has overwritten.
  EXPECT_EQ(most_of_body(loop("i", 8, "out[i] = 0.0f;" + loop("k", 8, "out[i] = out[i] + p0[k];"))), std::nullopt);
  EXPECT_EQ(most_of_body(loop("i", 8, "out[i] = p0[i];") + loop("j", 8, "out[j] = p0[j];")), std::nullopt);
  // Element i is written before it is read, in the trip itself.
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = 1.0f; out[i] = p0[i];")), -4);
  // Rows are reversed: only what is not read any more, nothing.
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = p0[63 - i];")), std::nullopt);
  // Writing runs ahead: when element 124 is written, 63 is still to be read.
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i * 2] = p0[i];")), (63 - 125) * 4);
}

TEST(FootprintOrder, PairsOfAccessesAreComparedSoFar) {
  const auto copies = [](int count) {
    std::string body;
    for (int i = 0; i < count; ++i) {
      const std::string at = std::to_string(i);
      body += "out[" + at + "] = p0[" + at + "];";
    }
    return body;
  };
  EXPECT_EQ(most_of_body(copies(141)), 0);
  EXPECT_EQ(most_of_body(copies(142)), std::nullopt) << "142 * 142 pairs are more than 20,000";
}

TEST(FootprintOrder, OnlyAnAssignmentEndsItsStatement) {
  const std::string helpers =
      "static inline float get(float* from, int32_t at) { return from[at]; }\n"
      "static inline float put(float* to, int32_t at, float value) { to[at] = value; return value; }\n";
  const auto most = [&](const std::string& statement) {
    return most_of(
        footprint_of(helpers + "int32_t f(float* p0, float* out) {" + loop("i", 64, statement) + "return 0; }\n"));
  };
  EXPECT_EQ(most("out[i] = get(p0, i);"), 0);
  EXPECT_EQ(most("out[i] = get(p0, i) + get(p0, i + 1);"), 0);
  // Which of two calls comes first is the compiler's choice.
  EXPECT_EQ(most("float v = put(out, i, 1.0f) + get(p0, i); out[i] = v;"), -4);
  EXPECT_EQ(most("float v = get(p0, i) + put(out, i, 1.0f); out[i] = v;"), -4);
  // The value of an inner assignment is used, not its time.
  EXPECT_EQ(most("float v = (out[i] = 1.0f) + p0[i]; out[i] = v;"), -4);
}

// One call of two in a statement may read what the other has not written yet.
TEST(FootprintOrder, CallsOfOneStatementHaveNoOrder) {
  const std::string helpers =
      "static inline float get(float* from, int32_t at) { int32_t a = at; int32_t b = a; return from[b]; }\n"
      "static inline float put(float* to, int32_t at, float value) { to[at] = value; return value; }\n"
      "int32_t f(float* p0, float* out) {";
  const FunctionFootprint one =
      footprint_of(helpers + "float v = put(out, 3, 1.0f) + get(out, 3); out[4] = v; return 0; }");
  EXPECT_EQ(one.params[1].reads.intervals(), (bytes({{12, 16}}).intervals()));
  const FunctionFootprint two =
      footprint_of(helpers + "float v = put(out, 3, 1.0f); float w = get(out, 3); out[4] = v + w; return 0; }");
  EXPECT_TRUE(two.params[1].reads.empty());
}

TEST(FootprintOrder, MemcpyIsOneEvent) {
  EXPECT_EQ(most_of_body("memcpy(out, p0, 64);"), std::nullopt);
  EXPECT_EQ(most_of_body("memmove(out, p0, 64);"), std::nullopt);
  EXPECT_EQ(most_of_body("void* tmp_let = (&(pool[0])); memcpy(tmp_let, p0, 64); memcpy(out, tmp_let, 64);"),
            kAnywhere);
}

// What the compiler may assume, it may use: these must not share.
TEST(FootprintOrder, PromisesOfSeparationAreKept) {
  const std::string body = loop("i", 64, "out[i] = p0[i];") + "return 0; }\n";
  EXPECT_EQ(most_of(footprint_of("int32_t f(float* p0, float* out) {" + body)), 0);
  EXPECT_EQ(most_of(footprint_of("int32_t f(float* restrict p0, float* restrict out) {" + body)), std::nullopt);
  EXPECT_EQ(most_of(footprint_of("int32_t f(float* p0, float* __restrict out) {" + body)), std::nullopt);
  EXPECT_EQ(most_of(footprint_of("typedef float* restrict apart;\nint32_t f(float* p0, apart out) {" + body)),
            std::nullopt);
  EXPECT_EQ(most_of(footprint_of("#define APART restrict\nint32_t f(float* p0, float* APART out) {" + body)),
            std::nullopt);
  EXPECT_EQ(most_of(footprint_of("void elsewhere(float* restrict p);\nint32_t f(float* p0, float* out) {" + body)), 0);
  EXPECT_EQ(most_of_body("float* restrict q = out;" + loop("i", 64, "q[i] = p0[i];")), std::nullopt);
  EXPECT_EQ(most_of_body("\n#pragma GCC ivdep\n" + loop("i", 64, "out[i] = p0[i];")), std::nullopt);
}

TEST(FootprintOrder, OneElementTypeOnly) {
  EXPECT_EQ(most_of_body(loop("i", 64, "((int32_t*)out)[i] = (int32_t)p0[i];")), std::nullopt);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = (float)((int32_t*)p0)[i];")), std::nullopt);
  EXPECT_EQ(most_of_body(loop("i", 64, "((int32_t*)out)[i] = ((int32_t*)p0)[i];")), 0);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = ((const float*)p0)[i];")), 0);
  const std::string records = "struct a { float x; }; struct b { float y; };\nint32_t f(float* p0, float* out) {";
  EXPECT_EQ(
      most_of(footprint_of(records + loop("i", 64, "((struct a*)out)[i].x = ((struct b*)p0)[i].y;") + "return 0; }\n")),
      std::nullopt);
  EXPECT_EQ(most_of_body("float* q = (float*)(((uint8_t*)out) + 2);" + loop("i", 64, "q[i] = p0[i];")), std::nullopt);
}

TEST(FootprintOrder, ComparisonOfAddressesForbidsSharing) {
  const std::string body = loop("i", 64, "out[i] = p0[i];");
  EXPECT_EQ(most_of_body("if (p0 == out) { return -1; }" + body), std::nullopt);
  EXPECT_EQ(most_of_body("if (p0 < out) { return -1; }" + body), std::nullopt);
  EXPECT_EQ(most_of_body("if ((out - p0) < 8) { return -1; }" + body), std::nullopt);
  EXPECT_EQ(most_of_body("if (((uintptr_t)p0 & 15) == ((uintptr_t)out & 15)) { out[0] = 1.0f; }" + body), std::nullopt);
  EXPECT_EQ(most_of_body("if (p0 == NULL) { return -1; }" + body), 0);
}

TEST(FootprintOrder, BufferThatIsBothReadAndWrittenForbidsSharing) {
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = out[i] + p0[i];")), std::nullopt);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = p0[i]; p0[i] = 0.0f;")), std::nullopt);
  EXPECT_EQ(most_of_body("int32_t i = 0; while (p0[i] > 0.0f) { out[i] = p0[i]; i = i + 1; }"), std::nullopt);
  EXPECT_EQ(most_of_body(loop("i", 64, "out[i] = p0[(int32_t)p0[i]];")), std::nullopt);
}

/// "": as if the buffers lay apart, at this displacement.
std::string fault_at(const CUnit& unit, std::int64_t displacement) {
  for (const std::uint64_t contents : {1U, 2U}) {
    const auto apart = run_and_read(unit, "op", 1, std::nullopt, contents);
    const auto shared = run_and_read(unit, "op", 1, SharedStart{1, 0, displacement}, contents);
    if (apart != shared) return "displacement " + std::to_string(displacement);
  }
  return "";
}

// Walks that no generator writes; each was also compiled by two compilers and run at these distances.
TEST(FootprintOrder, WalksByHand) {
  struct Walk {
    std::string body;
    std::optional<std::int64_t> most;
  };
  const std::vector<Walk> walks = {
      {"float* a = p0; float* b = out; for (int i = 0; i < 64; ++i) { *b++ = *a++; }", 0},
      {"float* a = p0 + 63; float* b = out; for (int i = 0; i < 64; ++i) { *b++ = *a--; }", std::nullopt},
      {"int i = 0; do { out[i] = p0[i]; ++i; } while (i < 64);", 0},
      {"for (int i = 0; i < 64; i += 2) { out[i] = p0[i]; out[i + 1] = p0[i + 1]; }", 0},
      {"for (int i = 0; i < 64; i += 2) { out[i + 1] = p0[i]; out[i] = p0[i + 1]; }", -4},
      {"for (int i = 0; i < 64; ++i) { out[(i * 5) % 16] = p0[i]; }", -60},
      {"for (int i = 0; i < 64; ++i) { out[i / 4] = p0[i]; }", -60},
      {"for (int i = 0; i < 64; ++i) { out[i] = p0[i / 4]; }", -252},
      {"float x = 0; for (int i = 0; i < 64; ++i) { out[i] = 1.0f, x = p0[i]; out[i] = x; }", -4},
      {"float x = 0; for (int i = 0; i < 64; ++i) { x = out[i] = p0[i]; out[64] = x; }", -256},
      {"for (int i = 0; i < 63; ++i) { if ((out[i] = p0[i]) > 100.0f) { out[i + 1] = p0[i + 1]; } }", -8},
      {"int k = 0; for (int i = 0; i < 32; ++i) { out[k++] = p0[i]; out[k++] = p0[i]; }", -128},
      {"for (int i = 0; i < 64; ++i) { if (p0[i] > 9.0f) continue; out[i] = p0[i]; }", 0},
      {"for (int i = 0; i < 64; ++i) { if (p0[i] > 20.0f) break; out[i] = p0[i]; }", 0},
      {"for (int i = 0; i < 64 && p0[i + 1] > -9.0f; ++i) { out[i] = 1.0f; }", std::nullopt},
      {"for (int i = 0; i < 8; ++i) { for (int j = 0; j < (int)p0[i]; ++j) { out[i * 4 + j] = 1.0f; } }", std::nullopt},
      {"float v = 0; for (int i = 0; i < 64; ++i) { out[i] = v; v = p0[i]; }", -4},
      {"for (int i = 0; i < 8; ++i) { for (int j = 0; j < 8; ++j) { out[j * 8 + i] = p0[i * 8 + j]; } }", -196},
      {"for (int i = 0; i < 16; ++i) { float s = 0; for (int k = 0; k < 4; ++k) { s += p0[i + 16 * k]; } out[i] = s; }",
       0},
      {"for (int i = 0; i < 16; ++i) { float s = 0; for (int k = -1; k < 2; ++k) { s += (i + k >= 0 ? p0[i + k] : "
       "0.0f); } out[i] = s; }",
       -4},
      {"for (int i = 0; i < 64; ++i) { out[i] = (i < 32) ? p0[i] : p0[i - 32]; }", -128},
      {"for (int h = 0; h < 2; ++h) { for (int i = 0; i < 32; ++i) { out[i] = p0[i + h * 32]; } }", 0},
      {"int n = 0; for (int i = 0; i < 64; ++i) { if (p0[i] > 9.0f) { out[n] = p0[i]; n = n + 1; } }", std::nullopt},
      {"for (int i = 63; i >= 0; --i) { float a = p0[i]; for (int k = 0; k < 2; ++k) { out[i * 2 + k] = a; } }",
       std::nullopt},
      {"int b = 0; for (int i = 0; i < 8; ++i) { for (int j = 0; j < 8; ++j) { out[b] = p0[b]; b = b + 1; } b = b - 8; "
       "}",
       std::nullopt},
      {"copy(out, p0, 32); copy(out + 32, p0 + 32, 32);", 0},
      {"copy(out + 32, p0 + 32, 32); copy(out, p0, 32);", std::nullopt},
      {"copy(out, p0 + 32, 32); copy(out + 32, p0, 32);", -128},
      {"for (int i = 0; i < 8; ++i) { copy(out + i * 8, p0 + i * 8, 8); }", 0},
      {"for (int i = 0; i < 8; ++i) { copy(out + i * 8, p0 + (7 - i) * 8, 8); }", std::nullopt}};
  const std::string copy =
      "static inline void copy(float* to, float* from, int32_t count) {\n"
      "  for (int32_t i = 0; i < count; ++i) { to[i] = from[i]; }\n}\n";
  for (const Walk& walk : walks) {
    const CUnit unit = parse_c(copy + "int32_t op(float* p0, float* out) {" + walk.body + " return 0; }\n", "walk.c");
    ASSERT_TRUE(unit.errors.empty()) << walk.body;
    EXPECT_EQ(most_of(analyse_function(unit, *unit.find("op"))), walk.most) << walk.body;
    for (std::int64_t back = 0; walk.most && back < 300; back += 4) {
      EXPECT_EQ(fault_at(unit, *walk.most - back), "") << walk.body;
    }
  }
}

TEST(FootprintOrder, RandomOperatorsComputeTheSameInPlace) {
  std::size_t allowed = 0, exact = 0;
  for (std::uint64_t seed = 1; seed <= effort(300U); ++seed) {
    const std::string text = random_overwrite(seed);
    const CUnit unit = parse_c(text, "random.c");
    const FunctionFootprint footprint = analyse_function(unit, *unit.find("op"));
    ASSERT_TRUE(footprint.understood) << footprint.why << "\n" << text;
    const std::optional<std::int64_t> most = most_of(footprint);
    if (!most) continue;
    ++allowed;
    for (std::int64_t displacement = *most == kAnywhere ? 256 : *most; displacement >= -256;
         displacement -= displacement > 0 ? 20 : 12) {
      ASSERT_EQ(fault_at(unit, displacement), "") << "seed " << seed << ", at most " << *most << "\n" << text;
    }
    if (*most != kAnywhere && !fault_at(unit, *most + 4).empty()) ++exact;
  }
  EXPECT_GT(allowed, effort(50U));
  EXPECT_GT(exact, effort(10U));
}

}  // namespace
}  // namespace detent::models::tvm
