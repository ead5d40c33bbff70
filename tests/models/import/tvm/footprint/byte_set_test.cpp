// ByteSet against a set of positions.
#include "models/import/tvm/footprint/sets/byte_set.hpp"

#include <gtest/gtest.h>

#include <set>

namespace detent::models::tvm {
namespace {

std::set<std::int64_t> positions(const ByteSet& bytes) {
  std::set<std::int64_t> result;
  for (const ByteInterval& one : bytes.intervals()) {
    for (std::int64_t at = one.begin; at < one.end; ++at) result.insert(at);
  }
  return result;
}

ByteSet from_bits(unsigned bits) {
  std::vector<ByteInterval> intervals;
  for (int at = 0; at < 8; ++at) {
    if ((bits >> static_cast<unsigned>(at) & 1U) != 0U) intervals.push_back({at - 3, at - 2});
  }
  return ByteSet::of(intervals);
}

TEST(ByteSet, EveryPairOfSetsOfEightPositions) {
  for (unsigned a = 0; a < 256; a += 3) {
    for (unsigned b = 0; b < 256; ++b) {
      ByteSet both = from_bits(a);
      both.unite(from_bits(b));
      ASSERT_EQ(both, from_bits(a | b));
      ASSERT_EQ(from_bits(a).intersection(from_bits(b)), from_bits(a & b));
      ASSERT_EQ(from_bits(a).difference(from_bits(b)), from_bits(a & ~b));
      ASSERT_EQ(from_bits(a).intersects(from_bits(b)), (a & b) != 0U);
    }
  }
}

TEST(ByteSet, IntervalsAreMergedAndCounted) {
  const ByteSet bytes = ByteSet::of({{8, 12}, {0, 4}, {4, 8}, {20, 24}, {30, 30}});
  EXPECT_EQ(bytes.intervals(), (std::vector<ByteInterval>{{0, 12}, {20, 24}}));
  EXPECT_EQ(bytes.size_bytes(), 16U);
  EXPECT_EQ(bytes.hull(), (ByteInterval{0, 24}));
  EXPECT_EQ(positions(bytes.shifted(-5)).count(-5), 1U);
  EXPECT_TRUE(ByteSet({5, 5}).empty());
}

}  // namespace
}  // namespace detent::models::tvm
