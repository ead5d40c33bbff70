// B30: guards of ops, and ops that may fail.
#include <gtest/gtest.h>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

constexpr std::uint32_t kGuarded = DETENT_OP_GUARDED;
constexpr std::uint32_t kIfFalse = DETENT_OP_GUARDED | DETENT_OP_IF_FALSE;

void make_condition(detent_tensor& tensor) {
  tensor.dtype = DETENT_BOOL;
  tensor.block_bytes = tensor.size_bytes = 1;
  tensor.dims[0] = 1;
  tensor.align_bytes = 1;
}

/// Ops: 0 outer writes condition 1; 1, if it is 1, decides with condition 2; 2 (if 2 is 1) and 3 (if 2 is 0) write
/// tensor 3, and so does 4, if 1 is 0; 5 reads tensor 3 and writes the output, 4.
DescBuilder make_branches() {
  DescBuilder b;
  b.add_region("input", DETENT_REGION_INPUT, 64);
  b.add_region("workspace", DETENT_REGION_WORKSPACE, 256);
  b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "in", .region = 0, .live_begin = 0, .live_end = 4});
  b.add_tensor({.name = "outer", .region = 1, .offset_bytes = 128, .live_begin = 0, .live_end = 4});
  b.add_tensor({.name = "inner", .region = 1, .offset_bytes = 192, .live_begin = 0, .live_end = 5});
  b.add_tensor({.name = "merged", .region = 1, .live_begin = 2, .live_end = 5});
  b.add_tensor({.name = "out", .region = 2, .live_begin = 5, .live_end = 5});
  make_condition(b.tensors[1]);
  make_condition(b.tensors[2]);
  b.add_op({.name = "outer", .inputs = {0}, .outputs = {1}});
  b.add_op({.name = "inner", .inputs = {0, 1}, .outputs = {2}});
  b.add_op({.name = "both", .inputs = {0, 2}, .outputs = {3}});
  b.add_op({.name = "one", .inputs = {0, 2}, .outputs = {3}});
  b.add_op({.name = "none", .inputs = {0, 1}, .outputs = {3}});
  b.add_op({.name = "last", .inputs = {3}, .outputs = {4}});
  b.ops[1].flags = kGuarded;
  b.ops[2].flags = kGuarded;
  b.ops[3].flags = kIfFalse;
  b.ops[4].flags = kIfFalse;
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}) {
    b.add_edge(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  }
  b.inputs = {0};
  b.outputs = {4};
  return b;
}

TEST(CheckGuards, NestedBranchesMayWriteOneTensor) {
  DescBuilder b = make_branches();
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckGuards, B30_FlagsThatSayNothing) {
  DescBuilder b = make_branches();
  b.ops[5].flags = DETENT_OP_IF_FALSE;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
  b = make_branches();
  b.ops[5].flags = kGuarded;
  b.ops[5].inputs.count = 0;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
  b = make_branches();
  b.ops[5].flags = 1U << 20U;
  EXPECT_EQ(check_status(b), DETENT_INVALID_ARGUMENT);
}

TEST(CheckGuards, B30_ConditionIsNoBool) {
  DescBuilder b = make_branches();
  b.ops[5].flags = kGuarded;  // by "merged"
  expect_refused(b, {.status = DETENT_GUARD, .op = 5u, .other_op = 2u, .tensor = 3u});
}

TEST(CheckGuards, B30_WriterOfTheConditionWritesMore) {
  DescBuilder b = make_branches();
  b.ops[0].outputs.count = 2;  // "outer" and what stands behind it in the table
  b.tensor_refs[b.ops[0].outputs.first + 1] = 3;
  b.ops[1].inputs = {static_cast<std::uint32_t>(b.tensor_refs.size()), 2};
  b.tensor_refs.insert(b.tensor_refs.end(), {0, 1});
  b.ops[0].flags = 0;
  EXPECT_NE(check_status(b), DETENT_OK);
}

TEST(CheckGuards, B27_BranchesThatOneRunTakesTogether) {
  DescBuilder b = make_branches();
  b.ops[3].flags = kGuarded;  // as op 2
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 3u, .other_op = 2u, .tensor = 3u});
  b = make_branches();
  b.ops[4].flags = kGuarded;  // by the outer condition, under which the inner one is decided
  EXPECT_EQ(check_status(b), DETENT_PRODUCER);
  b = make_branches();
  b.ops[4].flags = 0;
  EXPECT_EQ(check_status(b), DETENT_PRODUCER);
}

