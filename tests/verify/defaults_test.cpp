// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "verify/abstraction/schedule_graph.hpp"
#include "verify/abstraction/state.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/flow/violation.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/extended_desc.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/paths.hpp"
#include "verify/graph/precedence.hpp"
#include "verify/graph/values.hpp"
#include "verify/periodic/response_analysis.hpp"
#include "verify/periodic/unrolled.hpp"
#include "verify/repair/edge_repair.hpp"
#include "verify/repair/least_edges.hpp"
#include "verify/repair/place_repair.hpp"
#include "verify/runs/access_audit.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/read_check.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/conflict_pairs.hpp"
#include "verify/static/lifetimes.hpp"
#include "verify/synthesis/deadline_search.hpp"
#include "verify/synthesis/job_graph.hpp"
#include "verify/synthesis/synthesize.hpp"
#include "verify/timing/budget.hpp"
#include "verify/timing/exact.hpp"
#include "verify/timing/list_run.hpp"
#include "verify/timing/list_times.hpp"
#include "verify/timing/problem.hpp"
#include "verify/timing/response.hpp"
#include "verify/timing/segments.hpp"
#include "verify/timing/timing_problem.hpp"
#include "verify/timing/witness.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(VerifyDefaults, ResultsClaimNothing) {
  EXPECT_EQ(Verdict{}.outcome, Outcome::kUnknown);
  expect_zero(Findings{}.total);
  const AccessFinding finding;
  expect_zero(finding.op, finding.fault, finding.region, finding.begin, finding.end, finding.byte_count);
  const AccessSlack slack;
  expect_zero(slack.op, slack.read_bytes, slack.scratch_bytes);
  expect_zero(AccessAudit{}.observed_ops);
  const Race race;
  expect_zero(race.op_a, race.op_b, race.kind, race.region, race.offset_bytes, race.size_bytes, race.tensor_a,
              race.tensor_b);
  expect_zero(RaceList{}.count, RaceList{}.pairs, RaceReport{}.exclusive_pairs);
  EXPECT_FALSE(RaceReport{}.unordered_pairs || RaceReport{}.conflicting_pairs);
  expect_zero(DigestRun{}.digest, DeterminismReport{}.serial_digest);
  const LifetimeOverlap overlap;
  expect_zero(overlap.tensor_a, overlap.tensor_b);
  EXPECT_EQ(overlap.op, DETENT_NONE);
  EXPECT_EQ(overlap.unordered_op, DETENT_NONE);
  const Bound bound;
  expect_zero(bound.bound_ps, bound.is_upper, bound.exact);
  expect_zero(Response{}.op, Response{}.min_ps, Response{}.max_ps);
  const OpEnds ends;
  expect_zero(ends.earliest_ps, ends.latest_ps, ends.earliest_seed, ends.latest_seed);
}

TEST(VerifyDefaults, PartsOfTables) {
  const Access access;
  expect_zero(access.begin, access.end, access.begin_rank, access.end_rank);
  EXPECT_EQ(access.strided, DETENT_NONE);
  const ByteSet bytes;
  expect_zero(bytes.begin, bytes.block_bytes, bytes.stride_bytes);
  EXPECT_EQ(bytes.count, 1U);
  expect_zero(ByteRange{}.begin, ByteRange{}.end, Value{}.tensor, Value{}.region);
  expect_zero(ValuePair{}.before, ValuePair{}.after);
  const Disorder disorder;
  expect_zero(disorder.pair, disorder.user_before, disorder.user_after);
  const TimedOp op;
  expect_zero(op.best_ps, op.worst_ps, op.core_class, op.role_ps);
  expect_zero(TimingProblem{}.fixed_ps, TimingInputs{}.fixed_ps, TimingInputs{}.one_pool);
}

