// Failing schedules: rows of instants from a trace, as text, HTML and JSON.
#include <gtest/gtest.h>

#include "reports/data/report_data.hpp"
#include "reports/text/failure_print.hpp"
#include "tests/golden.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

harness::Trace trace_of(const std::vector<harness::Span>& spans) {
  harness::Trace trace;
  trace.spans = spans;
  return trace;
}

/// `count` ops without anything between them.
std::unique_ptr<samples::Tables> tables_of(int count) {
  auto tables = std::make_unique<samples::Tables>();
  tables->add_region("ws", DETENT_REGION_WORKSPACE, 64);
  for (int op = 0; op < count; ++op) tables->add_op("op" + std::to_string(op), "mix", {}, {});
  return tables;
}

FailureStory story_of(StoryTable table) {
  FailureStory story{.level = "ops", .law = "op_schedules", .title = "two ops race"};
  story.constraints = {"op 1 before op 0"};
  story.shown = "op 0 reads other bytes";
  table.title = "fails: op 1 before op 0";
  story.tables.push_back(std::move(table));
  story.note = "Simulated.";
  story.replay = "detent-replay/1 model=x";
  return story;
}

/// As the screen, the page and the JSON show it.
std::string all_of(const FailureStory& story) {
  return story_tables_text(story) + "\n" + failures_html({story}) + "\n" + story_json(story).dump(2) + "\n";
}

TEST(FailureTable, HasARowPerInstantAndAColumnPerWorker) {
  const auto tables = tables_of(3);
  const harness::Trace trace = trace_of({{0, 0, 0, 1000, 0}, {1, 1, 500, 3000, 1}, {2, 0, 2000, 3000, 2}});
  const StoryTable table = make_story_table(*tables->desc(), trace, {"cpu0", "cpu1"}, {{1, "writes [0, 8) of ws"}});
  ASSERT_EQ(table.columns, (std::vector<std::string>{"worker 0 (cpu0)", "worker 1 (cpu1)"}));
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[0].cells[0].text, "0 op0");
  EXPECT_EQ(table.rows[0].cells[1].kind, StoryKind::kIdle);
  EXPECT_EQ(table.rows[1].cells[0].kind, StoryKind::kRuns);
  EXPECT_TRUE(table.rows[1].cells[1].is_racing);
  EXPECT_EQ(table.rows[1].cells[1].access, "writes [0, 8) of ws");
  EXPECT_EQ(table.rows[2].cells[0].kind, StoryKind::kEnds);
  EXPECT_EQ(table.rows[4].time_ps, 3000U);
  EXPECT_EQ(table.rows[4].cells[0].kind, StoryKind::kEnds);
  EXPECT_EQ(table.rows[4].cells[1].kind, StoryKind::kEnds);
  EXPECT_TRUE(table.rows[4].cells[1].is_racing) << "where the racing op ends is marked, too";
  EXPECT_FALSE(table.rows[4].cells[0].is_racing);
}

TEST(FailureTable, AnOpThatFollowsAtOnceTakesTheRowOfTheEnd) {
  const auto tables = tables_of(2);
  const StoryTable table =
      make_story_table(*tables->desc(), trace_of({{0, 0, 0, 10, 0}, {1, 0, 10, 20, 1}}), {"cpu0"}, {});
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[1].cells[0].text, "1 op1");
}

TEST(FailureTable, OpsOfNoTimeKeepTheirRows) {
  const auto tables = tables_of(3);
  const StoryTable table =
      make_story_table(*tables->desc(), trace_of({{0, 0, 5, 5, 0}, {1, 0, 5, 5, 1}, {2, 0, 5, 9, 2}}), {"delays"}, {});
  EXPECT_EQ(table.columns, std::vector<std::string>{"delays"});
  std::size_t begins = 0;
  for (const StoryRow& row : table.rows) begins += row.cells[0].kind == StoryKind::kBegins ? 1U : 0U;
  EXPECT_EQ(begins, 3U);
}

