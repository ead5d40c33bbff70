// B42: tensors that live at the same time are disjoint.
#include <gtest/gtest.h>

#include "tests/effort.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

TEST(CheckOverlap, B42_NamesBothTensors) {
  DescBuilder b = make_diamond();
  b.tensors[3].offset_bytes = 64 + 60;  // c begins on the last four bytes of b; both live at ops 2 and 3
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = 2u, .other_tensor = 3u, .region = 1u});
}

TEST(CheckOverlap, SameBytesAtOtherTimesPass) {
  DescBuilder b = make_diamond();
  b.tensors[1].live_end = 1;
  b.tensors[3].offset_bytes = 0;  // c from op 2 on the bytes of a, which ends at op 1
  b.ops[2].inputs.count = 0;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[1].live_end = 2;
  EXPECT_EQ(check_status(b), DETENT_OVERLAP);
}

TEST(CheckOverlap, TensorsWithoutALifetimeMayShareBytes) {
  DescBuilder b = make_diamond();
  b.tensors[3].offset_bytes = 64;
  b.tensors[3].live_begin = DETENT_NONE;
  b.tensors[3].live_end = DETENT_NONE;
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckOverlap, InterleavedBlocksAreDisjoint) {
  DescBuilder b = make_diamond();
  b.regions[1].size_bytes = 512;
  for (const std::uint64_t offset : {256u, 272u, 288u, 304u}) {
    b.add_tensor({.name = "s",
                  .region = 1,
                  .offset_bytes = offset,
                  .block_bytes = 16,
                  .stride_bytes = 64,
                  .block_count = 4,
                  .live_begin = 0,
                  .live_end = 3});
  }
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[7].offset_bytes = 276;
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = 6u, .other_tensor = 7u});
}

TEST(CheckOverlap, B45_InPlaceOpHandsItsBytesOver) {
  DescBuilder b = make_diamond();
  b.tensors[1].live_end = 2;
  b.tensors[3].offset_bytes = 0;  // "right" (op 2) reads a and writes c on the same bytes
  EXPECT_EQ(check_status(b), DETENT_OVERLAP);
  b.ops[2].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(check_status(b), DETENT_OK);
}

/// The answer by comparing all pairs, for random rectangles of bytes and time.
bool overlap_by_pairs(const std::vector<detent_tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const detent_tensor& a = tensors[i];
      const detent_tensor& b = tensors[j];
      const bool bytes = a.region == b.region && a.offset_bytes < b.offset_bytes + b.size_bytes &&
                         b.offset_bytes < a.offset_bytes + a.size_bytes;
      if (bytes && a.live_begin <= b.live_end && b.live_begin <= a.live_end) return true;
    }
  }
  return false;
}

TEST(CheckOverlap, AgreesWithComparingAllPairs) {
  std::uint64_t state = 3;
  const auto below = [&state](std::uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  };
  int overlaps = 0;
  for (int round = 0; round < 2000; ++round) {
    DescBuilder b;
    b.add_region("r0", DETENT_REGION_WORKSPACE, 4096);
    b.add_region("r1", DETENT_REGION_WORKSPACE, 4096);
    for (int op = 0; op < 30; ++op) b.add_op({});
    const std::uint32_t count = 2 + below(12);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t begin = below(30);
      b.add_tensor({.region = below(2),
                    .offset_bytes = 4 * below(200),
                    .block_bytes = 4 * (1 + below(60)),
                    .live_begin = begin,
                    .live_end = std::min(29u, begin + below(8))});
    }
    const bool expected = overlap_by_pairs(b.tensors);
    overlaps += expected ? 1 : 0;
    ASSERT_EQ(check_status(b), expected ? DETENT_OVERLAP : DETENT_OK) << round;
  }
  EXPECT_GT(overlaps, 400);
  EXPECT_LT(overlaps, 1600);
}

TEST(CheckOverlap, HalfAMillionTensorsOnTheSameBytesPass) {
  DescBuilder b;
  constexpr std::uint32_t kOps = effort(500'000u);
  b.add_region("ws", DETENT_REGION_WORKSPACE, 4096);
  for (std::uint32_t i = 0; i < kOps; ++i) b.add_op({});
  for (std::uint32_t i = 0; i < kOps; ++i) {
    b.add_tensor({.offset_bytes = 64 * (i % 2), .live_begin = i, .live_end = i});
  }
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[kOps - 3].live_end = kOps - 1;
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = kOps - 3, .other_tensor = kOps - 1});
}

}  // namespace
}  // namespace detent::test
