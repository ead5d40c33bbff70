#include "base/words/list.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

using Words = std::vector<std::string_view>;

TEST(List, WordsStandBetweenCommas) {
  EXPECT_EQ(split_at_commas("cpu,npu"), (Words{"cpu", "npu"}));
  EXPECT_EQ(split_at_commas("64, 64"), (Words{"64", " 64"})) << "blanks stay";
  EXPECT_EQ(split_at_commas("one"), Words{"one"});
}

TEST(List, EmptyWordsAreWords) {
  EXPECT_EQ(split_at_commas(""), Words{""});
  EXPECT_EQ(split_at_commas("a,"), (Words{"a", ""}));
  EXPECT_EQ(split_at_commas(",,b"), (Words{"", "", "b"}));
}

}  // namespace
}  // namespace detent
