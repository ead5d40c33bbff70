// Lists behind one another.
#include "base/lists/rows.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace detent {
namespace {

std::vector<int> list_of(std::span<const int> row) { return {row.begin(), row.end()}; }

TEST(Rows, KeepTheOrderInWhichEntriesCome) {
  const std::vector<std::pair<std::size_t, int>> entries = {{2, 7}, {0, 1}, {2, 5}, {0, 3}, {2, 6}};
  const Rows<int> rows(4, [&](const auto& put) {
    for (const auto& [row, entry] : entries) put(row, entry);
  });
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(list_of(rows[0]), (std::vector<int>{1, 3}));
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(list_of(rows[2]), (std::vector<int>{7, 5, 6}));
  EXPECT_TRUE(rows[3].empty());
}

TEST(Rows, EntriesCanBeChanged) {
  Rows<int> rows(2, [](const auto& put) { put(1, 4); });
  rows[1].front() = 5;
  EXPECT_EQ(list_of(std::as_const(rows)[1]), std::vector<int>{5});
}

TEST(Rows, EachOnceIsSortedAndClosesTheGaps) {
  const std::vector<std::pair<std::size_t, int>> entries = {{2, 7}, {0, 3}, {2, 5}, {0, 3}, {2, 7}, {3, 1}, {2, 5}};
  Rows<int> rows(5, [&](const auto& put) {
    for (const auto& [row, entry] : entries) put(row, entry);
  });
  rows.keep_each_once();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows.entry_count(), 4U);
  EXPECT_EQ(list_of(rows[0]), std::vector<int>{3});
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(list_of(rows[2]), (std::vector<int>{5, 7}));
  EXPECT_EQ(list_of(rows[3]), std::vector<int>{1});
  EXPECT_TRUE(rows[4].empty());
  Rows<int> none;
  none.keep_each_once();
  EXPECT_EQ(none.size(), 0U);
}

TEST(Rows, OfNothing) {
  EXPECT_EQ(Rows<int>().size(), 0U);
  EXPECT_EQ(Rows<int>(0, [](const auto&) {}).size(), 0U);
}

}  // namespace
}  // namespace detent