TEST(VerifyDefaults, Options) {
  EXPECT_EQ(RaceOptions{}.max_listed, 10'000U);
  EXPECT_EQ(RaceOptions{}.block_columns, 0U);
  const DeterminismOptions runs;
  EXPECT_EQ(runs.worker_counts, (std::vector<std::uint32_t>{0, 1, 2, 3, 8}));
  EXPECT_EQ(runs.random_seeds, 8U);
  EXPECT_EQ(runs.permuted_orders, 8U);
  EXPECT_EQ(runs.max_runs, 32U);
  EXPECT_EQ(runs.max_ops, 1'000'000U);
  EXPECT_EQ(runs.seeds.schedule, 1U);
  EXPECT_EQ(runs.seeds.input, 0U);
  EXPECT_TRUE(ResponseOptions{}.is_work_conserving);
  EXPECT_EQ(ResponseOptions{}.exact_ops, 20'000U);
}

TEST(VerifyDefaults, ValuesOfFlow) {
  expect_zero(ValueFlowReport{}.count, ValueFlowReport{}.always, ValueFlowReport{}.reads, ValueFlowReport{}.outputs,
              ValueFlowReport{}.unnamed, ValueFlowReport{}.guarded_ops, ValueFlowOptions{}.block_columns,
              ValueViolation{}.offset_bytes, ValueViolation{}.size_bytes, ValueViolation{}.always, Wanted{}.name,
              Want{}.is_declared, Clash{}.op, Clash{}.name_a, Clash{}.name_b);
  expect_value(ValueFlowReport{}.is_whole, true);
  expect_value(ValueFlowOptions{}.max_listed, 10'000);
  expect_value(ValueViolation{}.fault, FlowFault::kOverwritten);
  expect_value(ValueViolation{}.reader, DETENT_NONE);
  expect_value(ValueViolation{}.writer, DETENT_NONE);
  expect_value(ValueViolation{}.in_the_way, DETENT_NONE);
  expect_value(ValueViolation{}.region, DETENT_NONE);
  expect_value(Wanted{}.writer, kApplication);
  expect_value(Want{}.reader, kApplication);
}

TEST(VerifyDefaults, ValuesOfGraph) { expect_zero(OpEdge{}.from, OpEdge{}.to, Move{}.tensor, Move{}.by_bytes); }

TEST(VerifyDefaults, ValuesOfRepair) {
  expect_zero(CriticalPath{}.length, CriticalPath{}.is_time, EdgeRepair{}.pair_count, EdgeRepair{}.is_least,
              EdgeRepair{}.mends, EdgeRepair{}.left_violations, EdgeRepair{}.is_beyond_edges, Arc{}.from, Arc{}.to,
              LeastEdges{}.is_least, PlaceChange{}.region, PlaceChange{}.from_bytes, PlaceChange{}.to_bytes,
              PlaceChange{}.size_bytes, PlaceRepair{}.cost_bytes, PlaceRepair{}.mends, PlaceRepair{}.is_one_enough,
              PlaceRepair{}.left_races, PlaceRepair{}.left_violations);
}

TEST(VerifyDefaults, ValuesOfRuns) {
  expect_zero(MissedRead{}.region, MissedRead{}.offset_bytes, MissedRead{}.size_bytes, ReadRuns{}.reads,
              ReadRuns{}.runs, ReadRuns{}.missing);
  expect_value(MissedRead{}.reader, DETENT_NONE);
  expect_value(MissedRead{}.found, DETENT_NONE);
}

TEST(VerifyDefaults, ValuesOfTiming) {
  expect_zero(ExactTimes{}.is_complete, ExactTimes{}.best_ps, ExactTimes{}.worst_ps, ExactTimes{}.zones,
              ListRun{}.makespan_ps, CoreList{}.core_class, ListTimes{}.best_ps, ListTimes{}.worst_ps,
              FreeSegment{}.from, FreeSegment{}.to, ReadyOrder{}.by_arrival, ShorterOp{}.op, ShorterOp{}.worst_ps,
              ShorterOp{}.makespan_ps, ExactWitness{}.all_worst_ps);
  expect_value(ExactOptions{}.max_zones, 2'000'000);
  expect_value(ExactOptions{}.prune, true);
}

TEST(VerifyDefaults, ValuesOfVerdict) { expect_value(Verdict{}.property, Property::kStructure); }

TEST(VerifyDefaults, ValuesOfStatic) { expect_zero(RaceReport{}.exclusive_pairs, RaceOptions{}.values); }

TEST(VerifyDefaults, ValuesOfSynthesis) {
  expect_zero(SearchBudget{}.nodes, DeadlineAnswer{}.nodes, JobArc{}.job, JobArc{}.lag, JobGraph{}.least,
              JobSchedule{}.makespan, Synthesis{}.makespan_ps, Synthesis{}.lower_bound_ps, Synthesis{}.is_optimal,
              Synthesis{}.nodes, Synthesis{}.is_stopped);
  expect_value(DeadlineAnswer{}.outcome, Searched::kUndecided);
  expect_value(JobGraph{}.unit_ps, 1);
  expect_value(SynthesisOptions{}.seed, 1);
  expect_value(SynthesisOptions{}.max_nodes, 4'000'000);
}

TEST(VerifyDefaults, ValuesOfPeriodicTasks) {
  expect_zero(TaskResponse{}.because_of, ClassLoad{}.core_class, ClassLoad{}.utilisation, ClassLoad{}.is_overloaded,
              UnrolledTasks::Run{}.task, UnrolledTasks::Run{}.nominal_ps, UnrolledTasks{}.hyperperiod_ps,
              ExactResponses{}.zones);
  expect_value(TaskResponse{}.response_ps, kUnknownPs);
}

TEST(VerifyDefaults, ValuesOfAbstraction) {
  expect_zero(AbstractTimes{}.applies, EndInterval{}.earliest_ps, EndInterval{}.latest_ps, EndInterval{}.has_last_core,
              AbstractState{}.now_ps, AbstractState{}.ends_ps);
}

TEST(VerifyDefaults, Limits) {
  expect_value(kListedWitnesses, 16);
  expect_value(kMaxClosedOps, 16'384);
  expect_value(kMaxCountedOps, 131'072);
  expect_value(kMaxConflictsPerOp, 16);
  expect_value(kMostStridedBlocks, 4'194'304);
  expect_value(kRegionSpacing, std::uint64_t{4} * DETENT_MAX_BYTES);
  expect_value(PathOptions{}.most_marked, 256);
  expect_zero(RaceReport{}.are_all_ordered, ValueFlowOptions{}.are_conflicts_ordered, OpCharge{}.path_ps);
}

}  // namespace
}  // namespace detent::verify