TEST(CheckGuards, B30_WhatIsDecidedLastsForTheRun) {
  DescBuilder b = make_branches();
  b.tensors[2].live_end = 3;
  expect_refused(b, {.status = DETENT_GUARD, .op = 1u, .tensor = 2u});
  b = make_branches();
  b.tensors[2].offset_bytes = 0;  // within "merged"
  EXPECT_EQ(check_status(b), DETENT_OVERLAP);
  b = make_branches();
  b.tensors[3].live_begin = b.tensors[3].live_end = DETENT_NONE;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

TEST(CheckGuards, B30_ConditionChangesUnderThoseThatLookAtIt) {
  DescBuilder b = make_branches();
  b.ops[5].flags = DETENT_OP_IN_PLACE;  // "last" reads the outer condition and writes it again
  b.tensor_refs[b.ops[5].inputs.first] = 1;
  b.tensor_refs[b.ops[5].outputs.first] = 1;
  b.tensors[1].live_end = 5;
  expect_refused(b, {.status = DETENT_GUARD, .op = 5u, .tensor = 1u});
  b = make_branches();
  b.ops[5].scratch = {static_cast<std::uint32_t>(b.tensor_refs.size()), 1};
  b.tensor_refs.push_back(1);
  b.tensors[1].live_end = 5;
  expect_refused(b, {.status = DETENT_GUARD, .op = 5u, .tensor = 1u});
}

TEST(CheckGuards, B30_ConditionsThatDecideEachOther) {
  DescBuilder b = make_branches();
  b.ops[0].flags = kGuarded;
  b.tensor_refs[b.ops[0].inputs.first] = 2;
  b.tensors[1].live_end = 5;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

/// Ops: 0 may fail: it writes tensor 1, and 2 says whether; 1 copies tensor 1 into 3 where it has not, and 2 computes 3
/// anew where it has; 3 reads 3 and writes the output, 4.
DescBuilder make_fallback() {
  DescBuilder b;
  b.add_region("input", DETENT_REGION_INPUT, 64);
  b.add_region("workspace", DETENT_REGION_WORKSPACE, 256);
  b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "in", .region = 0, .live_begin = 0, .live_end = 3});
  b.add_tensor({.name = "tried", .region = 1, .live_begin = 0, .live_end = 3});
  b.add_tensor({.name = "failed", .region = 1, .offset_bytes = 64, .live_begin = 0, .live_end = 3});
  b.add_tensor({.name = "merged", .region = 1, .offset_bytes = 128, .live_begin = 1, .live_end = 3});
  b.add_tensor({.name = "out", .region = 2, .live_begin = 3, .live_end = 3});
  make_condition(b.tensors[2]);
  b.add_op({.name = "try", .inputs = {0}, .outputs = {1, 2}});
  b.add_op({.name = "took", .inputs = {1, 2}, .outputs = {3}});
  b.add_op({.name = "again", .inputs = {0, 2}, .outputs = {3}});
  b.add_op({.name = "last", .inputs = {3}, .outputs = {4}});
  b.ops[0].flags = DETENT_OP_FALLIBLE;
  b.ops[1].flags = kIfFalse;
  b.ops[2].flags = kGuarded;
  for (std::uint32_t op = 0; op < 3; ++op) b.add_edge(op, op + 1);
  b.inputs = {0};
  b.outputs = {4};
  return b;
}

