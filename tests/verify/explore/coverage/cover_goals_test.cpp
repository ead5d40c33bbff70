#include "verify/explore/coverage/cover_goals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/coverage/engine_graph.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;
using testing::make_ops;

const CoverGoal& find(const std::vector<CoverGoal>& list, const std::string& name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const CoverGoal& s) { return s.name == name; });
  EXPECT_NE(at, list.end()) << name;
  return *at;
}

harness::Trace trace_of(const std::vector<harness::Span>& spans) {
  harness::Trace trace;
  trace.spans = spans;
  return trace;
}

/// a, then b and c; a and c write the same bytes, with c after a.
GraphSpec fork_with_reuse() {
  GraphSpec spec = make_ops(3);
  spec.ops[0].writes = {{0, 0, 64}};
  spec.ops[1].writes = {{0, 64, 64}};
  spec.ops[2].writes = {{0, 32, 16}};
  spec.edges = {{0, 1}, {0, 2}};
  return spec;
}

/// Two unordered ops that write the same bytes under a common mutex, declared commutative.
GraphSpec commuting_pair() {
  GraphSpec spec = make_ops(2);
  for (testing::OpSpec& op : spec.ops) {
    op.writes = {{0, 0, 8}};
    op.mutexes = {0};
    op.commute_group = 0;
  }
  spec.mutex_count = 1;
  return spec;
}

TEST(CoverGoals, AChainHasNothingToExercise) {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 1}, {1, 2}};
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  const std::vector<CoverGoal> list = model_cover_goals(space, {.workers = 3, .schedules = {{0, 1, 2}}});
  EXPECT_EQ(list.size(), 5U);
  for (const CoverGoal& goal : list) {
    EXPECT_FALSE(goal.applicable) << goal.name;
    EXPECT_FALSE(goal.evidence.empty()) << "it says why";
  }
  EXPECT_EQ(judge_cover_goals(list).outcome, Outcome::kHolds);
}

TEST(CoverGoals, OneOrderOfTwoOpsIsNotBoth) {
  const DescTables tables(fork_with_reuse());
  const OpSpace space(tables.desc);
  ModelEvidence evidence{.workers = 2, .schedules = {{0, 1, 2}}};
  const CoverGoal once = find(model_cover_goals(space, evidence), "both_orders");
  EXPECT_TRUE(once.never());
  evidence.schedules.push_back({0, 2, 1});
  EXPECT_EQ(find(model_cover_goals(space, evidence), "both_orders").count, 1U);
}

TEST(CoverGoals, ReuseTakesARunInWhichBothWritersRan) {
  const DescTables tables(fork_with_reuse());
  const OpSpace space(tables.desc);
  const harness::Trace half = trace_of({{0, 0, 0, 10, 0}, {1, 1, 10, 20, 0}});
  const harness::Trace whole = trace_of({{0, 0, 0, 10, 0}, {1, 1, 10, 20, 0}, {2, 0, 10, 20, 0}});
  ModelEvidence evidence{.runs = {{"short run", &half}}, .workers = 2};
  EXPECT_TRUE(find(model_cover_goals(space, evidence), "buffer_reuse").never());
  evidence.runs.push_back({"whole run", &whole});
  const CoverGoal seen = find(model_cover_goals(space, evidence), "buffer_reuse");
  EXPECT_EQ(seen.count, 1U);
  EXPECT_EQ(seen.evidence, "1 of 1 places, first op 2 (op2) over op 0 (op0) in the whole run");
}

TEST(CoverGoals, WritersThatOverlapInTimeDoNotCountAsReuse) {
  const DescTables tables(fork_with_reuse());
  const OpSpace space(tables.desc);
  const harness::Trace overlapping = trace_of({{0, 0, 0, 10, 0}, {2, 1, 5, 20, 0}, {1, 0, 10, 20, 0}});
  const ModelEvidence evidence{.runs = {{"run", &overlapping}}, .workers = 2};
  EXPECT_TRUE(find(model_cover_goals(space, evidence), "buffer_reuse").never());
}

