// Exact intersection of strided sets against marking bytes one by one.
#include "verify/graph/byte_set.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using testing::Random;

std::vector<bool> mark(const ByteSet& set, std::uint64_t size) {
  std::vector<bool> bytes(size, false);
  for (std::uint64_t block = 0; block < set.count; ++block) {
    for (std::uint64_t i = 0; i < set.block_bytes; ++i) bytes[set.begin + block * set.stride_bytes + i] = true;
  }
  return bytes;
}

ByteSet draw(Random& random) {
  ByteSet set;
  set.begin = random.below(40);
  set.block_bytes = 1 + random.below(5);
  set.count = 1 + random.below(9);
  set.stride_bytes = set.count > 1 ? set.block_bytes + random.below(12) : 0;
  return set;
}

TEST(ByteSet, FirstSharedByteEqualsTheByteMap) {
  Random random{9};
  for (int round = 0; round < 20000; ++round) {
    const ByteSet a = draw(random);
    const ByteSet b = draw(random);
    const std::vector<bool> x = mark(a, 256);
    const std::vector<bool> y = mark(b, 256);
    std::uint64_t first = 0;
    while (first < 256 && !(x[first] && y[first])) ++first;
    const auto shared = first_shared_bytes(a, b);
    ASSERT_EQ(shared.has_value(), first < 256) << round;
    if (!shared) continue;
    ASSERT_EQ(shared->begin, first) << round;
    for (std::uint64_t i = shared->begin; i < shared->end; ++i) ASSERT_TRUE(x[i] && y[i]) << round;
  }
}

TEST(ByteSet, BillionsOfBlocksAreDecidedByOnePeriod) {
  const ByteSet even{0, 8, 16, std::uint64_t{1} << 32U};
  const ByteSet odd{8, 8, 48, std::uint64_t{1} << 31U};
  EXPECT_FALSE(first_shared_bytes(even, odd).has_value());
  const ByteSet other{9, 8, 48, std::uint64_t{1} << 31U};
  EXPECT_EQ(first_shared_bytes(even, other)->begin, 16U);
}

TEST(ByteSet, TouchingBlocksBecomeDense) {
  detent_tensor tensor{};
  tensor.offset_bytes = 4;
  tensor.size_bytes = 24;
  tensor.block_bytes = 8;
  tensor.stride_bytes = 8;
  tensor.block_count = 3;
  EXPECT_TRUE(bytes_of(tensor).dense());
  EXPECT_EQ(bytes_of(tensor).end(), 28U);
}

TEST(ByteSet, B41_WrapsAndWrongExtentsAreNotSound) {
  detent_tensor tensor{};
  tensor.size_bytes = 24;
  tensor.block_bytes = 8;
  tensor.stride_bytes = 8;
  tensor.block_count = 3;
  EXPECT_TRUE(has_sound_bytes(tensor));
  tensor.size_bytes = 25;
  EXPECT_FALSE(has_sound_bytes(tensor));
  tensor.size_bytes = 24;
  tensor.offset_bytes = UINT64_MAX - 8;
  EXPECT_FALSE(has_sound_bytes(tensor));
  tensor.offset_bytes = 0;
  tensor.block_count = 0xFFFFFFFFU;
  tensor.stride_bytes = UINT64_MAX / 2;
  EXPECT_FALSE(has_sound_bytes(tensor));
}

}  // namespace
}  // namespace detent::verify
