// What an explorer's results say before anything was explored, and what its options are when nobody sets them.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/coverage/engine_graph.hpp"
#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/exploration.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/part.hpp"
#include "verify/explore/ops/report.hpp"
#include "verify/explore/ops/runner.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/reach.hpp"
#include "verify/explore/ops/space/space.hpp"
#include "verify/explore/ops/space/trace_count.hpp"
#include "verify/explore/ops/strategy.hpp"
#include "verify/explore/threads/exploration.hpp"
#include "verify/explore/threads/fibre/fibre.hpp"
#include "verify/explore/threads/op_records.hpp"
#include "verify/explore/threads/order/event_order.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/order/shared_words.hpp"
#include "verify/explore/threads/order/step.hpp"
#include "verify/explore/threads/search/choices.hpp"
#include "verify/explore/threads/search/path.hpp"
#include "verify/explore/threads/world/explore_port.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"
#include "verify/explore/threads/world/waits.hpp"

namespace detent::verify::explore {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(ExploreDefaults, ThreadOptions) {
  const ThreadOptions o;
  expect_zero(o.engine.spin_limit, o.op_deadline_ps, o.whole_life, o.search, o.orders, o.spurious_wakeups,
              o.failing_starts, o.early_timeouts, o.duplicate_answers, o.cancel, o.op_readings, o.engine.scheduler);
  EXPECT_EQ(o.engine.mode, DETENT_MODE_CLOSED_LOOP);
  EXPECT_EQ(o.engine.workers, 2U);
  EXPECT_EQ(o.seeds.input, 1U);
  EXPECT_EQ(o.runs, 1U);
  EXPECT_EQ(o.memory, MemoryModel::kC11);
  EXPECT_EQ(o.seeds.schedule, 1U);
  EXPECT_EQ(o.max_executions, 1'000'000U);
  EXPECT_EQ(o.max_steps, 50'000U);
  EXPECT_EQ(o.pct_depth, 3U);
  EXPECT_EQ(o.max_preemptions, 2U);
  EXPECT_EQ(o.max_state_bytes, 8'589'934'592U);
  EXPECT_TRUE(o.minimise);
  EXPECT_TRUE(o.async_answers);
}

TEST(ExploreDefaults, ThreadResults) {
  const ThreadStatistics s;
  expect_zero(s.executions, s.blocked, s.distinct, s.states, s.merged, s.once, s.steps, s.longest, s.threads);
  EXPECT_EQ(s.redundancy(), 0);
  EXPECT_EQ(s.unseen_mass(), 1);
  EXPECT_EQ((ThreadStatistics{.executions = 6, .distinct = 1, .once = 3, .sync = {}}).redundancy(), 6);
  EXPECT_EQ((ThreadStatistics{.executions = 6, .distinct = 4, .once = 3, .sync = {}}).redundancy(), 1.5);
  EXPECT_EQ((ThreadStatistics{.executions = 6, .distinct = 4, .once = 3, .sync = {}}).unseen_mass(), 0.5);
  EXPECT_EQ((ThreadStatistics{.executions = 1, .distinct = 1, .once = 0, .sync = {}}).unseen_mass(), 0);
  const SyncPoints p;
  expect_zero(p.wait_asleep, p.wait_awake, p.lock_free, p.lock_contended, p.role_free, p.role_held, p.ready_empty,
              p.ready_some, p.ready_full, p.complete_empty, p.complete_some, p.complete_full, p.ops_ordered,
              p.ops_concurrent, p.spurious, p.timeouts, p.failed_starts, p.refused_answers);
  expect_zero(ThreadFailure{}.preemptions, ThreadResult{}.out_of_memory, ThreadResult{}.complete, ThreadStep{}.number,
              ThreadStep{}.preempts, ThreadSchedule{}.trail);
}

TEST(ExploreDefaults, ThreadsAndPorts) {
  const VirtualThreadsOptions w;
  EXPECT_EQ(w.max_steps, 50'000U);
  expect_zero(w.spins_freely, w.clock_matters, w.recognises_states, w.spurious_wakeups, w.early_timeouts);
  const Step step;
  expect_zero(step.kind, step.exclusive, step.access, step.word, step.expected, step.compares);
  EXPECT_EQ(step.object, kNoObject);
  const ExplorePortOptions p;
  EXPECT_EQ(p.slots, 1U);
  expect_zero(p.spin_limit, p.failing_starts, p.announces_expected, p.orders, p.words_base);
  expect_zero(StackRange{}.base, StackRange{}.bytes);
}

TEST(ExploreDefaults, OpOptions) {
  const OpExploreOptions o;
  EXPECT_EQ(o.strategy, "dfs");
  expect_zero(o.budget, o.seed, o.runner.input_seed, o.runner.observe, o.space.commuting_orders, o.space.mutex_orders);
  EXPECT_EQ(o.workers, 3U);
  EXPECT_EQ(o.estimate_samples, 10'000U);
  EXPECT_EQ(o.keep, 16U);
  EXPECT_EQ(o.space.max_pairs, 1'000'000U);
  EXPECT_EQ(o.count.max_states, 1'048'576U);
  EXPECT_EQ(o.count.max_leaves, 50'000'000U);
  EXPECT_EQ(StrategyOptions{}.seed, 0U);
  EXPECT_EQ(StrategyOptions{}.pct_depth, 3U);
  EXPECT_EQ(StrategyOptions{}.max_triples, 20'000U);
  EXPECT_EQ(GateReplayOptions{}.workers, 2U);
  EXPECT_EQ(GateReplayOptions{}.runs, 1U);
  EXPECT_EQ(GateReplayOptions{}.watchdog_ms, 10'000U);
  EXPECT_EQ(ReachOptions{}.workers, 1U);
  EXPECT_EQ(ReachOptions{}.max_states, 20'000U);
  EXPECT_EQ(EngineSampleOptions{}.seed, 1U);
  EXPECT_EQ(EngineSampleOptions{}.fork_executions, 400U);
  EXPECT_EQ(EngineSampleOptions{}.max_executions, 200U);
}

TEST(ExploreDefaults, OpResults) {
  const OpExploreReport r;
  expect_zero(r.open_pairs, r.racing_pairs, r.order_dependent_pairs, r.ignored_pairs, r.executions, r.seen, r.finished,
              r.differing, r.differing_share, r.serial_digest, r.reachable.workers, r.reachable.checked,
              r.reachable.reachable, r.reachable.unknown);
  EXPECT_TRUE(r.count.exact && r.count.total == 1 && !r.count.overflow);
  EXPECT_EQ(TraceEstimate{}.total, 1);
  expect_zero(TraceEstimate{}.standard_error, TraceEstimate{}.samples, ExecutedSchedule{}.digest);
  expect_zero(r.pairs.conflicting_both, r.pairs.conflicting_total, r.pairs.unordered_both, r.pairs.unordered_total);
  EXPECT_TRUE(r.pairs.unordered_known);
  const OpFailure f;
  expect_zero(f.workers, f.digest, f.serial_digest, f.executions, f.pair.op_a, f.pair.op_b, f.pair.kind);
  expect_zero(GateReplay{}.runs, GateReplay{}.reproduced, GateReplay{}.expired, OpExecution{}.status,
              OpExecution{}.digest, Constraint{}.first, Constraint{}.then);
}

TEST(ExploreDefaults, CoverGoals) {
  EXPECT_TRUE(CoverGoal{}.applicable);
  expect_zero(CoverGoal{}.count, ObservedRun{}.trace, ModelEvidence{}.workers, ModelEvidence{}.engine_together,
              EngineEvidence{}.has_async, EngineEvidence{}.complete, EngineSample{}.failed_on_fork);
  EXPECT_EQ(EngineShape{}.mode, DETENT_MODE_CLOSED_LOOP);
  EXPECT_EQ(EngineShape{}.scheduler, DETENT_SCHEDULER_ROLE);
  EXPECT_EQ(EngineShape{}.workers, 2U);
}

TEST(ExploreDefaults, ValuesOfCoverage) { expect_zero(SyncCount{}.count); }

TEST(ExploreDefaults, ValuesOfOps) {
  expect_zero(PairCoverage{}.conflicting_both, PairCoverage{}.conflicting_total, PairCoverage{}.unordered_both,
              PairCoverage{}.unordered_total, ReachableTraces{}.workers, ReachableTraces{}.checked,
              ReachableTraces{}.reachable, ReachableTraces{}.unknown, PartExecution{}.differs, PartExecution{}.misses,
              OpPart{}.first, OpPart{}.count, OpPart{}.serial_digest, OpPart{}.weighted, RunFacts{}.unexplained,
              RunnerOptions{}.input_seed, RunnerOptions{}.observe, RunnerOptions{}.watch_reads, RunnerOptions{}.values);
  expect_value(PairCoverage{}.unordered_known, true);
  expect_value(OpPart{}.status, DETENT_OK);
  expect_value(RunFacts{}.status, DETENT_OK);
}

TEST(ExploreDefaults, ValuesOfOpsSpace) {
  expect_zero(OpPair{}.op_a, OpPair{}.op_b, SpaceOptions{}.commuting_orders, SpaceOptions{}.mutex_orders,
              TraceCount{}.overflow);
  expect_value(CountLimits{}.max_leaves, 50'000'000);
  expect_value(OpPair{}.kind, PairKind::kRace);
  expect_value(SpaceOptions{}.max_pairs, 1'000'000);
  expect_value(TraceCount{}.total, 1);
  expect_value(TraceCount{}.exact, true);
}

TEST(ExploreDefaults, ValuesOfThreads) {
  expect_zero(PoolNetwork{}.desc, PoolNetwork{}.priority, PoolNetwork{}.cancel, OpRecord{}.answered_later,
              OpRecord{}.races, OpRecord{}.gives_error, OpRecord{}.fails, OpRecord{}.begun, OpRecord{}.ended,
              OpRecord{}.took_too_long, OpRecord{}.given_ps, OpRecord{}.begin_ps, OpRecord{}.end_ps,
              OpRecord{}.end_thread, OpRecord{}.end_mark);
}

TEST(ExploreDefaults, ValuesOfThreadsFibre) { expect_zero(FibreStack{}.fake_stack); }

TEST(ExploreDefaults, ValuesOfThreadsOrder) {
  expect_zero(Event{}.thread, Event{}.sequence, Event{}.row, Memory::Effect{}.exclusive, Memory::Effect{}.news,
              Memory::Alternative{}.object, Memory::Alternative{}.value, Memory::Alternative{}.is_stale,
              Memory::Alternative{}.newer_thread, WordStore{}.value, WordStore{}.time, WordStore{}.thread,
              WordStore{}.number, WordStore{}.updated, SharedWord{}.object, SharedWord{}.address, SharedWord{}.epoch,
              SharedWord{}.seq_cst_time, SharedWord{}.users, SharedWord{}.weak, SharedWord{}.wide);
  expect_value(ObjectEvents{}.last_exclusive, Event::kNone);
  expect_value(ObjectEvents{}.last_shared, Event::kNone);
  expect_value(ObjectEvents{}.released, Event::kNone);
  expect_value(Memory::Alternative{}.kind, StepKind::kRead);
}

TEST(ExploreDefaults, ValuesOfThreadsSearch) {
  expect_zero(PathNode{}.trail, PathNode{}.chosen, PathNode{}.count, PlainNode{}.left);
}

TEST(ExploreDefaults, ValuesOfThreadsWorld) {
  expect_zero(FibreMutex{}.held, FibreMutex{}.pending, FibreCondition{}.waiters, Waits::Counters{}.wait_asleep,
              Waits::Counters{}.wait_awake, Waits::Counters{}.lock_free, Waits::Counters{}.lock_contended,
              Waits::Counters{}.spurious, Waits::Counters{}.timeouts);
  expect_value(FibreMutex{}.object, kMutexObjects);
}

TEST(ExploreDefaults, Limits) {
  expect_value(kMaxEvents, 1024);
  expect_value(kMaxDenseOps, 8192);
  expect_value(kMaxOpenOps, 16'384);
  expect_value(kDrawnBlock, 1000);
  expect_value(kMaxThreads, 64);
  expect_zero(ThreadOptions{}.active_spin_limit, ExplorePortOptions{}.active_spin_limit,
              ExplorePortOptions{}.failing_starts);
}

TEST(ExploreDefaults, NumbersOfObjects) {
  expect_value(kTokenObjects, 0);
  expect_value(kClockObject, 64);
  expect_value(kMutexObjects, 65);
  expect_value(kFenceObject, 126);
  expect_value(kOpObject, 127);
  expect_value(kWordObjects, 128);
}

}  // namespace
}  // namespace detent::verify::explore
