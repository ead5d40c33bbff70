// FailureStory -> lines for a terminal, and JSON.
#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "reports/text/failure_print.hpp"
#include "reports/text/wrap.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kCellNameBytes = 40;
constexpr std::size_t kScreenColumns = 80;
constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kTimeColumns = 2 + kTimeWidth;  // the mark, and when
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastCell = 16;
constexpr std::string_view kRacingMark = "->";  // in front, where it never makes a row too long for the screen

std::string cell_text(const StoryCell& cell) {
  switch (cell.kind) {
    case StoryKind::kIdle:
      return ".";
    case StoryKind::kRuns:
      return "|";
    case StoryKind::kEnds:
      return "ends";
    case StoryKind::kIsHeld:
      return cell.text.empty() ? ":" : short_name(cell.text, kCellNameBytes) + " is held";
    case StoryKind::kSteps:
    case StoryKind::kBegins:
      break;
  }
  return short_name(cell.text, kCellNameBytes) + (cell.access.empty() ? "" : " " + short_name(cell.access, 80));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t has = columns_of(text);
  if (has < width) text.append(width - has, ' ');
  return text;
}

std::string left_padded(const std::string& text, std::size_t width) {
  const std::size_t has = columns_of(text);
  return std::string(has < width ? width - has : 0, ' ') + text;
}

bool begins_racing(const StoryRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [](const StoryCell& cell) { return cell.is_racing && cell.kind != StoryKind::kEnds; });
}

using CellLines = std::vector<std::string>;

CellLines lines_of(const std::string& text, std::size_t width) {
  CellLines lines;
  std::istringstream wrapped(wrap_hanging(text, width, 2));
  for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
  return lines;
}

std::vector<std::size_t> column_widths(const StoryTable& table, std::size_t most) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(columns_of(short_name(column, kCellNameBytes)));
  for (const StoryRow& row : table.rows) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      for (const std::string& line : lines_of(cell_text(row.cells[c]), most)) {
        widths[c] = std::max(widths[c], columns_of(line));
      }
    }
  }
  return widths;
}

/// How wide a cell may be: as wide as it is where the table fits a screen, else an equal part of the screen.
std::size_t widest_cell(const StoryTable& table) {
  std::size_t width = kTimeColumns;
  for (const std::size_t column : column_widths(table, kScreenColumns)) width += kGap + column;
  if (width <= kScreenColumns || table.columns.empty()) return kScreenColumns;
  return std::max(kLeastCell, (kScreenColumns - kTimeColumns) / table.columns.size() - kGap);
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table_text(const StoryTable& table) {
  const std::size_t most = widest_cell(table);
  const std::vector<std::size_t> widths = column_widths(table, most);
  std::string out = "  " + short_name(table.title, 400) + "\n";
  std::string line = "  " + left_padded(table.counts_steps ? "step" : "time", kTimeWidth);
  for (std::size_t c = 0; c < widths.size(); ++c)
    line += "  " + padded(short_name(table.columns[c], kCellNameBytes), widths[c]);
  out += trimmed(line);
  for (const StoryRow& row : table.rows) {
    if (row.is_gap()) {
      out += "  " + left_padded("...", kTimeWidth) + "  " + count_of(row.left_out, table.counts_steps ? "step" : "op") +
             " left out\n";
      continue;
    }
    const std::string when = table.counts_steps ? std::to_string(row.time_ps) : format_time(row.time_ps);
    std::vector<CellLines> cells;
    std::size_t lines = 1;
    for (const StoryCell& cell : row.cells) {
      cells.push_back(lines_of(cell_text(cell), most));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t i = 0; i < lines; ++i) {
      line =
          std::string(i == 0 && begins_racing(row) ? kRacingMark : "  ") + left_padded(i == 0 ? when : "", kTimeWidth);
      for (std::size_t c = 0; c < widths.size(); ++c) {
        line += "  " + padded(i < cells[c].size() ? cells[c][i] : "", widths[c]);
      }
      out += trimmed(line);
    }
  }
  return out;
}

const char* kind_name(StoryKind kind) {
  switch (kind) {
    case StoryKind::kIdle:
      return "idle";
    case StoryKind::kBegins:
      return "begins";
    case StoryKind::kRuns:
      return "runs";
    case StoryKind::kEnds:
      return "ends";
    case StoryKind::kIsHeld:
      return "held";
    case StoryKind::kSteps:
      return "steps";
  }
  return "";
}

Json cell_json(const StoryCell& cell) {
  Json json = {{"does", kind_name(cell.kind)}};
  if (!cell.text.empty()) json[cell.kind == StoryKind::kSteps ? "step" : "op"] = cell.text;
  if (!cell.access.empty()) json["access"] = cell.access;
  if (cell.is_racing) json["racing"] = true;
  return json;
}

Json row_json(const StoryRow& row, const char* when) {
  if (row.is_gap()) return {{when, row.time_ps}, {"left_out", row.left_out}};
  Json cells = Json::array();
  for (const StoryCell& cell : row.cells) cells.push_back(cell_json(cell));
  return {{when, row.time_ps}, {"cells", std::move(cells)}};
}

}  // namespace

std::string story_tables_text(const FailureStory& story) {
  std::string out;
  for (const StoryTable& table : story.tables) out += table_text(table);
  if (!story.note.empty()) out += "  " + printable_text(story.note) + "\n";
  return out;
}

Json story_tables_json(const FailureStory& story) {
  Json tables = Json::array();
  for (const StoryTable& table : story.tables) {
    Json rows = Json::array();
    for (const StoryRow& row : table.rows) rows.push_back(row_json(row, table.counts_steps ? "step" : "time_ps"));
    tables.push_back(
        {{"title", table.title}, {"digest", table.digest}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  return tables;
}

Json story_json(const FailureStory& story) {
  Json json = {{"level", story.level},
               {"law", story.law},
               {"title", story.title},
               {"constraints", story.constraints},
               {"shown", story.shown},
               {"digest", story.digest},
               {"serial_digest", story.serial_digest},
               {"workers", story.workers},
               {"table", story_tables_json(story)},
               {"note", story.note}};
  if (!story.listing.empty()) json["listing"] = story.listing;
  json["replay"] = story.replay;
  return json;
}

}  // namespace detent::reports
