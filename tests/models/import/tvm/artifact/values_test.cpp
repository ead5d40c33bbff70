// Values of initialisers: exact, in every spelling that generated code uses.
#include "models/import/tvm/artifact/values.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/clang/source.hpp"

namespace detent::models::tvm {
namespace {

CType type(CType::Scalar scalar, std::uint32_t bytes, std::vector<std::uint64_t> extents = {}) {
  CType out;
  out.scalar = scalar;
  out.scalar_bytes = bytes;
  out.extents = std::move(extents);
  out.spelling = "the type";
  return out;
}

const CType kFloats = type(CType::Scalar::kFloat, 4, {0}), kDoubles = type(CType::Scalar::kFloat, 8, {0});

std::string read(const std::string& text, const CType& of) {
  CUnit unit;
  unit.file = "lib0.c";
  unit.text = text;
  std::string bytes;
  read_initialiser(unit, {0, text.size()}, of, bytes);
  return bytes;
}

template <typename T>
std::vector<T> values(const std::string& text, const CType& of) {
  const std::string bytes = read(text, of);
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

std::string error_of(const std::string& text, const CType& of) {
  try {
    read(text, of);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CValues, HexadecimalFloatsAreExact) {
  EXPECT_EQ(values<float>("{0x1.9bb498p-5, -0x1.06ec18p-4, 0x1p+0,\n 0x1.fffffep+127, 0x1p-149}", kFloats),
            (std::vector<float>{0x1.9bb498p-5F, -0x1.06ec18p-4F, 1.0F, 0x1.fffffep+127F, 0x1p-149F}));
  EXPECT_EQ(values<double>("{0x1.921fb54442d18p+1, 0x1.921fb54442d18469898cc51701b839p+1}", kDoubles),
            (std::vector<double>{0x1.921fb54442d18p+1, 0x1.921fb54442d18p+1}));
}

TEST(CValues, DecimalFloatsRoundAsACompilerDoes) {
  EXPECT_EQ(values<float>("{1.000000e+00f, -2.5f, .5, 3, 0.1f, 0.1, 1e-45f, 1.17549435e-38F}", kFloats),
            (std::vector<float>{1.0F, -2.5F, 0.5F, 3.0F, 0.1F, static_cast<float>(0.1), 1e-45F, 1.17549435e-38F}));
}

TEST(CValues, B60_InfinitiesAndNansAreValues) {
  const auto list = values<float>("{INFINITY, -INFINITY, NAN, -NAN, __builtin_inff(), __builtin_nanf(\"\")}", kFloats);
  ASSERT_EQ(list.size(), 6U);
  EXPECT_EQ(list[0], INFINITY);
  EXPECT_EQ(list[1], -INFINITY);
  EXPECT_TRUE(std::isnan(list[2]) && std::isnan(list[3]) && std::isnan(list[5]));
  EXPECT_EQ(list[4], INFINITY);
}

TEST(CValues, IntegersOfEveryWidth) {
  EXPECT_EQ(values<std::int8_t>("{+0x7f, -0x80, 0xff, 12}", type(CType::Scalar::kInt, 1, {4})),
            (std::vector<std::int8_t>{127, -128, -1, 12}));
  EXPECT_EQ(values<std::int16_t>("{+0x001d, -0x0010}", type(CType::Scalar::kInt, 2, {2})),
            (std::vector<std::int16_t>{29, -16}));
  EXPECT_EQ(values<std::int32_t>("{2147483647, -2147483648, 010}", type(CType::Scalar::kInt, 4, {3})),
            (std::vector<std::int32_t>{INT32_MAX, INT32_MIN, 8}));
  EXPECT_EQ(values<std::uint64_t>("{18446744073709551615UL, 1L}", type(CType::Scalar::kUInt, 8, {2})),
            (std::vector<std::uint64_t>{UINT64_MAX, 1}));
  EXPECT_EQ(read("{true, false, 0x1}", type(CType::Scalar::kBool, 1, {3})), std::string("\1\0\1", 3));
}

TEST(CValues, BracesDesignatorsCommentsAndMissingValues) {
  EXPECT_EQ(values<std::int32_t>("{ {1, 2}, /* three */ {3}, // four\n [3] = {4} }", type(CType::Scalar::kInt, 4, {6})),
            (std::vector<std::int32_t>{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(values<float>("2.5f", type(CType::Scalar::kFloat, 4)), std::vector<float>{2.5F});
}

TEST(CValues, ValuesOutOfTheOrderOfTheirPlacesAreRefused) {
  const CType five = type(CType::Scalar::kInt, 4, {5}), rows = type(CType::Scalar::kInt, 4, {2, 3});
  EXPECT_EQ(values<std::int32_t>("{[0] = 7, 8, [2] = 9}", five), (std::vector<std::int32_t>{7, 8, 9, 0, 0}));
  for (const char* text : {"{[1] = 5}", "{1, [0] = 2}", "{[0] = 1, [2] = 3}", "{[-1] = 5}"}) {
    EXPECT_NE(error_of(text, five).find("only of one dimension and in order"), std::string::npos) << text;
  }
  for (const char* text : {"{[x] = 5}", "{[0 = 5}", "{[0] 5}"}) EXPECT_NE(error_of(text, five), "") << text;
  EXPECT_EQ(values<std::int32_t>("{{1, 2, 3}, {4}}", rows), (std::vector<std::int32_t>{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(values<std::int32_t>("{1, 2, 3, 4, 5}", rows), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 0}));
  for (const char* text : {"{{1}, {2}}", "{{}, {2}, {}}", "{{1, 2}, 3}"}) {
    EXPECT_NE(error_of(text, rows).find("behind a row that has fewer values"), std::string::npos) << text;
  }
  EXPECT_NE(error_of("{[1] = {1, 2, 3}}", rows), "");
  EXPECT_NE(error_of("{{1, 2, 3, 4}}", rows).find("more values than the row holds"), std::string::npos);
  const CType planes = type(CType::Scalar::kInt, 1, {2, 2, 2});
  EXPECT_EQ(read("{{{1, 2}, {3, 4}}, {{5, 6}}}", planes), std::string("\1\2\3\4\5\6\0\0", 8));
  EXPECT_NE(error_of("{{{1, 2}}, {{5, 6}, {7, 8}}}", planes), "") << "a plane with one row";
}

TEST(CValues, StringsFillTheirRows) {
  const CType names = type(CType::Scalar::kInt, 1, {3, 4});
  EXPECT_EQ(read("{\"ab\", \"cdef\", \"\"}", names), std::string("ab\0\0cdef\0\0\0\0", 12));
  EXPECT_NE(error_of("{\"abcde\"}", names).find("longer than its row"), std::string::npos);
}

TEST(CValues, StringsAreBytes) {
  EXPECT_EQ(read("\"\\x43\\x4f\\0\" \"a\\n\"", type(CType::Scalar::kInt, 1, {8})), std::string("CO\0a\n\0\0\0", 8));
}

TEST(CValues, B17_InvalidNumbersAreRefused) {
  for (const char* text :
       {"{1.0.0}", "{0x}", "{0x1.8q}", "{1e}", "{x}", "{--1}", "{1 + 2}", "{0x1p99999999}", "{1e400}", "{\"a\"}"}) {
    EXPECT_EQ(error_of(text, kFloats).rfind("lib0.c:1: ", 0), 0U) << text << " " << error_of(text, kFloats);
  }
  const CType byte = type(CType::Scalar::kInt, 1, {4});
  for (const char* text : {"{256}", "{-129}", "{1.5}", "{18446744073709551616}", "{0x1p3}", "{NAN}", "{08}"}) {
    EXPECT_EQ(error_of(text, byte).rfind("lib0.c:1: ", 0), 0U) << text;
  }
  EXPECT_NE(error_of("{1,\n2,\n1e39f}", kFloats).find("lib0.c:3: "), std::string::npos);
}

TEST(CValues, B10_CountsThatDoNotFit) {
  EXPECT_NE(error_of("{1, 2, 3}", type(CType::Scalar::kInt, 4, {2})).find("more values"), std::string::npos);
  EXPECT_NE(error_of("{1}", type(CType::Scalar::kInt, 4, {UINT64_MAX, 4})).find("larger than"), std::string::npos);
  EXPECT_NE(error_of("{1}", type(CType::Scalar::kRecord, 4)).find("not read"), std::string::npos);
}

TEST(CValues, RandomFloatsSurviveBothSpellings) {
  std::uint64_t state = 42;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto bits = static_cast<std::uint32_t>(state >> 32);
    const float value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) continue;
    char text[128];
    std::snprintf(text, sizeof text, "{%a, %.9gf, %.17g}", static_cast<double>(value), static_cast<double>(value),
                  static_cast<double>(value));
    std::string spelled = text;
    if (spelled.find('.') == std::string::npos && spelled.find('e') == std::string::npos) continue;
    const auto read_back = values<std::uint32_t>(spelled, kFloats);
    ASSERT_EQ(read_back.size(), 3U) << spelled;
    for (const std::uint32_t got : read_back) ASSERT_EQ(got, bits) << spelled;
  }
}

TEST(CValues, ReaderTakesTablesApart) {
  CUnit unit;
  unit.file = "lib1.c";
  unit.text = "{ \"data\" /* name */, shape_0, (4L), -5, {2, 32, 1} }";
  InitialiserReader in(unit, {0, unit.text.size()});
  in.expect('{');
  EXPECT_EQ(in.string(), "data");
  in.expect(',');
  EXPECT_EQ(in.next().text, "shape_0");
  EXPECT_TRUE(in.accept(','));
  EXPECT_EQ(in.integer(), 4);
  in.expect(',');
  EXPECT_EQ(in.integer(), -5);
  in.expect(',');
  EXPECT_THROW(in.integer(), InputError);
}

}  // namespace
}  // namespace detent::models::tvm
