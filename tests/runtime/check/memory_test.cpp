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

/// What the application wrote before the run is there until its last reader, whatever the claim says.
TEST(CheckOverlap, B42_InputsLiveFromBeforeTheFirstOp) {
  DescBuilder b = make_diamond();
  b.add_tensor({.name = "late", .region = 1, .offset_bytes = 192, .live_begin = 3, .live_end = 3});
  b.tensor_refs[b.ops[3].inputs.first] = 5;
  b.inputs = {0, 5};
  b.ops[1].outputs.count = 1;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[5].offset_bytes = 0;  // of a, which is dead at op 3, but is written after the application has written here
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = 1u, .other_tensor = 5u});
}

TEST(CheckOverlap, B42_OutputsLiveUntilAfterTheLastOp) {
  DescBuilder b = make_diamond();
  b.tensors[3].offset_bytes = 192;
  b.tensors[4].region = 1;  // out begins at op 3
  b.tensors[4].offset_bytes = 0;
  EXPECT_EQ(check_status(b), DETENT_OK) << "a is dead there";
  b.outputs = {1, 4};
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = 1u, .other_tensor = 4u});
}

/// An op in place takes over the bytes of its input, but not of one that the application still reads.
TEST(CheckOverlap, B42_AnOutputIsNotHandedOver) {
  DescBuilder b = make_diamond();
  b.tensors[4].region = 1;
  b.tensors[4].offset_bytes = 64;  // "join" (op 3) reads b and writes out on the same bytes
  b.ops[3].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.outputs = {2, 4};
  expect_refused(b, {.status = DETENT_OVERLAP, .tensor = 2u, .other_tensor = 4u});
}

/// Ops in the order that check_desc takes: of those whose predecessors are placed, always the lowest id.
std::vector<std::uint32_t> places_naively(std::uint32_t ops, const std::vector<std::vector<bool>>& edges) {
  std::vector<std::uint32_t> place(ops, DETENT_NONE);
  for (std::uint32_t next = 0; next < ops; ++next) {
    for (std::uint32_t op = 0; op < ops; ++op) {
      bool is_ready = place[op] == DETENT_NONE;
      for (std::uint32_t before = 0; before < ops; ++before) {
        is_ready = is_ready && (!edges[before][op] || place[before] != DETENT_NONE);
      }
      if (!is_ready) continue;
      place[op] = next;
      break;
    }
  }
  return place;
}

/// One tensor as it is claimed: bytes, lifetime by place, and what the application does.
struct Claimed {
  std::uint32_t begin, end;  ///< bytes
  std::uint32_t first, last;
  bool is_input, is_output;
  std::uint32_t user;
};

/// What detent_check should say, byte by byte and step by step: step 0 is the application before the run.
detent_status judge_by_bytes(const std::vector<Claimed>& tensors, std::uint32_t ops) {
  std::vector<std::vector<std::uint32_t>> holders(64, std::vector<std::uint32_t>(ops + 2, 0));
  for (const Claimed& t : tensors) {
    for (std::uint32_t byte = t.begin; byte < t.end; ++byte) {
      for (std::uint32_t step = t.is_input ? 0 : t.first + 1; step <= (t.is_output ? ops + 1 : t.last + 1); ++step) {
        if (++holders[byte][step] > 1) return DETENT_OVERLAP;
      }
    }
  }
  for (const Claimed& t : tensors) {
    if (t.user < t.first || t.user > t.last) return DETENT_LIFETIME;
  }
  return DETENT_OK;
}

/// Each op uses one tensor: as scratch, or as an input or an output of the model.
TEST(CheckOverlap, B49_EqualsForceOverBytesAndSteps) {
  std::uint64_t state = 11;
  const auto below = [&state](std::uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  };
  int found[3] = {};
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t ops = 2 + below(5);
    std::vector<std::uint32_t> name(ops);
    for (std::uint32_t i = 0; i < ops; ++i) name[i] = i;
    for (std::uint32_t i = ops; i-- > 1;) std::swap(name[i], name[below(i + 1)]);
    std::vector<std::vector<bool>> edges(ops, std::vector<bool>(ops, false));
    for (std::uint32_t i = 0; i < ops; ++i) {
      for (std::uint32_t k = i + 1; k < ops; ++k) edges[name[i]][name[k]] = below(3) == 0;
    }
    const std::vector<std::uint32_t> place = places_naively(ops, edges);
    std::vector<std::uint32_t> at(ops);
    for (std::uint32_t op = 0; op < ops; ++op) at[place[op]] = op;
    DescBuilder b;
    b.add_region("ws", DETENT_REGION_WORKSPACE, 64);
    std::vector<Claimed> claims;
    for (std::uint32_t op = 0; op < ops; ++op) {
      Claimed t{};
      t.begin = 8 * below(8);
      t.end = t.begin + 8;
      t.user = place[op];
      t.first = below(6) == 0 ? below(ops) : place[op] - below(place[op] + 1) / 2;
      t.last = std::min(ops - 1, std::max(t.first, below(8) == 0 ? t.first : place[op] + below(2)));
      const std::uint32_t role = below(4);
      t.is_input = role == 0;
      t.is_output = role == 1;
      claims.push_back(t);
      const std::uint32_t id = b.add_tensor({.name = "t",
                                             .offset_bytes = t.begin,
                                             .block_bytes = 8,
                                             .align_bytes = 8,
                                             .live_begin = at[t.first],
                                             .live_end = at[t.last]});
      if (t.is_input) b.inputs.push_back(id);
      if (t.is_output) b.outputs.push_back(id);
      OpSpec spec{.name = "op"};
      (t.is_input ? spec.inputs : t.is_output ? spec.outputs : spec.scratch) = {id};
      b.add_op(spec);
    }
    for (std::uint32_t i = 0; i < ops; ++i) {
      for (std::uint32_t k = 0; k < ops; ++k) {
        if (edges[i][k]) b.add_edge(i, k);
      }
    }
    const detent_status expected = judge_by_bytes(claims, ops);
    ++found[expected == DETENT_OK ? 0 : expected == DETENT_OVERLAP ? 1 : 2];
    ASSERT_EQ(check_status(b), expected) << round;
  }
  for (const int count : found) EXPECT_GT(count, 100);
}

TEST(CheckOverlap, HalfAMillionTensorsOnTheSameBytesPass) {
  DescBuilder b;
  const std::uint32_t kOps = effort(500'000u);
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
