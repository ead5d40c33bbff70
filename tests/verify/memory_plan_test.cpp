// Memory plan: a plan to accept, and one broken plan per law.
#include "verify/memory_plan.hpp"

#include <gtest/gtest.h>

#include "tests/verify/reuse_plans.hpp"
#include "verify/lifetimes.hpp"

namespace detent::verify {
namespace {

using namespace testing;
using Plan = ReusePlan;

void expect_fault(const DescTables& tables, const std::string& number) {
  const Verdict verdict = check_memory_plan(tables.desc);
  EXPECT_EQ(verdict.property, "memory_plan");
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text.substr(0, 3), number) << verdict.witnesses[0].text;
}

TEST(MemoryPlan, ReuseAfterTheLastReaderHolds) {
  const Plan plan;
  const Verdict verdict = check_memory_plan(plan.desc);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.witnesses[0].text;
}

TEST(MemoryPlan, B40_OutsideItsRegion) {
  Plan plan;
  plan.tensors[1].offset_bytes = 128;
  expect_fault(plan, "B40");
}

TEST(MemoryPlan, B41_OffsetWraps) {
  Plan plan;
  plan.tensors[1].offset_bytes = UINT64_MAX - 63;
  expect_fault(plan, "B41");
}

TEST(MemoryPlan, B42_TwoLiveTensorsShareBytes) {
  Plan plan;
  plan.live(0, {0, 2});
  expect_fault(plan, "B42");
  const Verdict verdict = check_memory_plan(plan.desc);
  EXPECT_EQ(verdict.witnesses[0].text,
            "B42: tensor 0 (op0.w0) and tensor 2 (op2.w0) both live at op 2 (op2) and share bytes [0, 64) of r0");
}

TEST(MemoryPlan, B43_ViewsInACircleAndOutsideTheirBase) {
  Plan plan;
  plan.tensors[1].alias_of = 2;
  plan.tensors[2].alias_of = 1;
  plan.tensors[2].offset_bytes = 64;
  expect_fault(plan, "B43");
  Plan outside;
  outside.tensors[1].alias_of = 0;
  expect_fault(outside, "B43");
  Plan longer;
  longer.tensors[2].alias_of = 0;
  longer.tensors[0].size_bytes = longer.tensors[0].block_bytes = 32;
  expect_fault(longer, "B43");
  Plan itself;
  itself.tensors[1].alias_of = 1;
  expect_fault(itself, "B43");
}

TEST(MemoryPlan, B44_ViewOfAnotherType) {
  Plan plan;
  plan.tensors[2].alias_of = 0;
  plan.tensors[2].dtype = DETENT_F32;
  expect_fault(plan, "B44");
}

TEST(MemoryPlan, B45_OutputOverInputNeedsADeclaration) {
  Plan plan;
  plan.tensors[1].offset_bytes = 0;
  expect_fault(plan, "B45");
  plan.ops[1].flags = DETENT_OP_IN_PLACE;
  plan.tensors[2].offset_bytes = 64;
  plan.live(1, {1, 2});
  EXPECT_EQ(check_memory_plan(plan.desc).outcome, Outcome::kHolds);
}

TEST(MemoryPlan, B45_InPlaceDoesNotExcuseALongerLife) {
  Plan plan;
  plan.tensors[1].offset_bytes = 0;
  plan.tensors[2].offset_bytes = 64;
  plan.ops[1].flags = DETENT_OP_IN_PLACE;
  plan.live(0, {0, 2});
  expect_fault(plan, "B42");
}

TEST(MemoryPlan, B46_WeightsAndInputsAreReadOnly) {
  for (const detent_region_kind kind : {DETENT_REGION_WEIGHTS, DETENT_REGION_INPUT}) {
    Plan plan;
    plan.regions[0].kind = kind;
    plan.regions[0].data = "";
    expect_fault(plan, "B46");
  }
}

TEST(MemoryPlan, B46_WeightsNeedBytes) {
  Plan plan;
  plan.regions.push_back({"weights", DETENT_REGION_WEIGHTS, 64, 64, nullptr});
  plan.refresh();
  expect_fault(plan, "B46");
}

TEST(MemoryPlan, B47_NoBytes) {
  Plan plan;
  plan.tensors[0].size_bytes = 0;
  expect_fault(plan, "B47");
}

TEST(MemoryPlan, B48_Misaligned) {
  Plan plan;
  plan.tensors[0].align_bytes = 48;
  expect_fault(plan, "B48");
  Plan offset;
  offset.tensors[0].offset_bytes = 8;
  offset.tensors[0].size_bytes = offset.tensors[0].block_bytes = 32;
  expect_fault(offset, "B48");
}

TEST(MemoryPlan, B49_LifetimeEndsBeforeItBegins) {
  Plan plan;
  plan.live(1, {2, 1});
  expect_fault(plan, "B49");
}

TEST(Lifetimes, EqualAllPairsOnRandomPlans) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random{seed};
    DescTables tables(make_random_spec(seed, {.op_count = 10, .region_bytes = 200, .percent_strided = 30}));
    for (detent_tensor& tensor : tables.tensors) {
      tensor.flags = 0;
      tensor.live_begin = random.below(10);
      tensor.live_end = tensor.live_begin + random.below(10 - tensor.live_begin);
    }
    bool overlap = false;
    for (std::size_t a = 0; a < tables.tensors.size(); ++a) {
      for (std::size_t b = a + 1; b < tables.tensors.size(); ++b) {
        const detent_tensor& x = tables.tensors[a];
        const detent_tensor& y = tables.tensors[b];
        const bool meet = x.live_begin <= y.live_end && y.live_begin <= x.live_end;
        overlap = overlap || (meet && x.region == y.region && first_shared_bytes(bytes_of(x), bytes_of(y)));
      }
    }
    const auto found = find_lifetime_overlaps(tables.desc, 16);
    ASSERT_EQ(!found.empty(), overlap) << seed;
    for (const LifetimeOverlap& one : found) {
      const detent_tensor& x = tables.tensors[one.tensor_a];
      const detent_tensor& y = tables.tensors[one.tensor_b];
      ASSERT_LE(std::max(x.live_begin, y.live_begin), std::min(x.live_end, y.live_end)) << seed;
      ASSERT_TRUE(first_shared_bytes(bytes_of(x), bytes_of(y)).has_value()) << seed;
    }
  }
}

}  // namespace
}  // namespace detent::verify
