// A list of mostly one entry.
#include "base/lists/small_list.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

std::vector<int> entries_of(const SmallList<int>& list) { return {list.begin(), list.end()}; }

TEST(SmallList, GrowsFromNoneToMany) {
  SmallList<int> list;
  EXPECT_TRUE(list.empty());
  std::vector<int> expected;
  for (int i = 0; i < 5; ++i) {
    list.push_back(i * i);
    expected.push_back(i * i);
    EXPECT_EQ(entries_of(list), expected);
    EXPECT_EQ(list.size(), expected.size());
    EXPECT_EQ(list.front(), 0);
    EXPECT_EQ(list[list.size() - 1], i * i);
  }
}

TEST(SmallList, IsMadeOfListsOfAnyLength) {
  EXPECT_TRUE(SmallList<int>(std::vector<int>{}).empty());
  EXPECT_EQ(entries_of(SmallList<int>(std::vector<int>{3})), std::vector<int>{3});
  EXPECT_EQ(entries_of(SmallList<int>(std::vector<int>{3, 4})), (std::vector<int>{3, 4}));
  EXPECT_EQ(entries_of({1}), std::vector<int>{1});
  EXPECT_EQ(entries_of({1, 2, 3}), (std::vector<int>{1, 2, 3}));
}

TEST(SmallList, CopiesStandAlone) {
  SmallList<int> one = {1};
  SmallList<int> copy = one;
  copy.push_back(2);
  EXPECT_EQ(entries_of(one), std::vector<int>{1});
  EXPECT_EQ(entries_of(copy), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace detent
