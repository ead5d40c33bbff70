// Failing schedules in report.html: what it takes, and a column per worker, beside the right order.
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/failure_print.hpp"

namespace detent::reports {
namespace {

/// @param lane  of the cell: narrow screens have no head of columns
std::string cell_html(const StoryCell& cell, const std::string& lane) {
  const std::string racing = cell.is_racing ? " racing" : "";
  const std::string of = "\" data-lane=\"" + escape_html(short_name(lane)) + "\">";
  switch (cell.kind) {
    case StoryKind::kIdle:
      return "<td></td>";
    case StoryKind::kRuns:
      return "<td class=\"runs\"><span aria-label=\"runs\">\xE2\x94\x82</span></td>";
    case StoryKind::kEnds:
      return "<td class=\"ends" + racing + of + "<span class=\"verb\">ends</span></td>";
    case StoryKind::kIsHeld:
      return cell.text.empty() ? "<td class=\"runs\"><span aria-label=\"is held\">\xE2\x94\x8A</span></td>"
                               : "<td class=\"held" + of + name_html(short_name(cell.text)) + " is held</td>";
    case StoryKind::kSteps:
      return "<td class=\"steps" + racing + of + name_html(short_name(cell.text)) + "</td>";
    case StoryKind::kBegins:
      break;
  }
  std::string out = "<td class=\"begins" + racing + of + name_html(short_name(cell.text));
  if (!cell.access.empty()) out += "<small>" + name_html(short_name(cell.access)) + "</small>";
  return out + "</td>";
}

std::string row_html(const StoryRow& row, const std::vector<std::string>& lanes, bool counts_steps) {
  if (row.is_gap()) {
    return "<tr class=\"gap\"><td class=\"r num\">\xE2\x80\xA6</td><td colspan=\"" + std::to_string(lanes.size()) +
           "\">" + count_of(row.left_out, counts_steps ? "step" : "op") + " left out</td></tr>";
  }
  const std::string when = counts_steps ? format_integer(row.time_ps) : duration_html(row.time_ps);
  std::string out = "<tr><td class=\"r num\">" + when + "</td>";
  for (std::size_t i = 0; i < row.cells.size(); ++i) out += cell_html(row.cells[i], i < lanes.size() ? lanes[i] : "");
  return out + "</tr>";
}

std::string table_html(const StoryTable& table) {
  std::string out = "<figure><figcaption>" + name_html(short_name(table.title, 600));
  if (!table.digest.empty()) out += "<small>digest <code>" + escape_html(table.digest) + "</code></small>";
  if (table.counts_steps) out += "<small>shaded: goes on although another thread could</small>";
  out += "</figcaption><div class=\"scroll\"><table class=\"columns\"><thead><tr><th class=\"r\">";
  out += table.counts_steps ? "Step</th>" : "Time</th>";
  for (const std::string& column : table.columns) out += "<th>" + name_html(short_name(column)) + "</th>";
  out += "</tr></thead><tbody>";
  for (const StoryRow& row : table.rows) out += row_html(row, table.columns, table.counts_steps);
  return out + "</tbody></table></div></figure>";
}

std::string failure_html(const FailureStory& story) {
  std::string out = "<article class=\"witness failure\">";
  // A race is told in words where it was found; here stands what its schedule is.
  if (story.level != "ops" || story.constraints.empty()) {
    out += "<p class=\"text\">" + name_html(short_name(story.title, 1000)) + "</p>";
  }
  if (!story.constraints.empty()) {
    out += "<p class=\"text\">Fails when</p><ul class=\"constraints\">";
    for (const std::string& constraint : story.constraints) {
      out += "<li>" + name_html(short_name(constraint, 600)) + "</li>";
    }
    out += "</ul>";
  }
  if (!story.shown.empty()) out += "<p>Then " + name_html(short_name(story.shown, 600)) + ".</p>";
  if (!story.tables.empty()) {
    out += "<div class=\"sides\">";
    for (const StoryTable& table : story.tables) out += table_html(table);
    out += "</div>";
  }
  if (!story.note.empty()) out += "<p class=\"note\">" + escape_html(short_name(story.note, 1000)) + "</p>";
  if (!story.listing.empty()) {
    out += "<details><summary>Every step</summary><pre class=\"scroll\">" +
           escape_html(short_name(story.listing, 200'000)) + "</pre></details>";
  }
  if (!story.replay.empty()) {
    out += "<details><summary>Repeat it</summary><p class=\"note\"><code>detent replay '" +
           escape_html(short_name(story.replay, 100'000)) + "'</code></p></details>";
  }
  return out + "</article>";
}

}  // namespace

std::string failures_html(const std::vector<FailureStory>& failures) {
  if (failures.empty()) return "";
  std::string out =
      "<section id=\"failures\"><h2>Failing schedules</h2><p class=\"lead\">The fewest constraints that break a law, "
      "and what each worker does when: of ops, the failing order first, then the right one; of values, the "
      "schedule on which the read misses its value, then one on which it finds it; of the engine's own threads, the "
      "steps at which one interrupts another, and the last ones.</p>";
  for (const FailureStory& story : failures) out += failure_html(story);
  return out + "</section>";
}

}  // namespace detent::reports
