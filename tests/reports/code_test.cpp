// Coverage of code as report.json and report.html print it.
#include <gtest/gtest.h>

#include "reports/data/report_data.hpp"
#include "reports/html/parts.hpp"
#include "reports/json/code_json.hpp"

namespace detent::reports {
namespace {

ReportData counted() {
  ReportData data;
  data.model = "m";
  data.code = CodeCoverage{.files = {{.name = "<a>.c",
                                      .lines = {.covered = 3, .total = 4},
                                      .branches = {.covered = 1, .total = 2},
                                      .functions = {.covered = 1, .total = 2},
                                      .uncovered = {{.name = "f<x>", .line = 12}}}},
                           .native_runs = 35,
                           .schedules = 1,
                           .note = ""};
  return data;
}

TEST(Code, JsonHasTotalsFilesAndUncoveredFunctions) {
  ReportData data = counted();
  data.code->files.push_back({.name = "b.c", .lines = {.covered = 5, .total = 5}});
  EXPECT_EQ(Json::parse(report_json(data))["code_coverage"], Json::parse(R"({
    "lines": {"covered": 8, "total": 9}, "branches": {"covered": 1, "total": 2}, "functions": {"covered": 1, "total": 2},
    "files": [{"name": "<a>.c", "lines": {"covered": 3, "total": 4}, "branches": {"covered": 1, "total": 2},
               "functions": {"covered": 1, "total": 2}, "uncovered": [{"function": "f<x>", "line": 12}]},
              {"name": "b.c", "lines": {"covered": 5, "total": 5}, "branches": {"covered": 0, "total": 0},
               "functions": {"covered": 0, "total": 0}, "uncovered": []}],
    "native_runs": 35, "schedules": 1, "note": ""})"));
}

TEST(Code, NotAskedForItIsNowhere) {
  const ReportData data;
  EXPECT_FALSE(Json::parse(report_json(data)).contains("code_coverage"));
  EXPECT_EQ(code_html(data), "");
  EXPECT_EQ(report_html(data).find("#code"), std::string::npos);
}

TEST(Code, PageHasARowForEachFile) {
  const std::string page = code_html(counted());
  EXPECT_EQ(
      page,
      "<section id=\"code\"><h2>Code</h2><p class=\"lead\">What of the model\xE2\x80\x99s own C was executed, in "
      "35 native runs and 1 order of ops. Line by line: <a href=\"coverage.html\">coverage.html</a>.</p><table "
      "class=\"measures\"><thead><tr><th>File</th><th>Lines</th><th>Of what</th></tr></thead><tbody><tr><th "
      "scope=\"row\">&lt;a&gt;.<wbr>c<small>never called: f&lt;x&gt; (line 12)</small></th><td class=\"share\"><span "
      "class=\"track\"><b style=\"width:75.00%\"></b></span></td><td class=\"num\">3 of 4 lines<small>1 of 2 "
      "branches, 1 of 2 functions</small></td></tr></tbody></table></section>");
  EXPECT_NE(report_html(counted()).find("<a href=\"#code\">Code</a>"), std::string::npos);
}

TEST(Code, PageCutsLongLists) {
  ReportData data = counted();
  data.code->files[0].uncovered.assign(14, {.name = "f", .line = 1});
  data.code->files.resize(203, {.name = "b.c"});
  const std::string page = code_html(data);
  EXPECT_NE(page.find(" and 2 more</small>"), std::string::npos);
  EXPECT_NE(page.find("<p class=\"note\">3 files more.</p>"), std::string::npos);
  EXPECT_NE(page.find("all files"), std::string::npos);
}

TEST(Code, ANoteStandsAlsoWithoutFigures) {
  ReportData data;
  data.code = CodeCoverage{.note = "not measured: <why>"};
  const std::string page = code_html(data);
  EXPECT_NE(page.find("<p class=\"note\">not measured: &lt;why&gt;</p></section>"), std::string::npos) << page;
  EXPECT_EQ(page.find("coverage.html"), std::string::npos) << "there are no pages";
}

}  // namespace
}  // namespace detent::reports