TEST(CoverGoals, OpsAtOnceComesFromTimeOrFromThreadSchedules) {
  const DescTables tables(fork_with_reuse());
  const OpSpace space(tables.desc);
  const harness::Trace serial = trace_of({{0, 0, 0, 10, 0}, {1, 0, 10, 20, 0}, {2, 0, 20, 30, 0}});
  const harness::Trace parallel = trace_of({{0, 0, 0, 10, 0}, {1, 0, 10, 20, 0}, {2, 1, 15, 30, 0}});
  ModelEvidence evidence{.runs = {{"serial run", &serial}}, .workers = 2};
  EXPECT_TRUE(find(model_cover_goals(space, evidence), "ops_at_once").never());
  evidence.engine_together = 7;
  EXPECT_EQ(find(model_cover_goals(space, evidence), "ops_at_once").count, 7U);
  evidence.runs = {{"parallel run", &parallel}};
  const CoverGoal seen = find(model_cover_goals(space, evidence), "ops_at_once");
  EXPECT_EQ(seen.count, 8U);
  EXPECT_EQ(seen.evidence, "op 1 (op1) and op 2 (op2) in the parallel run");
  evidence.workers = 1;
  EXPECT_FALSE(find(model_cover_goals(space, evidence), "ops_at_once").applicable);
}

TEST(CoverGoals, MutexesKeepOpsApartAndTheirOrdersCount) {
  const DescTables tables(commuting_pair());
  const OpSpace space(tables.desc);
  ModelEvidence evidence{.workers = 2, .schedules = {{0, 1}}};
  std::vector<CoverGoal> list = model_cover_goals(space, evidence);
  EXPECT_FALSE(find(list, "ops_at_once").applicable);
  EXPECT_TRUE(find(list, "conflict_both_orders").never());
  EXPECT_TRUE(find(list, "conflict_met").never());
  const Verdict verdict = judge_cover_goals(list);
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  ASSERT_EQ(verdict.witnesses.size(), 3U);
  EXPECT_EQ(verdict.witnesses[0].text.rfind("not covered: ", 0), 0U) << verdict.witnesses[0].text;
  evidence.schedules.push_back({1, 0});
  list = model_cover_goals(space, evidence);
  EXPECT_EQ(find(list, "conflict_both_orders").count, 1U);
  EXPECT_EQ(find(list, "conflict_met").count, 1U);
  EXPECT_EQ(judge_cover_goals(list).outcome, Outcome::kHolds);
}

TEST(CoverGoals, OverlappingSpansOfARaceMeet) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].writes = {{0, 0, 8}};
  spec.ops[1].reads = {{0, 0, 8}};
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  const harness::Trace first = trace_of({{0, 0, 0, 10, 0}, {1, 1, 20, 30, 0}});
  const harness::Trace second = trace_of({{1, 0, 0, 10, 0}, {0, 1, 5, 15, 0}});
  ModelEvidence evidence{.runs = {{"run", &first}}, .workers = 2};
  EXPECT_TRUE(find(model_cover_goals(space, evidence), "conflict_met").never());
  evidence.runs.push_back({"other run", &second});
  EXPECT_EQ(find(model_cover_goals(space, evidence), "conflict_met").count, 1U);
  EXPECT_TRUE(find(model_cover_goals(space, evidence), "conflict_both_orders").never()) << "they overlapped";
}

TEST(CoverGoals, PairsOfTooManyOpsAreNotCompared) {
  const DescTables tables(make_ops(kMaxDenseOps + 1));
  const OpSpace space(tables.desc);
  const std::vector<CoverGoal> list = model_cover_goals(space, {.workers = 2});
  EXPECT_FALSE(find(list, "both_orders").applicable);
  EXPECT_TRUE(find(list, "ops_at_once").never());
}

TEST(EngineCoverGoals, SmallSampleCoversEveryGoalInEveryMode) {
  const DescTables tables(fork_with_reuse());
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    for (const std::uint32_t workers : {1U, 2U, 3U, 4U}) {
      for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
        const EngineShape shape{mode, scheduler, workers};
        const EngineSample sample = sample_engine(tables.desc, {.shape = shape});
        EXPECT_FALSE(sample.failure.has_value());
        ASSERT_EQ(sample.programs.size(), 2U);
        const Verdict verdict = judge_cover_goals(engine_cover_goals(shape, sample.programs));
        EXPECT_EQ(verdict.outcome, Outcome::kHolds)
            << "mode " << mode << ", " << workers << " workers: " << verdict.witnesses.front().text;
      }
    }
  }
}

TEST(EngineCoverGoals, RoleIsNeverHeldWithOneWorker) {
  const DescTables tables(fork_with_reuse());
  const EngineSample sample = sample_engine(tables.desc, {.shape = {.workers = 1}});
  const std::vector<CoverGoal> list = engine_cover_goals({.workers = 1}, sample.programs);
  EXPECT_EQ(find(list, "role_held").count, 0U) << "its own letting go does not count";
  EXPECT_FALSE(find(list, "role_held").applicable);
}

