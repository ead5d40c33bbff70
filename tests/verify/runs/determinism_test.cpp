// Determinism: the proof, the runs, and the op that a difference is blamed on. One worker: no threads, so that
// every run is repeatable; the runs with threads stand in determinism_threads_test.cpp.
#include "verify/runs/determinism.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/verify/random_graph.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/runs/output_audit.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// Op 0 makes x; 1 and 2 read it and write results; 3 writes over x, after 1 only unless `fixed`.
GraphSpec reuse(bool fixed) {
  GraphSpec spec = make_ops(4);
  spec.ops[0].writes = {{0, 0, 64}};
  spec.ops[1].reads = {{0, 0, 64}};
  spec.ops[1].writes = {{0, 64, 64}};
  spec.ops[2].reads = {{0, 0, 64}};
  spec.ops[2].writes = {{0, 128, 64}};
  spec.ops[3].reads = {{0, 64, 64}};
  spec.ops[3].writes = {{0, 0, 64}};
  spec.edges = {{0, 1}, {0, 2}, {1, 3}};
  if (fixed) spec.edges.emplace_back(2, 3);
  return spec;
}

GraphSpec two_writers(bool commute) {
  GraphSpec spec = make_ops(2);
  spec.mutex_count = 1;
  for (OpSpec& op : spec.ops) {
    op.writes = {{0, 0, 8}};
    op.mutexes = {0};
    if (commute) op.commute_group = 1;
  }
  return spec;
}

Verdict judge(const GraphSpec& spec) {
  const DescTables tables(spec);
  return judge_determinism(tables.desc, find_races(tables.desc));
}

TEST(JudgeDeterminism, RaceFreeHolds) { EXPECT_EQ(judge(reuse(true)).outcome, Outcome::kHolds); }

TEST(JudgeDeterminism, ARaceIsAViolation) {
  const Verdict verdict = judge(reuse(false));
  EXPECT_EQ(verdict.property, Property::kDeterminism);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).ops, (std::vector<std::uint32_t>{2, 3}));
}

TEST(JudgeDeterminism, AMutexAloneIsAViolation) {
  EXPECT_EQ(judge(two_writers(false)).outcome, Outcome::kViolated);
  EXPECT_EQ(judge(two_writers(true)).outcome, Outcome::kHolds);
}

TEST(CompareDigests, AllMustEqualTheReference) {
  EXPECT_EQ(compare_digests(7, {{"a", 7}, {"b", 7}}).outcome, Outcome::kHolds);
  EXPECT_EQ(compare_digests(7, {}).outcome, Outcome::kUnknown);
  const Verdict verdict = compare_digests(7, {{"a", 7}, {"simulated run 3", 8}});
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text, "simulated run 3: digest 0000000000000008, reference 0000000000000007");
}

DeterminismOptions without_threads() {
  return {.worker_counts = {0, 1}, .random_seeds = 16, .permuted_orders = 16, .max_runs = 40};
}

TEST(CheckDeterminism, RaceFreeReuseGivesOneDigest) {
  const DescTables tables(reuse(true));
  const DeterminismReport report = check_determinism(tables.desc, without_threads());
  EXPECT_EQ(report.verdict.outcome, Outcome::kHolds) << report.verdict.summary;
  EXPECT_GE(report.runs.size(), 37U);
  for (const DigestRun& run : report.runs) EXPECT_EQ(run.digest, report.serial_digest) << run.how;
}

