// Memory plan: a plan to accept, and one broken plan per law.
#include "verify/static/memory_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "tests/effort.hpp"
#include "tests/verify/random_plan.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/lifetimes.hpp"

namespace detent::verify {
namespace {

using namespace testing;
using Plan = ReusePlan;

void expect_fault(const DescTables& tables, const std::string& number) {
  const Verdict verdict = check_memory_plan(tables.desc);
  EXPECT_EQ(verdict.property, Property::kMemoryPlan);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text.substr(0, 3), number) << verdict.witnesses[0].text;
}

TEST(MemoryPlan, ReuseAfterTheLastReaderHolds) {
  const Plan plan;
  const Verdict verdict = check_memory_plan(plan.desc);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.witnesses[0].text;
}

TEST(MemoryPlan, B09_TheFirstIndexBeyondATable) {
  Plan region;
  region.tensors[1].region = region.desc.region_count;
  expect_fault(region, "B09");
  Plan base;
  base.tensors[1].alias_of = base.desc.tensor_count;
  expect_fault(base, "B09");
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

TEST(MemoryPlan, EveryOverlapOfASmallPlanHasASchedule) {
  Plan plan;
  plan.tensors[1].offset_bytes = 0;
  plan.live(0, {0, 2});
  std::uint64_t count = 0;
  const std::vector<LifetimeOverlap> overlaps = find_lifetime_overlaps(plan.desc, 10, &count);
  EXPECT_GE(count, 2U);
  ASSERT_EQ(overlaps.size(), count);
  for (const LifetimeOverlap& overlap : overlaps) EXPECT_EQ(overlap.schedule.size(), 3U);
}

/// Values of more blocks than the map of bytes takes in are compared with all others, each pair once.
TEST(MemoryPlan, B42_ValuesOfVeryManyBlocks) {
  for (const std::vector<std::uint32_t>& sparse : std::vector<std::vector<std::uint32_t>>{{0}, {2}, {0, 2}}) {
    Plan plan;
    plan.regions[0].size_bytes = 20'000;
    plan.tensors[1].offset_bytes = 16'384;
    for (const std::uint32_t tensor : sparse) {
      plan.tensors[tensor].block_bytes = 1;
      plan.tensors[tensor].stride_bytes = 2;
      plan.tensors[tensor].block_count = 5000;
      plan.tensors[tensor].size_bytes = 9999;
    }
    EXPECT_EQ(check_memory_plan(plan.desc).outcome, Outcome::kHolds);
    plan.live(0, {0, 2});
    const std::vector<LifetimeOverlap> overlaps = find_lifetime_overlaps(plan.desc, 16);
    ASSERT_EQ(overlaps.size(), 1U);
    std::uint64_t count = 0;
    EXPECT_TRUE(find_lifetime_overlaps(plan.desc, 0, &count).empty());
    EXPECT_EQ(count, 1U) << "counted, listed or not";
    EXPECT_EQ(overlaps[0].tensor_a, 0U);
    EXPECT_EQ(overlaps[0].tensor_b, 2U);
    plan.tensors[2].offset_bytes = sparse.size() == 2 ? 1 : plan.tensors[2].offset_bytes;  // between the other's blocks
    EXPECT_EQ(find_lifetime_overlaps(plan.desc, 16).size(), sparse.size() == 2 ? 0U : 1U);
  }
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
  EXPECT_EQ(check_memory_plan(plan.desc).summary,
            "3 tensors in 1 region: each inside its region, and on no schedule do two that live at once share a byte; "
            "1 op in place writes over an input, as declared");
  plan.tensors[1].offset_bytes = 128;  // declared, but it writes elsewhere
  plan.refresh();
  EXPECT_EQ(check_memory_plan(plan.desc).summary.find("in place"), std::string::npos);
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

TEST(MemoryPlan, B49_UseOutsideOfTheLifetime) {
  Plan early;
  early.live(1, {2, 2});
  expect_fault(early, "B49");
  EXPECT_EQ(check_memory_plan(early.desc).witnesses.at(0).text,
            "B49: op 1 (op1) uses tensor 1 (op1.w0) before its lifetime, which it claims to begin at op 2 (op2)");
  EXPECT_EQ(check_memory_plan(early.desc).witnesses.at(0).ops, (std::vector<std::uint32_t>{1}));
  Plan late;
  late.live(1, {1, 1});
  expect_fault(late, "B49");
  EXPECT_EQ(check_memory_plan(late.desc).witnesses.at(0).text,
            "B49: op 2 (op2) uses tensor 1 (op1.w0) after its lifetime, which it claims to end at op 1 (op1)");
}

TEST(MemoryPlan, B49_UsesThroughAViewCount) {
  Plan plan;
  plan.tensors.push_back(plan.tensors[1]);
  plan.tensors[3].alias_of = 1;
  plan.tensors[3].live_begin = plan.tensors[3].live_end = DETENT_NONE;
  plan.tensor_refs[3] = 3;  // op 2 reads the view
  plan.refresh();
  EXPECT_EQ(check_memory_plan(plan.desc).outcome, Outcome::kHolds);
  plan.live(1, {1, 1});
  expect_fault(plan, "B49");
  plan.tensors[1].flags = DETENT_TENSOR_RANGE;  // of bytes that hold no value nothing is claimed
  EXPECT_EQ(check_memory_plan(plan.desc).outcome, Outcome::kHolds);
}

TEST(MemoryPlan, B49_LifetimeBeginsAndEndsAtOps) {
  Plan plan;
  plan.live(1, {1, 3});
  expect_fault(plan, "B49");
  plan.live(1, {1, DETENT_NONE});
  expect_fault(plan, "B49");
}

/// Ids are names: a lifetime from op 2 to op 0 is one where op 2 comes first.
TEST(MemoryPlan, LifetimesFollowEdgesAndNotIds) {
  GraphSpec spec = ReusePlan::spec();
  spec.edges = {{2, 1}, {1, 0}};
  std::swap(spec.ops[0], spec.ops[2]);
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) {
    tensor.flags = 0;
    tensor.alias_of = DETENT_NONE;
  }
  tables.tensors[0].live_begin = 2;
  tables.tensors[0].live_end = 0;
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kViolated)
      << "one tensor per access shares with the other";
  for (const Witness& witness : check_memory_plan(tables.desc).witnesses) {
    EXPECT_EQ(witness.text.find("B49"), std::string::npos) << witness.text;
  }
}

TEST(MemoryPlan, B42_AnUnorderedUserIsNamedWithASchedule) {
  GraphSpec spec = reuse_after_one_reader();
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.tensor_refs = {0, 0, 0, 3};  // op 0 writes, ops 1 and 2 read tensor 0; op 3 writes tensor 3
  tables.refresh();
  const Verdict verdict = check_memory_plan(tables.desc);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text,
            "B42: tensor 0 (op0.w0) and tensor 3 (op3.w0) may both live at op 3 (op3), as no path orders it and op 2 "
            "(op2), and share bytes [32, 64) of r0");
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{3, 2}));
  EXPECT_EQ(verdict.witnesses[0].schedule, (std::vector<std::uint32_t>{0, 1, 3, 2}));
}