TEST(FailureTable, AHeldOpStandsOnAnIdleWorker) {
  const auto tables = tables_of(3);
  const harness::Trace trace = trace_of({{0, 0, 0, 10, 0}, {2, 0, 10, 20, 1}, {1, 0, 20, 30, 2}});
  const StoryTable table =
      make_story_table(*tables->desc(), trace, {"cpu0", "cpu1"}, {{1, "reads"}, {2, "writes"}}, {{1, 5, 20}});
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[1].time_ps, 5U);
  EXPECT_EQ(table.rows[1].cells[1].kind, StoryKind::kIsHeld);
  EXPECT_EQ(table.rows[1].cells[1].text, "1 op1");
  EXPECT_EQ(table.rows[2].cells[1].kind, StoryKind::kIsHeld);
  EXPECT_EQ(table.rows[3].cells[1].kind, StoryKind::kIdle) << "it begins on the other worker";
  expect_golden(all_of(story_of(table)), "reports/golden/held_op.txt");
  const StoryTable full = make_story_table(*tables->desc(), trace, {"cpu0"}, {}, {{1, 5, 20}});
  for (const StoryRow& row : full.rows) EXPECT_NE(row.cells[0].kind, StoryKind::kIsHeld) << "no worker is idle";
}

TEST(FailureTable, RowsFarFromTheRaceAreOmitted) {
  const auto tables = tables_of(100);
  std::vector<harness::Span> spans;
  for (std::uint32_t op = 0; op < 100; ++op) spans.push_back({op, 0, op * 10, op * 10 + 10, op});
  const StoryTable table =
      make_story_table(*tables->desc(), trace_of(spans), {"cpu0"}, {{20, "writes"}, {80, "reads"}});
  EXPECT_LE(table.rows.size(), kStoryRows + 3);
  std::uint64_t shown = 0, left_out = 0;
  for (const StoryRow& row : table.rows) {
    left_out += row.left_out;
    if (!row.is_gap() && row.cells[0].kind == StoryKind::kBegins) ++shown;
  }
  EXPECT_EQ(shown + left_out, 100U);
  expect_golden(story_tables_text(story_of(table)) + "\n", "reports/golden/rows_far_from_the_race.txt");
  const StoryTable calm = make_story_table(*tables->desc(), trace_of(spans), {"cpu0"}, {});
  EXPECT_LT(calm.rows.size(), kStoryRows);
  EXPECT_FALSE(calm.rows.front().is_gap()) << "the beginning is shown where no op is marked";
}

TEST(FailurePrint, TextJsonAndPageSayTheSame) {
  const auto tables = tables_of(2);
  const StoryTable table = make_story_table(*tables->desc(), trace_of({{1, 0, 0, 1000, 0}, {0, 1, 900, 2000, 1}}),
                                            {"cpu0", "cpu1"}, {{1, "writes [0, 8) of ws"}, {0, "reads [0, 8) of ws"}});
  ReportData data;
  data.failures = {story_of(table)};
  const std::string page = report_html(data);
  EXPECT_NE(page.find(failures_html(data.failures)), std::string::npos);
  EXPECT_NE(page.find("href=\"#failures\""), std::string::npos);
  expect_golden(all_of(data.failures.front()), "reports/golden/failure.txt");
  const Json json = Json::parse(report_json(data))["failures"];
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["table"][0]["rows"][0]["cells"][0]["op"], "1 op1");
  EXPECT_EQ(json[0]["table"][0]["rows"][0]["cells"][0]["racing"], true);
  EXPECT_EQ(json[0]["constraints"][0], "op 1 before op 0");
  EXPECT_EQ(report_html({}).find("id=\"failures\""), std::string::npos);
  EXPECT_FALSE(Json::parse(report_json({})).contains("failures"));
}

