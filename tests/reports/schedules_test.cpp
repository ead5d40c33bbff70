// Coverage of schedules as report.json, report.html and findings.sarif print it.
#include <gtest/gtest.h>

#include <limits>

#include "reports/data/report_data.hpp"
#include "reports/html/parts.hpp"
#include "reports/json/schedule_json.hpp"
#include "tests/golden.hpp"

namespace detent::reports {
namespace {

namespace explore = verify::explore;

explore::EngineEvidence engine_program(const char* name, bool complete) {
  explore::EngineEvidence program{.program = name, .complete = complete, .statistics = {}};
  program.statistics.executions = 200;
  program.statistics.distinct = 100;
  program.statistics.once = 50;
  program.statistics.sync.role_free = 12;
  return program;
}

ReportData covered() {
  ReportData data;
  data.model = "m";
  OpScheduleCoverage ops{.strategy = "pairs", .executions = 8, .seen = 2};
  ops.count = {.total = 6, .exact = true};
  ops.pairs = {.conflicting_both = 1, .conflicting_total = 3, .unordered_both = 10, .unordered_total = 40};
  data.schedules.ops = ops;
  data.schedules.engine = {.search = "rotate",
                           .mode = "closed-loop",
                           .workers = 3,
                           .programs = {engine_program("the model's graph", false), engine_program("a <fork>", true)}};
  data.schedules.cover_goals = {
      {"both_orders", "two ops ran in both orders", "model", true, 10, "10 of 40 pairs"},
      {"buffer_reuse", "bytes were <reused>", "model", true, 0, "make more runs"},
      {"lock_free", "the lock was free", "engine", false, 0, "no back end completes ops later"}};
  data.verdicts = {explore::judge_cover_goals(data.schedules.cover_goals)};
  return data;
}

TEST(Schedules, JsonHasSharesBesideCounts) {
  const Json json = Json::parse(report_json(covered()))["schedules"];
  EXPECT_EQ(json["traces"], (Json{{"total", 6}, {"exact", true}, {"seen", 2}}));
  EXPECT_EQ(json["pair_coverage"]["conflicting_both"], 1);
  EXPECT_EQ(json["pair_coverage"]["unordered_total"], 40);
  EXPECT_TRUE(json["unseen_mass"].is_null()) << "chosen schedules";
  EXPECT_EQ(json["redundancy"], 4.0);
  EXPECT_EQ(json["engine"]["programs"][0]["unseen_mass"], 0.25);
  EXPECT_EQ(json["engine"]["programs"][0]["redundancy"], 2.0);
  EXPECT_EQ(json["engine"]["programs"][1]["unseen_mass"], 0.0) << "complete";
  EXPECT_EQ(json["sync"]["role_free"], 24);
  EXPECT_EQ(json["sync"]["lock_contended"], 0) << "zeros are there";
  ASSERT_EQ(json["cover_goals"].size(), 3U);
  EXPECT_EQ(json["cover_goals"][1]["count"], 0);
  EXPECT_EQ(json["cover_goals"][1]["applicable"], true);
}

TEST(Schedules, WithoutExplorationThereIsNoSection) {
  const ReportData data;
  EXPECT_TRUE(Json::parse(report_json(data))["schedules"].is_null());
  EXPECT_EQ(schedules_html(data), "");
  EXPECT_EQ(report_html(data).find("#schedules"), std::string::npos);
}

TEST(Schedules, NoteIsShownWhereNoneWereExplored) {
  ReportData data;
  data.schedules.note = "no schedules were explored";
  EXPECT_TRUE(Json::parse(report_json(data))["schedules"]["traces"].is_null());
  EXPECT_EQ(schedules_html(data),
            "<section id=\"schedules\"><h2>Schedules</h2><p class=\"lead\">Which orders of ops were executed of those "
            "that can matter.</p><p class=\"note\">no schedules were explored</p></section>");
}

TEST(Schedules, EstimatesComeWithTheirStandardError) {
  ReportData data = covered();
  data.schedules.ops->count = {.total = 20'000, .exact = false};
  data.schedules.ops->estimate = explore::TraceEstimate{3.25e5, 1.1e3, 1000};
  const Json traces = Json::parse(report_json(data))["schedules"]["traces"];
  EXPECT_EQ(traces["more_than"], true);
  EXPECT_EQ(traces["estimate"], 3.25e5);
  EXPECT_EQ(traces["standard_error"], 1.1e3);
  expect_golden(schedules_html(data) + "\n", "reports/golden/schedules_estimated.html.txt");
  data.schedules.ops->estimate->total = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(Json::parse(report_json(data))["schedules"]["traces"]["standard_error"].is_null());
  expect_golden(schedules_html(data) + "\n", "reports/golden/schedules_beyond_counting.html.txt");
}

TEST(Schedules, CountsBeyond64BitsAreDigits) {
  EXPECT_EQ(trace_count_json(explore::Count128{1} << 70U), "1180591620717411303424");
  EXPECT_TRUE(redundancy_json(0, 0).is_null());
}

TEST(Schedules, PageMarksUncoveredGoals) {
  expect_golden(schedules_html(covered()) + "\n", "reports/golden/schedules.html.txt");
  EXPECT_NE(report_html(covered()).find("href=\"#schedules\""), std::string::npos);
}

TEST(Schedules, CountsOfZeroAreWrittenAsWords) {
  ReportData data = covered();
  data.schedules.ops->pairs = {};
  data.schedules.ops->unseen_mass = 0;
  data.schedules.ops->seen = data.schedules.ops->executions = 0;
  expect_golden(schedules_html(data) + "\n", "reports/golden/schedules_of_nothing.html.txt");
  data.schedules.ops->pairs = {.unordered_total = 9, .unordered_known = false};
  expect_golden(schedules_html(data) + "\n", "reports/golden/schedules_not_counted.html.txt");
  EXPECT_TRUE(pair_coverage_json(data.schedules.ops->pairs)["unordered_both"].is_null());
}

TEST(Schedules, UncoveredGoalIsAWarningInSarif) {
  const Json run = Json::parse(sarif_findings(covered()))["runs"][0];
  ASSERT_EQ(run["results"].size(), 1U);
  EXPECT_EQ(run["results"][0]["ruleId"], "cover_goals");
  EXPECT_EQ(run["results"][0]["level"], "warning");
  EXPECT_EQ(run["results"][0]["message"]["text"].get<std::string>(),
            "not covered: bytes were <reused> (buffer_reuse); make more runs");
}

}  // namespace
}  // namespace detent::reports