TEST(MemoryPlan, AnOutputIsNotOverwritten) {
  Plan plan;
  const std::vector<std::uint32_t> outputs = {0};
  plan.desc.outputs = outputs.data();
  plan.desc.output_count = 1;
  expect_fault(plan, "B42");  // op 2 writes tensor 2 there, and the application reads tensor 0 after the run
}

TEST(MemoryPlan, UnknownWhereEdgesGiveNoOrder) {
  GraphSpec spec = ReusePlan::spec();
  spec.edges.push_back({2, 0});
  DescTables tables(spec);
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kHolds) << "ranges ask for no order";
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.ops[1].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kUnknown);
}

TEST(MemoryPlan, SummaryTellsRangesFromValues) {
  const DescTables ranges(ReusePlan::spec());
  EXPECT_EQ(check_memory_plan(ranges.desc).summary,
            "5 tensors in 1 region: each inside its region; they are byte ranges, which name no value: whether a read "
            "finds what it wants is not judged");
  const Plan values;
  EXPECT_EQ(check_memory_plan(values.desc).summary,
            "3 tensors in 1 region: each inside its region, and on no schedule do two that live at once share a byte");
  Plan both;
  both.tensors.push_back(both.tensors[0]);
  both.tensors[3].flags = DETENT_TENSOR_RANGE;
  both.tensors[3].live_begin = both.tensors[3].live_end = DETENT_NONE;
  both.refresh();
  EXPECT_EQ(check_memory_plan(both.desc).summary,
            "4 tensors in 1 region: each inside its region, and on no schedule do two that live at once share a byte; "
            "1 of them are byte ranges, which name no value: whether a read finds what it wants is not judged");
}

