// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include "app/answer/answer.hpp"
#include "app/answer/given_option.hpp"
#include "app/answer/verdicts.hpp"
#include "app/bound/bound_model.hpp"
#include "app/bound/bounds.hpp"
#include "app/bound/campaign_bounds.hpp"
#include "app/bound/exact_bound.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "app/bound/witness.hpp"
#include "app/bundle/bundle_file.hpp"
#include "app/bundle/folder.hpp"
#include "app/bundle/verify_bundle.hpp"
#include "app/calibrate/calibrate.hpp"
#include "app/calibrate/measure.hpp"
#include "app/campaign/children.hpp"
#include "app/campaign/driver.hpp"
#include "app/campaign/job_files.hpp"
#include "app/campaign/request.hpp"
#include "app/campaign/trial.hpp"
#include "app/campaign/whole_command.hpp"
#include "app/check/check.hpp"
#include "app/check/coverage.hpp"
#include "app/check/reported_check.hpp"
#include "app/check/result.hpp"
#include "app/check/value_story.hpp"
#include "app/ci/baseline.hpp"
#include "app/coverage/code_coverage.hpp"
#include "app/coverage/isolated.hpp"
#include "app/deadline/deadline.hpp"
#include "app/explore/combinations.hpp"
#include "app/explore/explore.hpp"
#include "app/explore/failure_answer.hpp"
#include "app/explore/failure_story.hpp"
#include "app/explore/ops_request.hpp"
#include "app/explore/threads.hpp"
#include "app/front/dominance.hpp"
#include "app/front/front.hpp"
#include "app/front/timed_plan.hpp"
#include "app/import/import_tvm.hpp"
#include "app/import/tvm_runs.hpp"
#include "app/manual/page.hpp"
#include "app/model/emit.hpp"
#include "app/model/graph.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/memory_problem.hpp"
#include "app/model/plan.hpp"
#include "app/npu/layers.hpp"
#include "app/operator/operator_answer.hpp"
#include "app/partition/partition.hpp"
#include "app/partition/placement_search.hpp"
#include "app/replay/failure_file.hpp"
#include "app/replay/replay.hpp"
#include "app/replay/replay_line.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/run_request.hpp"
#include "app/settings/fallbacks.hpp"
#include "app/settings/op_settings.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/settings/transfers.hpp"
#include "app/simulate/campaign.hpp"
#include "app/simulate/simulation.hpp"
#include "app/static/repair.hpp"
#include "app/static/smt_checks.hpp"
#include "app/static/static_checks.hpp"
#include "app/synthesis/synthesize_model.hpp"
#include "app/tasks/chain_latency.hpp"
#include "app/tasks/task_file.hpp"