TEST(EngineCoverGoals, BackEndsThatAnswerContendForTheLock) {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 1}, {0, 2}};
  spec.ops[1].core_class = spec.ops[2].core_class = 1;
  const DescTables tables(spec);
  const EngineSample sample = sample_engine(tables.desc, {});
  const std::vector<CoverGoal> list = engine_cover_goals({}, sample.programs);
  EXPECT_GT(find(list, "lock_free").count, 0U);
  EXPECT_GT(find(list, "lock_contended").count, 0U);
  EXPECT_EQ(judge_cover_goals(list).outcome, Outcome::kHolds);
}

TEST(EngineCoverGoals, UncoveredGoalIsAFindingUnlessAllSchedulesWereExecuted) {
  GraphSpec spec = make_ops(2);
  spec.edges = {{0, 1}};
  const DescTables tables(spec);
  const EngineGraph graph(tables.desc);
  ThreadOptions options{.search = Search::kRotate, .max_executions = 3};
  std::vector<EngineEvidence> programs{{"a chain", false, false, explore_threads(graph.desc(), options).statistics}};
  const Verdict sampled = judge_cover_goals(engine_cover_goals({}, programs));
  EXPECT_EQ(sampled.outcome, Outcome::kUnknown);
  EXPECT_EQ(sampled.witnesses.front().text,
            "not covered: the scheduler role was asked for and held by another worker (role_held); execute more "
            "schedules, or a wider graph");
  programs.front().complete = true;
  EXPECT_EQ(judge_cover_goals(engine_cover_goals({}, programs)).outcome, Outcome::kHolds)
      << "every schedule was executed: what did not happen cannot";
}

TEST(EngineCoverGoals, SerialAndLargeGraphsAreOmittedWithANote) {
  const DescTables small(make_ops(1));
  const EngineSample serial = sample_engine(small.desc, {.shape = {.mode = DETENT_MODE_SERIAL}});
  EXPECT_TRUE(serial.programs.empty());
  EXPECT_FALSE(serial.note.empty());
  const DescTables large(make_ops(2001));
  const EngineSample sample = sample_engine(large.desc, {});
  EXPECT_EQ(sample.programs.size(), 1U);
  EXPECT_EQ(sample.note, "more than 2000 ops: the engine was not explored on this graph");
  EXPECT_FALSE(find(engine_cover_goals({}, sample.programs), "lock_contended").applicable);
  GraphSpec spec = make_ops(2001);
  spec.ops[7].core_class = 1;
  const DescTables with_backend(spec);
  const EngineSample answered = sample_engine(with_backend.desc, {});
  EXPECT_GT(find(engine_cover_goals({}, answered.programs), "lock_contended").count, 0U)
      << "the fork has what the graph has";
}

TEST(EngineCoverGoals, CountsHaveTheNamesOfTheStruct) {
  EngineEvidence program;
  program.statistics.sync.ready_full = 3;
  const std::vector<SyncCount> counts = sync_counts(std::vector<EngineEvidence>{program, program});
  const auto at = std::find_if(counts.begin(), counts.end(),
                               [](const SyncCount& c) { return c.name == std::string("ready_full"); });
  ASSERT_NE(at, counts.end());
  EXPECT_EQ(at->count, 6U);
}

TEST(EngineGraph, KeepsTheGraphAndReadsWhatItsPredecessorsWrote) {
  const DescTables tables(fork_with_reuse());
  const EngineGraph graph(tables.desc);
  EXPECT_EQ(graph.desc().op_count, 3U);
  EXPECT_EQ(graph.desc().ops[2].inputs.count, 1U);
  EXPECT_EQ(graph.desc().tensor_refs[graph.desc().ops[2].inputs.first], 0U);
  const ThreadResult all = explore_threads(graph.desc(), {});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.verdict.outcome, Outcome::kHolds) << all.verdict.summary;
}

TEST(ThreadStatistics, UnseenMassIsTheShareOfTracesMetOnce) {
  const EngineGraph fork(4, 0);
  const ThreadResult few = explore_threads(fork.desc(), {.search = Search::kRotate, .max_executions = 10});
  const ThreadResult many = explore_threads(fork.desc(), {.search = Search::kRotate, .max_executions = 20'000});
  EXPECT_GT(few.statistics.unseen_mass(), many.statistics.unseen_mass());
  EXPECT_LE(many.statistics.once, many.statistics.distinct);
  EXPECT_EQ(ThreadStatistics{}.unseen_mass(), 1);
}

}  // namespace
}  // namespace detent::verify::explore
