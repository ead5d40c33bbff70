// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include "reports/ci/findings.hpp"
#include "reports/data/bound_budget.hpp"
#include "reports/data/code_coverage.hpp"
#include "reports/data/deadline.hpp"
#include "reports/data/exact_case.hpp"
#include "reports/data/failure_story.hpp"
#include "reports/data/memory_front.hpp"
#include "reports/data/report_data.hpp"
#include "reports/data/schedule_coverage.hpp"
#include "reports/data/simulated_figures.hpp"
#include "reports/data/time_grounds.hpp"
#include "reports/data/timeline_run.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/text.hpp"
#include "reports/trace/btf_plan.hpp"
#include "reports/trace/perfetto_packets.hpp"
#include "reports/view/dag_layout.hpp"
#include "reports/view/lanes.hpp"
#include "reports/view/machine_view.hpp"
#include "reports/view/memory_map.hpp"
#include "reports/view/page_data.hpp"
#include "reports/view/schedule.hpp"

namespace detent::reports {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(ReportDefaults, ValuesOfCi) {
  expect_zero(Finding{}.witness);
  expect_value(Finding{}.outcome, verify::Outcome::kViolated);
}

TEST(ReportDefaults, ValuesOfData) {
  expect_zero(BudgetRow{}.own_ps, BudgetRow{}.overhead_ps, BudgetRow{}.delay_ps, BudgetRow{}.others_ps,
              BudgetRow{}.loads_ps, BoundBudget{}.bound_ps, TimeGroup{}.is_guess, TimeGroup{}.worst_ps,
              Sensitivity{}.all);
  expect_zero(ExactCase{}.max_states, ExactCase{}.states, ExactCase{}.worst_ps, ExactCase{}.best_ps,
              ExactCase{}.all_worst_ps);
  expect_zero(CoveredCount{}.covered, CoveredCount{}.total, UncoveredFunction{}.line, CodeCoverage{}.native_runs,
              CodeCoverage{}.schedules, Deadline{}.deadline_ps, Deadline{}.are_times_assumed, StoryCell{}.is_racing,
              StoryRow{}.time_ps, StoryRow{}.left_out, StoryTable{}.counts_steps, FailureStory{}.workers,
              StoryMark{}.op, StoryHold{}.op, StoryHold{}.from_ps, StoryHold{}.until_ps, StoryStep{}.number,
              StoryStep{}.interrupts, TimelineRun{}.makespan_ps, TimelineRun{}.is_native, SourcePlace{}.file,
              LostValue{}.offset_bytes, LostValue{}.size_bytes, LostValue{}.always, ReportData{}.seed,
              ReportData{}.desc, ReportData{}.native_workers, ReportData{}.native_ps, ReportData{}.sim_runs,
              ReportData{}.sim_executed_runs, ReportData{}.min_ps, ReportData{}.median_ps, ReportData{}.p99_ps,
              ReportData{}.max_ps, ReportData{}.worst_seed, ReportData{}.arena_bytes, ReportData{}.dram_bytes_per_s,
              ReportData{}.reproducible, OpScheduleCoverage{}.executions, OpScheduleCoverage{}.seen,
              EngineScheduleCoverage{}.workers, Percentile{}.value_ps, Percentile{}.has_interval, Percentile{}.low_ps,
              Percentile{}.high_ps, Percentile{}.needs_runs, LongRunSearch{}.runs, LongRunSearch{}.all_worst_ps,
              LongRunSearch{}.longest_ps, LongRunSearch{}.is_longest, LongRunSearch{}.shorter_ops,
              TimeGround{}.is_assumed, TimeGround{}.ops, TimeGround{}.worst_ps, TimeGrounds{}.draws_worst_only);
  expect_value(StoryCell{}.kind, StoryKind::kIdle);
  expect_value(LostValue{}.reader, DETENT_NONE);
  expect_value(LostValue{}.writer, DETENT_NONE);
  expect_value(LostValue{}.in_the_way, DETENT_NONE);
  expect_value(LostValue{}.region, DETENT_NONE);
}

TEST(ReportDefaults, ValuesOfText) { expect_value(Answer{}.outcome, verify::Outcome::kUnknown); }

TEST(ReportDefaults, ValuesOfTrace) {
  expect_zero(BtfTask{}.uses, BtfUse{}.task, BtfPlan{}.left_out, PerfettoPackets::Note{}.number);
  expect_value(BtfUse{}.next, DETENT_NONE);
  expect_value(BtfUse{}.next_of_task, DETENT_NONE);
  expect_value(BtfUse{}.is_first, true);
  expect_value(BtfUse{}.is_last, true);
}

TEST(ReportDefaults, ValuesOfView) {
  expect_zero(LayoutEdge{}.from, LayoutEdge{}.to, DagLayout{}.layer_count, DagLayout{}.height, DagLayout{}.ops_left_out,
              DagLayout{}.edges_left_out, Lane{}.slot, DramTotals{}.bytes, DramTotals{}.peak_bytes_per_s,
              DramTotals{}.mean_bytes_per_s, MemoryBlock{}.tensor, MemoryBlock{}.region, MemoryBlock{}.offset_bytes,
              MemoryBlock{}.size_bytes, MemoryBlock{}.begin, MemoryBlock{}.end, MemoryMap{}.is_time, MemoryMap{}.end,
              MemoryMap{}.left_out, LostBlock{}.region, LostBlock{}.offset_bytes, LostBlock{}.size_bytes,
              LostBlock{}.begin, LostBlock{}.end, ScheduleView{}.is_race, ScheduleView{}.cut);
  expect_value(LayoutLimits{}.ops, 20000);
  expect_value(LayoutLimits{}.edges, 80000);
  expect_value(LayoutLimits{}.bends, 120000);
  expect_value(MemoryBlock{}.producer, DETENT_NONE);
  expect_value(MemoryBlock{}.is_write, true);
  expect_value(PageLimits{}.spans, 20000);
  expect_value(PageLimits{}.ops, 6000);
  expect_value(PageLimits{}.edges, 24000);
  expect_value(PageLimits{}.tensors, 6000);
}

TEST(ReportDefaults, Limits) {
  expect_value(kLongerPercent, 10);
  expect_value(kStoryRows, 24);
  expect_value(kMaxNameBytes, 200);
  expect_value(kMaxTraceEvents, 2'000'000);
  expect_zero(ClassUse{}.cores, ClassUse{}.is_overloaded, FrontPlan{}.is_exact, FrontPlan{}.dominated_by);
}

}  // namespace
}  // namespace detent::reports