/// Each op has scratch of its own on the bytes of the others': never at once under one mutex, not under two.
TEST(MemoryPlan, AMutexKeepsValuesOfSingleOpsApart) {
  GraphSpec spec = make_ops(3);
  spec.mutex_count = 3;
  for (std::uint32_t op = 0; op < 3; ++op) {
    spec.ops[op].scratch_ranges = {{0, 0, 64}};
    spec.ops[op].mutexes = {0};
  }
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kHolds);
  // 0 and 1 share a mutex, 1 and 2 share another: neighbours are kept apart, 0 and 2 are not.
  spec.ops[0].mutexes = {1};
  spec.ops[1].mutexes = {1, 2};
  spec.ops[2].mutexes = {2};
  DescTables chained(spec);
  for (detent_tensor& tensor : chained.tensors) tensor.flags = 0;
  expect_fault(chained, "B42");
}

/// Each of 20,000 values takes over one of two buffers; then one is still in use far too late.
TEST(MemoryPlan, ALongChainOnTwoBuffersIsFast) {
  const std::uint32_t kOps = effort(20'000U);
  GraphSpec spec = make_ops(kOps);
  spec.regions = workspaces({128});
  for (std::uint32_t op = 0; op < kOps; ++op) {
    spec.ops[op].writes = {{0, std::uint64_t{64} * (op % 2), 64}};
    if (op > 0) spec.edges.emplace_back(op - 1, op);
  }
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) {
    tensor.flags = 0;
    tensor.align_bytes = 64;
  }
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kHolds);
  tables.tensors[0].live_end = kOps - 1;
  tables.tensors[0].live_begin = 0;
  expect_fault(tables, "B42");
}

/// The second value takes a part of the first one's bytes, in order; the third takes the rest although op 1, which no
/// path orders against op 3, still reads the first.
TEST(MemoryPlan, RestOfOverwrittenBytesIsStillLive) {
  for (const std::uint64_t taken : {0U, 16U, 32U}) {
    GraphSpec spec = make_ops(4);
    spec.regions = workspaces({64});
    spec.ops[0].writes = {{0, 0, 64}};
    spec.ops[1].reads = {{0, 0, 64}};
    spec.ops[2].writes = {{0, taken, 32}};
    spec.ops[3].writes = {{0, taken == 32 ? 0U : 48U, 16}};
    spec.edges = {{0, 1}, {1, 2}, {0, 3}};
    DescTables tables(spec);
    for (detent_tensor& tensor : tables.tensors) {
      tensor.flags = 0;
      tensor.align_bytes = 1;
    }
    tables.tensor_refs[1] = 0;
    tables.refresh();
    expect_fault(tables, "B42");
    spec.edges.emplace_back(1, 3);
    DescTables ordered(spec);
    for (detent_tensor& tensor : ordered.tensors) tensor.flags = 0;
    ordered.tensor_refs[1] = 0;
    ordered.refresh();
    EXPECT_EQ(check_memory_plan(ordered.desc).outcome, Outcome::kHolds) << taken;
  }
}