TEST(CheckDeterminism, F13_ThePlantedRaceIsBlamedOnTheOpThatReadTheWrongBytes) {
  const DescTables tables(reuse(false));
  const DeterminismReport report = check_determinism(tables.desc, without_threads());
  ASSERT_EQ(report.verdict.outcome, Outcome::kViolated);
  const Witness& witness = report.verdict.witnesses.at(0);
  EXPECT_EQ(witness.ops, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(witness.text,
            "closed-loop, 1 worker, policy given seed 2: digest 979ae9bd3789b474, serial 281306fe89c30ced; the first "
            "op whose output differs is op 2 (op2)");
  ASSERT_TRUE(is_linear_extension(tables.desc, witness.schedule));
  const auto at = [&](std::uint32_t op) { return std::find(witness.schedule.begin(), witness.schedule.end(), op); };
  EXPECT_LT(at(3), at(2));
}

TEST(CheckDeterminism, WhatExtendsTheRunsExecutesInAllButTheSerialOne) {
  const DescTables tables(reuse(true));
  DeterminismOptions options = without_threads();
  std::uint32_t extended = 0;
  options.extend = [&](harness::InstanceOptions&) { ++extended; };
  const DeterminismReport report = check_determinism(tables.desc, options);
  EXPECT_EQ(report.verdict.outcome, Outcome::kHolds);
  EXPECT_EQ(extended, report.runs.size());
}

TEST(CheckDeterminism, DescThatDoesNotBindMakesTheVerdictUnknown) {
  DescTables tables(reuse(true));
  tables.ops[0].entry_count = 3;
  EXPECT_EQ(check_determinism(tables.desc, without_threads()).verdict.outcome, Outcome::kUnknown);
}

TEST(PlanRuns, TheBudgetIsKeptAndSharedByAllKinds) {
  const DescTables tables(reuse(true));
  const auto runs = plan_determinism_runs(tables.desc, {.max_runs = 8});
  ASSERT_EQ(runs.size(), 8U);
  std::set<std::string> policies;
  for (const auto& run : runs) policies.insert(run.engine.policy);
  EXPECT_TRUE(policies.contains("given") && policies.contains("random") && policies.contains("priority"));
  EXPECT_EQ(plan_determinism_runs(tables.desc, {.max_ops = 1}).size(), 1U);
  EXPECT_EQ(plan_determinism_runs(tables.desc, {.max_ops = 12}).size(), 3U);
}

TEST(PlanRuns, EveryModePolicyAndWorkerCountIsAmongThem) {
  const DescTables tables(reuse(true));
  std::set<std::string> seen;
  for (const auto& run : plan_determinism_runs(tables.desc, {.max_runs = 1000})) seen.insert(describe_options(run));
  for (const char* const how :
       {"closed-loop, 8 workers, policy id", "layered, 3 workers, policy id", "static, 2 workers, policy id",
        "closed-loop, 3 workers, scheduler thread, policy id", "closed-loop, 1 worker, policy random seed 1",
        "closed-loop, 2 workers, policy given seed 2", "closed-loop, 8 workers, policy critical-path"}) {
    EXPECT_TRUE(seen.contains(how)) << how;
  }
}

TEST(OutputAudit, RecordsEveryOpAndFindsTheFirstDifferenceTopologically) {
  const DescTables tables(reuse(true));
  OutputAudit audit(tables.desc, {});
  const harness::Run run = harness::run_native(tables.desc, {.engine = {.workers = 0}, .backends = {audit.backend()}});
  ASSERT_EQ(run.result.error.status, DETENT_OK);
  for (const std::uint64_t digest : audit.digests()) EXPECT_NE(digest, 0U);
  auto other = audit.digests();
  EXPECT_EQ(find_first_difference(tables.desc, audit.digests(), other), DETENT_NONE);
  other[3] ^= 2;
  other[1] ^= 2;
  EXPECT_EQ(find_first_difference(tables.desc, audit.digests(), other), 1U);
}

/// A back end that writes one byte 7 more than the rest into each op's outputs, blocks and gaps alike.
struct WritesBytes {
  std::uint64_t changed = UINT64_MAX;  ///< which byte of the memory behind the output
  std::uint64_t count = 0;
  static detent_status resolve(void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args*) -> std::int32_t { return 0; };
    return DETENT_OK;
  }
  static detent_dispatch dispatch(void* self, detent_context*, const detent_entity* entity, std::uint32_t,
                                  std::int32_t* code) {
    const auto& writes = *static_cast<const WritesBytes*>(self);
    auto* const bytes = static_cast<std::uint8_t*>(entity->args.outputs[0].data);
    for (std::uint64_t i = 0; i < writes.count; ++i) {
      bytes[i] = static_cast<std::uint8_t>(i * 5 + 1 + (i == writes.changed ? 7 : 0));
    }
    *code = 0;
    return DETENT_DISPATCH_DONE;
  }
};

TEST(OutputAudit, EveryByteOfTheOutputsCountsAndNoOther) {
  for (const std::uint64_t block : {1U, 7U, 8U, 9U, 16U, 23U}) {
    constexpr std::uint64_t kStride = 32, kBlocks = 3;
    GraphSpec spec = make_ops(1);
    spec.regions = detent::support::workspaces({128});
    spec.ops[0].writes = {{.region = 0, .offset = 0, .size = block, .count = kBlocks, .stride = kStride}};
    const DescTables tables(spec);
    const auto digest_with = [&](std::uint64_t changed) {
      WritesBytes writes{.changed = changed, .count = kStride * kBlocks};
      OutputAudit audit(tables.desc, {{&writes, "*", WritesBytes::resolve, WritesBytes::dispatch}});
      const harness::Run run =
          harness::run_native(tables.desc, {.engine = {.workers = 0}, .backends = {audit.backend()}});
      EXPECT_EQ(run.result.error.status, DETENT_OK);
      return audit.digests().at(0);
    };
    const std::uint64_t sound = digest_with(UINT64_MAX);
    std::set<std::uint64_t> seen{sound};
    for (std::uint64_t at = 0; at < kStride * kBlocks; ++at) {
      const std::uint64_t changed = digest_with(at);
      if (at % kStride < block) {
        EXPECT_TRUE(seen.insert(changed).second) << "byte " << at << " of blocks of " << block;
      } else {
        EXPECT_EQ(changed, sound) << "byte " << at << " lies between blocks of " << block;
      }
    }
  }
}

TEST(OutputAudit, AKernelThatNoBackEndKnowsIsUnknown) {
  DescTables tables(reuse(true));
  tables.kernels.push_back("nobody_has_it");
  tables.ops[1].kernel = static_cast<std::uint32_t>(tables.kernels.size() - 1);
  tables.refresh();
  OutputAudit audit(tables.desc, {});
  const harness::Run run = harness::run_native(tables.desc, {.engine = {.workers = 0}, .backends = {audit.backend()}});
  EXPECT_EQ(run.result.error.status, DETENT_UNKNOWN_KERNEL);
  EXPECT_EQ(run.result.error.op, 1U);
}

}  // namespace
}  // namespace detent::verify
