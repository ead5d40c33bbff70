// What compiles with ids and what does not.
#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

namespace detent {
namespace {

template <typename A, typename B>
concept Comparable = requires(A a, B b) {
  a == b;
};
template <typename A, typename B>
concept Ordered = requires(A a, B b) {
  a < b;
};

static_assert(std::is_convertible_v<std::uint32_t, OpId> && std::is_convertible_v<OpId, std::uint32_t>);
static_assert(!std::is_constructible_v<OpId, SlotId> && !std::is_constructible_v<OpId, Position>);
static_assert(!std::is_assignable_v<Rank&, OpId> && !std::is_assignable_v<TensorId&, RegionId>);
static_assert(Comparable<OpId, OpId> && Comparable<OpId, std::uint32_t> && !Comparable<OpId, Position>);
static_assert(Ordered<Rank, Rank> && Ordered<Rank, std::uint32_t> && !Ordered<Rank, SlotId>);
static_assert(sizeof(OpId) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<OpId>);

TEST(Ids, IndexTablesAndCount) {
  const std::vector<int> table{10, 11, 12};
  int sum = 0;
  for (OpId op = 0; op < table.size(); ++op) sum += table[op];
  EXPECT_EQ(sum, 33);
}

TEST(Ids, AreFoundAmongNumbers) {
  const std::vector<std::uint32_t> ops{2, 5, 7};
  EXPECT_TRUE(std::ranges::binary_search(ops, OpId(5)));
  EXPECT_EQ(std::ranges::find(ops, OpId(4)), ops.end());
}

TEST(Ids, AreNumbersInJson) { EXPECT_EQ(nlohmann::ordered_json(OpId(7)).dump(), "7"); }

}  // namespace
}  // namespace detent
