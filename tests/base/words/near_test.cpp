#include "base/words/near.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace detent {
namespace {

TEST(Near, DistanceCountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("platform", "platform"), 0U);
  EXPECT_EQ(edit_distance("platfrom", "platform"), 1U);
  EXPECT_EQ(edit_distance("yolov8", "yolov8n"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("quad-NPU", "quad_npu"), 0U);
}

/// By the definition: a letter more, less or other, or two neighbours that changed places, and then the rest.
std::size_t by_recursion(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::size_t keeps = by_recursion(a.substr(1), b.substr(1)) + (a[0] == b[0] ? 0 : 1);
  std::size_t least = std::min({keeps, by_recursion(a.substr(1), b) + 1, by_recursion(a, b.substr(1)) + 1});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0]) {
    least = std::min(least, by_recursion(a.substr(2), b.substr(2)) + 1);
  }
  return least;
}

TEST(Near, DistancesOfShortWordsAreThoseOfTheDefinition) {
  std::vector<std::string> words{""};
  for (std::size_t begin = 0; words.size() < 100; ++begin) {
    for (const char c : {'a', 'b', 'c'}) words.push_back(words[begin] + c);
  }
  for (const std::string& a : words) {
    for (const std::string& b : words) ASSERT_EQ(edit_distance(a, b), by_recursion(a, b)) << a << " " << b;
  }
}

/// Up to two letters one slip in two, then two, from nine letters on a third; and one letter at least stays.
TEST(Near, HowFarASlipReaches) {
  const auto is_near = [](const std::string& word, const std::string& name) {
    return nearest(word, std::vector<std::string>{name}).has_value();
  };
  EXPECT_FALSE(is_near("a", "b"));
  EXPECT_TRUE(is_near("ab", "ax"));
  EXPECT_FALSE(is_near("ab", "xy"));
  EXPECT_TRUE(is_near("abc", "axy"));
  EXPECT_FALSE(is_near("abc", "xyz"));
  EXPECT_TRUE(is_near("abcdefgh", "abcdefxy"));
  EXPECT_FALSE(is_near("abcdefgh", "abcdexyz"));
  EXPECT_TRUE(is_near("abcdefghi", "abcdefxyz"));
  EXPECT_FALSE(is_near("abcdefghi", "abcdewxyz"));
  EXPECT_TRUE(is_near("abc", "abcdefghi")) << "what begins so";
  EXPECT_FALSE(is_near("ab", "abcdefghi"));
  EXPECT_EQ(nearest("abcd", std::vector<std::string>{"abxy", "abcx", "abcy"}), "abcx") << "the first of the nearest";
}

TEST(Near, SixtyFourLettersCount) {
  const std::string word(64, 'a');
  EXPECT_EQ(edit_distance(word + "b", word + "c"), 0U);
  EXPECT_EQ(edit_distance(word.substr(1) + "b", word.substr(1) + "c"), 1U);
}

TEST(Near, NearestIsASlipAwayOrNone) {
  const std::vector<std::string> names{"yolov8n", "resnet18", "mobilenetv2", "wide", "quad_npu"};
  EXPECT_EQ(nearest("yolov8", names), "yolov8n");
  EXPECT_EQ(nearest("mobilenet", names), "mobilenetv2");
  EXPECT_EQ(nearest("wied", names), "wide");
  EXPECT_EQ(nearest("quadnpu", names), "quad_npu");
  EXPECT_EQ(nearest("elephant", names), std::nullopt);
  EXPECT_EQ(nearest("x", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("wide", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("wied", names), "; did you mean wide?");
  EXPECT_EQ(did_you_mean("elephant", names), "");
}

TEST(Near, ChoicesEndWithOr) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(choices_text(names), "a, b or c");
  EXPECT_EQ(choices_text(names, 2), "a, b, ...");
  EXPECT_EQ(choices_text(std::vector<std::string>{"a"}), "a");
}

}  // namespace
}  // namespace detent