TEST(CheckFallible, AStepAndItsFallback) {
  DescBuilder b = make_fallback();
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckFallible, B30_SaysItsFailureInNoCondition) {
  DescBuilder b = make_fallback();
  b.ops[0].outputs.count = 0;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
  b = make_fallback();
  b.ops[0].outputs.count = 1;  // "tried", an F32
  EXPECT_EQ(check_status(b), DETENT_GUARD);
  b = make_fallback();
  b.ops[0].flags = 0;  // "failed" is not its only output
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

TEST(CheckFallible, B30_OverwritesWhatIsNeededAgain) {
  DescBuilder b = make_fallback();
  b.ops[0].flags |= DETENT_OP_IN_PLACE;
  expect_refused(b, {.status = DETENT_GUARD, .op = 0u});
}

TEST(CheckFallible, B30_ReadersThatRunAfterAFailure) {
  DescBuilder b = make_fallback();
  b.tensor_refs[b.ops[2].inputs.first] = 1;  // the fallback reads what failed
  expect_refused(b, {.status = DETENT_GUARD, .op = 2u, .other_op = 0u, .tensor = 1u});
  b = make_fallback();
  b.tensor_refs[b.ops[3].inputs.first] = 1;  // an op that always runs
  expect_refused(b, {.status = DETENT_GUARD, .op = 3u, .other_op = 0u, .tensor = 1u});
  b = make_fallback();
  b.outputs = {1};
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

TEST(CheckFallible, B30_ReadersThroughViewsAndRanges) {
  DescBuilder b = make_fallback();
  detent_tensor view = b.tensors[1];
  view.alias_of = 1;
  view.live_begin = view.live_end = DETENT_NONE;
  b.tensors.push_back(view);
  b.tensor_refs[b.ops[3].inputs.first] = 5;
  expect_refused(b, {.status = DETENT_GUARD, .op = 3u, .other_op = 0u, .tensor = 5u});
  b = make_fallback();
  detent_tensor range = b.tensors[1];
  range.flags |= DETENT_TENSOR_RANGE;
  range.live_begin = range.live_end = DETENT_NONE;
  b.tensors.push_back(range);
  b.tensor_refs[b.ops[3].inputs.first] = 5;
  expect_refused(b, {.status = DETENT_GUARD, .op = 3u, .tensor = 5u, .region = 1u});
}

TEST(CheckFallible, WhatADeeperConditionGuardsMayRead) {
  DescBuilder b = make_fallback();
  b.add_tensor({.name = "inner", .region = 1, .offset_bytes = 192, .live_begin = 0, .live_end = 4});
  make_condition(b.tensors[5]);
  b.add_op({.name = "after", .inputs = {1, 5}, .outputs = {}});
  b.tensors[1].live_end = b.tensors[2].live_end = 4;
  b.ops[4].flags = kGuarded;
  // The op that decides the inner condition is itself executed where nothing failed.
  b.ops[1].outputs = {static_cast<std::uint32_t>(b.tensor_refs.size()), 1};
  b.tensor_refs.push_back(5);
  b.tensor_refs[b.ops[3].inputs.first] = 0;
  b.add_edge(3, 4);
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.ops[1].flags = 0;
  b.tensor_refs[b.ops[1].inputs.first] = 0;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

/// Ops: 0 may fail: it writes tensor 1, and 2 says whether; 1 writes tensor 1 anew where it has; 2 reads it and writes
/// the output, 3.
DescBuilder make_replaced() {
  DescBuilder b;
  b.add_region("input", DETENT_REGION_INPUT, 64);
  b.add_region("workspace", DETENT_REGION_WORKSPACE, 192);
  b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "in", .region = 0, .live_begin = 0, .live_end = 1});
  b.add_tensor({.name = "result", .region = 1, .live_begin = 0, .live_end = 2});
  b.add_tensor({.name = "failed", .region = 1, .offset_bytes = 64, .live_begin = 0, .live_end = 1});
  b.add_tensor({.name = "out", .region = 2, .live_begin = 2, .live_end = 2});
  make_condition(b.tensors[2]);
  b.add_op({.name = "try", .inputs = {0}, .outputs = {1, 2}});
  b.add_op({.name = "again", .inputs = {0, 2}, .outputs = {1}});
  b.add_op({.name = "last", .inputs = {1}, .outputs = {3}});
  b.ops[0].flags = DETENT_OP_FALLIBLE;
  b.ops[1].flags = kGuarded | DETENT_OP_REPLACES;
  b.add_edge(0, 1);
  b.add_edge(1, 2);
  b.inputs = {0};
  b.outputs = {3};
  return b;
}

TEST(CheckFallible, AFallbackThatReplacesWhatFailed) {
  DescBuilder b = make_replaced();
  EXPECT_EQ(check_status(b), DETENT_OK);
  b = make_replaced();
  b.outputs = {1};  // after the run, too
  b.tensors[1].live_end = 2;
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckFallible, AReplacingOpMayHaveTheLowerId) {
  DescBuilder b;
  b.add_region("workspace", DETENT_REGION_WORKSPACE, 64);
  b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "value", .region = 0, .live_begin = 1, .live_end = 2});
  b.add_tensor({.name = "out", .region = 1, .live_begin = 2, .live_end = 2});
  b.add_op({.name = "again", .inputs = {}, .outputs = {0}});
  b.add_op({.name = "first", .inputs = {}, .outputs = {0}});
  b.add_op({.name = "last", .inputs = {0}, .outputs = {1}});
  b.ops[0].flags = DETENT_OP_REPLACES;
  b.add_edge(1, 0);
  b.add_edge(0, 2);
  b.outputs = {1};
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.ops[1].flags = DETENT_OP_REPLACES;  // and nobody writes what they replace
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 0u, .tensor = 0u});
}