TEST(FailurePrint, RowsOfLongCellsFitAScreen) {
  const auto tables = tables_of(3);
  const harness::Trace trace = trace_of({{0, 0, 0, 1000, 0}, {1, 1, 0, 3000, 1}, {2, 0, 2000, 3000, 2}});
  const std::string access = "writes [4096, 5120) of workspace, and more";
  const StoryTable table = make_story_table(*tables->desc(), trace, {"cpu0", "cpu1"}, {{0, access}, {1, access}});
  EXPECT_EQ(story_tables_text(story_of(table)),
            "  fails: op 1 before op 0\n"
            "       time  worker 0 (cpu0)               worker 1 (cpu1)\n"
            "->     0 ps  0 op0 writes [4096, 5120) of  1 op1 writes [4096, 5120) of\n"
            "               workspace, and more           workspace, and more\n"
            "    1.00 ns  ends                          |\n"
            "    2.00 ns  2 op2                         |\n"
            "    3.00 ns  ends                          ends\n"
            "  Simulated.\n");
}

TEST(FailurePrint, AScheduleOfThreadsShowsItsSteps) {
  FailureStory story{.level = "threads", .law = "deadlock", .title = "deadlock: <all> wait"};
  story.listing = "    1  slot 0  reads <role>\n";
  expect_golden(all_of(story), "reports/golden/schedule_of_threads.txt");
  EXPECT_EQ(story_json(story)["listing"], story.listing);
  EXPECT_EQ(story_tables_text(story), "");
}

TEST(StepTable, HasAColumnPerThreadAndKeepsTheStepsAroundInterruptions) {
  std::vector<StoryStep> steps;
  for (std::uint64_t n = 0; n < 200; ++n) {
    steps.push_back({n, n < 100 ? "slot 0" : "slot 1", "step " + std::to_string(n), n == 100});
  }
  const StoryTable table = make_step_table(steps);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"slot 0", "slot 1"}));
  std::uint64_t shown = 0, left_out = 0;
  for (const StoryRow& row : table.rows) {
    left_out += row.left_out;
    shown += row.is_gap() ? 0U : 1U;
  }
  EXPECT_EQ(shown + left_out, 200U);
  EXPECT_LE(shown, kStoryRows);
  FailureStory story{.level = "threads", .law = "deadlock", .title = "deadlock: all wait"};
  story.tables.push_back(table);
  story.tables.back().title = "fails";
  expect_golden(all_of(story), "reports/golden/table_of_steps.txt");
  const Json json = story_json(story)["table"][0]["rows"];
  EXPECT_EQ(json[0]["left_out"], 97);
  EXPECT_EQ(json[3]["step"], 99);
  EXPECT_EQ(json[4]["cells"][1]["step"], "step 100");
  EXPECT_EQ(json[4]["cells"][1]["does"], "steps");
}

TEST(StepTable, ManyInterruptionsAreCutAndFewStepsAreWhole) {
  std::vector<StoryStep> steps;
  for (std::uint64_t n = 0; n < 1000; ++n) steps.push_back({n, "slot " + std::to_string(n % 2), "step", true});
  const StoryTable table = make_step_table(steps);
  EXPECT_LE(table.rows.size(), 3 * kStoryRows);
  EXPECT_TRUE(table.rows.front().is_gap()) << "the last ones matter most";
  steps.resize(5);
  EXPECT_EQ(make_step_table(steps).rows.size(), 5U);
  EXPECT_TRUE(make_step_table({}).rows.empty());
}

TEST(FailurePrint, B14_HostileNamesStayText) {
  auto tables = std::make_unique<samples::Tables>();
  tables->add_region("ws", DETENT_REGION_WORKSPACE, 64);
  tables->add_op("</script><b>\x1b[31m'\"&\n", "mix", {}, {});
  const StoryTable table = make_story_table(*tables->desc(), trace_of({{0, 0, 0, 10, 0}}), {"<cpu>"}, {{0, "<w>"}});
  FailureStory story = story_of(table);
  story.title = story.shown = story.note = story.replay = story.constraints[0] = story.tables[0].title = "<i>'\"&\x1b";
  const std::string page = failures_html({story});
  for (const char* text : {"<b>", "<i>", "<w>", "<cpu>", "\x1b"}) EXPECT_EQ(page.find(text), std::string::npos) << text;
  EXPECT_EQ(story_tables_text(story).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace detent::reports
