// Lists that the page and findings.sarif end after so many rows: whole at the limit, cut and counted one above it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/html/parts.hpp"
#include "reports/view/page_data.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports::cut_lists {
namespace {

std::size_t count_of_text(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A report on ops "o0", "o1", ... with one verdict.
class Ops {
 public:
  explicit Ops(std::uint32_t count) {
    tables_.add_region("ws", DETENT_REGION_WORKSPACE, 64);
    for (std::uint32_t i = 0; i < count; ++i) tables_.add_op("o" + std::to_string(i), "k", {}, {});
    data.desc = tables_.desc();
    data.model = "m";
    data.verdicts = {{verify::Property::kDeterminism, verify::Outcome::kViolated, "s", {}}};
  }
  std::vector<verify::Witness>& witnesses() { return data.verdicts[0].witnesses; }
  ReportData data;

 private:
  samples::Tables tables_;
};

std::vector<std::uint32_t> first_ops(std::uint32_t count) {
  std::vector<std::uint32_t> ops(count);
  for (std::uint32_t i = 0; i < count; ++i) ops[i] = i;
  return ops;
}

std::string verdicts_of(std::size_t witnesses) {
  Ops report(3);
  for (std::size_t i = 0; i < witnesses; ++i) report.witnesses().push_back({"w" + std::to_string(i), {0}, {}});
  return verdicts_html(report.data);
}

TEST(CutLists, ThreeWitnessesAreOpenAndFortyOnThePage) {
  EXPECT_TRUE(has(verdicts_of(1), "<summary>1 witness</summary>"));
  EXPECT_TRUE(has(verdicts_of(3), "<summary>3 witnesses</summary>"));
  EXPECT_FALSE(has(verdicts_of(3), "Further witnesses"));
  const std::string four = verdicts_of(4);
  EXPECT_TRUE(has(four, "<summary>Further witnesses</summary><article class=\"witness\"><p class=\"text\">w3</p>"));
  EXPECT_EQ(count_of_text(four, "<details"), count_of_text(four, "</details>"));
  EXPECT_EQ(count_of_text(verdicts_of(3), "<details"), count_of_text(verdicts_of(3), "</details>"));
  EXPECT_EQ(count_of_text(verdicts_of(40), "<article"), 40U);
  EXPECT_FALSE(has(verdicts_of(40), " more are in report.json"));
  EXPECT_EQ(count_of_text(verdicts_of(41), "<article"), 40U);
  EXPECT_TRUE(has(verdicts_of(41), ">1 more are in report.json.<"));
}

TEST(CutLists, WitnessesAreOpenWhereTheyShowAViolation) {
  Ops report(1);
  report.witnesses() = {{"w", {0}, {}}};
  EXPECT_TRUE(has(verdicts_html(report.data), "<details class=\"witnesses\" open>"));
  report.data.verdicts[0].outcome = verify::Outcome::kUnknown;
  EXPECT_TRUE(has(verdicts_html(report.data), "<details class=\"witnesses\">"));
}

/// Of determinism, all that begins as a witness of races is left out; of races, nothing is.
TEST(CutLists, AWitnessOfRacesStandsWithThemAlone) {
  Ops report(2);
  report.witnesses() = {{"a and b race, so that x", {0}, {}}, {"b and a", {1}, {}}};
  report.data.verdicts.push_back(
      {verify::Property::kBufferRaces, verify::Outcome::kViolated, "r", {{"a and b race", {0, 1}, {}}, {"", {0}, {}}}});
  const std::string page = verdicts_html(report.data);
  EXPECT_FALSE(has(page, "so that x"));
  EXPECT_TRUE(has(page, "<p class=\"text\">b and a</p>")) << page;
  EXPECT_TRUE(has(page, "<summary>2 witnesses</summary>"));
  EXPECT_TRUE(has(page, "<summary>1 witness</summary>"));
  report.witnesses().pop_back();
  EXPECT_TRUE(has(verdicts_html(report.data), "The witness stands with the verdict on buffer races."));
}

TEST(CutLists, SixtyFourOpsOfAWitness) {
  Ops report(70);
  report.witnesses() = {{"w", first_ops(64), {}}};
  EXPECT_FALSE(has(verdicts_html(report.data), " more</p>"));
  EXPECT_EQ(count_of_text(verdicts_html(report.data), "data-op="), 64U);
  report.witnesses()[0].ops = first_ops(65);
  EXPECT_TRUE(has(verdicts_html(report.data), "and 1 more</p>"));
  EXPECT_EQ(count_of_text(verdicts_html(report.data), "data-op="), 64U);
}

TEST(CutLists, TwoHundredStepsOfASchedule) {
  Ops report(203);
  report.witnesses() = {{"w", {199}, first_ops(203)}};
  const std::string whole = verdicts_html(report.data);
  EXPECT_TRUE(has(whole, "Schedule that shows it (200 steps)")) << "up to the op that it is about";
  EXPECT_FALSE(has(whole, "left out here"));
  EXPECT_TRUE(has(whole, "<tr><td class=\"r num step\">1</td>"));
  EXPECT_TRUE(has(whole, "<tr class=\"clash\"><td class=\"r num step\">200</td>"));
  report.witnesses()[0].ops = {200};
  const std::string cut = verdicts_html(report.data);
  EXPECT_TRUE(has(cut, "Schedule that shows it (201 steps)"));
  EXPECT_TRUE(has(cut, "The first 1 step are left out here") || has(cut, "The first 1 step is left out here")) << cut;
  EXPECT_FALSE(has(cut, "<td class=\"r num step\">1</td>"));
  EXPECT_TRUE(has(cut, "<tr><td class=\"r num step\">2</td>"));
}

/// o1 comes after o0 alone, o3 after o2 alone, both of o1 and o3 after o4.
TEST(CutLists, StepsOfARaceStandUnderTheOpThatWaitsForThem) {
  samples::Tables tables;
  tables.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  for (const char* name : {"o0", "o1", "o2", "o3", "o4", "o5"}) tables.add_op(name, "k", {}, {});
  tables.add_edge(0, 1);
  tables.add_edge(2, 3);
  tables.add_edge(4, 1);
  tables.add_edge(4, 3);
  ReportData data;
  data.desc = tables.desc();
  data.verdicts = {
      {verify::Property::kBufferRaces, verify::Outcome::kViolated, "s", {{"w", {1, 3}, {0, 2, 4, 5, 3, 1}}}}};
  const std::string page = verdicts_html(data);
  const auto cell = [](std::uint32_t op) {
    const std::string id = std::to_string(op);
    return "<a class=\"op\" href=\"#graph\" data-op=\"" + id + "\"><span class=\"id\">" + id + "</span>o" + id + "</a>";
  };
  const auto step = [](int number) { return "<td class=\"r num step\">" + std::to_string(number) + "</td>"; };
  EXPECT_TRUE(has(page, step(1) + "<td>" + cell(0) + "</td><td></td>")) << page;
  EXPECT_TRUE(has(page, step(2) + "<td></td><td>" + cell(2) + "</td>")) << page;
  EXPECT_TRUE(has(page, step(3) + "<td colspan=\"2\" class=\"shared\">" + cell(4) + "</td>")) << page;
  EXPECT_TRUE(has(page, step(4) + "<td colspan=\"2\" class=\"aside\">" + cell(5) + "</td>")) << page;
  EXPECT_TRUE(has(page, "<tr class=\"clash\">" + step(5) + "<td>A: " + cell(1) + "</td><td>B: " + cell(3))) << page;
  EXPECT_TRUE(has(page, "Schedule that shows it (5 steps)"));
}

std::string anomalies_of(std::uint32_t ops) {
  Ops report(20);
  ExactCase exact{.policy = "id", .worst_ps = 20'000, .all_worst_ps = 16'000};
  exact.time_ps.assign(20, 4'000);
  for (std::uint32_t op = 0; op < ops; ++op) exact.shorter.push_back({op, 6'000, 18'000});
  exact.runs = {{"run", {"cpu0"}, {}, 20'000}};
  report.data.exact = exact;
  return exact_html(report.data, page_data(report.data));
}

TEST(CutLists, TwelveOpsThatMakeTheRunLonger) {
  EXPECT_EQ(count_of_text(anomalies_of(12), "<li>"), 12U);
  EXPECT_FALSE(has(anomalies_of(12), " more; report.json lists all."));
  EXPECT_EQ(count_of_text(anomalies_of(13), "<li>"), 12U);
  EXPECT_TRUE(has(anomalies_of(13), ">1 op more; report.json lists all.<")) << anomalies_of(13);
  EXPECT_TRUE(has(anomalies_of(14), ">2 ops more; report.json lists all.<"));
  EXPECT_FALSE(has(anomalies_of(0), "<ol"));
}

std::string drawing_of(std::uint32_t spans) {
  Ops report(2);
  ExactCase exact{.policy = "id", .worst_ps = 20'000, .all_worst_ps = 20'000};
  exact.time_ps = {1, 1};
  exact.runs = {{"run", {"cpu0"}, {}, 20'000}};
  for (std::uint32_t i = 0; i < spans; ++i) exact.runs[0].trace.spans.push_back({i % 2, 0, i, i + 1U});
  report.data.exact = exact;
  return exact_html(report.data, page_data(report.data));
}

TEST(CutLists, ThreeThousandBlocksOfAnExactRun) {
  EXPECT_FALSE(has(drawing_of(3000), "further ops are not drawn"));
  EXPECT_TRUE(has(drawing_of(3001), ">1 further ops are not drawn.<"));
  EXPECT_EQ(count_of_text(drawing_of(3001), "<title>"), 3000U);
}

/// Positions in the drawing of one op from 5 to 15 of 20 ns: 88 units of names, 1,016 of time.
TEST(CutLists, AnExactRunIsDrawnToScale) {
  Ops report(1);
  ExactCase exact{.policy = "id", .worst_ps = 20'000, .all_worst_ps = 20'000};
  exact.time_ps = {10'000};
  exact.runs = {{"run", {"cpu0", "cpu1"}, {}, 20'000}};
  exact.runs[0].trace.spans = {{0, 1, 5'000, 15'000}};
  report.data.exact = exact;
  const std::string page = exact_html(report.data, page_data(report.data));
  EXPECT_TRUE(has(page, "viewBox=\"0 0 1160 78\"")) << "two lanes of 28 and the axis";
  EXPECT_TRUE(
      has(page, "x=\"342\" y=\"28\" width=\"508\" height=\"22\"><title>o0, 10.00 ns, from 5.000 ns to 15.00 ns"))
      << page;
  EXPECT_TRUE(has(page, "x=\"346\" y=\"44\">o0</text>")) << page;
  EXPECT_TRUE(has(page, "<rect class=\"lane\" x=\"88\" y=\"28\" width=\"1016\" height=\"22\"/>"));
  EXPECT_TRUE(has(page, "<path class=\"tick\" d=\"M342 0V60\"/><text class=\"tick-text\" x=\"342\" y=\"74\">5.000 ns"));
  EXPECT_TRUE(
      has(page, "<path class=\"tick\" d=\"M1104 0V60\"/><text class=\"tick-text\" x=\"1104\" y=\"74\">20.00 ns"));
  EXPECT_TRUE(has(page, "<path class=\"end\" d=\"M1104 0V56\"/>"));
}

TEST(CutLists, TenThousandOpsOfAReport) {
  Ops whole(10'000);
  const Json listed = Json::parse(report_json(whole.data));
  Ops more(10'001);
  const Json cut = Json::parse(report_json(more.data));
  std::size_t lists = 0;
  for (const auto& [key, value] : listed.items()) {
    if (!value.is_array() || value.size() != 10'000) continue;
    ++lists;
    EXPECT_EQ(value[9'999]["name"], "o9999");
    EXPECT_TRUE(cut.at(key).is_null());
  }
  EXPECT_EQ(lists, 1U);
}

TEST(CutLists, FiveTimesToMeasureFirst) {
  Ops report(1);
  BoundBudget budget{.method = "typed", .outcomes = "", .bound_ps = 5};
  budget.rows.push_back({.kind = "op", .op = OpId{0}, .name = "o0", .own_ps = 5});
  report.data.bounds = {{"typed", 5, true, false, ""}};
  report.data.budget = budget;
  const auto page_of = [&](std::size_t groups) {
    report.data.sensitivity.groups.assign(groups, {.ops = {0}, .name = "k", .is_guess = true, .moves_ps = 3});
    return budget_html(report.data);
  };
  EXPECT_EQ(count_of_text(page_of(5), "<li>"), 5U);
  EXPECT_EQ(count_of_text(page_of(6), "<li>"), 5U);
  EXPECT_TRUE(has(page_of(6), "<h3>Measure first</h3>"));
  EXPECT_FALSE(has(page_of(0), "<ol"));
}

Json sarif_results(const ReportData& data) { return Json::parse(sarif_findings(data))["runs"][0]["results"]; }

std::size_t count_flows(const Json& results) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [](const Json& result) { return result.contains("codeFlows"); }));
}

std::ptrdiff_t count_witnesses(const Json& results) {
  return std::ranges::count_if(results, [](const Json& result) { return result["message"]["text"] != "s"; });
}

TEST(CutLists, AThousandResultsOfAVerdictAndTwentySchedules) {
  Ops report(2);
  for (int i = 0; i < 20; ++i) report.witnesses().push_back({"w" + std::to_string(i), {0}, {0}});
  EXPECT_EQ(count_flows(sarif_results(report.data)), 20U);
  for (int i = 20; i < 1000; ++i) report.witnesses().push_back({"w" + std::to_string(i), {0}, {0}});
  const Json whole = sarif_results(report.data);
  EXPECT_EQ(count_flows(whole), 20U);
  EXPECT_EQ(count_witnesses(whole), 1000);
  report.witnesses().push_back({"w1000", {0}, {0}});
  EXPECT_EQ(count_witnesses(sarif_results(report.data)), 1000);
}

TEST(CutLists, TwoThousandStepsOfAFlow) {
  Ops report(2003);
  const auto steps = [&](std::uint32_t last) {
    report.witnesses() = {{"w", {last}, first_ops(2003)}};
    return sarif_results(report.data)[0]["codeFlows"][0]["threadFlows"][0]["locations"];
  };
  const Json whole = steps(1999);
  EXPECT_EQ(whole.size(), 2000U);
  EXPECT_EQ(whole[0]["executionOrder"], 1);
  EXPECT_EQ(whole[0]["importance"], "unimportant");
  EXPECT_EQ(whole[1999]["importance"], "essential");
  const Json cut = steps(2000);
  EXPECT_EQ(cut.size(), 2000U);
  EXPECT_EQ(cut[0]["executionOrder"], 2) << "the first one is left out and counted";
  EXPECT_EQ(cut[1999]["executionOrder"], 2001);
}

}  // namespace
}  // namespace detent::reports::cut_lists
