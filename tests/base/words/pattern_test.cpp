#include "base/words/pattern.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace detent {
namespace {

/// By the definition: a star is nothing, or a letter and the same star again.
bool by_force(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return by_force(pattern.substr(1), name) || (!name.empty() && by_force(pattern, name.substr(1)));
  }
  if (name.empty() || (pattern[0] != '?' && pattern[0] != name[0])) return false;
  return by_force(pattern.substr(1), name.substr(1));
}

std::vector<std::string> words_of(const std::string& letters, std::size_t longest) {
  std::vector<std::string> words{""};
  for (std::size_t begin = 0, length = 1; length <= longest; ++length) {
    const std::size_t end = words.size();
    for (; begin < end; ++begin) {
      for (const char c : letters) words.push_back(words[begin] + c);
    }
  }
  return words;
}

TEST(Pattern, EveryShortPatternStandsForWhatItsDefinitionSays) {
  const std::vector<std::string> names = words_of("ab", 5);
  for (const std::string& pattern : words_of("ab*?", 5)) {
    for (const std::string& name : names) {
      ASSERT_EQ(matches(pattern, name), by_force(pattern, name)) << "'" << pattern << "' '" << name << "'";
    }
  }
}

TEST(Pattern, StandsForWholeNames) {
  for (const auto& [pattern, name] : std::vector<std::pair<std::string, std::string>>{{"conv", "conv"},
                                                                                      {"*", ""},
                                                                                      {"*", "conv"},
                                                                                      {"conv*", "conv"},
                                                                                      {"*v", "conv"},
                                                                                      {"c?nv", "conv"},
                                                                                      {"*a*b*c", "xaybzc"},
                                                                                      {"*ab", "aab"},
                                                                                      {"a**b", "ab"},
                                                                                      {"", ""}}) {
    EXPECT_TRUE(matches(pattern, name)) << pattern << " " << name;
  }
  for (const auto& [pattern, name] : std::vector<std::pair<std::string, std::string>>{
           {"conv", "conv1"}, {"conv?", "conv"}, {"*b", "abc"}, {"a*c*e", "abcd"}, {"", "a"}, {"?", ""}}) {
    EXPECT_FALSE(matches(pattern, name)) << pattern << " " << name;
  }
  EXPECT_FALSE(matches(std::string(30, '*') + "b", std::string(100'000, 'a'))) << "many stars take no longer than one";
}

}  // namespace
}  // namespace detent
