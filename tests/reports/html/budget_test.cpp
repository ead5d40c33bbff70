// The table of what a bound counts, read back from the page.
#include <gtest/gtest.h>

#include <numeric>

#include "reports/html/parts.hpp"
#include "reports/json/budget_json.hpp"

namespace detent::reports {
namespace {

/// `rows` ops of 100, 101, ... ps, each with interference of two clients; begin and end of the run; a load.
ReportData budget_of(std::size_t rows) {
  ReportData data;
  BoundBudget budget{.method = "typed", .outcomes = "", .bound_ps = 0, .channels = {"dram:cpu", "<b>"}};
  for (std::size_t i = 0; i < rows; ++i) {
    BudgetRow row{.kind = "op", .op = OpId{static_cast<std::uint32_t>(i)}, .name = "op <" + std::to_string(i) + ">"};
    row.own_ps = 100 + i;
    row.interference_ps = {i, 1};
    row.others_ps = i % 3;
    row.time = {"assumed", "a default of <core>"};
    budget.rows.push_back(row);
  }
  budget.rows.push_back({.kind = "run", .name = "begin and end", .overhead_ps = 7, .interference_ps = {0, 0}});
  budget.rows.push_back({.kind = "load", .name = "control", .interference_ps = {0, 0}, .loads_ps = 50});
  budget.bound_ps = sum_of(budget).sum_ps();
  data.bounds = {{"typed", budget.bound_ps, true, false, ""}};
  data.budget = std::move(budget);
  return data;
}

/// Picoseconds of the cells of each row of the table, its sum last.
std::vector<std::vector<std::uint64_t>> cells_of(const std::string& html) {
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::size_t at = html.find("<tbody>"); (at = html.find("<tr", at + 1)) != std::string::npos;) {
    const std::string row = html.substr(at, html.find("</tr>", at) - at);
    rows.emplace_back();
    for (std::size_t cell = 0; (cell = row.find("<td class=\"r num\">", cell + 1)) != std::string::npos;) {
      const std::string open = "<td class=\"r num\"><span class=\"num\" title=\"";
      std::uint64_t ps = 0;
      if (row.compare(cell, open.size(), open) == 0) {
        for (std::size_t i = cell + open.size(); row[i] != '"' && row.compare(i, 3, " ps") != 0; ++i) {
          if (row[i] >= '0' && row[i] <= '9') ps = 10 * ps + static_cast<std::uint64_t>(row[i] - '0');
        }
      }
      rows.back().push_back(ps);
    }
  }
  return rows;
}

TEST(BudgetHtml, RowsAndColumnsAddUpToTheBound) {
  for (const std::size_t ops : {1U, 10U, 11U, 12U, 200U}) {
    const ReportData data = budget_of(ops);
    const auto rows = cells_of(budget_html(data));
    ASSERT_EQ(rows.size(), std::min<std::size_t>(ops + 2, 13) + 1) << ops;
    std::vector<std::uint64_t> sums(rows.back().size(), 0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      ASSERT_EQ(rows[r].size(), sums.size());
      EXPECT_EQ(std::accumulate(rows[r].begin(), rows[r].end() - 1, std::uint64_t{0}), rows[r].back()) << r;
      if (r + 1 == rows.size()) continue;
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += rows[r][c];
    }
    EXPECT_EQ(sums, rows.back()) << ops;
    EXPECT_EQ(rows.back().back(), data.budget->bound_ps);
  }
}

TEST(BudgetHtml, ColumnsOfNothingAreLeftOut) {
  ReportData data = budget_of(3);
  EXPECT_NE(budget_html(data).find(">Loads<"), std::string::npos);
  EXPECT_EQ(budget_html(data).find(">Delay<"), std::string::npos);
  data.budget->rows.pop_back();
  EXPECT_EQ(budget_html(data).find(">Loads<"), std::string::npos);
  data.budget.reset();
  EXPECT_EQ(budget_html(data), "");
}

TEST(BudgetHtml, NamesAreTextAndAFaultIsSaid) {
  ReportData data = budget_of(2);
  data.budget->fault = "the budget adds up to <1> ps";
  const std::string html = budget_html(data);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_EQ(html.find("<core>"), std::string::npos);
  EXPECT_EQ(html.find("<0>"), std::string::npos);
  EXPECT_NE(html.find("adds up to &lt;1&gt; ps"), std::string::npos);
}

TEST(BudgetHtml, NamesTheGuessesThatMoveTheBound) {
  ReportData data = budget_of(2);
  EXPECT_EQ(budget_html(data).find("Measure first"), std::string::npos) << "nothing moves it";
  data.sensitivity.groups = {{{0, 1}, "conv<2d>", "npu", {"assumed", "a guess"}, true, 201, 40},
                             {{1}, "small", "cpu", {"given", "the file"}, false, 101, 9},
                             {{0}, "still", "cpu", {"given", "the file"}, false, 100, 0}};
  data.sensitivity.limit = "the 64 with the longest times";
  const std::string html = budget_html(data);
  EXPECT_NE(html.find("Measure first"), std::string::npos);
  EXPECT_NE(html.find("conv&lt;2d&gt; on npu (2 ops): assumed"), std::string::npos) << html;
  EXPECT_NE(html.find("makes the bound 40 ps longer"), std::string::npos) << html;
  EXPECT_NE(html.find("small: given"), std::string::npos);
  EXPECT_EQ(html.find("still"), std::string::npos);
  EXPECT_NE(html.find("Of the 64 with the longest times"), std::string::npos);
  data.sensitivity.groups.erase(data.sensitivity.groups.begin());
  EXPECT_NE(budget_html(data).find("What moves it most"), std::string::npos) << "no guess";
}

TEST(BudgetJson, RowsOfEveryKindAddUp) {
  const ReportData data = budget_of(5);
  const Json json = budget_json(data.budget);
  EXPECT_EQ(json["totals"]["sum_ps"], data.budget->bound_ps);
  std::uint64_t sum = 0;
  for (const Json& row : json["rows"]) sum += row["sum_ps"].get<std::uint64_t>();
  EXPECT_EQ(sum, data.budget->bound_ps);
  EXPECT_TRUE(budget_json(std::nullopt).is_null());
}

}  // namespace
}  // namespace detent::reports
