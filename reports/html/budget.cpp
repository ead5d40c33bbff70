// What the lowest upper bound counts, in report.html: a table that adds up to it, and which times move it.
#include <algorithm>
#include <array>
#include <functional>

#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/report_text.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kShownRows = 12;
constexpr std::size_t kShownGroups = 5;

struct BudgetColumn {
  const char* title;
  const char* hint;
  std::uint64_t (*time_ps)(const BudgetRow&);
};

constexpr auto kBudgetColumns = std::to_array<BudgetColumn>({
    {"Own time", "worst time of an op that the bound counts whole: on its path, or on the only core of a class",
     [](const BudgetRow& row) { return row.own_ps; }},
    {"Overhead", "steps of the runtime: of the op's worker on the path, of the scheduler for every op",
     [](const BudgetRow& row) { return row.overhead_ps; }},
    {"Interference", "what other clients of the memory and of the cores add",
     [](const BudgetRow& row) { return row.interference_sum_ps(); }},
    {"Delay", "a transfer or a release that the path waits for", [](const BudgetRow& row) { return row.delay_ps; }},
    {"Waiting",
     "waiting for an op that the path does not need: its share of the work beside the path, a queue, a mutex",
     [](const BudgetRow& row) { return row.others_ps; }},
    {"Loads", "time in which a load of higher priority has the cores",
     [](const BudgetRow& row) { return row.loads_ps; }},
});

/// Columns in which something stands.
std::vector<const BudgetColumn*> budget_columns_of(const BudgetRow& sum) {
  std::vector<const BudgetColumn*> columns;
  for (const BudgetColumn& column : kBudgetColumns) {
    if (column.time_ps(sum) != 0) columns.push_back(&column);
  }
  return columns;
}

std::string row_name(const BudgetRow& row) {
  std::string name = name_html(short_name(row.name));
  if (row.op)
    return name + "<small>" + (row.kind == "op" ? "" : row.kind + ", ") + "op " + std::to_string(*row.op) + "</small>";
  if (row.kind == "load") return name + "<small>load</small>";
  return row.kind == "run" ? name + " of the run" : name;
}

/// @param sum  HTML
std::string row_html(const BudgetRow& row, const std::string& name, const std::vector<const BudgetColumn*>& columns,
                     const std::string& sum, const char* style) {
  std::string out = "<tr" + std::string(style) + "><th scope=\"row\">" + name + "</th>";
  for (const BudgetColumn* column : columns) {
    const std::uint64_t time_ps = column->time_ps(row);
    out += "<td class=\"r num\">" + (time_ps == 0 ? "\xE2\x80\x93" : duration_html(time_ps)) + "</td>";
  }
  out += "<td class=\"r num\">" + sum + "</td><td>";
  if (!row.time.name.empty()) out += hint_html(short_name(row.time.reason, 400), row.time.name);
  return out + "</td></tr>";
}

std::string budget_table(const BoundBudget& budget, const BudgetRow& sum) {
  const std::vector<const BudgetColumn*> columns = budget_columns_of(sum);
  std::string out = "<div class=\"scroll whole\"><table class=\"budget\"><thead><tr><th>What</th>";
  for (const BudgetColumn* column : columns) {
    out += "<th class=\"r\">" + hint_html(column->hint, column->title) + "</th>";
  }
  out += "<th class=\"r\">Sum</th><th>Its time is</th></tr></thead><tbody>";
  std::vector<const BudgetRow*> rows;
  for (const BudgetRow& row : budget.rows) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const BudgetRow* row) { return row->sum_ps(); });
  const std::size_t shown = rows.size() <= kShownRows + 1 ? rows.size() : kShownRows;
  for (std::size_t i = 0; i < shown; ++i) {
    out += row_html(*rows[i], row_name(*rows[i]), columns, duration_html(rows[i]->sum_ps()), "");
  }
  if (shown < rows.size()) {
    BudgetRow rest{.kind = "rest"};
    for (std::size_t i = shown; i < rows.size(); ++i) add_times(*rows[i], rest);
    out += row_html(rest, format_integer(rows.size() - shown) + " more<small>report.json lists them</small>", columns,
                    duration_html(rest.sum_ps()), "");
  }
  return out + row_html(sum, "the bound", columns, duration_up_html(sum.sum_ps()), " class=\"total\"") +
         "</tbody></table></div>";
}

std::string clients_html(const BoundBudget& budget, const BudgetRow& sum) {
  std::string list;
  for (std::size_t i = 0; i < budget.channels.size(); ++i) {
    if (sum.interference_ps[i] == 0) continue;
    list += (list.empty() ? "" : ", ") + name_html(short_name(budget.channels[i])) + " " +
            duration_html(sum.interference_ps[i]);
  }
  return list.empty() ? "" : "<p class=\"note\">Interference by client: " + list + ".</p>";
}

std::string measure_first_html(const Sensitivity& sensitivity) {
  std::string list;
  std::size_t shown = 0;
  for (const TimeGroup& group : sensitivity.groups) {
    if (group.moves_ps.value_or(0) == 0 || shown++ == kShownGroups) break;
    list += "<li>" + name_html(short_name(moves_text(group), 600)) + "</li>";
  }
  if (list.empty()) return "";
  const bool is_guess = sensitivity.groups.front().is_guess;
  std::string out = "<h3>" + std::string(is_guess ? "Measure first" : "What moves it most") +
                    "</h3><ol class=\"measure-first\">" + list + "</ol>";
  if (!sensitivity.limit.empty()) out += "<p class=\"note\">Of " + escape_html(sensitivity.limit) + ".</p>";
  return out;
}

}  // namespace

std::string budget_html(const ReportData& data) {
  if (!data.budget) return "";
  const BoundBudget& budget = *data.budget;
  const BudgetRow sum = sum_of(budget);
  const auto method = std::ranges::find(data.bounds, budget.method, &verify::Bound::name);
  std::string out = "<section id=\"budget\"><h2>What the bound counts</h2><p class=\"lead\">" +
                    escape_html(method == data.bounds.end() ? budget.method : bound_title(*method)) +
                    ", the lowest upper " + term_html("bound", "bound") + ": " + duration_up_html(budget.bound_ps) +
                    (budget.outcomes.empty() ? "" : ", where " + name_html(short_name(budget.outcomes))) +
                    ". Rows add up to it, to the picosecond: " + format_integer(sum.sum_ps()) + " ps.</p>";
  if (!budget.fault.empty()) out += "<p class=\"relation bad\">" + escape_html(budget.fault) + "</p>";
  return out + budget_table(budget, sum) + clients_html(budget, sum) + measure_first_html(data.sensitivity) +
         "</section>";
}

}  // namespace detent::reports
