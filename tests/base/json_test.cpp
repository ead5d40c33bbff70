#include "base/json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/error_text.hpp"

namespace detent {
namespace {

auto parsing(std::string text, JsonLimits limits = {}) {
  return [text = std::move(text), limits] { return JsonDocument::parse(text, "f.json", limits); };
}

/// Parse and hand the root to `use`.
template <typename F>
auto with_root(const std::string& text, F use) {
  return [text, use] {
    const JsonDocument document = JsonDocument::parse(text, "f.json");
    use(document.root());
    return 0;
  };
}

TEST(Json, B15_TheLargestTextIsRead) {
  EXPECT_EQ(JsonDocument::parse("[1, 2]", "f.json", {.max_bytes = 6}).root().size(), 2U);
  EXPECT_EQ(error_text(parsing("[1, 2]", {.max_bytes = 5})), "f.json: larger than 5 bytes");
}

TEST(Json, B15_TheMostDifferentKeysAreRead) {
  const std::string text = "{\"a\": 1,\n\"b\": {\"a\": 2},\n\"c\": 3}";
  EXPECT_EQ(JsonDocument::parse(text, "f.json", {.max_keys = 3}).root().size(), 3U);
  EXPECT_EQ(error_text(parsing(text, {.max_keys = 2})), "f.json: more than 2 different keys");
}

TEST(Json, ValuesOfEveryKind) {
  const JsonDocument document = JsonDocument::parse(
      R"({"n": null, "b": true, "u": 18446744073709551615, "i": -3, "r": 1.5, "s": "ä\n", "a": [1, [2], 3], "o": {}})",
      "f");
  JsonObject object(document.root());
  EXPECT_EQ(object.require("n").kind(), JsonKind::kNull);
  EXPECT_TRUE(object.require("b").as_bool());
  EXPECT_EQ(object.require("u").as_u64(), UINT64_MAX);
  EXPECT_EQ(object.require("i").as_i64(-3, 0), -3);
  EXPECT_EQ(object.require("r").as_number(), 1.5);
  EXPECT_EQ(object.require("s").as_string(), "ä\n");
  EXPECT_EQ(object.require("a").size(), 3U);
  EXPECT_EQ(JsonObject(object.require("o")).value().size(), 0U);
  object.finish();
  std::vector<std::string> paths;
  for (const JsonValue value : object.require("a").elements()) paths.push_back(value.path());
  EXPECT_EQ(paths, (std::vector<std::string>{"a[0]", "a[1]", "a[2]"}));
}

TEST(Json, KeysAreFoundInAnyOrder) {
  const JsonDocument document = JsonDocument::parse(R"({"a": {"x": [1]}, "b": 2, "c": 3})", "f");
  JsonObject object(document.root());
  EXPECT_EQ(object.require("c").as_u64(), 3U);
  EXPECT_FALSE(object.find("d").has_value());
  EXPECT_EQ(object.require("b").as_u64(), 2U);
  EXPECT_EQ(object.require("a").key(), "a");
  object.finish();
}

TEST(Json, MembersOfAnObjectWhoseKeysAreData) {
  const JsonDocument document = JsonDocument::parse(R"({"cpu": 2, "npu": 1})", "f");
  std::string all;
  for (const JsonValue value : document.root().members()) {
    all += std::string(value.key()) + "=" + std::to_string(value.as_u64()) + " ";
  }
  EXPECT_EQ(all, "cpu=2 npu=1 ");
}

TEST(Json, B01_Empty) {
  expect_error(parsing(""), {"f.json: the file is empty"});
  expect_error(parsing("  \n "), {"f.json:2:"});
}

TEST(Json, B04_TruncatedAtEveryByte) {
  const std::string text = R"({"a": [1, -2.5e3, "xAy"], "b": {"c": null, "d": [true, false]}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(error_text(parsing(text.substr(0, length))), "") << length;
  }
  EXPECT_EQ(error_text(parsing(text)), "");
}

TEST(Json, B05_TrailingGarbageAndNulBytes) {
  expect_error(parsing("{}\nx"), {"f.json:2:"});
  expect_error(parsing("{} {}"), {"f.json:1:"});
  expect_error(parsing(std::string("{}\n\0 {}", 7)), {"f.json:2:1: a NUL byte"});
}

TEST(Json, B14_StringsThatAreNotUtf8OrTooLongAreRefused) {
  expect_error(parsing("{\"a\":\n\"\xFF\"}"), {"f.json:2:"});
  expect_error(parsing("[\"\\ud800\"]"), {"f.json:1:"});
  expect_error(parsing("[\"a\nb\"]"), {"f.json:"});
  expect_error(parsing("{\"a\": [\"" + std::string(1U << 20U, 'x') + "\"]}"), {"a: ", "1048576 bytes"});
  expect_error(parsing("{\"" + std::string(1U << 20U, 'x') + "\": 1}"), {"1048576 bytes"});
  expect_error(with_root("[\"a\\u0000b\"]", [](JsonValue v) { (void)(*v.elements().begin()).as_name(); }),
               {"[0]", "control"});
}

TEST(Json, B15_DepthOfAMillion) {
  expect_error(parsing(std::string(1'000'000, '[')), {"deeper than 64"});
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  expect_error(parsing(objects), {"deeper than 64", "a.a.a"});
  EXPECT_EQ(error_text(parsing(std::string(64, '[') + std::string(64, ']'))), "");
  EXPECT_NE(error_text(parsing(std::string(65, '[') + std::string(65, ']'))), "");
}

TEST(Json, B15_NodesAndBytesAreCapped) {
  EXPECT_EQ(error_text(parsing("[1,2,3]", {.max_nodes = 4})), "");
  expect_error(parsing("[1,2,3,4]", {.max_nodes = 4}), {"at most 4"});
  expect_error(parsing("[1,2,3]", {.max_bytes = 6}), {"larger than 6 bytes"});
}

TEST(Json, B16_DuplicateKeys) {
  expect_error(parsing(R"({"a": 1, "a": 2})"), {"duplicate key \"a\""});
  expect_error(parsing(R"({"l": [{"b": {"a": 1}, "a": 2, "b": 3}]})"), {"l[0]: duplicate key \"b\""});
  EXPECT_EQ(error_text(parsing(R"({"a": {"a": {"a": 1}}, "b": {"a": 2}})")), "");
  expect_error(parsing(R"({"a": 1, "a": 2})"), {"\"a\""});
}

TEST(Json, B16_ManyKeysInOneObjectAreCheckedInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  expect_error(parsing(text + "\"k500\": 1}"), {"key \"k500\""});
}

TEST(Json, B17_NumbersThatAreNotIntegersAreRefused) {
  for (const char* number : {"-1", "18446744073709551616", "1.5", "1e-3", "\"1\"", "null", "[1]", "true", "-0.0"}) {
    expect_error(with_root("{\"n\": " + std::string(number) + "}",
                           [](JsonValue v) { (void)JsonObject(v).require("n").as_u64(); }),
                 {"n: expected an integer from 0"});
  }
  for (const char* number : {"1e400", "-1e400", "NaN", "Infinity", "01", "+1", ".5", "1.", "0x10", "--1"}) {
    EXPECT_NE(error_text(parsing(number)), "") << number;
  }
  const auto billion = [](JsonValue v) { EXPECT_EQ(v.as_u64(), 1'300'000'000U); };
  EXPECT_EQ(error_text(with_root("1.3e9", billion)), "");
  for (const char* zero : {"0", "-0"}) {
    EXPECT_EQ(error_text(with_root(zero, [](JsonValue v) { EXPECT_EQ(v.as_u64(), 0U); })), "") << zero;
  }
  const auto small = [](JsonValue v) { (void)v.as_i64(-5, 5); };
  EXPECT_EQ(error_text(with_root("-5", small)), "");
  EXPECT_NE(error_text(with_root("-6", small)), "");
  EXPECT_NE(error_text(with_root("6", small)), "");
  EXPECT_NE(error_text(with_root("9223372036854775808", small)), "");
}

TEST(Json, ErrorsNameLineAndColumn) {
  const auto third = [](JsonValue v) {
    std::size_t index = 0;
    for (const JsonValue element : JsonObject(v).require("b").elements()) {
      if (index++ == 2) (void)element.as_bool();
    }
  };
  const std::string text = "{\"a\\\"]\": [1, {\"x\": null}],\n  \"b\": [true,\n    \"\xC2\xB5\", -7]}";
  expect_error(with_root(text, third), {"f.json:3:10: b[2]: expected true or false, found -7"});
}

TEST(Json, B72_UnknownAndMissingKeys) {
  const auto use = [](JsonValue v) {
    JsonObject object(v);
    (void)object.require("id");
    (void)object.find("name");
    object.finish();
  };
  EXPECT_EQ(error_text(with_root(R"({"id": 1})", use)), "");
  expect_error(with_root(R"({"id": 1, "nmae": 2})", use),
               {"f.json:1:11: nmae: unknown key; did you mean name? Keys here are id, name"});
  expect_error(with_root(R"({"name": 2})", use), {"key \"id\" is missing"});
  expect_error(with_root("[]", use), {"expected an object, found a list"});
}

}  // namespace
}  // namespace detent
