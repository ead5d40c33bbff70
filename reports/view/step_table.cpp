// Steps of the engine's threads -> rows, a column per thread.
#include <algorithm>
#include <map>

#include "reports/data/failure_story.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kLastSteps = 8;    ///< that are kept in front of the end
constexpr std::size_t kStepsAround = 3;  ///< that are kept on each side of an interruption

/// Which steps get a row.
std::vector<bool> kept_steps(const std::vector<StoryStep>& steps) {
  std::vector<bool> kept(steps.size(), steps.size() <= kStoryRows);
  std::size_t rows = 0;
  const auto keep = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, steps.size()); ++i) {
      if (!kept[i]) ++rows;
      kept[i] = true;
    }
  };
  keep(steps.size() - std::min(steps.size(), kLastSteps), steps.size());
  for (std::size_t i = steps.size(); i-- > 0 && rows < 2 * kStoryRows;) {
    if (steps[i].interrupts) keep(i - std::min(i, kStepsAround), i + kStepsAround);
  }
  return kept;
}

}  // namespace

StoryTable make_step_table(const std::vector<StoryStep>& steps) {
  StoryTable table;
  table.counts_steps = true;
  std::map<std::string, std::size_t> column_of;
  for (const StoryStep& step : steps) {
    if (column_of.emplace(step.thread, table.columns.size()).second) table.columns.push_back(step.thread);
  }
  const std::vector<bool> kept = kept_steps(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (kept[i]) {
      StoryRow row{.time_ps = steps[i].number, .cells = std::vector<StoryCell>(table.columns.size())};
      row.cells[column_of[steps[i].thread]] = {
          .kind = StoryKind::kSteps, .text = steps[i].does, .is_racing = steps[i].interrupts};
      table.rows.push_back(std::move(row));
    } else if (!table.rows.empty() && table.rows.back().is_gap()) {
      ++table.rows.back().left_out;
    } else {
      table.rows.push_back({.time_ps = steps[i].number, .left_out = 1});
    }
  }
  return table;
}

}  // namespace detent::reports
