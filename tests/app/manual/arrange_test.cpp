#include "app/manual/arrange.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/app/manual/pages.hpp"

namespace detent::app {
namespace {

std::string arranged(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::string text;
  for (const std::string& word : arrange_words(bakery_pages(), words)) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(ArrangeWords, OwnOptionsComeFirstAndTheCommandBehindDashes) {
  EXPECT_EQ(arranged("carry bake rye --heat 3 --out o"), "carry --out o -- bake rye --heat 3");
  EXPECT_EQ(arranged("carry --out o bake rye"), "carry --out o -- bake rye");
  EXPECT_EQ(arranged("carry bake -o o rye -q --seed 1"), "carry -o o -q -- bake rye --seed 1");
}

TEST(ArrangeWords, AValueBehindAnEqualsSignTakesNoFurtherWord) {
  EXPECT_EQ(arranged("carry --out=o bake rye"), "carry --out=o -- bake rye");
  EXPECT_EQ(arranged("carry bake --heat=3 --quiet"), "carry --quiet -- bake --heat=3");
}

TEST(ArrangeWords, WhatStandsBehindTypedDashesIsOfTheInnerCommand) {
  EXPECT_EQ(arranged("carry -q -- bake rye --out o"), "carry -q -- bake rye --out o");
  EXPECT_EQ(arranged("carry bake -- --out o"), "carry -- bake --out o");
}

TEST(ArrangeWords, AnOptionWithoutItsValueStaysAsItWasTyped) {
  EXPECT_EQ(arranged("carry bake --out"), "carry --out -- bake");
  EXPECT_EQ(arranged("carry --out"), "carry --out");
  EXPECT_EQ(arranged("carry"), "carry");
}

TEST(ArrangeWords, LinesOfOtherCommandsStayAsTheyAre) {
  EXPECT_EQ(arranged("bake rye --seed 1 -- --out o"), "bake rye --seed 1 -- --out o");
  EXPECT_EQ(arranged("serve cold --out o"), "serve cold --out o");
  EXPECT_EQ(arranged("fetch --out o"), "fetch --out o");
  EXPECT_EQ(arranged("--quiet carry bake"), "--quiet carry bake");
  EXPECT_EQ(arranged(""), "");
}

}  // namespace
}  // namespace detent::app
