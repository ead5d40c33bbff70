// Z3 and L0 judge memory plans alike: one broken plan per law, and random plans with random damage.
#include "verify/smt/plan_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/effort.hpp"
#include "tests/verify/random_plan.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::verify::smt {
namespace {

using namespace verify::testing;

/// Numbers of the broken laws, sorted: what two checkers must have in common. Of pairs that share a byte L0 lists those
/// that follow one another there, Z3 all of them: B42 stands once.
std::vector<std::string> numbers_of(const std::vector<Witness>& witnesses) {
  std::vector<std::string> numbers;
  for (const Witness& witness : witnesses) {
    const std::string number = witness.text.substr(0, 3);
    if (number != "B42" || std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::string joined(const std::vector<Witness>& witnesses) {
  std::string text;
  for (const Witness& witness : witnesses) text += witness.text + "\n";
  return text;
}

/// "" when both checkers say the same, law by law; of long lists only the outcome.
std::string compare(const detent_desc& desc) {
  const Verdict by_l0 = check_memory_plan(desc);
  const PlanProof proof = prove_memory_plan(desc);
  const Verdict by_z3 = judge_plan_proof(desc, proof);
  const bool is_whole = proof.complete && by_l0.witnesses.size() < 16;
  if (by_l0.outcome == by_z3.outcome && (!is_whole || numbers_of(by_l0.witnesses) == numbers_of(by_z3.witnesses))) {
    return "";
  }
  return by_l0.summary + "\n" + joined(by_l0.witnesses) + by_z3.summary + "\n" + joined(by_z3.witnesses);
}

using Plan = ReusePlan;

void expect_fault(const DescTables& tables, const std::string& number) {
  EXPECT_EQ(compare(tables.desc), "");
  const std::vector<std::string> numbers = numbers_of(prove_memory_plan(tables.desc).faults);
  EXPECT_NE(std::ranges::find(numbers, number), numbers.end()) << number;
}

template <typename Change>
void expect_fault_after(const std::string& number, Change change) {
  Plan plan;
  change(plan);
  plan.refresh();
  expect_fault(plan, number);
}

TEST(PlanProof, ReuseAfterTheLastReaderHolds) {
  const Plan plan;
  EXPECT_EQ(compare(plan.desc), "");
  const Verdict verdict = judge_plan_proof(plan.desc, prove_memory_plan(plan.desc));
  EXPECT_EQ(verdict.property, Property::kMemoryPlanSmt);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds);
  EXPECT_NE(verdict.summary.find("none of 3 tensors in 1 region breaks a law"), std::string::npos);
}

TEST(PlanProof, B42_OverlapNamesTensorsByteAndOp) {
  Plan plan;
  plan.live(0, {0, 2});
  expect_fault(plan, "B42");
  const Verdict verdict = judge_plan_proof(plan.desc, prove_memory_plan(plan.desc));
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  const std::string expected = "B42: tensor 0 (op0.w0) and tensor 2 (op2.w0) both live at op 2 (op2) and share byte ";
  EXPECT_EQ(verdict.witnesses[0].text.substr(0, expected.size()), expected);
  EXPECT_EQ(verdict.witnesses[0].schedule, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_NE(verdict.summary.find("1 fault, and no others"), std::string::npos);
}

TEST(PlanProof, B40_to_B49_OneBrokenPlanEach) {
  expect_fault_after("B09", [](Plan& plan) { plan.tensors[1].region = 7; });
  expect_fault_after("B09", [](Plan& plan) { plan.tensors[1].alias_of = 70; });
  expect_fault_after("B32", [](Plan& plan) { plan.tensors[1].block_bytes = 32; });
  expect_fault_after("B40", [](Plan& plan) { plan.tensors[1].offset_bytes = 128; });
  expect_fault_after("B40", [](Plan& plan) { plan.regions[0].size_bytes = DETENT_MAX_BYTES + 1; });
  expect_fault_after("B41", [](Plan& plan) { plan.tensors[1].offset_bytes = UINT64_MAX - 63; });
  expect_fault_after("B43", [](Plan& plan) { plan.tensors[1].alias_of = 1; });
  expect_fault_after("B43", [](Plan& plan) {
    plan.tensors[1].alias_of = 2;
    plan.tensors[2].alias_of = 1;
  });
  expect_fault_after("B43", [](Plan& plan) { plan.tensors[1].alias_of = 0; });
  expect_fault_after("B44", [](Plan& plan) {
    plan.tensors[2].alias_of = 0;
    plan.tensors[2].dtype = DETENT_F32;
  });
  expect_fault_after("B45", [](Plan& plan) { plan.tensors[1].offset_bytes = 0; });
  expect_fault_after("B46", [](Plan& plan) { plan.regions[0].kind = DETENT_REGION_INPUT; });
  expect_fault_after("B46", [](Plan& plan) {
    plan.regions.push_back({"weights", DETENT_REGION_WEIGHTS, 64, 64, nullptr});
  });
  expect_fault_after("B47", [](Plan& plan) { plan.tensors[0].size_bytes = 0; });
  expect_fault_after("B47", [](Plan& plan) { plan.regions[0].size_bytes = 0; });
  expect_fault_after("B48", [](Plan& plan) { plan.tensors[0].align_bytes = 48; });
  expect_fault_after("B48", [](Plan& plan) { plan.tensors[1].align_bytes = 128; });
  expect_fault_after("B48", [](Plan& plan) { plan.regions[0].align_bytes = 0; });
  expect_fault_after("B49", [](Plan& plan) { plan.live(1, {2, 1}); });
  expect_fault_after("B49", [](Plan& plan) { plan.live(1, {2, DETENT_NONE}); });
}

TEST(PlanProof, B41_SumsThatWrapIn64BitsDoNotWrapHere) {
  Plan plan;
  plan.tensors[1].offset_bytes = 0 - std::uint64_t{64};  // offset + size is 0 in 64 bits: "inside" for a careless check
  EXPECT_LE(plan.tensors[1].offset_bytes + plan.tensors[1].size_bytes, plan.regions[0].size_bytes);
  expect_fault(plan, "B41");
  expect_fault(plan, "B40");
  Plan blocks;
  blocks.tensors[1].block_count = 1U << 31U;
  blocks.tensors[1].stride_bytes = std::uint64_t{1} << 33U;  // (count - 1) * stride wraps to a small number
  blocks.tensors[1].block_bytes = 64 + (std::uint64_t{1} << 33U);
  expect_fault(blocks, "B32");
}

TEST(PlanProof, B45_InPlaceExcusesOneMeetingOnly) {
  Plan plan;
  plan.tensors[1].offset_bytes = 0;
  plan.tensors[2].offset_bytes = 64;
  plan.ops[1].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(prove_memory_plan(plan.desc).faults.size(), 0U);
  EXPECT_EQ(compare(plan.desc), "");
  plan.live(0, {0, 2});
  expect_fault(plan, "B42");
}

/// Values at which a careless comparison turns.
std::uint64_t draw_edge_value(Random& random) {
  constexpr std::uint64_t kValues[] = {0,
                                       1,
                                       2,
                                       3,
                                       63,
                                       64,
                                       65,
                                       127,
                                       128,
                                       200,
                                       255,
                                       DETENT_MAX_BYTES,
                                       DETENT_MAX_BYTES + 1,
                                       UINT64_MAX,
                                       UINT64_MAX - 63,
                                       UINT64_MAX / 2 + 1};
  return kValues[random.below(std::size(kValues))];
}

void damage(DescTables& tables, Random& random) {
  detent_tensor& tensor = tables.tensors[random.below(static_cast<std::uint32_t>(tables.tensors.size()))];
  detent_region& region = tables.regions[random.below(static_cast<std::uint32_t>(tables.regions.size()))];
  const std::uint64_t value = draw_edge_value(random);
  switch (random.below(14)) {
    case 0:
      tensor.offset_bytes = value;
      break;
    case 1:
      tensor.size_bytes = value;
      break;
    case 2:
      tensor.block_bytes = value;
      break;
    case 3:
      tensor.stride_bytes = value;
      break;
    case 4:
      tensor.block_count = static_cast<std::uint32_t>(value);
      break;
    case 5:
      tensor.align_bytes = static_cast<std::uint32_t>(value);
      break;
    case 6:
      tensor.alias_of = random.below(static_cast<std::uint32_t>(tables.tensors.size() + 1));
      break;
    case 7:
      tensor.region = random.below(4);
      break;
    case 8:
      tensor.live_begin = random.below(2) == 0 ? DETENT_NONE : random.below(12);
      break;
    case 9:
      tensor.live_end = random.below(12);
      break;
    case 10:
      tensor.dtype = DETENT_F32;
      break;
    case 11:
      region.size_bytes = value;
      break;
    case 12:
      region.kind = static_cast<detent_region_kind>(random.below(4));
      break;
    default:
      region.align_bytes = static_cast<std::uint32_t>(value);
      break;
  }
}

/// Values of random lives, views among them, and some ops in place.
void make_values(DescTables& tables, Random& random) {
  for (detent_tensor& tensor : tables.tensors) {
    if (random.below(5) != 0) tensor.flags = 0;
    tensor.align_bytes = 1U << random.below(3);
    if (random.below(6) == 0) continue;  // no lifetime
    tensor.live_begin = random.below(10);
    tensor.live_end = tensor.live_begin + random.below(3);
    if (random.below(5) == 0) tensor.alias_of = random.below(static_cast<std::uint32_t>(tables.tensors.size()));
  }
  for (detent_op& op : tables.ops) {
    if (random.below(2) == 0) op.flags = DETENT_OP_IN_PLACE;
  }
}

TEST(PlanProof, EqualsL0OnRandomPlansWithRandomDamage) {
  std::uint64_t good = 0;
  for (std::uint64_t seed = 0; seed < effort(600U); ++seed) {
    Random random{seed};
    const std::uint32_t ops = 1 + random.below(4);
    DescTables tables(make_random_spec(
        seed, {.op_count = ops, .region_bytes = 256, .max_reads = 2, .max_writes = 2, .percent_strided = 30}));
    if (tables.tensors.empty()) continue;
    make_values(tables, random);
    for (std::uint32_t n = random.below(3); n > 0; --n) damage(tables, random);
    ASSERT_EQ(compare(tables.desc), "") << "seed " << seed;
    good += check_memory_plan(tables.desc).outcome == Outcome::kHolds ? 1 : 0;
  }
  EXPECT_GT(good, 0U);
}

TEST(PlanProof, EqualsForceOnRandomPlansWithShuffledIds) {
  std::uint32_t good = 0, bad = 0;
  for (std::uint64_t seed = 0; seed < effort(400U); ++seed) {
    Random random{seed};
    const RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {});
    const bool expected = values_are_in_order(plan.desc);
    const PlanProof proof = prove_memory_plan(plan.desc);
    const std::vector<std::string> numbers = numbers_of(proof.faults);
    ASSERT_EQ(std::ranges::find(numbers, "B42") == numbers.end(), expected) << seed;
    ASSERT_EQ(std::ranges::find(numbers, "B49") == numbers.end(), uses_are_within_claims(plan.desc)) << seed;
    for (const Witness& fault : proof.faults) {
      ASSERT_TRUE(fault.schedule.empty() || is_linear_extension(plan.desc, fault.schedule)) << seed;
    }
    ++(expected ? good : bad);
  }
  EXPECT_GT(good, effort(40U));
  EXPECT_GT(bad, effort(40U));
}

/// In-place chains: input and output of one op on the same bytes, lives that meet or not.
TEST(PlanProof, EqualsL0OnRandomInPlaceChains) {
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    Random random{seed};
    Plan plan;
    for (detent_tensor& tensor : plan.tensors) tensor.offset_bytes = 64 * random.below(2);
    for (std::uint32_t t = 0; t < 3; ++t) plan.live(t, {t, std::min(2U, t + random.below(3))});
    for (detent_op& op : plan.ops) op.flags = random.below(2) * DETENT_OP_IN_PLACE;
    ASSERT_EQ(compare(plan.desc), "") << "seed " << seed;
  }
}

TEST(PlanProof, EqualsL0OnEveryModelOfTheZoo) {
  for (const models::ZooEntry& entry : models::zoo()) {
    // The plan of all sections of "calibration" at once, 1653 tensors, takes Z3 minutes.
    const std::string spec = entry.name == "calibration" ? "calibration:1" : entry.name;
    const models::LoweredModel lowered = models::lower(models::make_zoo_model(spec), {.weights = false});
    EXPECT_EQ(compare(lowered.desc()), "") << entry.name;
    const bool holds = prove_memory_plan(lowered.desc()).faults.empty();
    const bool shares_wrongly = entry.expected.property == "memory_plan" || entry.expected.property == "buffer_races";
    EXPECT_EQ(holds, !shares_wrongly) << entry.name;
  }
}

TEST(PlanProof, VerdictIsUnknownWhereALimitEndsTheSearch) {
  const Plan plan;
  const Verdict verdict = judge_plan_proof(plan.desc, prove_memory_plan(plan.desc, {.seconds = 0, .steps = 1}));
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_NE(verdict.summary.find("not decided: limit of 1 solver steps"), std::string::npos) << verdict.summary;
  const Limits overspent{.seconds = 0, .steps = 10, .spent_steps = 20};
  EXPECT_EQ(prove_memory_plan(plan.desc, overspent).reason,
            "limit of 10 solver steps while the formula was built (region 0 of 1)");
  Limits used_up;
  used_up.spent_seconds = used_up.seconds;
  EXPECT_EQ(
      prove_memory_plan(plan.desc, used_up).reason,
      "time limit of 60.00 s while the formula was built (region 0 of " + std::to_string(plan.desc.region_count) + ")");
}

/// A clock that goes on by a second whenever it is read.
double plan_now_s = 0;
double ticking_plan_clock() { return plan_now_s += 1; }

TEST(PlanProof, TheTimeLimitCoversBuildingAndTakingOver) {
  const DescTables tables(make_random_spec(5, {.op_count = 6}));
  std::set<std::string> places;
  bool is_complete = false;
  for (double seconds = 1; seconds < 10'000 && !is_complete; ++seconds) {
    plan_now_s = 0;
    const PlanProof proof = prove_memory_plan(tables.desc, {.seconds = seconds, .clock = ticking_plan_clock});
    is_complete = proof.complete;
    if (is_complete) break;
    const std::string limit = "time limit of " + std::to_string(static_cast<int>(seconds)) + ".00 s";
    ASSERT_EQ(proof.reason.rfind(limit, 0), 0U) << proof.reason;
    places.insert(proof.reason.substr(limit.size()));
  }
  EXPECT_TRUE(is_complete);
  EXPECT_TRUE(places.contains("")) << "between two questions";
  for (const char* place : {" while the formula was built (region ", " while the formula was built (tensor ",
                            " while the formula was built (op ", " while the formula was built (views, tensor ",
                            " while the formula was built (lifetimes, tensor ", " while Z3 took over term ",
                            " while Z3 took over assertion "}) {
    const auto found = places.lower_bound(place);
    EXPECT_TRUE(found != places.end() && found->rfind(place, 0) == 0) << place;
  }
}

TEST(PlanProof, StepsEndTheBuildingAtTheSameTermEachTime) {
  const DescTables tables(make_random_spec(5, {.op_count = 30}));
  const Limits limits{.seconds = 0, .steps = 100};
  const PlanProof proof = prove_memory_plan(tables.desc, limits);
  EXPECT_EQ(proof.cost.questions, 0U);
  EXPECT_EQ(proof.reason.rfind("limit of 100 solver steps while the formula was built (", 0), 0U) << proof.reason;
  EXPECT_EQ(prove_memory_plan(tables.desc, limits).reason, proof.reason);
  const PlanProof whole = prove_memory_plan(tables.desc, {.seconds = 0});
  ASSERT_TRUE(whole.complete);
  EXPECT_TRUE(prove_memory_plan(tables.desc, {.seconds = 0, .steps = whole.cost.steps + 1}).complete);
}

TEST(PlanProof, ManyFaultsAreCutWithANote) {
  DescTables tables(make_random_spec(1, {.op_count = 20}));
  for (detent_tensor& tensor : tables.tensors) tensor.align_bytes = 3;
  const PlanProof proof = prove_memory_plan(tables.desc);
  EXPECT_EQ(proof.faults.size(), 16U);
  EXPECT_FALSE(proof.complete);
  const Verdict verdict = judge_plan_proof(tables.desc, proof);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.summary.find("16 faults; stopped by the limit of 16 faults"), std::string::npos);
}

}  // namespace
}  // namespace detent::verify::smt
