#include "runtime/base/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace detent {
namespace {

/// A mixture of sizes and alignments, as a binding takes them.
std::vector<void*> take_mixture(Arena& arena) {
  return {arena.take(3, 1), arena.take(40, 8), arena.take(1, 128), arena.take(0, 64), arena.take_array<double>(5)};
}

TEST(Arena, MeasuringTakesNothingAndCountsPadding) {
  Arena arena = Arena::measuring();
  for (const void* p : take_mixture(arena)) EXPECT_EQ(p, nullptr);
  EXPECT_TRUE(arena.ok());
  EXPECT_TRUE(arena.is_measuring());
  EXPECT_EQ(arena.max_align(), 128u);
  EXPECT_EQ(arena.used(), 176u);  // 3 | 8..48 | 128..129 | 136..176
  EXPECT_EQ(arena.needed(), 176u + 127u);
}

TEST(Arena, NeededBytesSufficeForEveryBaseAlignment) {
  Arena measured = Arena::measuring();
  take_mixture(measured);
  alignas(128) std::array<std::uint8_t, 512> memory{};
  for (std::size_t shift = 0; shift < 128; ++shift) {
    Arena arena(memory.data() + shift, measured.needed(), measured.max_align());
    take_mixture(arena);
    EXPECT_TRUE(arena.ok()) << shift;
    EXPECT_EQ(arena.used(), measured.used());
  }
}

TEST(Arena, PiecesAreAlignedDisjointAndInside) {
  alignas(128) std::array<std::uint8_t, 512> memory{};
  Arena arena(memory.data() + 1, memory.size() - 1, 128);
  const std::vector<void*> pieces = take_mixture(arena);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[1]) % 8, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[2]) % 128, 0u);
  EXPECT_EQ(pieces[3], nullptr);
  EXPECT_GE(static_cast<std::uint8_t*>(pieces[1]), static_cast<std::uint8_t*>(pieces[0]) + 3);
  EXPECT_LE(static_cast<std::uint8_t*>(pieces[4]) + 40, memory.data() + memory.size());
}

TEST(Arena, F09_OneByteTooFewFails) {
  alignas(128) std::array<std::uint8_t, 512> memory{};
  Arena enough(memory.data(), 176, 128);
  take_mixture(enough);
  EXPECT_TRUE(enough.ok());
  Arena short_by_one(memory.data(), 175, 128);
  take_mixture(short_by_one);
  EXPECT_FALSE(short_by_one.ok());
}

TEST(Arena, FailureIsKept) {
  alignas(8) std::array<std::uint8_t, 16> memory{};
  Arena arena(memory.data(), memory.size(), 8);
  EXPECT_EQ(arena.take(17, 1), nullptr);
  EXPECT_EQ(arena.take(1, 1), nullptr);
  EXPECT_FALSE(arena.ok());
}

TEST(Arena, NothingAfterSeal) {
  alignas(8) std::array<std::uint8_t, 16> memory{};
  Arena arena(memory.data(), memory.size(), 8);
  EXPECT_NE(arena.take(1, 1), nullptr);
  arena.seal();
  EXPECT_EQ(arena.take(1, 1), nullptr);
  EXPECT_FALSE(arena.ok());
}

TEST(Arena, SumsThatWrapFail) {
  Arena arena = Arena::measuring();
  arena.take(SIZE_MAX - 10, 1);
  EXPECT_TRUE(arena.ok());
  arena.take(11, 1);
  EXPECT_FALSE(arena.ok());
  EXPECT_EQ(arena.needed(), 0u);
  Arena array = Arena::measuring();
  array.take_array<std::uint64_t>(SIZE_MAX / 8 + 1);
  EXPECT_FALSE(array.ok());
}

TEST(Arena, NoMemoryFails) {
  Arena arena(nullptr, 100, 8);
  EXPECT_FALSE(arena.ok());
  std::array<std::uint8_t, 4> tiny{};
  Arena unalignable(tiny.data() + 1, 2, 128);
  EXPECT_EQ(unalignable.take(1, 1), nullptr);
}

TEST(Arena, CoarserAlignmentThanTheBaseFails) {
  alignas(128) std::array<std::uint8_t, 512> memory{};
  Arena arena(memory.data(), memory.size(), 8);
  EXPECT_EQ(arena.take(1, 16), nullptr);
  EXPECT_FALSE(arena.ok());
}

}  // namespace
}  // namespace detent
