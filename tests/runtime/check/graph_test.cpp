// B20 to B26: the op graph.
#include <gtest/gtest.h>

#include "tests/effort.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

TEST(CheckGraph, DiamondIsSound) {
  DescBuilder diamond = make_diamond();
  EXPECT_EQ(check_status(diamond), DETENT_OK);
}

TEST(CheckGraph, B20_CycleNamesAnEdgeOfTheCycle) {
  DescBuilder b = make_diamond();
  b.add_op({.name = "tail"});  // behind the cycle, so it cannot be ordered either, but is not on it
  b.add_edge(3, 4);
  b.add_edge(3, 1);
  const detent_error error = check(b.refresh());
  EXPECT_EQ(error.status, DETENT_CYCLE);
  EXPECT_TRUE((error.op == 1 && error.other_op == 3) || (error.op == 3 && error.other_op == 1)) << error.op;
}

TEST(CheckGraph, B20_LongCycleIsFound) {
  DescBuilder b;
  constexpr std::uint32_t kOps = 1000;
  for (std::uint32_t i = 0; i < kOps; ++i) b.add_op({});
  for (std::uint32_t i = 0; i + 1 < kOps; ++i) b.add_edge(i, i + 1);
  b.add_edge(kOps - 1, 500);
  const detent_error error = check(b.refresh());
  EXPECT_EQ(error.status, DETENT_CYCLE);
  EXPECT_GE(error.op, 500u);
  EXPECT_GE(error.other_op, 500u);
}

TEST(CheckGraph, B21_SelfEdge) {
  DescBuilder b = make_diamond();
  b.add_edge(2, 2);
  expect_refused(b, {.status = DETENT_SELF_EDGE, .op = 2u});
}

TEST(CheckGraph, B22_SuccessorOutOfRange) {
  DescBuilder b = make_diamond();
  b.refresh();
  b.successors[1] = 4;
  expect_refused(b, {.status = DETENT_SUCCESSOR_RANGE, .op = 0u, .other_op = 4u});
}

TEST(CheckGraph, B23_DuplicateEdge) {
  DescBuilder b = make_diamond();
  b.add_edge(0, 2);
  expect_refused(b, {.status = DETENT_DUPLICATE_EDGE, .op = 0u, .other_op = 2u});
}

TEST(CheckGraph, B23_ListOutOfOrder) {
  DescBuilder b = make_diamond();
  b.refresh();
  std::swap(b.successors[0], b.successors[1]);
  EXPECT_EQ(check_status(b), DETENT_DUPLICATE_EDGE);
}

TEST(CheckGraph, B24_EntryCountDisagrees) {
  for (const std::uint32_t wrong : {0u, 1u, 3u}) {
    DescBuilder b = make_diamond();
    b.ops[3].entry_count = wrong;
    expect_refused(b, {.status = DETENT_INDEGREE, .op = 3u});
  }
}

TEST(CheckGraph, B25_NoOpCanStart) {
  DescBuilder b = make_diamond();
  b.ops[0].entry_count = 1;
  EXPECT_EQ(check_status(b), DETENT_NO_ENTRY);
  DescBuilder empty;
  EXPECT_EQ(check_status(empty), DETENT_NO_ENTRY);
}

TEST(CheckGraph, B25_CycleWithoutEntryIsReportedAsCycle) {
  DescBuilder b;
  b.add_op({});
  b.add_op({});
  b.add_edge(0, 1);
  b.add_edge(1, 0);
  EXPECT_EQ(check_status(b), DETENT_CYCLE);
}

TEST(CheckGraph, B26_OpIdIsNotItsIndex) {
  DescBuilder b = make_diamond();
  b.ops[2].id = 1;
  expect_refused(b, {.status = DETENT_OP_ID, .op = 2u});
}

TEST(CheckGraph, MillionOpsPass) {
  DescBuilder b;
  const std::uint32_t kOps = effort(1'000'000u);
  b.ops.reserve(kOps);
  for (std::uint32_t i = 0; i < kOps; ++i) b.add_op({});
  for (std::uint32_t i = 0; i < kOps; ++i) {
    for (const std::uint32_t step : {1u, 7u, 1001u}) {
      if (i + step < kOps) b.add_edge(i, i + step);
    }
  }
  EXPECT_EQ(check_status(b), DETENT_OK);
}

}  // namespace
}  // namespace detent::test