/// Users on both sides of every border between blocks of the closure.
TEST(MemoryPlan, ValuesAcrossBlocksOfTheClosure) {
  constexpr std::uint32_t kOps = 4200;
  GraphSpec spec = make_ops(kOps);
  spec.regions = workspaces({192});
  for (std::uint32_t op = 0; op < kOps; ++op) {
    spec.ops[op].writes = {{0, std::uint64_t{64} * (op % 3), 64}};
    if (op > 0) spec.ops[op].scratch_ranges = {{0, std::uint64_t{64} * ((op - 1) % 3), 64}};
    if (op > 0) spec.edges.emplace_back(op - 1, op);
  }
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  for (std::uint32_t op = 1; op < kOps; ++op) {  // op uses what op - 1 has written
    tables.tensor_refs[tables.ops[op].scratch.first] = tables.tensor_refs[tables.ops[op - 1].outputs.first];
  }
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kHolds);
}

/// More blocks than the map of holders takes: compared pair by pair.
TEST(MemoryPlan, StridedValuesOfManyBlocks) {
  GraphSpec spec = make_ops(2);
  spec.regions = workspaces({1 << 16});
  spec.ops[0].writes = {{0, 0, 1, 5000, 3}};
  spec.ops[1].writes = {{0, 1, 1, 5000, 3}};
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  EXPECT_EQ(check_memory_plan(tables.desc).outcome, Outcome::kHolds) << "interleaved";
  tables.tensors[1].offset_bytes = 3;
  expect_fault(tables, "B42");
  spec.edges = {{1, 0}};
  DescTables ordered(spec);
  for (detent_tensor& tensor : ordered.tensors) tensor.flags = 0;
  ordered.tensors[1].offset_bytes = 3;
  EXPECT_EQ(check_memory_plan(ordered.desc).outcome, Outcome::kHolds);
}

TEST(MemoryPlan, EqualsForceOnRandomPlansWhateverTheIds) {
  std::uint32_t good = 0, bad = 0;
  for (std::uint64_t seed = 0; seed < effort(6000U); ++seed) {
    Random random{seed};
    const Draw draw = [&](std::uint32_t bound) { return random.below(bound); };
    const RandomPlan plan(draw, {});
    std::vector<std::uint32_t> new_id(plan.desc.op_count);
    std::iota(new_id.begin(), new_id.end(), 0U);
    for (std::uint32_t i = plan.desc.op_count; i-- > 1;) std::swap(new_id[i], new_id[draw(i + 1)]);
    const bool expected = values_are_in_order(plan.desc);
    ASSERT_EQ(find_lifetime_overlaps(plan.desc, 16).empty(), expected) << seed;
    ASSERT_EQ(find_lifetime_overlaps(plan.renamed(new_id)->desc, 16).empty(), expected) << seed;
    ++(expected ? good : bad);
    for (const LifetimeOverlap& overlap : find_lifetime_overlaps(plan.desc, 16)) {
      ASSERT_TRUE(overlap.schedule.empty() || is_linear_extension(plan.desc, overlap.schedule)) << seed;
    }
  }
  EXPECT_GT(good, effort(500U));
  EXPECT_GT(bad, effort(200U));
}

TEST(MemoryPlan, B49_UsesEqualForceOnRandomPlans) {
  std::uint32_t good = 0, bad = 0;
  for (std::uint64_t seed = 0; seed < effort(2000U); ++seed) {
    Random random{seed};
    const RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {});
    const std::vector<Witness> witnesses = check_memory_plan(plan.desc).witnesses;
    const bool is_found = std::ranges::any_of(witnesses, [](const Witness& witness) {
      return witness.text.find(" its lifetime, which it claims") != std::string::npos;
    });
    const bool expected = !uses_are_within_claims(plan.desc);
    if (witnesses.size() < 16) {
      ASSERT_EQ(is_found, expected) << seed;
    }
    ++(expected ? bad : good);
  }
  EXPECT_GT(good, effort(200U));
  EXPECT_GT(bad, effort(100U));
}

}  // namespace
}  // namespace detent::verify