namespace detent::app {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(AppDefaults, ValuesOfAnswer) {
  expect_zero(Request{}.reproducible, GivenOption{}.is_folder);
  expect_value(Answer{}.outcome, verify::Outcome::kHolds);
}

TEST(AppDefaults, ValuesOfBound) {
  expect_zero(BoundRequest{}.smt_steps, BoundRequest{}.workers, BoundRequest{}.no_npu, BoundRequest{}.no_overheads,
              BoundRequest{}.no_contention, BoundRequest{}.private_ports, BoundSpec{}.workers, BoundSpec{}.costs,
              PlatformProblems{}.has_affinity, WantedDeadline{}.deadline_ps, LongestSeen{}.makespan_ps,
              DeadlineEvidence{}.are_times_assumed, DeadlineEvidence{}.has_outcomes, ExactSummary{}.is_complete,
              ExactSummary{}.best_ps, ExactSummary{}.states, ProofSummary{}.is_complete, ProofSummary{}.best_ps,
              ProofSummary{}.questions, ProofSummary{}.steps, OutcomeBound{}.bound_ps, RunWitness{}.worst_ps,
              RunWitness{}.best_ps);
  expect_value(BoundRequest{}.smt_seconds, 60);
  expect_value(BoundSpec{}.is_work_conserving, true);
  expect_value(CampaignBounds{}.is_work_conserving, true);
  expect_value(ExactQuestion{}.max_states, 2'000'000);
}

TEST(AppDefaults, ValuesOfBundle) {
  expect_zero(BundledOption{}.is_given, BundledVerdict{}.has_assumed_times, BundledVerdict{}.has_assumed_bytes,
              BundledFile{}.bytes, VerifyBundleRequest{}.again);
  expect_value(BundledVerdict{}.outcome, verify::Outcome::kUnknown);
  expect_value(BundledVerdict{}.is_checked, true);
  expect_value(BundleFile{}.outcome, verify::Outcome::kUnknown);
}

TEST(AppDefaults, ValuesOfCalibrate) {
  expect_zero(ValidationOptions{}.input_seed, ValidationRow{}.workers, ValidationRow{}.predicted_ps,
              ValidationRow{}.measured_ps, ValidationRow{}.measured_min_ps, OpErrors::Op{}.predicted_ps,
              OpErrors::Op{}.measured_ps, OpErrors{}.median, OpErrors{}.p90, CalibrateRequest{}.runs,
              CalibrateRequest{}.cold_runs, CalibrateRequest{}.max_error, CalibrateRequest{}.use_cold,
              CalibrateRequest{}.host, CalibrateRequest{}.validate);
  expect_value(ValidationOptions{}.runs, 15);
}

TEST(AppDefaults, ValuesOfCampaign) {
  expect_zero(Children::Ended{}.name, Children::Ended{}.exit_code, Children::Ended{}.signal, CampaignRun{}.done,
              ShardRecord{}.exit_code, ShardRecord{}.seconds, CampaignRequest{}.shards, CampaignRequest{}.jobs,
              CampaignRequest{}.resume, CampaignRequest{}.prepare, CampaignManifest{}.shard_seconds,
              MergeRequest{}.sensitivity, MergeRequest{}.quiet);
  expect_value(CampaignRun{}.of_detent, true);
  expect_value(CampaignRequest{}.retries, 3);
  expect_value(MergeRequest{}.keep_worst, 10);
}

TEST(AppDefaults, ValuesOfCheck) {
  expect_zero(CoverageOptions{}.workers, CheckRequest{}.coverage, CheckResult{}.native_workers);
  expect_value(CheckOptions{}.audit, true);
  expect_value(CheckOptions{}.scales_runs, false);
  expect_value(CoverageOptions{}.execute, true);
  expect_value(CoverageOptions{}.split, 1);
  expect_zero(CoverageOptions{}.winograd);
  expect_value(CheckResult{}.is_work_conserving, true);
}

TEST(AppDefaults, ValuesOfCi) { expect_zero(BaselineComparison{}.known, BaselineComparison{}.gone); }

TEST(AppDefaults, ValuesOfCoverage) {
  expect_zero(RunResults{}.native_runs, RunResults{}.schedules, RunResults{}.is_stopped, IsolatedEnd{}.returned,
              IsolatedEnd{}.failed, IsolatedEnd{}.signal, IsolatedEnd{}.exit_code);
  expect_value(IsolatedEnd{}.op, DETENT_NONE);
}

TEST(AppDefaults, ValuesOfExplore) {
  expect_zero(Combinations{}.has_guards, Combinations{}.is_computed, ExploreRequest{}.budget, StoryOptions{}.input_seed,
              OpExploreRequest{}.count_only, OpExploreRequest{}.budget, OpExploreRequest{}.mutex_orders,
              OpExploreRequest{}.commuting_orders, ThreadExploreRequest{}.budget);
  expect_value(Combinations{}.is_whole, true);
  expect_value(ExploreRequest{}.workers, 3);
  expect_value(FailureOptions{}.gate_runs, 3);
  expect_value(StoryOptions{}.executes, true);
  expect_value(OpExploreRequest{}.workers, 3);
  expect_value(OpExploreRequest{}.split, 1);
  expect_zero(OpExploreRequest{}.winograd);
  expect_value(OpExploreRequest{}.simulate, 2);
  expect_value(ThreadExploreRequest{}.state_memory_mib, 8192);
}

TEST(AppDefaults, ValuesOfImport) {
  expect_zero(ImportTvmOptions{}.stays_within_tvm, ImportTvmOptions{}.audit, ImportTvmOptions{}.no_audit,
              ImportTvmOptions{}.measure, ImportedTvm{}.is_foreign, ImportedTvm{}.is_interrupted,
              ImportAudit{}.is_interrupted);
  expect_value(ImportTvmOptions{}.scratch_limit, 16384);
  expect_value(ImportTvmOptions{}.workers, 3);
  expect_value(ImportTvmOptions{}.arena_limit_bytes, UINT64_MAX);
}

TEST(AppDefaults, ValuesOfManual) {
  expect_zero(ManualOption{}.positional, ManualOption{}.required, ManualOption{}.repeats, ManualOption{}.takes_many);
}

TEST(AppDefaults, ValuesOfModel) {
  expect_zero(EmitRequest{}.force, EmitRequest{}.no_audit, GraphFile{}.ops, GraphFile{}.edges, GraphFile{}.ranges,
              OpOpinion{}.op, OpOpinion{}.is_observed, OpOpinion{}.is_equal, MemoryProblemRequest{}.capacity_bytes,
              MemoryProblemRequest{}.max_nodes, PlanRequest{}.capacity_bytes, PlanRequest{}.max_nodes);
  expect_value(ModelOptions{}.split, 1);
  expect_zero(ModelOptions{}.winograd);
  expect_zero(PreparedModel{}.winograd, Preparation{}.winograd, KernelChoice{}.by_default);
}

TEST(AppDefaults, ValuesOfNpu) {
  expect_zero(LayerRequest{}.lanes, LayerRequest{}.private_ports, LayerRequest{}.shared_port);
  expect_value(LayerRequest{}.word_bytes, 1);
}

TEST(AppDefaults, ValuesOfOperator) {
  expect_zero(OperatorRequest{}.in_place);
  expect_value(OperatorRequest{}.parts, 1);
  expect_value(OperatorAnswer{}.status, DETENT_OPERATOR_SUCCESS);
}

TEST(AppDefaults, ValuesOfReplay) {
  expect_zero(RacingPair{}.op_a, RacingPair{}.op_b, RacingPair{}.offset_bytes, RacingPair{}.size_bytes,
              ReplayRequest{}.force, ThreadReplaySpec{}.spurious, ThreadReplaySpec{}.cancel,
              ThreadReplaySpec{}.op_deadline_ps, ThreadReplaySpec{}.whole_life, ThreadReplaySpec{}.failing_starts,
              ThreadReplaySpec{}.early_timeouts, ThreadReplaySpec{}.duplicate_answers, RunEnd{}.code,
              ReplayLine{}.private_ports, ReplayLine{}.migrating, ReplayLine{}.makespan_ps, ReplayOutcome{}.makespan_ps,
              ReplayOutcome{}.runs, ReplayOutcome{}.reproduced, ReplayOutcome{}.gated);
  expect_value(ThreadReplaySpec{}.runs, 1);
  expect_value(ThreadReplaySpec{}.async_answers, true);
  expect_value(RunEnd{}.op, DETENT_NONE);
  expect_value(ReplayLine{}.split, 1);
  expect_zero(ReplayLine{}.winograd);
  expect_value(ReplayLine{}.npu, true);
  expect_value(ReplayLine{}.overheads, true);
  expect_value(ReplayLine{}.contention, true);
  expect_value(ReplayWorld{}.runs, 1);
  expect_value(ReplayWorld{}.watchdog_ms, 10'000);
}

TEST(AppDefaults, ValuesOfRuns) {
  expect_zero(RunRequest{}.no_audit, RunRequest{}.sweep, RunRequest{}.keep_memory);
  expect_value(RunRequest{}.repeat, 1);
  expect_value(RunRequest{}.warmup, 1);
}

TEST(AppDefaults, ValuesOfSettings) {
  expect_zero(WorkerSet{}.bits, ListedOp{}.line, ListedOp{}.list, ScheduleFile{}.has_barriers,
              AppliedSchedule{}.workers, AppliedSchedule{}.cpu_workers);
}

TEST(AppDefaults, ValuesOfSimulate) {
  expect_zero(CampaignOptions{}.resume, CampaignOptions{}.sensitivity, SimulationOptions{}.timing_only,
              SimulationOptions{}.no_npu, SimulationOptions{}.no_overheads, SimulationOptions{}.no_contention,
              SimulationOptions{}.private_ports, SimulationOptions{}.migrating);
  expect_value(CampaignOptions{}.keep_worst, 10);
  expect_value(CampaignOptions{}.sensitivity_step, 0.01);
  expect_value(SimulationOptions{}.runs, 200);
  expect_value(SimulationOptions{}.execute_runs, 3);
}

TEST(AppDefaults, ValuesOfStatic) {
  expect_zero(RepairAnswer{}.is_written, SmtOptions{}.smt, SmtOptions{}.limit_steps, SmtAnswer{}.seconds,
              StaticAnswer{}.is_executable);
  expect_value(RepairOptions{}.kind, RepairKind::kNone);
  expect_value(SmtOptions{}.limit_seconds, 60);
}

TEST(AppDefaults, ValuesOfSynthesis) {
  expect_zero(SynthesizeRequest{}.seconds, SynthesizeRequest{}.max_nodes, SynthesizeRequest{}.workers,
              SynthesizeRequest{}.no_npu);
}

TEST(AppDefaults, ValuesOfFront) {
  expect_zero(PlanCost{}.is_exact, Dominated{}.by, Dominated{}.is_by_bound, PlanTime{}.is_exact);
  expect_value(FrontRequest{}.capacities, 8);
}

TEST(AppDefaults, ValuesOfPartition) {
  expect_zero(PartitionRequest{}.max_trials, PlacementProblem{}.max_trials, FoundPlacement{}.objective_ps,
              FoundPlacement{}.trials, FoundPlacement{}.is_local_optimum);
}

TEST(AppDefaults, ValuesOfRules) {
  expect_zero(FallbackRule{}.slower, FallbackRule{}.watchdog_ps, TransferRule{}.bytes_per_s, ChainLink{}.response_ps,
              Combinations{}.has_failures, Combinations{}.has_watchdogs);
  expect_value(TaskRow{}.contexts, 1);
  expect_value(BoundRequest{}.sag_width, 1);
  expect_value(ExactQuestion{}.with_run, true);
}

TEST(AppDefaults, Limits) {
  expect_value(kMaxAnswerBytes, 1'073'741'824);
  expect_value(kMaxBundleBytes, 268'435'456);
  expect_value(kMaxFailureBytes, 134'217'728);
  expect_value(kLeastSlurmSeconds, 60);
  expect_value(kMostLostValues, 16);
  expect_value(kMostValueStories, 3);
  expect_value(kMostCombinations, 256);
  expect_value(kAutoSplit, 0);
}

}  // namespace
}  // namespace detent::app
