// Sets of byte ranges against a table of bytes.
#include "base/byte_ranges.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bitset>

#include "base/random.hpp"

namespace detent {
namespace {

constexpr std::size_t kBytes = 64;
using Bits = std::bitset<kBytes>;

std::vector<ByteRange> any_ranges(RandomSource& random) {
  std::vector<ByteRange> ranges;
  for (std::uint32_t i = random.below(6); i > 0; --i) {
    const std::uint64_t begin = random.below(kBytes);
    ranges.push_back({begin, begin + random.below(static_cast<std::uint32_t>(kBytes - begin) + 1)});
  }
  return ranges;
}

Bits bits_of(const std::vector<ByteRange>& ranges) {
  Bits bits;
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end; ++at) bits.set(at);
  }
  return bits;
}

/// Ascending, none empty, no two that touch.
void expect_set(const ByteRanges& ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_LT(ranges[i].begin, ranges[i].end);
    EXPECT_TRUE(i == 0 || ranges[i - 1].end < ranges[i].begin);
  }
}

TEST(ByteRanges, OperationsOfSetsAreThoseOfTheirBytes) {
  RandomSource random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<ByteRange> any_a = any_ranges(random);
    const std::vector<ByteRange> any_b = any_ranges(random);
    const ByteRanges a = make_ranges(any_a);
    const ByteRanges b = make_ranges(any_b);
    const Bits in_a = bits_of(any_a);
    const Bits in_b = bits_of(any_b);
    for (const ByteRanges& set : {a, b, unite(a, b), intersection(a, b), difference(a, b)}) expect_set(set);
    EXPECT_EQ(bits_of(a), in_a);
    EXPECT_EQ(byte_count(a), in_a.count());
    EXPECT_EQ(bits_of(unite(a, b)), in_a | in_b);
    EXPECT_EQ(bits_of(intersection(a, b)), in_a & in_b);
    EXPECT_EQ(bits_of(difference(a, b)), in_a & ~in_b);
  }
}

TEST(ByteRanges, ChangedBytesAreThoseThatDifferWithinWhatIsCompared) {
  RandomSource random(2);
  for (int round = 0; round < 500; ++round) {
    std::array<std::uint8_t, kBytes> before{};
    std::array<std::uint8_t, kBytes> after{};
    Bits differ;
    for (std::size_t i = 0; i < kBytes; ++i) {
      after[i] = random.below(4) == 0 ? 1 : 0;
      differ[i] = after[i] != 0;
    }
    const ByteRanges compared = make_ranges(any_ranges(random));
    const ByteRanges changed = changed_bytes(compared, before.data(), after.data());
    expect_set(changed);
    EXPECT_EQ(bits_of(changed), differ & bits_of(compared));
  }
}

TEST(ByteRanges, StridedTensorHasOneRangePerBlock) {
  detent_tensor tensor{};
  tensor.offset_bytes = 8;
  tensor.block_bytes = 4;
  tensor.stride_bytes = 10;
  tensor.block_count = 3;
  std::vector<ByteRange> blocks;
  append_blocks(tensor, 100, blocks);
  EXPECT_EQ(blocks, (std::vector<ByteRange>{{108, 112}, {118, 122}, {128, 132}}));
}

}  // namespace
}  // namespace detent
