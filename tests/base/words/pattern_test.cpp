#include "base/words/pattern.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace detent {
namespace {

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
