// Trace -> rows of instants, a cell per worker.
#include <algorithm>
#include <optional>

#include "reports/data/failure_story.hpp"
#include "reports/view/desc_view.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kRowsBefore = 6;   ///< that are kept in front of the first marked op
constexpr std::size_t kRowsBetween = 4;  ///< and on each side of a stretch that is left out

/// Puts spans into rows, an instant after the other.
class TableBuilder {
 public:
  TableBuilder(const detent_desc& desc, const std::vector<StoryMark>& marks, std::size_t columns)
      : desc_(desc), marks_(marks), running_(columns) {}

  void add(const std::vector<harness::Span>& spans, const std::vector<StoryHold>& holds) {
    std::vector<Stay> stays;
    for (const harness::Span& span : spans) {
      if (span.slot < running_.size()) stays.push_back({span, false});
    }
    for (const StoryHold& hold : holds) {
      const SlotId slot = idle_slot(stays, hold);
      if (slot < running_.size()) stays.push_back({{hold.op, slot, hold.from_ps, hold.until_ps, UINT64_MAX}, true});
    }
    std::stable_sort(stays.begin(), stays.end(), [](const Stay& x, const Stay& y) {
      return x.span.begin_ps != y.span.begin_ps ? x.span.begin_ps < y.span.begin_ps
                                                : x.span.begin_sequence < y.span.begin_sequence;
    });
    for (const Stay& stay : stays) {
      end_until(stay.span.begin_ps);
      begin(stay);
    }
    end_until(UINT64_MAX);
  }

  [[nodiscard]] std::vector<StoryRow> take() { return std::move(rows_); }

 private:
  /// An op on a worker, running or held.
  struct Stay {
    harness::Span span;
    bool is_held = false;
  };

  /// The first worker that runs nothing while the op is held.
  [[nodiscard]] std::uint32_t idle_slot(const std::vector<Stay>& stays, const StoryHold& hold) const {
    for (SlotId slot = 0; slot < running_.size(); ++slot) {
      const bool is_idle = std::none_of(stays.begin(), stays.end(), [&](const Stay& stay) {
        return stay.span.slot == slot && stay.span.begin_ps < hold.until_ps && hold.from_ps < stay.span.end_ps;
      });
      if (is_idle) return slot;
    }
    return DETENT_NONE;
  }

  [[nodiscard]] const StoryMark* mark_of(OpId op) const {
    const auto found = std::find_if(marks_.begin(), marks_.end(), [&](const StoryMark& m) { return m.op == op; });
    return found == marks_.end() ? nullptr : &*found;
  }

  /// The row of an instant; a new one when the worker has something there already.
  StoryRow& row_at(std::uint64_t time_ps, SlotId slot) {
    const bool fits =
        !rows_.empty() && rows_.back().time_ps == time_ps && rows_.back().cells[slot].kind != StoryKind::kBegins;
    if (fits) return rows_.back();
    StoryRow row{.time_ps = time_ps, .cells = std::vector<StoryCell>(running_.size())};
    for (std::size_t s = 0; s < running_.size(); ++s) {
      if (running_[s]) row.cells[s].kind = running_[s]->is_held ? StoryKind::kIsHeld : StoryKind::kRuns;
    }
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  void begin(const Stay& stay) {
    const harness::Span& span = stay.span;
    const StoryMark* const mark = mark_of(span.op);
    StoryCell& cell = row_at(span.begin_ps, span.slot).cells[span.slot];
    cell = {.kind = StoryKind::kBegins, .text = std::to_string(span.op) + " " + op_name(&desc_, span.op)};
    if (stay.is_held) {
      cell.kind = StoryKind::kIsHeld;
    } else if (mark != nullptr) {
      cell.access = mark->access;
      cell.is_racing = true;
    }
    running_[span.slot] = stay;
  }

  /// Close what ends up to an instant, the earliest end first. A hold ends where its op begins: no row of its own.
  void end_until(std::uint64_t time_ps) {
    while (true) {
      std::optional<Stay> next;
      for (const std::optional<Stay>& stay : running_) {
        if (!stay) continue;
        const bool is_earlier = !next || stay->span.end_ps < next->span.end_ps;
        if (is_earlier || (stay->is_held && stay->span.end_ps == next->span.end_ps)) next = stay;
      }
      if (!next || next->span.end_ps > time_ps) return;
      const harness::Span& span = next->span;
      running_[span.slot].reset();
      if (next->is_held) continue;
      StoryCell& cell = row_at(span.end_ps, span.slot).cells[span.slot];
      cell.kind = StoryKind::kEnds;
      cell.is_racing = mark_of(span.op) != nullptr;
    }
  }

  const detent_desc& desc_;
  const std::vector<StoryMark>& marks_;
  std::vector<std::optional<Stay>> running_;  ///< by slot
  std::vector<StoryRow> rows_;
};

bool is_racing_row(const StoryRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const StoryCell& cell) { return cell.is_racing; });
}

std::uint64_t begins_in(const StoryRow& row) {
  return static_cast<std::uint64_t>(std::count_if(
      row.cells.begin(), row.cells.end(), [](const StoryCell& cell) { return cell.kind == StoryKind::kBegins; }));
}

/// Which rows stay: those near the marked ops; all of a short table.
std::vector<bool> rows_to_keep(const std::vector<StoryRow>& rows) {
  std::vector<bool> keep(rows.size(), rows.size() <= kStoryRows);
  if (rows.size() <= kStoryRows) return keep;
  std::size_t budget = kStoryRows;
  const auto mark = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < std::min(end, rows.size()) && budget > 0; ++i) {
      if (keep[i]) continue;
      keep[i] = true;
      --budget;
    }
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_racing_row(rows[i])) mark(i, i + 1);
  }
  if (budget == kStoryRows) mark(0, kRowsBefore);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_racing_row(rows[i])) mark(i < kRowsBetween ? 0 : i - kRowsBetween, i + 2);
  }
  return keep;
}

std::vector<StoryRow> leave_out(std::vector<StoryRow> rows) {
  const std::vector<bool> keep = rows_to_keep(rows);
  std::vector<StoryRow> shown;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keep[i]) {
      shown.push_back(std::move(rows[i]));
      continue;
    }
    if (shown.empty() || !shown.back().is_gap()) shown.push_back({.time_ps = rows[i].time_ps});
    shown.back().left_out += begins_in(rows[i]);
  }
  return shown;
}

}  // namespace

StoryTable make_story_table(const detent_desc& desc, const harness::Trace& trace, const std::vector<std::string>& lanes,
                            const std::vector<StoryMark>& marks, const std::vector<StoryHold>& holds) {
  StoryTable table;
  for (std::size_t slot = 0; slot < lanes.size(); ++slot) {
    const bool is_worker = lanes[slot] != "delays" && lanes[slot] != "scheduler";
    table.columns.push_back(is_worker ? "worker " + std::to_string(slot) + " (" + lanes[slot] + ")" : lanes[slot]);
  }
  TableBuilder builder(desc, marks, lanes.size());
  builder.add(trace.spans, holds);
  table.rows = leave_out(builder.take());
  return table;
}

}  // namespace detent::reports
