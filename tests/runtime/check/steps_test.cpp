// B30: execution plans.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

constexpr std::uint32_t kCondition = 5;

detent_step exec(std::uint32_t first, std::uint32_t count) { return {DETENT_STEP_EXEC, {first, count}, 0, 0, 0, 0}; }
detent_step branch(std::uint32_t then_step, std::uint32_t else_step) {
  return {DETENT_STEP_IF, {}, kCondition, then_step, else_step, 0};
}
detent_step loop(std::uint32_t body, std::uint32_t exit, std::uint32_t bound = 10) {
  return {DETENT_STEP_WHILE, {}, kCondition, body, exit, bound};
}
detent_step jump(std::uint32_t to) { return {DETENT_STEP_GOTO, {}, 0, to, 0, 0}; }

DescBuilder with_steps(const std::vector<detent_step>& steps) {
  DescBuilder b = make_diamond();
  b.add_tensor({.name = "condition", .region = 1, .offset_bytes = 192, .block_bytes = 4});
  detent_tensor& condition = b.tensors[kCondition];
  condition.dtype = DETENT_BOOL;
  condition.block_bytes = condition.size_bytes = 1;
  condition.dims[0] = 1;
  b.steps = steps;
  return b;
}

detent_status status_of(const std::vector<detent_step>& steps) {
  DescBuilder b = with_steps(steps);
  return check_status(b);
}

TEST(CheckSteps, PlansAsThePartitionerEmitsThem) {
  EXPECT_EQ(status_of({exec(0, 4)}), DETENT_OK);
  // i: if then=1 else=3; then; goto end; else.
  EXPECT_EQ(status_of({branch(1, 3), exec(0, 1), jump(4), exec(1, 3)}), DETENT_OK);
  // cond; while body=2 exit=4; body; goto cond; after.
  EXPECT_EQ(status_of({exec(0, 1), loop(2, 4), exec(1, 1), jump(0), exec(2, 2)}), DETENT_OK);
}

TEST(CheckSteps, B30_TargetOutOfRange) {
  EXPECT_EQ(status_of({exec(0, 4), jump(3)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({branch(1, 5), exec(0, 4)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({loop(UINT32_MAX, 1), exec(0, 4)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({exec(2, 3)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({exec(UINT32_MAX, 2)}), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_UnknownKind) {
  DescBuilder b = with_steps({exec(0, 4)});
  const std::uint32_t wrong = 99;
  std::memcpy(&b.steps[0].kind, &wrong, sizeof wrong);
  EXPECT_EQ(check_status(b), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_LoopWithoutExit) {
  EXPECT_EQ(status_of({exec(0, 4), jump(0)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({jump(0)}), DETENT_PLAN_STEP);
  // Bounded by its WHILE, but both ways lead back: the end cannot be reached.
  EXPECT_EQ(status_of({exec(0, 4), loop(0, 2), jump(0), exec(0, 0)}), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_ConditionIsNotOneBool) {
  DescBuilder b = with_steps({branch(1, 1), exec(0, 4)});
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.steps[0].condition = 1;
  EXPECT_EQ(check_status(b), DETENT_PLAN_STEP);
  b.steps[0].condition = 6;
  EXPECT_EQ(check_status(b), DETENT_PLAN_STEP);
  b.steps[0].condition = kCondition;
  b.tensors[kCondition].dims[0] = 2;
  b.tensors[kCondition].block_bytes = b.tensors[kCondition].size_bytes = 2;
  EXPECT_EQ(check_status(b), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_WhileWithoutBound) {
  EXPECT_EQ(status_of({exec(0, 1), loop(2, 4, 0), exec(1, 1), jump(0), exec(2, 2)}), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_RecursiveBodies) {
  EXPECT_EQ(status_of({loop(0, 1), exec(0, 4)}), DETENT_PLAN_STEP);
  EXPECT_EQ(status_of({branch(1, 0), exec(0, 4)}), DETENT_PLAN_STEP);
  // The body of the IF enters the IF again; nothing bounds it.
  EXPECT_EQ(status_of({branch(1, 3), exec(0, 1), jump(0), exec(1, 3)}), DETENT_PLAN_STEP);
}

TEST(CheckSteps, B30_OpInTwoSteps) {
  DescBuilder b = with_steps({exec(0, 3), exec(2, 2)});
  const detent_error error = check(b.refresh());
  EXPECT_EQ(error.status, DETENT_PLAN_STEP);
  EXPECT_EQ(error.op, 2u);
}

}  // namespace
}  // namespace detent::test