TEST(CheckFallible, B27_ASecondWriterThatDoesNotSaySo) {
  DescBuilder b = make_replaced();
  b.ops[1].flags = kGuarded;
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 1u, .other_op = 0u, .tensor = 1u});
}

TEST(CheckFallible, B27_ReplacesWhatTheApplicationWrites) {
  DescBuilder b = make_replaced();
  b.add_tensor({.name = "given", .region = 1, .offset_bytes = 128, .live_begin = 0, .live_end = 2});
  b.inputs = {0, 4};
  b.ops[1].outputs = {static_cast<std::uint32_t>(b.tensor_refs.size()), 2};
  b.tensor_refs.insert(b.tensor_refs.end(), {1, 4});
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 1u, .tensor = 4u});
}

TEST(CheckFallible, B30_ReplacesACondition) {
  DescBuilder b = make_fallback();
  b.add_op({.name = "other", .inputs = {}, .outputs = {2}});
  b.ops[4].flags = DETENT_OP_REPLACES;
  b.add_edge(0, 4);
  b.add_edge(4, 1);
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

TEST(CheckFallible, B30_ReplacesItInOtherRunsThanThoseThatFail) {
  DescBuilder b = make_replaced();
  b.ops[1].flags = kIfFalse | DETENT_OP_REPLACES;
  EXPECT_EQ(check_status(b), DETENT_GUARD);
  b = make_replaced();
  b.ops[1].flags = DETENT_OP_REPLACES;  // in every run, which nothing says of failures
  EXPECT_EQ(check_status(b), DETENT_GUARD);
}

/// Two halves of a tensor: one is replaced.
TEST(CheckFallible, B30_AnotherTensorIsReplacedThanTheOneThatIsRead) {
  DescBuilder b = make_replaced();
  b.regions[1].size_bytes = 256;
  b.add_tensor({.name = "whole", .region = 1, .offset_bytes = 128, .block_bytes = 128, .live_begin = 0, .live_end = 2});
  b.add_tensor({.name = "first", .region = 1, .offset_bytes = 128, .alias_of = 4});
  b.add_tensor({.name = "second", .region = 1, .offset_bytes = 192, .alias_of = 4});
  b.ops[0].outputs = {static_cast<std::uint32_t>(b.tensor_refs.size()), 3};
  b.tensor_refs.insert(b.tensor_refs.end(), {5, 6, 2});
  b.tensor_refs[b.ops[1].outputs.first] = 5;
  b.tensor_refs[b.ops[2].inputs.first] = 5;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensor_refs[b.ops[2].inputs.first] = 6;
  expect_refused(b, {.status = DETENT_GUARD, .op = 2u, .other_op = 0u, .tensor = 6u});
  b.tensor_refs[b.ops[2].inputs.first] = 4;
  expect_refused(b, {.status = DETENT_GUARD, .op = 2u, .other_op = 0u, .tensor = 4u});
}

TEST(CheckFallible, B30_AFallbackInPlaceReadsWhatFailed) {
  DescBuilder b = make_replaced();
  b.ops[1].flags |= DETENT_OP_IN_PLACE;
  b.tensor_refs[b.ops[1].inputs.first] = 1;
  expect_refused(b, {.status = DETENT_GUARD, .op = 1u, .other_op = 0u, .tensor = 1u});
}

TEST(CheckFallible, B30_TheFallbackOfAFallbackReadsWhatFailed) {
  DescBuilder b = make_replaced();
  b.add_tensor({.name = "failed too", .region = 1, .offset_bytes = 128, .live_begin = 0, .live_end = 2});
  make_condition(b.tensors[4]);
  b.ops[1].flags |= DETENT_OP_FALLIBLE;
  b.ops[1].outputs = {static_cast<std::uint32_t>(b.tensor_refs.size()), 2};
  b.tensor_refs.insert(b.tensor_refs.end(), {1, 4});
  EXPECT_EQ(check_status(b), DETENT_GUARD) << "nobody replaces what the fallback leaves";
  b.add_op({.name = "at last", .inputs = {0, 4}, .outputs = {1}});
  b.ops[3].flags = kGuarded | DETENT_OP_REPLACES;
  b.add_edge(1, 3);
  b.add_edge(3, 2);
  b.tensors[0].live_end = 3;
  EXPECT_EQ(check_status(b), DETENT_OK);
}

}  // namespace
}  // namespace detent::test
