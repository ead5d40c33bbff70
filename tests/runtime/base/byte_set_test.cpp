#include "runtime/base/byte_set.h"

#include <gtest/gtest.h>

#include <set>

namespace detent {
namespace {

detent_tensor blocks(std::uint64_t offset, std::uint64_t block, std::uint64_t stride, std::uint32_t count) {
  detent_tensor t{};
  t.offset_bytes = offset;
  t.block_bytes = block;
  t.stride_bytes = count > 1 ? stride : 0;
  t.block_count = count;
  t.size_bytes = (count - 1) * t.stride_bytes + block;
  return t;
}

TEST(ByteSet, DenseNeighboursAreApart) {
  EXPECT_FALSE(bytes_intersect(blocks(0, 64, 0, 1), blocks(64, 64, 0, 1)));
  EXPECT_TRUE(bytes_intersect(blocks(0, 65, 0, 1), blocks(64, 64, 0, 1)));
}

TEST(ByteSet, RegionsAreApart) {
  detent_tensor a = blocks(0, 64, 0, 1);
  a.region = 1;
  EXPECT_FALSE(bytes_intersect(a, blocks(0, 64, 0, 1)));
}

TEST(ByteSet, InterleavedBandsAreApart) {
  EXPECT_FALSE(bytes_intersect(blocks(0, 32, 64, 8), blocks(32, 32, 64, 8)));
  EXPECT_TRUE(bytes_intersect(blocks(0, 33, 64, 8), blocks(32, 32, 64, 8)));
  EXPECT_FALSE(bytes_intersect(blocks(0, 16, 64, 8), blocks(16, 48, 0, 1)));
}

TEST(ByteSet, HugeBlockCountsAreExact) {
  // Odd bytes and multiples of 4: 2^30 blocks each, never the same byte; shifted by one they meet.
  EXPECT_FALSE(bytes_intersect(blocks(1, 1, 2, 1u << 30), blocks(0, 1, 4, 1u << 30)));
  EXPECT_TRUE(bytes_intersect(blocks(0, 1, 2, 1u << 30), blocks(0, 1, 4, 1u << 30)));
  // Strides 3 and 5 share residue classes: they meet within 15 bytes; a single block of each need not.
  EXPECT_TRUE(bytes_intersect(blocks(0, 1, 3, 1u << 31), blocks(1, 1, 5, 1u << 31)));
  EXPECT_FALSE(bytes_intersect(blocks(0, 1, 3, 2), blocks(1, 1, 5, 2)));
}

std::set<std::uint64_t> bytes_of(const detent_tensor& t) {
  std::set<std::uint64_t> bytes;
  for (std::uint64_t block = 0; block < t.block_count; ++block) {
    for (std::uint64_t i = 0; i < t.block_bytes; ++i) bytes.insert(t.offset_bytes + block * t.stride_bytes + i);
  }
  return bytes;
}

bool intersect_by_listing(const detent_tensor& a, const detent_tensor& b) {
  const std::set<std::uint64_t> bytes = bytes_of(a);
  for (const std::uint64_t byte : bytes_of(b)) {
    if (bytes.count(byte) != 0) return true;
  }
  return false;
}

TEST(ByteSet, AgreesWithListingTheBytes) {
  std::uint64_t state = 1;
  const auto below = [&state](std::uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
  };
  int hits = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto draw = [&] {
      const std::uint64_t block = 1 + below(4);
      return blocks(below(24), block, block + below(9), static_cast<std::uint32_t>(1 + below(6)));
    };
    const detent_tensor a = draw();
    const detent_tensor b = draw();
    const bool expected = intersect_by_listing(a, b);
    hits += expected ? 1 : 0;
    EXPECT_EQ(bytes_intersect(a, b), expected) << round;
    EXPECT_EQ(bytes_intersect(b, a), expected) << round;
  }
  EXPECT_GT(hits, 500);
  EXPECT_LT(hits, 3500);
}

}  // namespace
}  // namespace detent
